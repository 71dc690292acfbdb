"""Looking at a whole match: all of its log, its record, whether its deals fit.

For a long match that takes seconds.  It is done in threads, whose turns of the interpreter are
short, for one match at a time, and once for all who ask for the same meanwhile: however often
somebody presses *Log* or *Verify*, nobody else waits for it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Hashable
from typing import Any, Final, TypeVar

from cachetools import LRUCache

from bot.ids import TableId
from bot.tables.loaded import LoadedTables
from bot.tables.model import Table
from bot.tables.published import Check, check, match_record
from bot.tables.snapshots import EVERY
from bot.tables.stored import Status
from bot.tables.stories import RoundTold, rounds_told
from engine.record import to_text

T = TypeVar("T")

CHECKED: Final = 1024
"""So many checks of matches are remembered."""


class Wholes:
    """Every method raises TableError `no_such_table` (id), `unreadable` (id)."""

    def __init__(self, loaded: LoadedTables) -> None:
        self._loaded = loaded
        self._turn = asyncio.Lock()
        """Of the long matches."""
        self._under_way: dict[Hashable, asyncio.Task[Any]] = {}
        self._checked: LRUCache[tuple[TableId, Status, int], Check | None] = LRUCache(CHECKED)
        """By table, and as far as seeds are published."""

    async def table(self, table: Table) -> Table:
        """`table` with all of its log and all that was told, as far as that is not in memory."""
        if not table.first:
            return table
        return await self._once("log", table, lambda: self._loaded.whole(table.id))

    async def rounds(self, table: Table) -> tuple[RoundTold, ...]:
        """See `stories.rounds_told`."""
        whole = await self.table(table)
        return await self._once("rounds", whole, lambda: asyncio.to_thread(rounds_told, whole))

    async def checked(self, table: Table) -> Check | None:
        """See `published.check`."""
        key = (table.id, table.stored.status, len(table.rounds))
        if key not in self._checked:
            whole = await self.table(table)
            self._checked[key] = await self._once(
                "check", whole, lambda: asyncio.to_thread(check, whole)
            )
        return self._checked[key]

    async def record(self, table: Table) -> str:
        """See `published.match_record`: as a line of text."""
        whole = await self.table(table)
        return await self._once(
            "record", whole, lambda: asyncio.to_thread(lambda: to_text(match_record(whole)) + "\n")
        )

    async def _once(self, what: str, table: Table, look: Callable[[], Awaitable[T]]) -> T:
        """What `look` finds of `table` as it stands, or finds already for somebody else."""
        key = (what, table.id, table.stored.version)
        task: asyncio.Task[T] | None = self._under_way.get(key)
        if task is None:
            task = asyncio.create_task(self._in_turn(table, look), name=f"{what} of {table.id}")
            self._under_way[key] = task
            task.add_done_callback(lambda done: self._ended(key, done))
        return await asyncio.shield(task)

    async def _in_turn(self, table: Table, look: Callable[[], Awaitable[T]]) -> T:
        if table.ply < EVERY:
            return await look()
        async with self._turn:
            return await look()

    def _ended(self, key: Hashable, task: asyncio.Task[Any]) -> None:
        del self._under_way[key]
        if not task.cancelled():
            task.exception()  # seen: whoever asked may be gone, and asyncio would log its words
