"""`Database`: read and write transactions of SQLAlchemy, on SQLite or PostgreSQL.

SQLite has one writer connection with a thread of its own and takes the write lock when a
transaction begins, so that no task's rollback undoes what another task wrote, and no transaction
fails half-way because it read before it wrote.  Reads have connections of their own and see one
snapshot each.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Final, TypeVar, TypeVarTuple

from sqlalchemy import URL, Row, Select, UpdateBase, make_url, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import ArgumentError, InvalidRequestError

from bot.private import make_database, make_folder
from bot.storage.sqlite_connection import GroupCommit, SqliteConnection, driver_of
from bot.storage.transaction import AT_THE_TABLE, Patience, is_away, passes, read_through, unopened
from bot.tables.ports import Unavailable
from bot.tasks import ignore_error

if TYPE_CHECKING:
    from sqlalchemy.sql.selectable import TypedReturnsRows

    from bot.storage.postgres import Postgres

T = TypeVar("T")
Ts = TypeVarTuple("Ts")

_READERS: Final = 3

_DURABLE: Final = (
    "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "secure_delete=ON",
)  # fmt: skip
"""What SQLite promises for writing; what is deleted is overwritten."""

_CHECKPOINTS: Final = (0.0, 0.1, 0.5, 2.0)
"""Seconds before each try to empty the write-ahead log: it is in use as long as anybody reads."""

DATA: Final = Path("data", "var")
"""Below the working directory."""

_EXAMPLE: Final = "sqlite+aiosqlite:///data/var/stammtisch.sqlite3"


class StorageError(Exception):
    """The database cannot be used; the message is one sentence for the operator."""


class StorageAway(StorageError):
    """The database cannot be used at this moment: trying again may help."""


def _parsed(url: str) -> URL:
    try:
        url.encode()  # what is no UTF-8 cannot be shown either
        return make_url(url)
    except (ArgumentError, ValueError):
        # The text is not repeated: it may hold a password.
        raise StorageError(
            f"DATABASE_URL is not a database address; it looks like {_EXAMPLE}."
        ) from None


def _shown(url: URL) -> str:
    return url.render_as_string(hide_password=True)


def sqlite_file(url: str) -> Path | None:
    """The file of a SQLite database; None for PostgreSQL and for SQLite's own URIs.

    Raises StorageError if `url` is no database address.
    """
    return _file(_parsed(url))


def data_folder(url: str) -> Path:
    """Folder of the program's own files: that of the database file, if it has one."""
    file = sqlite_file(url)
    return DATA if file is None else file.parent


def _file(url: URL) -> Path | None:
    if url.get_backend_name() != "sqlite" or url.database is None:
        return None
    return None if url.database.startswith("file:") else Path(url.database)


