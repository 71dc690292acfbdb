"""A database of its own for every test: a file as in real life, and one on PostgreSQL.

On PostgreSQL too when TEST_POSTGRES_URL names a server where databases may be made and dropped
(`.ci/postgres pytest tests/storage`).  Tests of what only one of them has are
marked with its name.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.storage.migrations import upgrade, upgrade_open
from bot.storage.schema import metadata
from bot.storage.transaction import Patience
from tests import migrated
from tests.wire.postgres import create, drop, replace, server

Blank = Callable[[], Awaitable[Database]]

CALM = Patience(connect=60, ping=60, statement=60, idle=60, transaction=60)
"""However long the machine pauses: what is tested is not how fast it is."""

SERVER = server()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "kind" in metafunc.fixturenames:
        there = ["sqlite"] if SERVER is None else ["sqlite", "postgresql"]
        only = [kind for kind in there if metafunc.definition.get_closest_marker(kind) is not None]
        metafunc.parametrize("kind", only or there, scope="function")


@pytest.fixture
def url(kind: str, tmp_path: Path) -> Iterator[str]:
    """The address of an empty database (of a file that is not there yet)."""
    if kind == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'var' / 'test.sqlite3'}"
        return
    assert SERVER is not None
    made = asyncio.run(create(SERVER))
    try:
        yield made
    finally:
        asyncio.run(drop(made))


@pytest.fixture(scope="session")
def template() -> Iterator[str]:
    """The address of a database on the server that is up to date, to be copied; "" without one."""
    if SERVER is None:
        yield ""
        return
    made = asyncio.run(create(SERVER))
    try:
        asyncio.run(upgrade(made))
        yield made
    finally:
        asyncio.run(drop(made))


@pytest.fixture
async def database(kind: str, url: str, tmp_path: Path, template: str) -> AsyncIterator[Database]:
    """One that is up to date and open."""
    if kind == "sqlite":
        migrated.put(tmp_path / "var" / "test.sqlite3")
    else:
        await replace(url, template)
    opened = await Database.open(url, CALM)
    await upgrade_open(opened)
    yield opened
    await opened.close()


@pytest.fixture
async def blank(url: str) -> AsyncIterator[Blank]:
    """A database that is emptied for every example of a test."""
    database = await Database.open(url, CALM)

    def empty(connection: Connection) -> None:
        for table in reversed(metadata.sorted_tables):
            connection.execute(table.delete())

    async def emptied() -> Database:
        await database.write(empty)
        return database

    # Not by the migrations, which take their time; what they build is the same.
    await database.migrate(metadata.create_all)
    yield emptied
    await database.close()
