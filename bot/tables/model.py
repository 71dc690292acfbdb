"""What a table is: immutable values, no discord, no SQL.

`TableRecord` is everything about a table but its log; `Table` adds the log and the state that
is its fold.  The state itself never leaves this room: others get observations.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any, Final, NamedTuple, TypeAlias

from engine.deal import commitment
from engine.game import CHANCE, AnyGame, Observation, Options, Outcome, Seat
from engine.layout import Phrase

TableId: TypeAlias = str
"""Public id of a table (`T7Q2`): letters that cannot be mistaken, digits."""

NOBODY: Final = 0
"""The user id that no person has."""


class Person(NamedTuple):
    """Somebody on Discord: the id counts, the name is what they were called when they sat down."""

    id: int
    name: str


class Status(StrEnum):
    LOBBY = "lobby"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    """Ended before its outcome: it counts for nobody."""
    EXPIRED = "expired"
    """Never started."""

    @property
    def is_open(self) -> bool:
        return self in (Status.LOBBY, Status.RUNNING)


class Stop(StrEnum):
    """Why a table ended before its outcome."""

    HOST = "host"
    MODERATOR = "moderator"
    VOTE = "vote"
    EMPTY = "empty"
    """Nobody was left."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place at the table; in a running match place i is seat i."""

    person: Person | None = None
    reachable: bool | None = None
    """Whether a DM arrives; None until it was tried."""


class DeadlineKind(StrEnum):
    LOBBY = "lobby"
    """The table expires unstarted."""
    AUTO_START = "auto_start"
    """A full table starts by itself."""
    NEXT_ROUND = "next_round"
    """The seats are closed for the next round although not everybody pressed."""
    POST = "post"
    """The round is dealt although no message that carries it was named."""
    STANDING = "standing"
    """Somebody who passes for the whole deal is asked something: the answer is given."""


class Deadline(NamedTuple):
    """Something that happens to a table at `due` if its question still has that number."""

    kind: DeadlineKind
    question: int
    due: datetime


class Entry(NamedTuple):
    """One line of the append-only log: a seat's action as notation, or a deal as JSON text."""

    ply: int
    """0 for the first deal; the primary key of the log together with the table."""
    seat: Seat
    text: str
    at: datetime
    interaction: int | None = None
    """The Discord interaction that brought it: the same one is never applied twice."""

    @property
    def is_deal(self) -> bool:
        return self.seat == CHANCE


@dataclass(frozen=True, slots=True)
class Shuffle:
    """What chance has for one round (`notation.md`, verifiable deal)."""

    seed: str = field(repr=False)
    """32 bytes as 64 hex digits.  Secret: only `bot.tables.proof` says when it may be shown."""
    post: str | None = None
    """Id of the message that carries the round, empty if there is none; None until it is dealt."""
    words: tuple[str, ...] = ()
    """By seat, from the moment the seats are closed."""

    @property
    def commitment(self) -> str:
        """What is shown of the seed beforehand."""
        return commitment(bytes.fromhex(self.seed))


@dataclass(frozen=True, slots=True)
class TableRecord:
    """Everything about a table except its log.  Times are aware and in UTC."""

    id: TableId
    guild: int
    channel: int
    """Channel or thread: at most one open table in each."""
    game: str
    rules_version: int
    given: Options
    """Options as the host gave them; `options` completes them when the seats are known."""
    places: tuple[Place, ...]
    host: int
    created: datetime
    private: bool = False
    invited: frozenset[int] = frozenset()
    kicked: frozenset[int] = frozenset()
    status: Status = Status.LOBBY
    stop: Stop | None = None
    options: Options = field(default_factory=dict)
    """Complete options of the match; empty until it starts."""
    starters: tuple[Person, ...] = ()
    """Who sat where when the seats were closed for the first deal: the match counts for them."""
    ready: frozenset[int] = frozenset()
    """Who has pressed Next round since the round ended."""
    end_votes: frozenset[int] = frozenset()
    held: bool = False
    """The host pressed Hold: a full table does not start by itself."""
    seen: Mapping[int, Seat] = field(default_factory=dict)
    """Who has left a seat since the last deal, and which: they know its hand and may see no other
    in this round.  Empty in the lobby and between rounds."""
    shuffles: tuple[Shuffle, ...] = ()
    """By round: every one dealt and the coming one; while the seats are closed also the one after,
    so that each seed is bound before the first action of the round before it."""
    words: Mapping[int, str] = field(default_factory=dict)
    """What users typed behind *Cut* for the coming deal; closing the seats moves it into the
    round's shuffle."""
    closed: bool = False
    """Nobody sits down and no word changes: the round is dealt once its message is known."""
    standing: frozenset[int] = frozenset()
    """Users who pass for the whole deal."""
    deadlines: tuple[Deadline, ...] = ()
    rematch_of: TableId | None = None
    started: datetime | None = None
    ended: datetime | None = None
    version: int = 0
    """Counts the commits of this table; the compare-and-set key of everything but the log."""

    @property
    def people(self) -> tuple[Person, ...]:
        """Whoever sits here, in the order of the places."""
        return tuple(place.person for place in self.places if place.person is not None)

    def place_of(self, user: int) -> int | None:
        """Index of the place where `user` sits."""
        for index, place in enumerate(self.places):
            if place.person is not None and place.person.id == user:
                return index
        return None

    @property
    def free_places(self) -> tuple[int, ...]:
        return tuple(i for i, place in enumerate(self.places) if place.person is None)

    @property
    def words_by_place(self) -> tuple[str, ...]:
        """`words`, empty where nobody sits or cut."""
        people = (place.person for place in self.places)
        return tuple("" if p is None else self.words.get(p.id, "") for p in people)

    @property
    def votes_needed(self) -> int:
        """Votes that end the table: more than half of the people seated."""
        return len(self.people) // 2 + 1

    def deadline(self, kind: DeadlineKind) -> Deadline | None:
        return next((d for d in self.deadlines if d.kind is kind), None)


class ResultRow(NamedTuple):
    """One person's part of a finished match; all rows of a match are written in one go."""

    user: int
    name: str
    seat: Seat
    place: int
    points: int


class Result(NamedTuple):
    """A finished match as the leaderboards keep it."""

    table: TableId
    guild: int
    game: str
    rounds: int
    ended: datetime
    rows: tuple[ResultRow, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table as it stands: record, log and, once started, the fold of the log."""

    record: TableRecord
    game: AnyGame
    log: tuple[Entry, ...] = field(default=(), repr=False)
    told: tuple[Phrase, ...] = ()
    """What everybody was told of the log, in order: the public events, no others."""
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
        """Whether `seat` is asked something that its person's pass for the whole deal answers."""
        person = self.record.places[seat].person
        return (
            person is not None
            and person.id in self.record.standing
            and seat in self.actors
            and self.game.standing_action(self.observe(seat)) is not None
        )

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


By: TypeAlias = ByPerson | ByStanding
"""Closed union of whoever may act; computer players and the turn clock join it later."""


class TableError(Exception):
    """A refused wish: a code and parameters; the sentence is under `table.error.<code>`.

    `table` is the table as it stands, for showing it, where there is one.
    """

    def __init__(self, code: str, /, table: Table | None = None, **params: int | str) -> None:
        super().__init__(code)
        self.code = code
        self.table = table
        self.params: Mapping[str, int | str] = params
