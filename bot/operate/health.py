"""HTTP server on loopback with `/health` and `/metrics`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from time import monotonic, time
from typing import Final, TypeVar

import structlog
from aiohttp import web

from bot.operate.metrics import Metrics
from bot.storage.database import Database
from bot.storage.meta import SqlMeta
from bot.storage.overview import SqlOverview
from bot.tasks import ignore_error

logger = structlog.get_logger(__name__)

HOST: Final = "127.0.0.1"

DATABASE_TIME: Final = 2.0
"""Seconds that the database may take to answer before it counts as away."""

WRITE_INTERVAL: Final = 10.0
"""Seconds without a write after which a test write is made."""

SILENCE: Final = 30.0
"""Seconds without a write after which the database counts as away."""

T = TypeVar("T")


class PortTaken(Exception):
    """The endpoint cannot listen; the message is one sentence for the operator."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The parts that are asked for their health."""

    overview: SqlOverview
    writes: Callable[[], bool]
    """Whether the database accepts writes."""
    gateway: Callable[[], bool]
    """Whether people can reach the program, wherever a table is open, and the clocks run."""
    deadlines: Callable[[], bool]
    """Whether stored deadlines are looked at and fired."""
    shards: Callable[[], Mapping[int, bool]] = dict
    """Whether each of the connections to Discord is up, by number."""


class WriteCheck:
    """Writes now and then, so that a database that takes nothing any more is noticed."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._meta = SqlMeta(database)

    @property
    def stands(self) -> bool:
        """Whether the last write succeeded, and not long ago."""
        written = self._database.written
        return written is not None and monotonic() - written <= SILENCE

    async def run(self) -> None:
        """Beat for ever.  Ends only by being cancelled."""
        while True:
            await self.beat()
            await asyncio.sleep(WRITE_INTERVAL)

    async def beat(self) -> None:
        """Write, unless there was a write recently."""
        written = self._database.written
        if written is not None and monotonic() - written < WRITE_INTERVAL:
            return
        try:
            await self._meta.put("beat", str(round(time())))
        except Exception as error:  # whatever it is, the next beat tries again
            logger.error("nothing_written", kind=type(error.__cause__ or error).__name__)


class Health:
    """The endpoint.  It answers from the moment it was opened; closed, it is gone."""

    def __init__(
        self, parts: Parts, metrics: Metrics, now: Callable[[], float] = monotonic
    ) -> None:
        """`now` is in seconds, from anywhere; the program is up since now."""
        self._parts = parts
        self._metrics = metrics
        self._now = now
        self._begun = now()
        self._runner: web.AppRunner | None = None

    async def open(self, port: int) -> int:
        """Listen on this port (0: on a free one), which is returned.  Raises PortTaken."""
        app = web.Application()
        app.router.add_get("/health", self._health)
        app.router.add_get("/metrics", self._counts)
        self._runner = runner = web.AppRunner(app, access_log=None, shutdown_timeout=1.0)
        await runner.setup()
        try:
            await web.TCPSite(runner, HOST, port).start()
        except OSError:
            await self.close()
            raise PortTaken(
                f"METRICS_PORT: port {port} is in use or reserved: choose another one,"
                " or leave it empty."
            ) from None
        bound: int = runner.addresses[0][1]
        return bound

    async def close(self) -> None:
        if self._runner is not None:
            await self._runner.cleanup()
            self._runner = None

    async def _health(self, _: web.Request) -> web.Response:
        answers = await _answer(self._parts.overview.size()) is not None
        up = self._up(database=answers and self._parts.writes())
        well = all(up.values())
        said = {
            "status": "ok" if well else "unwell",
            **up,
            "shards": {str(shard): works for shard, works in self._parts.shards().items()},
            "uptime_seconds": round(self._now() - self._begun, 1),
        }
        return web.json_response(said, status=200 if well else 503)

    async def _counts(self, _: web.Request) -> web.Response:
        overview = self._parts.overview
        tables = await _answer(overview.open_tables())
        size = await _answer(overview.size())
        up = self._up(database=tables is not None and self._parts.writes())
        text = self._metrics.text(up, tables, size, self._parts.shards())
        # As Prometheus names its text form; without the version some readers refuse it.
        kind = "text/plain; version=0.0.4; charset=utf-8"
        return web.Response(body=text, headers={"Content-Type": kind})

    def _up(self, *, database: bool) -> dict[str, bool]:
        return {
            "gateway": self._parts.gateway(),
            "database": database,
            "deadlines": self._parts.deadlines(),
        }


async def _answer(asked: Awaitable[T]) -> T | None:
    """The answer of the database; None if there is none within `DATABASE_TIME`, for whatever
    reason.

    The question itself runs on: a transaction cannot be called back.
    """
    task = asyncio.ensure_future(asked)
    try:
        return await asyncio.wait_for(asyncio.shield(task), DATABASE_TIME)
    except Exception:
        task.add_done_callback(ignore_error)
        return None
