"""What a table is: immutable values, no discord, no SQL.

`TableRecord` is everything about a table but its log; `Table` adds the log and the state that
is its fold.  The state itself never leaves this room: others get observations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias

from bot.tables.stored import (
    NOBODY,
    Actor,
    Deadline,
    DeadlineKind,
    Entry,
    Pace,
    Person,
    Place,
    Result,
    ResultRow,
    Shuffle,
    Stall,
    Status,
    Stop,
    TableId,
    TableRecord,
)
from engine.game import CHANCE, AnyGame, Observation, Outcome, Seat
from engine.layout import Phrase

__all__ = [
    "NOBODY",
    "Actor",
    "By",
    "ByClock",
    "ByPerson",
    "ByStandIn",
    "ByStanding",
    "Deadline",
    "DeadlineKind",
    "Entry",
    "Pace",
    "Person",
    "Place",
    "Result",
    "ResultRow",
    "Shuffle",
    "Stall",
    "Status",
    "Stop",
    "Table",
    "TableError",
    "TableId",
    "TableRecord",
]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it stands: record, log and, once started, the fold of the log."""

    record: TableRecord
    game: AnyGame
    log: tuple[Entry, ...] = field(default=(), repr=False)
    told: tuple[Phrase, ...] = ()
    """What everybody was told of the log, in order: the public events, no others, and around
    those of an action that the clock brought that time was up, and that a stand-in takes over."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """Points of each complete round, by seat."""
    _state: Any = field(default=None, repr=False)
    """Opaque to everybody but `TableService` and the methods below (see `AnyGame`)."""

    @property
    def id(self) -> TableId:
        return self.record.id

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Seats that may act now; () before the start, between rounds and at the end."""
        if self._state is None or self.record.status is not Status.RUNNING:
            return ()
        actors = self.game.actors(self._state)
        return () if actors == (CHANCE,) else actors

    @property
    def between_rounds(self) -> bool:
        """Whether people decide when the next round begins; no longer once the seats are closed."""
        return (
            self.record.status is Status.RUNNING
            and not self.record.closed
            and self._state is not None
            and self.game.actors(self._state) == (CHANCE,)
        )

    @property
    def closing(self) -> bool:
        """Whether the seats are closed and the deal waits for the message that carries it.

        Then there are no `actors`, nothing is `between_rounds`, and `round` is still the number
        of the round before (0 for the first, though the match has `started`).
        """
        return self.record.closed

    @property
    def started(self) -> bool:
        return self._state is not None

    @property
    def round(self) -> int:
        """Number of the round dealt last, from 1; 0 before the first deal."""
        return sum(entry.is_deal for entry in self.log)

    @property
    def deal_ply(self) -> int:
        """Ply of the deal of the present round, whose questions have higher numbers.

        -1 before the first deal.
        """
        return max((entry.ply for entry in self.log if entry.is_deal), default=-1)

    @property
    def ply(self) -> int:
        """Ply of the next entry; between rounds also the number of the question to go on."""
        return len(self.log)

    @property
    def commitment(self) -> str:
        """What binds the coming deal, 64 hex digits; everybody may see it.

        In the lobby, in a pause and while `closing` that is the deal people wait for; during a
        round it is the next round's.  Empty if there is none: a table that ended long ago.
        """
        return self._commitment(self.round)

    @property
    def next_commitment(self) -> str:
        """While `closing`: what binds the deal after the coming one; else empty."""
        return self._commitment(self.round + 1)

    def _commitment(self, index: int) -> str:
        shuffles = self.record.shuffles
        return shuffles[index].commitment if index < len(shuffles) else ""

    @property
    def words(self) -> tuple[str, ...]:
        """By place: the words for the coming deal, empty where nobody cut.

        From the closing of the seats on they stay as they are, even if the match is stopped then.
        """
        record, dealt = self.record, self.round
        fixed = record.shuffles[dealt].words if dealt < len(record.shuffles) else ()
        return fixed or record.words_by_place

    @property
    def post(self) -> str | None:
        """Id of the message that the round dealt last depends on; empty if it could not be posted.

        None before the first deal, and for rounds dealt before there were proofs.
        """
        shuffles, dealt = self.record.shuffles, self.round
        return shuffles[dealt - 1].post if 0 < dealt <= len(shuffles) else None

    @property
    def dealt_words(self) -> tuple[str, ...]:
        """By seat: the words that the round dealt last depends on; () before the first."""
        shuffles, dealt = self.record.shuffles, self.round
        return shuffles[dealt - 1].words if 0 < dealt <= len(shuffles) else ()

    def answers_itself(self, seat: Seat) -> bool:
        """Whether `seat` is asked something that nobody needs to be called for.

        A stand-in answers it, or its person's pass for the whole deal.
        """
        place = self.record.places[seat]
        if seat not in self.actors:
            return False
        if place.person is None or place.stand_in:
            return True
        passes = place.person.id in self.record.standing
        return passes and self.game.standing_action(self.observe(seat)) is not None

    @property
    def asked(self) -> tuple[Seat, ...]:
        """Seats whose people are asked something now: actors that do not answer themselves."""
        return tuple(seat for seat in self.actors if not self.answers_itself(seat))

    def question(self, seat: Seat) -> int:
        """Number of the question that `seat` is now asked."""
        return self.game.question(self._state, seat)

    def observe(self, seat: Seat | None) -> Observation:
        """What `seat` (None: a spectator) may know.  The match must have started."""
        observation: Observation = self.game.observe(self._state, seat)
        return observation

    def legal_texts(self, seat: Seat) -> Iterator[str]:
        """Notation of every legal action of `seat`; nothing if it is not to act."""
        return map(self.game.format_action, self.game.legal_actions(self._state, seat))

    def compose(self, seat: Seat, cards: Sequence[str], flags: frozenset[str]) -> str:
        """Notation of the action that a combination means.  Raises RuleError if it means none."""
        action = self.game.compose(self.observe(seat), cards, flags)
        return self.game.format_action(action)

    @property
    def outcome(self) -> Outcome | None:
        return None if self._state is None else self.game.outcome(self._state)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.game.scores(self._state)

    @property
    def round_scores(self) -> tuple[int, ...] | None:
        return self.game.round_scores(self._state)


# Who acts.  People, and later computer players and the turn clock, use the same door.


class ByPerson(NamedTuple):
    user: int


class ByStanding(NamedTuple):
    """Nobody pressed: `user` passes for the whole deal."""

    user: int


class ByClock(NamedTuple):
    """The time of the person on `seat` is up."""

    seat: Seat


class ByStandIn(NamedTuple):
    """Nobody is there on `seat`."""

    seat: Seat


By: TypeAlias = ByPerson | ByStanding | ByClock | ByStandIn
"""Closed union of whoever may act; computer players join it later."""


class TableError(Exception):
    """A refused wish: a code and parameters; the sentence is under `table.error.<code>`.

    `table` is the table as it stands, for showing it, where there is one.
    """

    def __init__(self, code: str, /, table: Table | None = None, **params: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.table = table
        self.params: Mapping[str, int | str] = params
