"""`Opener`: opens tables, one at a time on each server, if `limits` allows it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.tables.forgotten import Forgotten
from bot.tables.limits import Limits, OpeningLimits
from bot.tables.loaded import ATTEMPTS, LoadedTables
from bot.tables.locks import Locks
from bot.tables.model import Table, TableError
from bot.tables.ports import ChannelTaken, Clock, TableStore
from bot.tables.stored import StoredTable
from engine.game import AnyGame


class Opener:
    """Opens tables.  While waiting for its turn a task holds no lock; during it, it reads no
    table."""

    def __init__(
        self,
        store: TableStore,
        loaded: LoadedTables,
        clock: Clock,
        limits: Limits,
        forgotten: Forgotten,
    ) -> None:
        self._store = store
        self._loaded = loaded
        self._clock = clock
        self._openings = OpeningLimits(limits)
        self._forgotten = forgotten
        self._turns: Locks[GuildId] = Locks()
        self._draining = False

    def drain(self) -> None:
        """No table is opened from now on: `restarting`."""
        self._draining = True

    async def open(
        self,
        guild: GuildId,
        channel: ChannelId,
        user: UserId,
        make: Callable[[TableId], StoredTable],
        game: AnyGame,
        wanted: TableId | None = None,
    ) -> Table:
        """A new table, which `user` opens, of the id that is `wanted` if it is free.

        Raises TableError `restarting`, `channel_busy` (with the table that is open there), `busy`,
        and what `OpeningLimits.require` raises.
        """
        for _ in range(ATTEMPTS):
            async with self._turns.held(guild):
                if self._draining:
                    raise TableError("restarting")
                standing = await self._store.open_in_channel(channel)
                if standing is None:
                    theirs = self._forgotten.opened_by(user)
                    counts = await self._store.open_count(guild, user, theirs)
                    self._openings.require(guild, user, *counts, self._clock())
                    with suppress(ChannelTaken):  # by another program: it is looked for again
                        opened = await self._loaded.create(make, game, wanted)
                        self._openings.count(guild, user, self._clock())
                        return opened
            # Looked at when others have their turn: its lock may be held for a while.
            found = await self._loaded.found(standing)
            if found is not None and found.stored.status.is_open:
                raise TableError("channel_busy", found)
        raise TableError("busy")
