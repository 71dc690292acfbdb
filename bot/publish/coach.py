"""People who are learning a game: who gets an explanation with which decision."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import structlog
from cachetools import LRUCache

from bot.ids import Ids, TableId, UserId, drop
from bot.publish.later import Later
from bot.publish.timings import TIMINGS, Timings
from bot.tables.model import Table
from bot.tables.ports import Lesson, Pupils, TipShownAt
from bot.views.values import BoardView, ChannelView, HandView

logger = structlog.get_logger(__name__)


MAX_PEOPLE: Final = 50_000
"""Maximum number of people, each at a table, whose lessons are in memory."""


class Coach:
    """Lessons that people have had.

    They are read once for each person at a table, and new ones are stored a moment later, several
    in one transaction: no play waits for it.
    """

    def __init__(self, stored: Pupils, timings: Timings = TIMINGS) -> None:
        self._stored = stored
        self._learns: LRUCache[tuple[TableId, UserId], bool] = LRUCache(MAX_PEOPLE)
        """Whether a person gets tips at a table."""
        self._told: LRUCache[tuple[UserId, str], dict[str, TipShownAt]] = LRUCache(MAX_PEOPLE)
        """By person and game: where each kind of decision was explained."""
        lag = timings.store_lag
        self._new: Later[Lesson, TipShownAt] = Later(stored.teach, lag, lag, "lessons")

    async def ask(self, table: Table) -> bool:
        """Finds out what everybody at a table has learnt; whether anything had to be found out."""
        people = [person.id for person in table.stored.seating.people]
        unknown = [user for user in people if (table.id, user) not in self._learns]
        if not table.begun or not unknown:
            return False
        game = table.stored.game
        try:
            found = await self._stored.pupils(unknown, game)
        except Exception as error:  # a hand without a tip is better than none
            logger.warning("pupils_not_found", kind=type(error).__name__)
            return False
        for user, pupil in found.items():
            self._learns.setdefault((table.id, user), pupil.learns)
            known = self._told.setdefault((user, game), {})
            known |= {**pupil.told, **known}
        return True

    def shown(self, view: HandView, user: UserId) -> HandView:
        """The hand as `user` is to see it now: with a tip, if its question is new to them."""
        table, game = view.head.table, view.head.game
        if not self._learns.get((table, user), False):
            return view
        view = replace(view, learns=True)
        if view.question is None or view.layout.tip is None or view.away:
            return view
        kind = view.layout.tip.code
        now, known = TipShownAt(table, view.question), self._told.setdefault((user, game), {})
        if kind not in known:
            known[kind] = now
            self._new.put(Lesson(user, game, kind), now)
        return replace(view, coached=True) if known[kind] == now else view

    def seen(self, view: ChannelView) -> ChannelView:
        """The table's message with the goal of the game, while a person there is learning it."""
        if not isinstance(view, BoardView):
            return view
        people = [sitter.user for sitter in view.head.sitters if sitter.user is not None]
        learns = any(self._learns.get((view.head.table, user), False) for user in people)
        return replace(view, learns=True) if learns else view

    async def put_away(self, user: UserId) -> None:
        """`user` has chosen to get no tips any more.  Raises Unavailable."""
        await self._new.flush()  # what waits would be stored after it
        await self._stored.forget(user)
        for known in [one for one in self._learns if one[1] == user]:
            self._learns[known] = False

    def bring_back(self, user: UserId) -> None:
        """`user` has chosen to get tips again."""
        for known in [one for one in self._learns if one[1] == user]:
            del self._learns[known]  # it is found out anew what they have learnt

    async def flush(self) -> None:
        """Store what is not stored yet.  Raises Unavailable."""
        await self._new.flush()

    def drop(self, ids: Ids) -> None:
        """These tables and people were forgotten."""
        drop(self._learns, ids)
        drop(self._told, ids)

    async def aclose(self) -> None:
        """Store lessons that are not stored yet."""
        await self._new.aclose()
