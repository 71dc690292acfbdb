"""Deleted servers and channels and people who left, whether or not an event told it.

Events are missed while the program is off, or a connection is lost.  So at every READY the stored
tables are compared, once, with Discord, and those of a server when it invites the program again;
differences have the same effects as the events.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final, Protocol

import structlog
from cachetools import LRUCache

from bot.ids import ALONE, ChannelId, GuildId, TableId, UserId
from bot.publish.publisher import Publisher
from bot.publish.refusals import FAILURES
from bot.publish.requests import log_failure
from bot.tables.planning import Planning
from bot.tables.service import TableService

logger = structlog.get_logger(__name__)


MAX_THREADS: Final = 10_000
"""Maximum number of threads whose parent channel is remembered."""


class Stored(Protocol):
    """Stored places and people."""

    async def places(self) -> Sequence[tuple[GuildId, ChannelId]]:
        """Places where tables are open or planned, each once."""

    async def sitters(self) -> Sequence[tuple[TableId, GuildId, UserId]]:
        """People at open tables."""


class Departures(Protocol):
    """Servers that the program was removed from.  Every method raises Unavailable."""

    async def known(self) -> Sequence[GuildId]:
        """All servers of which anything is stored."""

    async def left(self, guild: GuildId) -> None:
        """The program is on that server no more: now, unless that was noted before."""

    async def back(self, guild: GuildId) -> None:
        """It is there."""


class Vanished:
    """Ends what hangs on it; one table that is in trouble keeps no other from hearing of it."""

    def __init__(
        self,
        tables: TableService,
        planning: Planning,
        publisher: Publisher,
        stored: Stored,
        departures: Departures,
    ) -> None:
        self._tables, self._planning, self._publisher = tables, planning, publisher
        self._stored, self._departures = stored, departures
        self._ready: set[int] = set()
        """Connections that were ready before."""
        self._above: LRUCache[ChannelId, ChannelId] = LRUCache(MAX_THREADS)
        """Channel above a thread, by thread."""
        self._unseen: set[GuildId] = set()
        """Servers that Discord had not told of then."""

    # What an event tells

    async def server(self, guild: GuildId) -> None:
        """The program was removed from the server: its tables wait for it to come back, plans are
        off."""
        tables = self._tables
        await _each(tables.tables_in(guild), lambda t: tables.stalled(t, ()), "stall_failed")
        await self._quietly(self._planning.vanished(guild), "plans_not_called_off")
        await self._quietly(self._departures.left(guild))

    async def invited(self, guild: GuildId) -> None:
        """The program was invited to the server, perhaps once more: nobody told it what happened
        there meanwhile."""
        await self._quietly(self._departures.back(guild))
        await self._compare(lambda one: one == guild)

    async def channel(self, channel: ChannelId) -> None:
        """A channel or thread was deleted."""
        tables = self._tables
        await _each(tables.tables_in(channel=channel), tables.vanished, "vanishing_failed")
        await self._quietly(self._planning.vanished(channel=channel), "plans_not_called_off")

    def is_below(self, thread: ChannelId, channel: ChannelId) -> None:
        """A thread, which discord.py forgets if it is in the archive now, is below that channel."""
        self._above[thread] = channel

    async def above(self, guild: GuildId, channel: ChannelId) -> None:
        """A channel was deleted: Discord says nothing of the threads below it.

        It is asked about threads whose parent channel is unknown.
        """
        await self.channel(channel)
        for thread in [thread for thread, above in self._above.items() if above == channel]:
            await self.channel(thread)
        await self._quietly(self._compare_places(lambda one: one == guild))

    async def available(self, guild: GuildId) -> None:
        """Discord tells of the server again."""
        if guild in self._unseen:
            self._unseen.discard(guild)
            await self._compare(lambda one: one == guild)

    # What nobody told

    async def ready(self, shard: int) -> None:
        """A connection knows its servers: at the start, or after its session was lost."""
        again = shard in self._ready
        self._ready.add(shard)
        await self._compare(
            lambda guild: self._publisher.requests.on_shard(shard, guild), doubted=again
        )

    async def _compare(self, of: Callable[[GuildId], bool], *, doubted: bool = False) -> None:
        await self._quietly(self._compare_servers(of))
        await self._quietly(self._compare_places(of, doubted=doubted))
        await self._quietly(self._compare_people(of))

    async def _quietly(self, work: Awaitable[None], failed: str = "not_compared") -> None:
        """Ignore errors: what is not found now shows when a person is asked, or a table drawn."""
        try:
            await work
        except Exception as error:  # discord.py would log it with its words
            if not self._publisher.closing:
                _tell(failed, "", error)

    async def _compare_servers(self, of: Callable[[GuildId], bool]) -> None:
        """Note which servers are gone, and which are not."""
        for guild in filter(of, await self._departures.known()):
            on = await self._publisher.requests.is_on(guild)
            if on is not None:  # else Discord will tell
                noting = self._departures.back(guild) if on else self._departures.left(guild)
                await self._quietly(noting)

    async def _compare_places(
        self, of: Callable[[GuildId], bool], *, doubted: bool = False
    ) -> None:
        """`doubted`: whether discord.py may know of servers which the program has left."""
        servers: dict[GuildId, bool | None] = {}
        for guild, channel in await self._stored.places():
            if guild == ALONE or not of(guild):
                continue
            if guild not in servers:
                servers[guild] = await self._publisher.requests.is_on(guild, doubted=doubted)
                if servers[guild] is False:
                    await self.server(guild)
                elif servers[guild] is None:
                    self._unseen.add(guild)
            if not servers[guild]:
                continue
            try:
                await self._compare_channel(guild, channel)
            except FAILURES as error:
                log_failure("place_not_found_out", TableId(""), error)

    async def _compare_channel(self, guild: GuildId, channel: ChannelId) -> None:
        if await self._publisher.requests.has_vanished(guild, channel):
            await self.channel(channel)
        elif await self._publisher.requests.missing(guild, channel):
            await _each(self._tables.tables_in(channel=channel), self._look, "look_failed")

    async def _look(self, table: TableId) -> None:
        """A role or permission is gone: whether that bars the table, drawing it shows."""
        self._publisher.changed(table)

    async def _compare_people(self, of: Callable[[GuildId], bool]) -> None:
        for table, guild, user in await self._stored.sitters():
            if guild != ALONE and of(guild):
                await self._quietly(self._publisher.membership.compare(table, guild, user))


async def _each(
    tables: Awaitable[list[TableId]], change: Callable[[TableId], Awaitable[object]], failed: str
) -> None:
    """Changes each of the tables; what goes wrong is logged, at a table as `failed`."""
    try:
        found = await tables
    except Exception as error:  # discord.py would log it with its words
        _tell("tables_not_found", "", error)
        return
    for table in found:
        try:
            await change(table)
        except Exception as error:
            _tell(failed, table, error)


def _tell(event: str, table: str, error: Exception) -> None:
    logger.error(event, table=table, kind=type(error).__name__)
