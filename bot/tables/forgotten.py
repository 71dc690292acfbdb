"""`Forgotten`: what open tables do not know any more of people who were forgotten."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from cachetools import LRUCache

from bot.ids import TableId, UserId
from bot.tables.stored import StoredTable

MOST: Final = 10_000
"""Maximum number of pairs of an open table and a forgotten person that are remembered."""


class Forgotten:
    """People who were forgotten while tables were open that concern them.

    Only this process knows it: nothing of them is stored.
    """

    def __init__(self) -> None:
        self._barred: LRUCache[tuple[TableId, UserId], bool] = LRUCache(MOST)
        """Where they sit down no more."""
        self._opened: LRUCache[tuple[TableId, UserId], bool] = LRUCache(MOST)
        """Which tables they had opened."""

    def note(self, table: StoredTable, user: UserId) -> None:
        """`user` will be forgotten while `table` is open.

        They sit down nowhere where they were sent away or have seen a hand, and tables that they
        have opened stay theirs for the limits.
        """
        if user in table.seating.kicked or user in table.seating.seen:
            self._barred[table.id, user] = True
        if table.opener == user:
            self._opened[table.id, user] = True

    def is_barred(self, table: TableId, user: UserId) -> bool:
        return (table, user) in self._barred

    def opened_by(self, user: UserId) -> Collection[TableId]:
        """Tables that they had opened; some may have ended since."""
        return [table for table, who in self._opened if who == user]
