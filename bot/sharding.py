"""Shards: which connections of discord.py are up, and which servers they reach.

Discord refuses one connection for more than 2,500 servers (4011).  Each carries the servers whose
number falls to it; what people press in direct messages comes over the first.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from typing import Any, Final

import aiohttp
import discord
import structlog
from discord.ext import commands

from bot.ids import GuildId

logger = structlog.get_logger(__name__)

LONGEST: Final = 60.0
"""Seconds after which an unanswered question is asked again, at most."""


class Connections:
    """Which connections stand."""

    def __init__(self) -> None:
        self._count = 0
        """How many there are to be; 0 until the first one stands."""
        self._up: set[int] = set()

    def found(self, shard: int, count: int) -> None:
        """That one of `count` stands."""
        self._count = count
        self._up.add(shard)

    def lost(self, shard: int) -> None:
        self._up.discard(shard)

    def reach(self, guilds: Iterable[GuildId]) -> bool:
        """Whether people on these servers can press, and whoever does so in direct messages."""
        if not self._up:
            return False
        return {0, *((guild >> 22) % self._count for guild in guilds)} <= self._up

    @property
    def states(self) -> Mapping[int, bool]:
        """By number: whether it stands."""
        return {shard: shard in self._up for shard in range(self._count)}


class Sharded(commands.AutoShardedBot):
    """discord.py's client with as many connections as Discord recommends."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.connections = Connections()

    async def launch_shards(self) -> None:
        """As discord.py does, which ends if it is not told where to connect: asks again then."""
        patience = discord.backoff.ExponentialBackoff()
        while True:
            try:
                await super().launch_shards()
            except (discord.GatewayNotFound, aiohttp.ClientError, OSError, TimeoutError) as error:
                logger.warning("gateway_not_found", kind=type(error).__name__)
                await asyncio.sleep(min(patience.delay(), LONGEST))
            else:
                return
