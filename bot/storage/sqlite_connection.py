"""SQLite: connections of aiosqlite, in whose threads whole transactions are run; group commit.

aiosqlite goes to its thread and back for every statement, and through SQLAlchemy's cursors three
times for each.  The whole transaction in one go takes a third of the processor's time.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

import aiosqlite
from sqlalchemy import URL, create_engine, event
from sqlalchemy.engine import Connection
from sqlalchemy.pool import StaticPool

from bot.storage.transaction import writing

T = TypeVar("T")

BUSY_SECONDS: Final = 3.0
"""Seconds that SQLite waits for another process before it refuses.

A person who presses while another tool holds the database is told so within five.
"""

STILL_BUSY_SECONDS: Final = 0.1
"""The same after such a refusal, until the database is free again."""


class SqliteConnection(aiosqlite.Connection):
    """A connection and its thread; a transaction begins with `begin`, not when sqlite3 thinks fit.

    Made by `SqliteConnection.open`, ended by `close`.  Of aiosqlite's protected names it uses
    `_tx`, the queue of its thread, and `_thread`; `tests/storage/test_sqlite_connection.py` says
    when they change.
    """

    def __init__(self, url: URL, begin: str, pragmas: tuple[str, ...]) -> None:
        super().__init__(self._open_driver, iter_chunk_size=64)
        # It does not hold up the end of the program: what was committed is on the disk.
        self._thread.daemon = True
        self._thread.name = "sqlite"
        self._url = url.set(drivername="sqlite+pysqlite")
        self._begin = begin
        self._pragmas = pragmas
        self._driver: sqlite3.Connection | None = None
        self._lent: Connection | None = None
        self._patient = True
        """Whether the last transaction could begin."""
        self._closed = False
        self._engine = create_engine(
            self._url, creator=lambda: self._driver, hide_parameters=True, poolclass=StaticPool
        )
        event.listen(self._engine, "begin", self._start)

    @classmethod
    async def open(cls, url: URL, begin: str, pragmas: tuple[str, ...]) -> SqliteConnection:
        """An open connection.  Raises what sqlite3 raises if there is nothing to open."""
        opened = cls(url, begin, pragmas)
        try:
            await opened
        except BaseException:  # aiosqlite has told its thread to end
            await asyncio.to_thread(opened._thread.join)
            raise
        return opened

    def run(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """The result of `work`, which is run in the thread, where it alone uses the connection.

        A future and no task: when the event loop ends and cancels its tasks, work under way is
        still waited for.
        """
        if self._closed:
            raise ValueError("the connection is closed")
        loop = asyncio.get_running_loop()
        done: asyncio.Future[T] = loop.create_future()

        def in_thread() -> None:
            try:
                tell = partial(_succeed, done, work(self._lasting()))
            except BaseException as error:  # whatever it is, it belongs to whoever waits
                tell = partial(_fail, done, error)
            with suppress(RuntimeError):  # the loop has ended already: nobody waits
                loop.call_soon_threadsafe(tell)

        # Without a future of aiosqlite's: else the thread speaks to the loop once more for each
        # job, and raises where the loop has ended with the answer.
        self._tx.put_nowait((None, in_thread))
        return done

    async def close(self) -> None:
        """Wait for queued work, and for the end of the thread; a second time does nothing."""
        if self._closed:
            return
        self._closed = True
        try:
            await super().close()
        finally:
            self._thread.join()

    def _lasting(self) -> Connection:
        """The engine's one connection, kept open where a pool would open it again."""
        if self._lent is None:
            self._lent = self._engine.connect()
        elif self._driver is not None and self._driver.in_transaction:
            self._driver.rollback()  # SQLAlchemy takes a commit that failed for the end of it
        return self._lent

    def _start(self, connection: Connection) -> None:
        driver = driver_of(connection)
        try:
            driver.execute(self._begin)
        except sqlite3.OperationalError:
            self._wait(driver, patient=False)
            raise
        self._wait(driver, patient=True)

    def _wait(self, driver: sqlite3.Connection, *, patient: bool) -> None:
        """From the next transaction on, wait only briefly for a lock that was waited for in
        vain."""
        if patient != self._patient:
            self._patient = patient
            seconds = BUSY_SECONDS if patient else STILL_BUSY_SECONDS
            driver.execute(f"PRAGMA busy_timeout={round(1000 * seconds)}")

    def _open_driver(self) -> sqlite3.Connection:
        """The connection with its pragmas; called in the thread."""
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


Outcome: TypeAlias = tuple[Any, BaseException | None]
"""What a piece of work returned, or what it raised."""

_Job: TypeAlias = tuple[Callable[[Connection], Any], asyncio.Future[Any]]
"""A piece of work, and whoever waits for it."""


class GroupCommit:
    """The one who writes: transactions that wait for the disk share the next commit.

    A durable commit waits for the disk, and only one can be under way.  Where many write at once
    the time for all of them is that of a few commits, not of as many as there are writers.  Its
    methods are called on the event loop.
    """

    def __init__(self, writer: SqliteConnection) -> None:
        self._writer = writer
        self._waiting: list[_Job] = []
        self._running: asyncio.Future[list[Outcome]] | None = None

    def write(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        """Committed when it has a result, undone if it has an exception."""
        done: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting.append((work, done))
        if self._running is None:
            self._begin()
        return done

    async def close(self) -> None:
        """Waits for what is to be written."""
        while self._running is not None:
            await asyncio.wait((self._running,))

    def _begin(self) -> None:
        jobs, self._waiting = self._waiting, []
        works = [work for work, _ in jobs]
        self._running = self._writer.run(partial(_write, works))
        self._running.add_done_callback(lambda run: self._ended(jobs, run))

    def _ended(self, jobs: Sequence[_Job], run: asyncio.Future[list[Outcome]]) -> None:
        self._running = None
        if self._waiting:
            self._begin()
        error = run.exception()
        outcomes = run.result() if error is None else [(None, error)] * len(jobs)
        for (_, done), (value, raised) in zip(jobs, outcomes, strict=True):
            if raised is None:
                done.set_result(value)
            else:
                done.set_exception(raised)


def _succeed(done: asyncio.Future[T], result: T) -> None:
    if not done.done():
        done.set_result(result)


def _fail(done: asyncio.Future[Any], error: BaseException) -> None:
    if not done.done():
        done.set_exception(error)


def driver_of(connection: Connection) -> Any:
    """`sqlite3.Connection`, for what SQLAlchemy has no words for."""
    return connection.connection.dbapi_connection


def _write(works: Sequence[Callable[[Connection], Any]], connection: Connection) -> list[Outcome]:
    """All of the works in one transaction, of which those that fail are undone.

    Raises if the whole transaction is undone.
    """
    with writing(connection):
        if len(works) == 1:
            return [(works[0](connection), None)]
        return [_apart(connection, work) for work in works]


def _apart(connection: Connection, work: Callable[[Connection], Any]) -> Outcome:
    try:
        with connection.begin_nested():
            return work(connection), None
    except Exception as error:
        if not driver_of(connection).in_transaction:
            raise  # a full disk, say: SQLite has undone everything, the others' work too
        return None, error
