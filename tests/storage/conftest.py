"""An empty database for every test: a file as in real life, and one on PostgreSQL.

On PostgreSQL too when TEST_POSTGRES_URL names a server where databases may be made and dropped
(`.ci/postgres pytest tests/storage`): the same one again and again, emptied, as making one takes
longer than most tests; whoever changes the schema is marked `own_database`.  Tests of what only one
of the two has are marked with its name.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy import text
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import create_async_engine

from bot.storage.database import Database
from bot.storage.migrations import upgrade, upgrade_open
from bot.storage.schema import metadata
from bot.storage.transaction import Patience
from tests import migrated
from tests.wire.postgres import create, drop, server

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
def url(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[str]:
    """The address of a database without any row; of one that is not there yet, or has no tables,
    where the test does not ask for `database`."""
    if kind == "sqlite":
        yield f"sqlite+aiosqlite:///{tmp_path / 'var' / 'test.sqlite3'}"
        return
    assert SERVER is not None
    own = request.node.get_closest_marker("own_database") is not None
    if "database" in request.fixturenames and not own:
        shared: str = request.getfixturevalue("shared")
        asyncio.run(emptied(shared))
        yield shared
        return
    made = asyncio.run(create(SERVER))
    try:
        yield made
    finally:
        asyncio.run(drop(made))


@pytest.fixture(scope="session")
def shared() -> Iterator[str]:
    """The address of a database on the server that is up to date."""
    assert SERVER is not None
    made = asyncio.run(create(SERVER))
    try:
        asyncio.run(upgrade(made))
        yield made
    finally:
        asyncio.run(drop(made))


async def emptied(url: str) -> None:
    """Sends away whoever is connected, and deletes all rows."""
    engine = create_async_engine(url)
    try:
        async with engine.begin() as connection:
            await connection.execute(text(_LEAVE))
            for table in reversed(metadata.sorted_tables):
                await connection.execute(table.delete())
            head = (await connection.execute(text("SELECT version_num FROM alembic_version"))).all()
            checks = await connection.scalar(text(_CHECKS))
    finally:
        await engine.dispose()
    seen = _SEEN.setdefault(url, (head, checks))
    assert (head, checks) == seen, "a test before changed the schema: mark it own_database"


_LEAVE: Final = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
    " AND backend_type = 'client backend'"
)
_CHECKS: Final = (
    "SELECT (SELECT count(*) FROM pg_constraint) + (SELECT count(*) FROM pg_attribute)"
    " + (SELECT count(*) FROM pg_trigger)"
)
_SEEN: Final = dict[str, tuple[object, object]]()
"""Version and number of constraints, columns, indexes and triggers of a shared database, as it was
first."""


@pytest.fixture
async def database(kind: str, url: str, tmp_path: Path) -> AsyncIterator[Database]:
    """One that is up to date and open."""
    if kind == "sqlite":
        migrated.put(tmp_path / "var" / "test.sqlite3")
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
