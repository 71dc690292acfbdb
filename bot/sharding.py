"""Shards: logging in, the connections of discord.py, their signs of life, their servers.

Discord refuses one connection for more than 2,500 servers (4011).  Each carries the servers whose
number falls to it; what people press in direct messages comes over the first.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterable, Mapping
from math import ceil
from time import perf_counter
from typing import Any, Final, TypeVar

import aiohttp
import discord
import structlog
from discord.ext import commands
from discord.gateway import KeepAliveHandler
from discord.utils import MISSING

from bot.ids import GuildId
from bot.publish.refusals import TOO_MANY, wait_of

# Signs of life.


async def asked_for_a_sign() -> bool:
    """Send a heartbeat on every connection now, which Discord answers at once; False without any.

    discord.py itself sends one every 41 seconds, from a thread for each connection, and would take
    the answer to a heartbeat that this thread does not know of for a very late one.  Raises what a
    closing connection raises.
    """
    lines = _lines()
    for line in lines:
        await line.ws.send_heartbeat(line.beat())
    return bool(lines)


def silence() -> float:
    """Seconds since something came on the line that is silent longest; 0.0 if there is none.

    Others that are heard say nothing of it: those whose presses it carries cannot be.
    """
    now = perf_counter()
    # When discord.py heard it last stands nowhere else; it gives a silent one up after a minute.
    heard = (getattr(line, "_last_recv", now) for line in _lines() if line.ws.open)
    return max((now - last for last in heard), default=0.0)


def _lines() -> list[KeepAliveHandler]:
    return [line for line in threading.enumerate() if isinstance(line, KeepAliveHandler)]


# Shards.

logger = structlog.get_logger(__name__)

LONGEST: Final = 60.0
"""Seconds after which an unanswered question is asked again, at most."""


T = TypeVar("T")


class Connections:
    """Connections to Discord, and which of them are up."""

    def __init__(self) -> None:
        self._count = 0
        """Number of connections; 0 until the first one is up."""
        self._up: set[int] = set()

    def found(self, shard: int, count: int) -> None:
        """Note that one of `count` connections is up."""
        self._count = count
        self._up.add(shard)

    def lost(self, shard: int) -> None:
        self._up.discard(shard)

    def reach(self, guilds: Iterable[GuildId]) -> bool:
        """Whether people on these servers can press, and people in direct messages."""
        if not self._up:
            return False
        return {0, *((guild >> 22) % self._count for guild in guilds)} <= self._up

    @property
    def states(self) -> Mapping[int, bool]:
        """Whether it is up, by number."""
        return {shard: shard in self._up for shard in range(self._count)}


async def told_to_wait(what: str, seconds: float) -> None:
    """Wait as long as Discord wants; the log tells the operator how long that is."""
    logger.error("told_to_wait", what=what, seconds=round(seconds), minutes=ceil(seconds / 60))
    await asyncio.sleep(seconds)


async def patiently(ask: Callable[[], Awaitable[T]], what: str) -> T:
    """The answer of Discord; if there were too many requests (429), it is asked again when it says
    so."""
    while True:
        try:
            return await ask()
        except discord.HTTPException as error:
            if error.status != TOO_MANY:
                raise
            seconds = wait_of(error)
        await told_to_wait(what, LONGEST if seconds is None else seconds)


class Sharded(commands.AutoShardedBot):
    """discord.py's client with as many connections as Discord recommends."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.connections = Connections()

    async def login(self, token: str) -> None:
        """Log in as discord.py does, but wait if Discord wants that."""
        begin = super().login

        async def anew() -> None:
            if self.http.connector is not MISSING:  # of a login that was refused
                await self.http.close()
                self.http.connector = MISSING
            await begin(token)

        await patiently(anew, "login")

    async def launch_shards(self) -> None:
        """Connect as discord.py does, but ask again where that ends if it is not told where to
        connect.

        If Discord allows no more logins today it waits until it does: one more would cost the
        token.
        """
        patience = discord.backoff.ExponentialBackoff()
        while True:
            try:
                shards, _, limit = await self.http.get_bot_gateway()
                if limit["remaining"] < shards:
                    await told_to_wait("logins", limit["reset_after"] / 1000)
                    continue
                await super().launch_shards()
            except (discord.GatewayNotFound, aiohttp.ClientError, OSError, TimeoutError) as error:
                logger.warning("gateway_not_found", kind=type(error).__name__)
                cause = error.__cause__
                wanted = wait_of(cause) if isinstance(cause, Exception) else None
                if wanted is not None:
                    await told_to_wait("gateway", wanted)
                else:
                    await asyncio.sleep(min(patience.delay(), LONGEST))
            else:
                return
