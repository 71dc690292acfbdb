"""The connections to Discord: as many as it recommends, and which of them stand.

Discord refuses one connection for more than 2,500 servers (4011).  Each carries the servers whose
number falls to it; what people press in direct messages comes over the first.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import aiohttp
import discord
import structlog
import yarl
from discord.ext import commands

if TYPE_CHECKING:
    from discord.types.gateway import SessionStartLimit

log = structlog.get_logger(__name__)

APART: Final = 5.2
"""Seconds between two logins that Discord counts together, and a little for the way."""


LONGEST: Final = 60.0
"""Seconds after which an unanswered question is asked again, at most."""


class Logins:
    """Whose turn it is to log in: Discord wants five seconds between those that share a key.

    discord.py would have every connection wait for the one before.
    """

    def __init__(self, sleep: Callable[[float], Awaitable[object]] = asyncio.sleep) -> None:
        self.concurrency = 1
        """Discord's `max_concurrency`: number of keys."""
        self._sleep = sleep
        self._locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._free: dict[int, float] = {}
        """By key: when the next may log in, on the loop's clock."""

    async def turn(self, shard: int) -> None:
        """Returns when that connection may log in."""
        key = shard % self.concurrency
        async with self._locks[key]:
            loop = asyncio.get_running_loop()
            wait = self._free.get(key, 0.0) - loop.time()
            if wait > 0:
                await self._sleep(wait)
            self._free[key] = max(loop.time(), self._free.get(key, 0.0)) + APART


class Connections:
    """Which connections stand."""

    def __init__(self) -> None:
        self._up: dict[int, bool] = {}

    def expect(self, count: int) -> None:
        """So many there are to be."""
        self._up = {shard: self._up.get(shard, False) for shard in range(count)}

    def found(self, shard: int) -> None:
        self._up[shard] = True

    def lost(self, shard: int) -> None:
        self._up[shard] = False

    @property
    def complete(self) -> bool:
        """Whether everybody can reach the program."""
        return bool(self._up) and all(self._up.values())

    @property
    def states(self) -> Mapping[int, bool]:
        """By number: whether it stands."""
        return dict(self._up)


class Sharded(commands.AutoShardedBot):
    """A client that opens its connections at the same time, as far as Discord lets it."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.connections = Connections()
        self._logins = Logins()
        self._launching: asyncio.Task[None] | None = None

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        """Waits for the connection's turn; discord.py's own waits five seconds each time."""
        await self._logins.turn(shard_id or 0)

    async def launch_shards(self) -> None:
        """Begins to open all connections; one that breaks meanwhile is opened again at once."""
        if self.is_closed():
            return
        count, limits = await self._recommended()
        self.shard_count = count
        self._connection.shard_count = count
        self._connection.shard_ids = range(count)
        self._logins.concurrency = max(1, limits["max_concurrency"])
        self.connections.expect(count)
        if limits["remaining"] < count:
            log.warning("few_logins_left", left=limits["remaining"], shards=count)
        # The address that is set, not the one that Discord names: tests and proxies set it.
        gateway = discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY
        self._launching = asyncio.create_task(self._launch(gateway, count), name="shards")

    async def _recommended(self) -> tuple[int, SessionStartLimit]:
        """How many connections Discord recommends, and how fast they may log in.

        Asked again until there is an answer: with one connection alone discord.py does that too.
        """
        patience = discord.backoff.ExponentialBackoff()
        while True:
            try:
                count, _, limits = await self.http.get_bot_gateway()
            except (discord.GatewayNotFound, aiohttp.ClientError, OSError, TimeoutError) as error:
                log.warning("gateway_not_found", kind=type(error).__name__)
                await asyncio.sleep(min(patience.delay(), LONGEST))
            else:
                return count, limits

    async def _launch(self, gateway: yarl.URL, count: int) -> None:
        async with asyncio.TaskGroup() as group:
            for shard in range(count):
                group.create_task(self.launch_shard(gateway, shard, initial=shard == 0))
        log.info("shards_launched", count=count)

    async def close(self) -> None:
        """Closes all connections and opens no others."""
        if self._launching is not None:
            self._launching.cancel()
        await super().close()
