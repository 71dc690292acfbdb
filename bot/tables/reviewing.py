"""Reviews of rounds: their positions are kept, and a computer player is asked what it would do."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias, TypeVar

from cachetools import LRUCache

from bot.ids import QuestionId, TableId, UserId
from bot.tables.computer_answers import Advising
from bot.tables.hinting import Opinion, only_choice, opinion_of
from bot.tables.model import Table, TableError
from bot.tables.ports import Computers
from bot.tables.review import ReviewedRound, Starts, require_open, reviewed, starts

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

    def __init__(self, computers: Computers, beside: Beside) -> None:
        self._computers, self._beside = computers, beside
        self._rounds: LRUCache[tuple[_Match, int], ReviewedRound] = LRUCache(KEPT_ROUNDS)
        self._starts: LRUCache[_Match, Starts] = LRUCache(KEPT_MATCHES)
        self._advising = Advising(computers)
        self._asking: set[UserId] = set()
        """People for whom something is thought about."""

    async def round(self, table: Table, number: int | None) -> ReviewedRound:
        """The positions of a round.  Raises what `review.require_open` raises."""
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

        It knows what the seat knew.  It takes up to three seconds, once for each position.

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
        asked = shown.table, shown.steps[position].seat, QuestionId(shown.first + position)
        self._asking.add(user)
        try:
            self._computers.wake((shown.game.info.id,))
            advice = await self._advising.about(asked, lambda: shown.thought(position))
        finally:
            self._asking.discard(user)
        return opinion_of(advice, shown.game.info.hinted)

    async def aclose(self) -> None:
        """Ends all running decisions."""
        await self._advising.aclose()
