"""The engine and the discipline of writing.

SQLite has one writer connection behind a lock and takes the write lock when a transaction begins,
so that no task's rollback can swallow what another task wrote and no transaction fails half-way
because it read before it wrote.  Reads have connections of their own and see one snapshot each.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, nullcontext
from pathlib import Path
from typing import Any, Final, TypeVar

from sqlalchemy import URL, event, make_url
from sqlalchemy.engine import Connection
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, InvalidRequestError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine
from sqlalchemy.pool import ConnectionPoolEntry

T = TypeVar("T")

BUSY_SECONDS: Final = 5.0
"""How long SQLite waits for another process (a backup) before it refuses."""

_READERS: Final = 3

_DURABLE: Final = ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON")
"""What SQLite promises for writing."""

_EXAMPLE: Final = "sqlite+aiosqlite:///data/var/stammtisch.sqlite3"


class StorageError(Exception):
    """The database cannot be used; the message is one sentence for the operator."""


async def _settled(work: Coroutine[Any, Any, T]) -> T:
    """The result of `work`, which runs to its end even if whoever waits for it is cancelled.

    The cancellation arrives afterwards: then everything is written, or nothing.
    """
    task = asyncio.ensure_future(work)
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        while not task.done():
            try:
                await asyncio.wait((task,))
            except asyncio.CancelledError:
                continue  # cancelled again: it is raised below all the same
        if not task.cancelled():
            task.exception()  # seen, lest asyncio complain that nobody asked
        raise


def _parsed(url: str) -> URL:
    try:
        return make_url(url)
    except (ArgumentError, ValueError):
        # The text is not repeated: it may hold a password.
        raise StorageError(
            f"DATABASE_URL is not a database address; it looks like {_EXAMPLE}."
        ) from None


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def _is_sqlite(url: URL) -> bool:
    return url.get_backend_name() == "sqlite"


def _in_memory(url: URL) -> bool:
    return _is_sqlite(url) and url.database in (None, "", ":memory:")


def _make_folder(url: URL) -> None:
    """Create the folder of a SQLite file."""
    if not _is_sqlite(url) or _in_memory(url) or url.database is None:
        return
    if url.database.startswith("file:"):
        return  # a URI: whoever writes one has made its place
    folder = Path(url.database).parent
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StorageError(
            f"The folder {folder} of the database cannot be created: {error.strerror}."
        ) from error


def _probe(engine: AsyncEngine) -> None:
    """Refuse a SQLite file that cannot be written, before aiosqlite has to do with it.

    When its connection fails it leaves a thread behind that shouts if the event loop ends first.
    """
    (path,), given = engine.dialect.create_connect_args(engine.url)
    options: dict[str, Any] = {**given, "isolation_level": None, "timeout": BUSY_SECONDS}
    with closing(sqlite3.connect(path, **options)) as connection:
        for pragma in _DURABLE:
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("BEGIN IMMEDIATE")
        connection.execute("ROLLBACK")


def _sqlite_engine(url: URL, *, begin: str, pragmas: tuple[str, ...], size: int) -> AsyncEngine:
    """An engine whose transactions begin with `begin` and not when the driver thinks fit."""
    pool: dict[str, int] = {} if _in_memory(url) else {"pool_size": size, "max_overflow": 0}
    engine = create_async_engine(
        url,
        connect_args={"isolation_level": None, "timeout": BUSY_SECONDS},
        hide_parameters=True,
        **pool,
    )

    @event.listens_for(engine.sync_engine, "connect")
    def prepare(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(f"PRAGMA {pragma}")
        cursor.close()

    @event.listens_for(engine.sync_engine, "begin")
    def start(connection: Connection) -> None:
        # Straight to the driver: a cursor of our own would go to its thread three times.
        adapted: Any = connection.connection.dbapi_connection
        adapted.run_async(lambda driver: driver.execute_fetchall(begin))

    return engine


def _engines(url: URL) -> tuple[AsyncEngine, AsyncEngine]:
    """For writing and for reading; the same one where there is only one connection to have.

    Their errors leave out what was to be written: that may be a deal, and errors are logged.
    """
    try:
        if url.get_backend_name() == "postgresql":
            engine = create_async_engine(url, pool_pre_ping=True, hide_parameters=True)
            return engine, engine.execution_options(
                isolation_level="REPEATABLE READ", postgresql_readonly=True
            )
        if not _is_sqlite(url):
            raise InvalidRequestError("neither SQLite nor PostgreSQL")
        writer = _sqlite_engine(url, begin="BEGIN IMMEDIATE", pragmas=_DURABLE, size=1)
        if _in_memory(url):
            return writer, writer
        return writer, _sqlite_engine(url, begin="BEGIN", pragmas=("query_only=ON",), size=_READERS)
    except ModuleNotFoundError as error:
        raise StorageError(
            f"DATABASE_URL needs the Python package {error.name}, which is not installed."
        ) from error
    except (ArgumentError, InvalidRequestError, TypeError, ValueError) as error:
        raise StorageError(
            f"DATABASE_URL names a kind of database that cannot be used here; "
            f"it looks like {_EXAMPLE}."
        ) from error


class Database:
    """An open database.  Made by `Database.open`; `close` ends it."""

    def __init__(self, url: URL, writer: AsyncEngine, reader: AsyncEngine) -> None:
        self._url = url
        self._writer = writer
        self._reader = reader
        self._closed = False
        lock = asyncio.Lock()
        self._writing: AbstractAsyncContextManager[None] = (
            lock if _is_sqlite(url) else nullcontext()
        )
        self._reading: AbstractAsyncContextManager[None] = (
            lock if _in_memory(url) else nullcontext()
        )

    @classmethod
    async def open(cls, url: str) -> Database:
        """Open the database at `url`, whatever its schema; creates a SQLite file and its folder.

        Raises StorageError if the address is wrong or nothing answers there.
        """
        parsed = _parsed(url)
        writer, reader = _engines(parsed)
        _make_folder(parsed)
        database = cls(parsed, writer, reader)
        try:
            if _is_sqlite(parsed):
                await asyncio.to_thread(_probe, writer)
            await database.write(_nothing)
            await database.read(_nothing)
        except (SQLAlchemyError, sqlite3.Error, OSError) as error:
            await database.close()
            raise StorageError(
                f"The database {_shown(parsed)} cannot be opened: {reason(error)}."
            ) from error
        return database

    @property
    def shown_url(self) -> str:
        """The address without its password."""
        return _shown(self._url)

    async def write(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run `work` in one durable transaction: committed when it returns, undone if it raises.

        A caller that is cancelled meanwhile is told after the transaction has ended.  `work` must
        not call `write` or `read`.
        """
        async with self._writing:
            return await _settled(self._transaction(self._writer, work))

    async def read(self, work: Callable[[AsyncConnection], Awaitable[T]]) -> T:
        """Run `work`, which only reads, on one snapshot of what is committed."""
        async with self._reading:
            return await _settled(self._transaction(self._reader, work))

    async def migrate(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction in which tables may be rebuilt.

        SQLite drops a table with all that refers to it, so references are checked only at the end.
        """

        async def checked(connection: AsyncConnection) -> T:
            done = await connection.run_sync(work)
            if _is_sqlite(self._url):
                broken = await connection.exec_driver_sql("PRAGMA foreign_key_check")
                if broken.first() is not None:
                    raise StorageError(
                        f"The database {self.shown_url} refers to rows that do not exist."
                    )
            return done

        async def transaction() -> T:
            async with (
                self._writer.connect() as connection,
                self._unreferenced(connection),
                connection.begin(),
            ):
                return await checked(connection)

        self._require_open()
        async with self._writing:
            return await _settled(transaction())

    async def close(self) -> None:
        """Wait for the transaction under way and close; a second time does nothing."""
        async with self._writing:
            self._closed = True
            await _settled(self._dispose())

    async def _dispose(self) -> None:
        await self._reader.dispose()
        await self._writer.dispose()

    async def _transaction(
        self, engine: AsyncEngine, work: Callable[[AsyncConnection], Awaitable[T]]
    ) -> T:
        self._require_open()
        async with engine.begin() as connection:
            return await work(connection)

    def _require_open(self) -> None:
        if self._closed:
            raise StorageError("The database is closed.")

    @asynccontextmanager
    async def _unreferenced(self, connection: AsyncConnection) -> AsyncIterator[None]:
        """Foreign keys are not enforced; SQLite allows that outside a transaction only."""
        if not _is_sqlite(self._url):
            yield
            return
        raw = await connection.get_raw_connection()
        driver: Any = raw.driver_connection  # aiosqlite's
        await driver.execute_fetchall("PRAGMA foreign_keys=OFF")
        try:
            yield
        finally:
            await driver.execute_fetchall("PRAGMA foreign_keys=ON")


async def _nothing(connection: AsyncConnection) -> None:
    await connection.exec_driver_sql("SELECT 1")


def reason(error: BaseException) -> str:
    """What a driver says, in one line and without SQL."""
    original = getattr(error, "orig", None) or error
    return " ".join(str(original).split()).rstrip(".") or type(original).__name__
