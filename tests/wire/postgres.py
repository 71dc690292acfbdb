"""A database of one's own on a PostgreSQL server, and one behind a proxy."""

from __future__ import annotations

import os
import uuid
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

from sqlalchemy import make_url, text
from sqlalchemy.ext.asyncio import create_async_engine

from tests.wire.proxy import HOST, Proxy, proxy

VARIABLE: Final = "TEST_POSTGRES_URL"
"""Names a server where databases may be made and dropped; `.ci/postgres` sets it."""


def server() -> str | None:
    """The address of that server, if there is one."""
    return os.environ.get(VARIABLE)


class Behind(NamedTuple):
    """A database behind a proxy."""

    url: str
    """Its address, without the proxy."""
    through: str
    """Its address through the proxy."""
    proxy: Proxy


async def create(on: str) -> str:
    """The address of an empty database on that server; `drop` it in the end."""
    name = f"test_{uuid.uuid4().hex}"
    await _execute(on, f"CREATE DATABASE {name}")
    return make_url(on).set(database=name).render_as_string(hide_password=False)


async def drop(url: str) -> None:
    """Drops a database that `create` has made; whoever is connected is sent away."""
    address = make_url(url)
    on = address.set(database="postgres").render_as_string(hide_password=False)
    await _execute(on, f"DROP DATABASE {address.database} WITH (FORCE)")


@asynccontextmanager
async def own_database(on: str) -> AsyncIterator[str]:
    """The address of an empty database on that server, which is dropped in the end."""
    made = await create(on)
    try:
        yield made
    finally:
        await drop(made)


@asynccontextmanager
async def behind_a_proxy(url: str) -> AsyncIterator[Behind]:
    """A proxy in front of the database with that address."""
    address = make_url(url)
    assert address.host is not None
    assert address.port is not None
    async with proxy(address.host, address.port) as between:
        through = address.set(host=HOST, port=between.port)
        yield Behind(url, through.render_as_string(hide_password=False), between)


async def _execute(on: str, statement: str) -> None:
    """A statement outside of a transaction."""
    engine = create_async_engine(on, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(statement))
    finally:
        await engine.dispose()