class _Sqlite:
    """One connection that writes and some that read, the last of them what takes its time."""

    def __init__(
        self, url: URL, writer: SqliteConnection, readers: Sequence[SqliteConnection]
    ) -> None:
        self._url = url
        self._writer = writer
        self._writing = GroupCommit(writer)
        self._readers = readers
        self._turns = itertools.cycle(readers[:-1])

    @classmethod
    async def open(cls, url: URL) -> _Sqlite:
        """Raises what SQLAlchemy raises, and OSError; creates the file and its folder."""
        file = _file(url)
        if file is not None:  # whoever writes a URI has made its place
            make_folder(file.parent)
            make_database(file)
        kinds = [("BEGIN IMMEDIATE", _DURABLE), *[("BEGIN", ("query_only=ON",))] * (_READERS + 1)]
        connections: list[SqliteConnection] = []
        try:
            for begin, pragmas in kinds:
                connections.append(await SqliteConnection.open(url, begin, pragmas))
        except BaseException:
            for connection in connections:
                await connection.close()
            raise
        return cls(url, connections[0], connections[1:])

    def write(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        return self._writing.write(work)

    def read(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        return next(self._turns).run(lambda connection: read_through(connection, work))

    def look(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        return self._readers[-1].run(lambda connection: read_through(connection, work))

    def migrate(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        return self._writer.run(lambda connection: self._migrate(connection, work))

    def _migrate(self, connection: Connection, work: Callable[[Connection], T]) -> T:
        """SQLite drops a table with all that refers to it: references are checked at the end.

        Whether they are enforced can be said outside a transaction only.
        """
        driver = driver_of(connection)
        driver.execute("PRAGMA foreign_keys=OFF")
        try:
            with connection.begin():
                done = work(connection)
                if driver.execute("PRAGMA foreign_key_check").fetchone() is not None:
                    raise StorageError(
                        f"The database {_shown(self._url)} refers to rows that do not exist."
                    )
            return done
        finally:
            driver.execute("PRAGMA foreign_keys=ON")

    async def empty_log(self) -> bool:
        for pause in _CHECKPOINTS:
            await asyncio.sleep(pause)
            if await self._writer.run(_emptied):
                return True
        return False

    def compact(self) -> asyncio.Future[None]:
        return self._writer.run(_compacted)

    async def close(self) -> None:
        await self._writing.close()
        for connection in (*self._readers, self._writer):
            await connection.close()


async def _ways(url: URL, patience: Patience) -> _Sqlite | Postgres:
    """Connect, and return the way in which transactions are run.

    Errors leave out the values to be written: they may be a deal, and errors are logged.
    """
    try:
        if url.get_backend_name() == "postgresql":
            # SQLAlchemy's part for it is not imported where SQLite will do.
            from bot.storage.postgres import Postgres

            return Postgres(url, patience)
        if url.get_backend_name() != "sqlite" or url.database == ":memory:":
            raise InvalidRequestError("neither a file of SQLite nor PostgreSQL")
        return await _Sqlite.open(url)
    except ModuleNotFoundError as error:
        raise StorageError(
            f"DATABASE_URL needs the Python package {error.name}, which is not installed."
        ) from error
    except (ArgumentError, InvalidRequestError, TypeError, ValueError) as error:
        raise StorageError(
            f"DATABASE_URL names a kind of database that cannot be used here; "
            f"it looks like {_EXAMPLE}."
        ) from error


async def _to_its_end(work: asyncio.Future[T]) -> T:
    """The result of `work`, which runs to its end even if its caller is cancelled.

    The cancellation arrives afterwards: then everything is written, or nothing.
    """
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        while not work.done():
            with suppress(asyncio.CancelledError):  # cancelled again: it is raised all the same
                await asyncio.wait((work,))
        ignore_error(work)
        raise


async def _translated(work: asyncio.Future[T]) -> T:
    """`_to_its_end`, with errors about an unavailable database as those that the tables know.

    Their words stay with the cause, which is not logged.
    """
    try:
        return await _to_its_end(work)
    except Exception as error:
        if not is_away(error):
            raise
        raise Unavailable(type(error).__name__) from error


class Database:
    """An open database.  Made by `Database.open`; `close` ends it."""

    def __init__(self, url: URL, ways: _Sqlite | Postgres) -> None:
        self._url = url
        self._ways = ways
        self._closed = False
        self.written: float | None = None
        """When a transaction was last committed, in seconds of the monotonic clock; None if the
        last one could not be."""

    @classmethod
    async def open(cls, url: str, patience: Patience = AT_THE_TABLE) -> Database:
        """Open the database at `url`, whatever its schema; creates a SQLite file and its folder.

        Raises StorageError if the address is wrong, StorageAway if there is no answer now.
        """
        parsed = _parsed(url)
        database: Database | None = None
        try:
            database = cls(parsed, await _ways(parsed, patience))
            await database.write(_nothing)
            await database.read(_nothing)
        except StorageError:
            raise
        except Exception as error:  # drivers raise anything over an address that they do not like
            if database is not None:
                await database.close()
            refusal = StorageAway if passes(error) else StorageError
            raise refusal(unopened(_shown(parsed), error)) from error
        return database

    @property
    def shown_url(self) -> str:
        """The address without its password."""
        return _shown(self._url)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one durable transaction: committed when it returns, undone if it raises.

        A caller that is cancelled meanwhile is told after the transaction has ended.  `work` runs
        outside the event loop (SQLite) and touches nothing but the connection.

        Raises what `work` raises and what the database refuses (SQLAlchemyError); NotWritten if the
        database fails before the commit, Unavailable if it fails at the commit, whose result is
        then unknown.
        """
        self._require_open()
        try:
            done = await _translated(self._ways.write(work))
        except Unavailable:
            self.written = None
            raise
        self.written = monotonic()
        return done

    async def read(self, work: Callable[[Connection], T]) -> T:
        """Run `work`, which only reads, on one snapshot of committed data; otherwise as `write`."""
        self._require_open()
        return await _translated(self._ways.read(work))

    async def look(self, work: Callable[[Connection], T]) -> T:
        """`read` for what takes its time: one such read at a time, beside all others."""
        self._require_open()
        return await _translated(self._ways.look(work))

    async def scalar(self, query: Select[T]) -> T | None:
        """`read` of the first value that `query` finds."""
        return await self.read(lambda reading: reading.execute(query.limit(1)).scalar())

    async def scalars(self, query: TypedReturnsRows[T], *, slow: bool = False) -> Sequence[T]:
        """`read` of the first value of each row that `query` finds; `look` for it if it is slow."""
        run = self.look if slow else self.read
        return await run(lambda reading: reading.execute(query).scalars().all())

    async def rows(self, query: TypedReturnsRows[*Ts]) -> Sequence[Row[*Ts]]:
        """`read` of all rows that `query` finds."""
        return await self.read(lambda reading: reading.execute(query).all())

    async def execute(self, change: UpdateBase) -> None:
        """`write` of one statement."""
        await self.write(lambda writing: writing.execute(change))

    async def migrate(self, work: Callable[[Connection], T]) -> T:
        """Run `work` in one transaction in which tables may be rebuilt."""
        self._require_open()
        return await _to_its_end(self._ways.migrate(work))

    async def empty_log(self) -> bool:
        """Leave nothing of what was deleted in SQLite's write-ahead log; whether that worked.

        PostgreSQL clears up by itself.
        """
        self._require_open()
        return not isinstance(self._ways, _Sqlite) or await self._ways.empty_log()

    async def compact(self) -> None:
        """Write a SQLite database anew, without what was deleted and is still on its pages."""
        self._require_open()
        if isinstance(self._ways, _Sqlite):
            await _to_its_end(self._ways.compact())

    async def close(self) -> None:
        """Wait for writes under way and close; a second time does nothing."""
        if not self._closed:
            self._closed = True
            await _to_its_end(asyncio.ensure_future(self._ways.close()))

    def _require_open(self) -> None:
        if self._closed:
            raise StorageError("The database is closed.")


class Repository:
    """What reads and writes one part of a database."""

    def __init__(self, database: Database) -> None:
        self._database = database


def _nothing(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))


def _emptied(connection: Connection) -> bool:
    """Move all of the write-ahead log into the database and cut it off; whether nobody reads it."""
    driver = driver_of(connection)
    (patience,) = driver.execute("PRAGMA busy_timeout").fetchone()
    driver.execute("PRAGMA busy_timeout=100")  # meanwhile nobody writes
    try:
        busy, *_ = driver.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        driver.execute(f"PRAGMA busy_timeout={patience}")
    return not busy


def _compacted(connection: Connection) -> None:
    driver_of(connection).execute("VACUUM")
