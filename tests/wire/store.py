"""The database of a program, read and changed by SQL alone, beside the program.

Everything is done at once, also on PostgreSQL, whose only driver here is made for asyncio: what is
judged at the moment when it is sent must not have changed before it is read.
"""

from __future__ import annotations

import asyncio
import itertools
import re
import sqlite3
import threading
from collections.abc import Coroutine, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from typing import Any, Final, Protocol, TypeVar

import asyncpg
from sqlalchemy import make_url

T = TypeVar("T")

LONGEST: Final = 30.0
"""Seconds after which a statement has failed: whoever holds a lock is given up long before."""

_MOMENT: Final = "%Y-%m-%d %H:%M:%S.%f"
"""How SQLite's columns hold moments, in UTC."""


class Row(Protocol):
    """A row of an answer."""

    def __getitem__(self, name: str) -> Any: ...

    def __iter__(self) -> Iterator[Any]: ...


class Store(Protocol):
    """Opened when it is first asked, and again after `close`.  Placeholders are `?`."""

    def rows(self, query: str, *values: object) -> Sequence[Row]:
        """What a query finds."""

    def change(self, statements: Sequence[tuple[str, Sequence[object]]]) -> None:
        """Executes statements with their values in one transaction, in any thread.

        It waits for whoever holds a lock, such as a program that has just died.
        """

    def close(self) -> None: ...


def store(url: str) -> Store:
    """Of a database address as the program has it."""
    if make_url(url).get_backend_name() == "postgresql":
        return PostgresStore(url)
    return SqliteStore(url.partition("///")[2])


class SqliteStore:
    """A file; what only reads does not make it."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._reading: sqlite3.Connection | None = None

    def rows(self, query: str, *values: object) -> Sequence[Row]:
        if self._reading is None:
            self._reading = sqlite3.connect(f"file:{self._path}?mode=ro", uri=True)
            self._reading.row_factory = sqlite3.Row
        with closing(self._reading.execute(query, values)) as cursor:
            return cursor.fetchall()

    def change(self, statements: Sequence[tuple[str, Sequence[object]]]) -> None:
        with closing(sqlite3.connect(self._path)) as writing, writing:
            for statement, values in statements:
                writing.execute(statement, [_plain(value) for value in values])

    def close(self) -> None:
        if self._reading is not None:
            self._reading.close()
            self._reading = None


class PostgresStore:
    """One connection, on a loop in a thread of its own."""

    def __init__(self, url: str) -> None:
        self._url = make_url(url)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._connection: Any = None

    def rows(self, query: str, *values: object) -> Sequence[Row]:
        found: Sequence[Row] = self._done(self._rows(query, values))
        return found

    def change(self, statements: Sequence[tuple[str, Sequence[object]]]) -> None:
        self._done(self._change(statements))

    def close(self) -> None:
        if self._loop is None or self._thread is None:
            return
        if self._connection is not None:
            self._done(self._connection.close())
            self._connection = None
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(LONGEST)
        self._loop.close()
        self._loop = self._thread = None

    async def _rows(self, query: str, values: Sequence[object]) -> Sequence[Row]:
        connection = await self._connected()
        found: Sequence[Row] = await connection.fetch(_numbered(query), *values, timeout=LONGEST)
        return found

    async def _change(self, statements: Sequence[tuple[str, Sequence[object]]]) -> None:
        connection = await self._opened()  # of its own: the other is asked meanwhile
        try:
            async with connection.transaction():
                for statement, values in statements:
                    await connection.execute(_numbered(statement), *values, timeout=LONGEST)
        finally:
            await connection.close()

    async def _connected(self) -> Any:
        if self._connection is None:
            self._connection = await self._opened()
        return self._connection

    async def _opened(self) -> Any:
        return await asyncpg.connect(
            host=self._url.host,
            port=self._url.port,
            user=self._url.username,
            password=self._url.password,
            database=self._url.database,
        )

    def _done(self, work: Coroutine[Any, Any, T]) -> T:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            # Whoever forgets to close it does not keep the process from ending.
            self._thread = threading.Thread(
                target=self._loop.run_forever, name="database", daemon=True
            )
            self._thread.start()
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(2 * LONGEST)


def _plain(value: object) -> object:
    return value.strftime(_MOMENT) if isinstance(value, datetime) else value


def _numbered(query: str) -> str:
    """The query with `$1`, `$2` … in the place of each `?`."""
    number = itertools.count(1)
    return re.sub(r"\?", lambda _: f"${next(number)}", query)
