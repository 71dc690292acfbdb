"""SQLite connections, each with a thread of its own in which whole transactions are run.

A driver that goes to its thread and back for every statement takes three times as much of the
processor's time.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeVar

from sqlalchemy import URL, create_engine, event
from sqlalchemy.engine import Connection, Dialect
from sqlalchemy.pool import StaticPool

T = TypeVar("T")

BUSY_SECONDS: Final = 5.0
"""Seconds that SQLite waits for another process (a backup) before it refuses."""


class SqliteConnection:
    """A connection and its thread; a transaction begins with `begin`, not when sqlite3 thinks fit.

    Made by `SqliteConnection.open`.
    """

    def __init__(self, url: URL, begin: str, pragmas: tuple[str, ...]) -> None:
        self._thread = ThreadPoolExecutor(1, "sqlite")
        self._lent: Connection | None = None
        self._engine = create_engine(
            url.set(drivername="sqlite+pysqlite"),
            connect_args={"isolation_level": None, "timeout": BUSY_SECONDS},
            hide_parameters=True,
            poolclass=StaticPool,
        )

        @event.listens_for(self._engine, "do_connect")
        def connect(dialect: Dialect, _: object, args: Any, options: dict[str, Any]) -> Any:
            driver: Any = dialect.connect(*args, **options)
            try:
                for pragma in pragmas:
                    driver.execute(f"PRAGMA {pragma}")
            except BaseException:
                driver.close()
                raise
            return driver

        @event.listens_for(self._engine, "begin")
        def start(connection: Connection) -> None:
            driver_of(connection).execute(begin)

    @classmethod
    async def open(cls, url: URL, begin: str, pragmas: tuple[str, ...]) -> SqliteConnection:
        """An open connection.  Raises what SQLAlchemy raises if there is nothing to open."""
        opened = cls(url, begin, pragmas)
        try:
            await opened.run(lambda connection: None)
        except BaseException:
            opened._thread.shutdown()
            raise
        return opened

    def run(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """The result of `work`, which is run in the thread, where it alone uses the connection.

        A future and no task: when the event loop ends and cancels its tasks, what was begun is
        still waited for.
        """
        loop = asyncio.get_running_loop()
        return loop.run_in_executor(self._thread, lambda: work(self._lasting()))

    async def close(self) -> None:
        """Waits for what is under way."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._close)
        self._thread.shutdown()

    def _lasting(self) -> Connection:
        """The one connection of the engine: it is kept, where a pool would hand it out anew."""
        if self._lent is None:
            self._lent = self._engine.connect()
        elif driver_of(self._lent).in_transaction:
            # SQLAlchemy takes a commit that failed for the end of it.
            driver_of(self._lent).rollback()
        return self._lent

    def _close(self) -> None:
        if self._lent is not None:
            self._lent.close()
        self._engine.dispose()


def driver_of(connection: Connection) -> Any:
    """`sqlite3.Connection`, for what SQLAlchemy has no words for."""
    return connection.connection.dbapi_connection
