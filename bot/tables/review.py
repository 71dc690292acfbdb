"""A round that is open to all, position by position, and the reviews that are kept.

A position is what the rules make of the log up to a ply; what a seat saw there is observed from it,
as it was in play.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, TypeVar

from cachetools import LRUCache

from bot.ids import Ids, QuestionId, TableId, UserId, drop
from bot.tables.computer_answers import Advising, AskedOf, secret_of, seed_for
from bot.tables.deals import is_published
from bot.tables.fold import told_of, walk, walked
from bot.tables.hinting import Opinion, only_choice, opinion_of
from bot.tables.model import Table, TableError
from bot.tables.ports import Computers, Thought
from bot.tables.stored import Entry
from engine.game import AnyGame, Observation, Seat
from engine.layout import Layout, Phrase, under_way
from engine.players.levels import Level


class Step(NamedTuple):
    """One action of a seat."""

    seat: Seat
    text: str
    """Its notation."""
    told: tuple[Phrase, ...]
    """What everybody was told of it: first the action itself, and before that of the clock."""
    secret: tuple[str, ...]
    """Cards that it named and that nobody else saw then."""


class Starts(NamedTuple):
    """States before the deals of a match, so that a late round is not played from the first."""

    deals: tuple[int, ...]
    """Plies of these deals."""
    states: tuple[Any, ...]

    def __repr__(self) -> str:
        """States are secret."""
        return f"Starts({self.deals})"


@dataclass(frozen=True, slots=True)
class ReviewedRound:
    """All positions of one round: before each of its actions, and at its end."""

    table: TableId
    game: AnyGame
    number: int
    """From 1."""
    steps: tuple[Step, ...]
    leads: tuple[int, ...]
    """Positions at which a new trick or series begins, and the last position."""
    first: int
    """Ply of the first action."""
    _states: tuple[Any, ...] = field(repr=False)
    """The last one is that after all actions."""
    _secret: str = field(repr=False)
    """The seed of its shuffle."""

    @property
    def last(self) -> int:
        """Number of the last position; the first is 0."""
        return len(self.steps)

    @property
    def points(self) -> tuple[int, ...] | None:
        """Points of the round; None if the match was stopped before its end."""
        return self.game.round_scores(self._states[-1])

    @property
    def totals(self) -> tuple[int, ...]:
        """Points of all rounds up to this one."""
        return self.game.scores(self._states[-1])

    def seen(self, position: int, seat: Seat | None) -> Observation:
        """What `seat` (None: a spectator) knew at that position."""
        seen: Observation = self.game.observe(self._states[position], seat)
        return seen

    def layout(self, position: int, seat: Seat | None) -> Layout:
        """What `seat` saw at that position."""
        return self.game.layout(self.seen(position, seat))

    def secrets(self, position: int) -> tuple[tuple[str, ...], ...]:
        """By seat: cards that it has named before that position, and that nobody else sees yet."""
        view = self.seen(position, None)
        found: list[list[str]] = [[] for _ in self.totals]
        for step in self.steps[:position]:
            if step.secret:
                action = self.game.parse_action(step.text)
                shown = self.game.public_action(view, step.seat, action).split()
                found[step.seat] += [card for card in step.secret if card not in shown]
        return tuple(map(tuple, found))

    def next_lead(self, position: int) -> int:
        """The position at which the next trick or series begins; else the last one."""
        return next((lead for lead in self.leads if lead > position), self.last)

    def forced(self, position: int) -> str | None:
        """The action at that position if there was no other."""
        seat = self.steps[position].seat
        legal = tuple(islice(self.game.legal_actions(self._states[position], seat), 2))
        return self.game.format_action(legal[0]) if len(legal) == 1 else None

    def thought(self, position: int) -> Thought:
        """What a strong computer player is asked at that position: what its seat knew, no more."""
        asked = self.asked(position)
        seen, seed = self.seen(position, asked[1]), seed_for(self._secret, asked)
        return Thought(self.game.info.id, seen, Level.STRONG, seed)

    def asked(self, position: int) -> AskedOf:
        """The question that was answered at that position."""
        return self.table, self.steps[position].seat, QuestionId(self.first + position)


def open_rounds(table: Table) -> tuple[int, ...]:
    """Numbers of the rounds whose cards are open to all: their seeds are published."""
    if table.played is None:
        return ()
    return tuple(number for number in range(1, table.round + 1) if is_published(table, number))


def require_open(table: Table, number: int | None) -> int:
    """The round of that number (None: the latest open one), if all may see its cards.

    Raises TableError `review_nothing` (no round has been dealt), `review_sealed` (its cards are
    secret yet), `review_none` (there is no such round; rounds).
    """
    found = open_rounds(table)
    if not table.round:
        raise TableError("review_nothing", table)
    if number is not None and not 0 < number <= table.round:
        raise TableError("review_none", table, rounds=table.round)
    if not found or (number is not None and number not in found):
        after = table.game.info.seeds_after
        raise TableError("review_sealed" if after == "round" else "review_sealed_match", table)
    return found[-1] if number is None else number


def starts(table: Table) -> Starts:
    """The states before all deals of a match."""
    states = (before for entry, before, *_ in walked(table) if entry.is_deal)
    return Starts(table.deals, tuple(states))


def reviewed(table: Table, number: int, known: Starts) -> ReviewedRound:
    """The positions of an open round.  Raises what `require_open` raises."""
    require_open(table, number)
    game, deals = table.game, (*table.deals, table.ply)
    log = table.log[deals[number - 1] : deals[number]]
    (deal, *_, dealt), *lines = walk(game, known.states[number - 1], log)
    pack = frozenset(game.pack(len(table.stored.seating.places), table.stored.options))
    states = [dealt, *(after for *_, after in lines)]
    layouts = [game.layout(game.observe(state, None)) for state in states]
    return ReviewedRound(
        table.id,
        game,
        number,
        tuple(_step(game, pack, *line) for line in lines),
        tuple(_leads(layouts)),
        deal.ply + 1,
        tuple(states),
        secret_of(table, number),
    )


def _step(
    game: AnyGame, pack: frozenset[str], entry: Entry, before: Any, action: Any, after: Any
) -> Step:
    """What an action is, given its line of the log and the states around it."""
    events = game.events(before, entry.seat, action, after)
    told = tuple(told_of(entry, (one.phrase for one in events if one.audience is None)))
    shown = game.public_action(game.observe(after, None), entry.seat, action).split()
    secret = tuple(word for word in entry.text.split() if word in pack and word not in shown)
    return Step(entry.seat, entry.text, told, secret)


def _leads(layouts: Sequence[Layout]) -> list[int]:
    """Positions at which nothing lies any more, where something lay; and the last one."""
    lies = [under_way(layout.blocks) for layout in layouts]
    found = [at for at in range(1, len(lies)) if lies[at - 1] and not lies[at]]
    last = len(layouts) - 1
    return found if last in found else [*found, last]


# Reviews that are kept.

T = TypeVar("T")

KEPT_ROUNDS: Final = 64
"""Maximum number of rounds whose positions are kept; those of one take some hundred KB."""

KEPT_MATCHES: Final = 64
"""Maximum number of matches of which the states before the deals are kept."""

_Match: TypeAlias = tuple[TableId, int, int]
"""A table, how often cards were dealt, and its ply: what was found is of no other log."""


class Beside(Protocol):
    """Runs something in a thread."""

    def __call__(self, look: Callable[[Table], T], table: Table) -> Awaitable[T]: ...


class Reviewing:
    """Rounds that people look through, in memory only."""

    def __init__(self, computers: Computers, advising: Advising, beside: Beside) -> None:
        self._computers, self._advising, self._beside = computers, advising, beside
        self._rounds: LRUCache[tuple[_Match, int], ReviewedRound] = LRUCache(KEPT_ROUNDS)
        self._starts: LRUCache[_Match, Starts] = LRUCache(KEPT_MATCHES)
        self._asking: set[UserId] = set()
        """People for whom something is thought about."""

    async def round(self, table: Table, number: int | None) -> ReviewedRound:
        """The positions of a round.  Raises what `require_open` raises."""
        number = require_open(table, number)
        match = table.id, table.round, table.ply
        found = self._rounds.get((match, number))
        if found is None:
            found = await self._beside(lambda one: self._reviewed(one, number), table)
            self._rounds[match, number] = found
        return found

    def _reviewed(self, table: Table, number: int) -> ReviewedRound:
        """Runs in a thread, one at a time."""
        match = table.id, table.round, table.ply
        known = self._starts.get(match)
        if known is None:
            known = self._starts[match] = starts(table)
        return reviewed(table, number, known)

    async def opinion(self, shown: ReviewedRound, position: int, user: UserId) -> Opinion:
        """What a strong computer player would do at a position, asked by `user`.

        It knows what the seat knew, and says what it said in a hint.  It takes up to three seconds,
        once for each position.

        Raises TableError `not_offered` at the end of the round, `review_busy` while it thinks about
        another one for them.
        """
        if not 0 <= position < shown.last:
            raise TableError("not_offered")
        only = shown.forced(position)
        if only is not None:
            return only_choice(only)
        if user in self._asking:
            raise TableError("review_busy")
        self._asking.add(user)
        try:
            self._computers.wake((shown.game.info.id,))
            advice = await self._advising.about(shown.asked(position), shown.thought(position))
        finally:
            self._asking.discard(user)
        return opinion_of(advice, shown.game.info)

    def drop(self, tables: Ids) -> None:
        """These tables were forgotten."""
        drop(self._starts, tables)
        for match, number in [key for key in self._rounds if key[0][0] in tables]:
            del self._rounds[match, number]
