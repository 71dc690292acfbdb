"""`Opener`: opens tables, one at a time on each server, within limits.

What limits anybody is counted in memory, as is what open tables do not know any more of people who
were forgotten (`Forgotten`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Hashable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final, Generic, TypeVar

from cachetools import LRUCache

from bot.ids import ALONE, ChannelId, GuildId, TableId, UserId
from bot.tables.loaded import ATTEMPTS, LoadedTables, Locks
from bot.tables.model import Table, TableCode, TableError
from bot.tables.ports import ChannelTaken, Clock, TableStore
from bot.tables.stored import StoredTable
from engine.game import AnyGame

# Limits, counted in memory only.

K = TypeVar("K", bound=Hashable)


@dataclass(frozen=True, slots=True)
class Limits:
    own: int = 3
    """Open tables of one server that one person has opened."""
    opened: int = 5
    """Tables that one person opens on one server within the window."""
    server_open: int = 100
    """Open tables of one server."""
    server_opened: int = 30
    """Tables opened on one server within the window, counted for people who have opened one there
    within it."""
    window: timedelta = timedelta(minutes=10)


INVITATIONS: Final = 5
"""Invitations that one person sends within the hour."""

INVITATION_WINDOW: Final = timedelta(hours=1)


class RateLimit(Generic[K]):
    """Limit on how often each key (a person, a server) does something within a time.

    A clock may be set back: what was done later than now by more than that time counts no more.
    """

    def __init__(self, code: TableCode, most: int, time: timedelta) -> None:
        self._code = code
        self._most = most
        self._time = time
        self._done: dict[K, list[datetime]] = {}

    def count(self, who: K, now: datetime) -> None:
        """`who` did it."""
        self._done.setdefault(who, []).append(now)

    def of(self, who: K, now: datetime) -> list[datetime]:
        """Times at which `who` did it within that time, the earliest first."""
        recent = {
            k: sorted(at for at in done if abs(now - at) < self._time)
            for k, done in self._done.items()
        }
        self._done = {k: done for k, done in recent.items() if done}
        return self._done.get(who, [])

    def require(self, who: K, now: datetime) -> None:
        """`who` may do it.  Raises TableError with its code (seconds until then, limit)."""
        lately = self.of(who, now)
        if len(lately) >= self._most:
            wait = lately[-self._most] + self._time - now
            seconds = math.ceil(wait.total_seconds())
            raise TableError(self._code, None, seconds=seconds, limit=self._most)


class OpeningLimits:
    """Tables opened recently."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._own = RateLimit[tuple[GuildId, UserId]]("too_fast", limits.opened, limits.window)
        self._server = RateLimit[GuildId]("server_too_fast", limits.server_opened, limits.window)

    def count(self, guild: GuildId, user: UserId, now: datetime) -> None:
        """`user` opened a table."""
        self._own.count((guild, user), now)
        self._server.count(guild, now)

    def require(
        self, guild: GuildId, user: UserId, own: int, server_open: int, now: datetime
    ) -> None:
        """Check that `user`, who has opened `own` of the server's `server_open` tables, may open
        one.

        Limits for the whole server do not count for people who play alone, and keep nobody from
        opening their first table: otherwise a handful of people could close a server to all others.

        Raises TableError `too_many_tables` (limit), `server_full` (limit), `too_fast` (seconds
        until it is allowed, limit), `server_too_fast` (the same).
        """
        limits = self._limits
        if own >= limits.own:
            raise TableError("too_many_tables", limit=limits.own)
        if server_open >= limits.server_open and guild != ALONE:
            raise TableError("server_full", limit=limits.server_open)
        self._own.require((guild, user), now)
        if guild != ALONE and self._own.of((guild, user), now):
            self._server.require(guild, now)


# People who were forgotten, in memory only, too.

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


# Opening.


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
