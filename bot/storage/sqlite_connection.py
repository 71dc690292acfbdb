"""SQLite: connections of aiosqlite, in whose threads whole transactions are run.

aiosqlite goes to its thread and back for every statement, and through SQLAlchemy's cursors three
times for each.  The whole transaction in one go takes a third of the processor's time.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any, Final, TypeVar

import aiosqlite
from sqlalchemy import URL, Engine, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.pool import StaticPool

T = TypeVar("T")

BUSY_SECONDS: Final = 5.0
"""How long SQLite waits for another process (a backup) before it refuses."""


class SqliteConnection:
    """One connection and its thread; `begin` begins a transaction and not when sqlite3 thinks fit.

    Made by `SqliteConnection.open`.
    """

    def __init__(self, url: URL, begin: str, pragmas: tuple[str, ...]) -> None:
        self._url = url.set(drivername="sqlite+pysqlite")
        self._pragmas = pragmas
        self._aiosqlite = aiosqlite.Connection(self._connect, iter_chunk_size=64)
        # What was committed is on the disk: nothing holds up the end of the program.
        self._aiosqlite._thread.daemon = True
        self._driver: sqlite3.Connection | None = None
        self._engine = create_engine(
            self._url, creator=lambda: self._driver, hide_parameters=True, poolclass=StaticPool
        )

        @event.listens_for(self._engine, "begin")
        def start(connection: Connection) -> None:
            driver_of(connection).execute(begin)

    @classmethod
    async def open(cls, url: URL, begin: str, pragmas: tuple[str, ...]) -> SqliteConnection:
        """Raises what sqlite3 raises if there is nothing to open."""
        lane = cls(url, begin, pragmas)
        try:
            await lane._aiosqlite
        except BaseException:
            # Its thread ends by itself, but would shout if the event loop were gone by then.
            await asyncio.to_thread(lane._aiosqlite._thread.join)
            raise
        return lane

    def run(self, work: Callable[[Engine], T]) -> asyncio.Future[T]:
        """The result of `work`, which is run in the thread and is the only user of the engine.

        A future and no task: when the event loop ends and cancels its tasks, what was begun is
        still waited for.
        """
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        # aiosqlite has no public way to run anything but a statement; its version is pinned.
        self._aiosqlite._tx.put_nowait((done, lambda: work(self._engine)))
        return done

    async def close(self) -> None:
        """Close after whatever was begun."""
        await self._aiosqlite.close()

    def _connect(self) -> sqlite3.Connection:
        """Called in the thread."""
        (path,), options = self._engine.dialect.create_connect_args(self._url)
        given: dict[str, Any] = {**options, "isolation_level": None, "timeout": BUSY_SECONDS}
        driver: sqlite3.Connection = sqlite3.connect(path, **given)
        try:
            for pragma in self._pragmas:
                driver.execute(f"PRAGMA {pragma}")
        except BaseException:
            driver.close()
            raise
        self._driver = driver
        return driver


def driver_of(connection: Connection) -> Any:
    """`sqlite3.Connection`, for what SQLAlchemy has no words for."""
    return connection.connection.dbapi_connection
