"""Index of the tables at which each person sits, cached in memory."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from cachetools import LRUCache

from bot.ids import TableId, UserId
from bot.tables.model import Table
from bot.tables.ports import TableStore

PEOPLE: Final = 50_000
"""Of so many people it is remembered where they sit."""


class Sitting:
    """By person the open tables where they sit; whoever moves is looked up anew."""

    def __init__(self, store: TableStore) -> None:
        self._store = store
        self._known: LRUCache[UserId, tuple[TableId, ...]] = LRUCache(PEOPLE)
        self._changes = 0
        """Counts moves, so that nothing is kept that was read before one."""

    async def tables_of(self, user: UserId) -> tuple[TableId, ...]:
        """Open tables where `user` sits, newest first.  Raises Unavailable."""
        known = self._known.get(user)
        if known is not None:
            return known
        changes = self._changes
        found = tuple(await self._store.open_of(user))
        if changes == self._changes:
            self._known[user] = found
        return found

    def moved(self, people: Iterable[UserId]) -> None:
        """These have sat down or got up, or a table of theirs was opened or has ended."""
        for user in people:
            self._changes += 1
            self._known.pop(user, None)

    def forget(self) -> None:
        """Forgets where people sit, so that it is read again."""
        self._changes += 1
        self._known.clear()


def moved_by(before: Table | None, after: Table) -> frozenset[UserId]:
    """Who sits somewhere else once `after` stands in place of `before`."""
    return _sitting(before) ^ _sitting(after)


def _sitting(table: Table | None) -> frozenset[UserId]:
    if table is None or not table.stored.status.is_open:
        return frozenset()
    return frozenset(person.id for person in table.stored.seating.people)
