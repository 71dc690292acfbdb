"""SQLite: connections of aiosqlite, in whose threads whole transactions are run.

aiosqlite goes to its thread and back for every statement, and through SQLAlchemy's cursors three
times for each.  The whole transaction in one go takes a third of the processor's time.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from threading import Thread, current_thread
from typing import Any, Final, TypeVar

import aiosqlite
from sqlalchemy import URL, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.pool import StaticPool

T = TypeVar("T")

BUSY_SECONDS: Final = 5.0
"""Seconds that SQLite waits for another process (a backup) before it refuses."""


class SqliteConnection(aiosqlite.Connection):
    """A connection and its thread; a transaction begins with `begin`, not when sqlite3 thinks fit.

    Made by `SqliteConnection.open`.  Of aiosqlite's protected names it uses `_execute` alone, which
    aiosqlite's own methods use; `tests/storage/test_sqlite_connection.py` says when that changes.
    """

    def __init__(self, url: URL, begin: str, pragmas: tuple[str, ...]) -> None:
        super().__init__(self._open_driver, iter_chunk_size=64)
        self._url = url.set(drivername="sqlite+pysqlite")
        self._pragmas = pragmas
        self._driver: sqlite3.Connection | None = None
        self._worker: Thread | None = None
        self._lent: Connection | None = None
        self._engine = create_engine(
            self._url, creator=lambda: self._driver, hide_parameters=True, poolclass=StaticPool
        )

        @event.listens_for(self._engine, "begin")
        def start(connection: Connection) -> None:
            driver_of(connection).execute(begin)

    @classmethod
    async def open(cls, url: URL, begin: str, pragmas: tuple[str, ...]) -> SqliteConnection:
        """An open connection.  Raises what sqlite3 raises if there is nothing to open."""
        opened = _made_by_a_daemon(partial(cls, url, begin, pragmas))
        try:
            await opened
        except BaseException:
            # Its thread ends by itself, but would shout if the event loop were gone by then.
            if opened._worker is not None:
                await asyncio.to_thread(opened._worker.join)
            raise
        return opened

    def run(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """The result of `work`, which is run in the thread, where it alone uses the connection.

        A future and no task: when the event loop ends and cancels its tasks, what was begun is
        still waited for.
        """
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()
        queued = False

        def in_thread() -> None:
            try:
                result = work(self._lasting())
            except BaseException as error:  # whatever it is, it belongs to whoever waits
                loop.call_soon_threadsafe(_fail, done, error)
            else:
                loop.call_soon_threadsafe(_succeed, done, result)

        async def queue() -> None:
            nonlocal queued
            queued = True
            execute: Callable[[Callable[[], None]], Awaitable[None]] = self._execute
            await execute(in_thread)

        def ended(task: asyncio.Task[None]) -> None:
            if not queued:
                done.cancel()  # cancelled before the thread could hear of it
            elif not task.cancelled() and (error := task.exception()) is not None:
                _fail(done, error)

        asyncio.create_task(queue(), name="transaction").add_done_callback(ended)
        return done

    def _lasting(self) -> Connection:
        """The one connection of the engine: it is kept, where a pool would hand it out anew."""
        if self._lent is None:
            self._lent = self._engine.connect()
        elif self._driver is not None and self._driver.in_transaction:
            self._driver.rollback()  # SQLAlchemy takes a commit that failed for the end of it
        return self._lent

    def _open_driver(self) -> sqlite3.Connection:
        """The connection with its pragmas; called in the thread."""
        self._worker = current_thread()
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


def _made_by_a_daemon(make: Callable[[], SqliteConnection]) -> SqliteConnection:
    """A connection whose thread does not hold up the end of the program.

    What was committed is on the disk.  A thread is a daemon if the one that makes it is.
    """
    made: list[SqliteConnection] = []
    maker = Thread(target=lambda: made.append(make()), daemon=True)
    maker.start()
    maker.join()
    return made[0]


def _succeed(done: asyncio.Future[T], result: T) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[Any], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)


def driver_of(connection: Connection) -> Any:
    """`sqlite3.Connection`, for what SQLAlchemy has no words for."""
    return connection.connection.dbapi_connection
