"""PostgreSQL, if that is where tables are kept."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar

from sqlalchemy import URL, event, text
from sqlalchemy.engine import Connection, ExceptionContext
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.storage.database import settled

T = TypeVar("T")

_CONNECT_SECONDS: Final = 10.0
"""How long PostgreSQL may take to let us in."""

_MIGRATING: Final = 0x5374616D
"""The lock under which one process at a time migrates a PostgreSQL database."""


class Postgres:
    """asyncpg, as many transactions at once as there are connections."""

    def __init__(self, url: URL) -> None:
        # What is committed is on the disk, whatever the server's defaults are.
        promised = {"synchronous_commit": "on", "application_name": "stammtisch"}
        self._writer = create_async_engine(
            url,
            connect_args={"server_settings": promised, "timeout": _CONNECT_SECONDS},
            pool_pre_ping=True,
            hide_parameters=True,
        )
        event.listen(self._writer.sync_engine, "handle_error", _forget_rows)
        self._reader = self._writer.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        )

    async def write(self, work: Callable[[Connection], T]) -> T:
        return await settled(asyncio.ensure_future(self._transaction(self._writer, work)))

    async def read(self, work: Callable[[Connection], T]) -> T:
        return await settled(asyncio.ensure_future(self._transaction(self._reader, work)))

    async def look(self, work: Callable[[Connection], T]) -> T:
        return await self.read(work)  # one at a time of so many connections is one of many

    async def migrate(self, work: Callable[[Connection], T]) -> T:
        def alone(connection: Connection) -> T:
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_MIGRATING})"))
            return work(connection)

        return await self.write(alone)

    async def _transaction(self, engine: AsyncEngine, work: Callable[[Connection], T]) -> T:
        async with engine.begin() as connection:
            return await connection.run_sync(work)

    async def close(self) -> None:
        await self._writer.dispose()


def _forget_rows(context: ExceptionContext) -> None:
    """Why PostgreSQL refused a row it says with the whole row, which may be a deal."""
    error: Any = context.original_exception
    while error is not None:
        if hasattr(error, "detail"):
            error.detail = None
        error = error.__cause__
