"""`TableService`, the part that only reads: finding tables and looking at them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final, TypeVar

from cachetools import LRUCache

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.tables.loaded import LoadedTables
from bot.tables.model import Table
from bot.tables.ports import TableStore
from bot.tables.published import Check, check, match_record
from bot.tables.stored import DeadlineKind, Status
from bot.tables.stories import RoundTold, rounds_told
from engine.record import to_text

T = TypeVar("T")

NEVER: Final = datetime.max.replace(tzinfo=UTC)

CHECKED: Final = 1024
"""So many checks of matches are remembered."""


class Finding:
    """Every method raises TableError `no_such_table` (id) and `unreadable` (id)."""

    def __init__(self, store: TableStore, loaded: LoadedTables) -> None:
        self._store = store
        self._loaded = loaded
        self._lock = asyncio.Lock()
        """Of whoever goes through a match from its start."""
        self._checked: LRUCache[tuple[TableId, Status, int], Check | None] = LRUCache(CHECKED)
        """By table, and as far as seeds are published."""

    async def table(self, table: TableId) -> Table:
        """The table as it stands."""
        return await self._loaded.read(table)

    async def find(self, table: TableId) -> Table:
        """The table as it stands, for showing or ending it: its log may be unreadable."""
        return await self._loaded.read(table, tolerant=True)

    async def open_in_channel(self, channel: ChannelId) -> Table | None:
        """The open table of a channel or thread."""
        return await self._loaded.found(await self._store.open_in_channel(channel))

    async def latest_in_channel(self, channel: ChannelId) -> Table | None:
        """The newest table of a channel or thread, open or ended."""
        return await self._loaded.found(await self._store.latest_in_channel(channel))

    async def open_of(self, user: UserId) -> list[Table]:
        """Open tables where `user` sits, newest first."""
        return await self._loaded.every(await self._store.open_of(user), tolerant=True)

    async def waiting_for(self, user: UserId, but: TableId | None = None) -> list[Table]:
        """Open tables that wait for `user`, least time first; `but` is left out."""
        sits = await self._store.open_of(user)
        found = await self._loaded.every((one for one in sits if one != but), tolerant=True)
        waiting = [table for table in found if table.waits_for(user)]
        return sorted(waiting, key=lambda table: _due(table) or NEVER)

    async def open_on(self, guild: GuildId) -> list[Table]:
        """Open tables of a server, newest first."""
        found = await self._loaded.every(await self._store.open_tables(guild), tolerant=True)
        return found[::-1]

    async def open_tables(self) -> list[Table]:
        """Every open table that can be read."""
        return await self._loaded.every(await self._store.open_tables(), tolerant=False)

    async def tables_in(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> list[TableId]:
        """Open tables, of one server or of one channel or thread; oldest first."""
        return list(await self._store.open_tables(guild, channel))

    async def clocked(self) -> list[TableId]:
        """Running tables where somebody's time or a pause runs, earliest deadline first."""
        return list(await self._store.clocked())

    async def rounds(self, table: Table) -> tuple[RoundTold, ...]:
        """See `stories.rounds_told`."""
        return await self._beside(rounds_told, table)

    async def checked(self, table: Table) -> Check | None:
        """See `published.check`."""
        key = (table.id, table.stored.status, len(table.rounds))
        if key not in self._checked:
            self._checked[key] = await self._beside(check, table)
        return self._checked[key]

    async def record(self, table: Table) -> str:
        """See `published.match_record`: as a line of text."""
        return await self._beside(lambda table: to_text(match_record(table)) + "\n", table)

    async def _beside(self, look: Callable[[Table], T], table: Table) -> T:
        """What `look` finds, in a thread; one at a time, or the threads would hold up the loop."""
        async with self._lock:
            return await asyncio.to_thread(look, table)


def _due(table: Table) -> datetime | None:
    """When the time of whoever is asked is up."""
    deadline = table.stored.timing.deadline(DeadlineKind.TURN)
    return None if deadline is None else deadline.due
