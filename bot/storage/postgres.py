"""PostgreSQL: connections and transactions, with a limit on how long each may take."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, TypeVar

import asyncpg
from sqlalchemy import URL, event, text
from sqlalchemy.engine import Connection, ExceptionContext
from sqlalchemy.exc import DBAPIError, InvalidatePoolError, SQLAlchemyError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from bot.storage.transaction import Patience, read_through, writing
from bot.tables.ports import NotWritten

T = TypeVar("T")

_PROMISED: Final = {
    # What is committed is on the disk, whatever the server's defaults are.
    "synchronous_commit": "on",
    "application_name": "stammtisch",
    # A statement whose end never arrives runs into no other limit: only so does the server find
    # that nobody is there any more, after eleven seconds, and let go of what was locked.
    "tcp_keepalives_idle": "5",
    "tcp_keepalives_interval": "2",
    "tcp_keepalives_count": "3",
}

CONNECTIONS: Final = 15
"""Most transactions at once."""

_LOST: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError)
"""Exceptions of asyncpg while a connection is made or tested, outside of SQLAlchemy's
statements."""

_MIGRATING: Final = 0x5374616D
"""The lock under which one process at a time migrates a PostgreSQL database."""


class Postgres:
    """asyncpg, with as many transactions at once as there are connections.

    Waiting is limited by `Patience`: a silent connection is cut, which wakes its callers.
    """

    def __init__(self, url: URL, patience: Patience) -> None:
        self._patience = patience
        self._looking = asyncio.Lock()
        self._writer = create_async_engine(
            url,
            connect_args={
                "server_settings": {
                    **_PROMISED,
                    "statement_timeout": _milliseconds(patience.statement),
                    "idle_in_transaction_session_timeout": _milliseconds(patience.idle),
                },
                "timeout": patience.connect,
                "command_timeout": patience.transaction,
            },
            # Connections stay: to close one that went silent would hold up whoever had it last.
            pool_size=CONNECTIONS,
            max_overflow=0,
            pool_timeout=patience.connect,
            hide_parameters=True,
        )
        event.listen(self._writer.sync_engine, "checkout", partial(_ping, patience.ping))
        self._reader = self._writer.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )
        # No statement of a migration takes too long, as long as all of it is done in time.
        self._migrator = create_async_engine(
            url,
            connect_args={
                "server_settings": {
                    **_PROMISED,
                    "idle_in_transaction_session_timeout": _milliseconds(patience.migration),
                },
                "timeout": patience.connect,
            },
            poolclass=NullPool,
            hide_parameters=True,
        )
        for engine in (self._writer, self._migrator):
            event.listen(engine.sync_engine, "handle_error", _forget_rows)

    def write(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        def through(connection: Connection) -> T:
            with writing(connection):
                return work(connection)

        return asyncio.ensure_future(self._transaction(self._writer, through))

    def read(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        return asyncio.ensure_future(self._read(work))

    def look(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        return asyncio.ensure_future(self._look(work))

    async def _look(self, work: Callable[[Connection], T]) -> T:
        async with self._looking:  # or many who look would take all connections
            return await self._read(work)

    async def _read(self, work: Callable[[Connection], T]) -> T:
        def through(connection: Connection) -> T:
            return read_through(connection, work)

        try:
            return await self._transaction(self._reader, through)
        except (DBAPIError, OSError) as error:
            if isinstance(error, DBAPIError) and not error.connection_invalidated:
                raise
            # Who only asks may ask twice, on a connection that stands.
            return await self._transaction(self._reader, through)

    def migrate(self, work: Callable[[Connection], T]) -> asyncio.Future[T]:
        def alone(connection: Connection) -> T:
            with connection.begin():
                connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
                return work(connection)

        migrating = self._transaction(self._migrator, alone, self._patience.migration)
        return asyncio.ensure_future(migrating)

    async def _transaction(
        self, engine: AsyncEngine, through: Callable[[Connection], T], seconds: float | None = None
    ) -> T:
        """One transaction, which takes no longer than `seconds`; without them as at the table."""
        try:
            connection = await engine.connect()
        except (SQLAlchemyError, *_LOST) as error:
            raise NotWritten(type(error).__name__) from error
        try:
            raw = (await connection.get_raw_connection()).driver_connection
            with _cut(raw, self._patience.transaction if seconds is None else seconds):
                return await connection.run_sync(through)
        finally:
            await connection.close()

    async def close(self) -> None:
        await self._writer.dispose()


def _milliseconds(seconds: float) -> str:
    return str(round(seconds * 1000))


@contextmanager
def _cut(raw: Any, seconds: float) -> Iterator[None]:
    """Cut the connection if the block takes longer; its callers notice at once."""
    timer = asyncio.get_running_loop().call_later(seconds, raw.terminate)
    try:
        yield
    finally:
        timer.cancel()


def _ping(seconds: float, connection: Any, *_: object) -> None:
    """Only a connection that answers is handed out; if one does not, none of its time is trusted.

    SQLAlchemy's own ping waits for a silent connection for as long as it is silent.
    """
    try:
        connection.run_async(partial(_pinged, seconds))
    except _LOST as error:
        raise InvalidatePoolError from error


async def _pinged(seconds: float, raw: Any) -> None:
    with _cut(raw, seconds):
        await raw.execute("SELECT 1")


def _forget_rows(context: ExceptionContext) -> None:
    """Why PostgreSQL refused a row it says with the whole row, which may be a deal."""
    error: Any = context.original_exception
    while error is not None:
        if hasattr(error, "detail"):
            error.detail = None
        error = error.__cause__
