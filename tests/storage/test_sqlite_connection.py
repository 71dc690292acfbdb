"""A connection and its thread: whole transactions, and nothing that outlives its event loop."""

from __future__ import annotations

import asyncio
import inspect
import re
import sqlite3
import threading
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import aiosqlite
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.storage import sqlite_connection
from bot.storage.database import Database
from bot.storage.meta import SqlMeta
from bot.storage.sqlite_connection import (
    BUSY_SECONDS,
    STILL_BUSY_SECONDS,
    SqliteConnection,
    driver_of,
)
from bot.tables.ports import NotWritten
from tests.patience import PATIENCE
from tests.storage.conftest import CALM

pytestmark = pytest.mark.sqlite


def test_aiosqlite_is_the_one_that_was_looked_at() -> None:
    """After an update read `aiosqlite.core` again, then change the version."""
    assert version("aiosqlite") == "0.22.1"


def test_two_protected_names_of_aiosqlite_are_used() -> None:
    protected = {
        name
        for name in (*vars(aiosqlite.Connection), "_tx", "_thread", "_running", "_connection")
        if name.startswith("_") and not name.startswith("__")
    }
    own = inspect.getsource(SqliteConnection)
    used = {name for name in protected if re.search(rf"(self|opened)\.{name}\b", own)}
    assert used == {"_tx", "_thread"}
    assert "self._tx.put_nowait((future, function))" in inspect.getsource(
        aiosqlite.Connection._execute
    ), "its own methods go another way by now"


async def opened(folder: Path) -> SqliteConnection:
    url = make_url(f"sqlite+aiosqlite:///{folder / 'some.sqlite3'}")
    return await SqliteConnection.open(url, "BEGIN IMMEDIATE", ())


async def test_a_whole_transaction_runs_in_a_thread_that_ends_with_the_program(
    tmp_path: Path,
) -> None:
    connection = await opened(tmp_path)

    def work(lent: Connection) -> tuple[int, bool]:
        with lent.begin():
            found: int = lent.execute(text("SELECT 41 + 1")).scalar_one()
        return found, threading.current_thread().daemon

    assert await connection.run(work) == (42, True)
    await connection.close()


async def test_what_was_queued_is_waited_for_although_all_tasks_are_cancelled(
    tmp_path: Path,
) -> None:
    connection = await opened(tmp_path)
    begun, go_on = threading.Event(), threading.Event()

    def work(lent: Connection) -> str:
        begun.set()
        go_on.wait(PATIENCE)
        return "written"

    done = connection.run(work)
    await asyncio.to_thread(begun.wait, PATIENCE)
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    go_on.set()
    assert await done == "written"
    await connection.close()


async def test_a_commit_that_fails_leaves_no_transaction_open(tmp_path: Path) -> None:
    url = make_url(f"sqlite+aiosqlite:///{tmp_path / 'some.sqlite3'}")
    connection = await SqliteConnection.open(url, "BEGIN IMMEDIATE", ("foreign_keys=ON",))

    def prepare(lent: Connection) -> None:
        with lent.begin():
            lent.execute(text("CREATE TABLE kings (name TEXT PRIMARY KEY)"))
            lent.execute(
                text(
                    "CREATE TABLE heirs (king TEXT REFERENCES kings DEFERRABLE INITIALLY DEFERRED)"
                )
            )

    def add(lent: Connection) -> None:
        with lent.begin():
            lent.execute(text("INSERT INTO heirs VALUES ('nobody')"))

    def count(lent: Connection) -> int:
        with lent.begin():
            return int(lent.execute(text("SELECT count(*) FROM heirs")).scalar_one())

    await connection.run(prepare)
    with pytest.raises(IntegrityError):
        await connection.run(add)
    assert await connection.run(count) == 0
    await connection.close()


async def test_a_closed_connection_refuses(tmp_path: Path) -> None:
    connection = await opened(tmp_path)
    await connection.close()
    await connection.close()
    with pytest.raises(ValueError, match="closed"):
        await connection.run(lambda lent: None)


def crowd() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "sqlite"}


async def test_closed_is_its_thread_ended(tmp_path: Path) -> None:
    before = crowd()
    connection = await opened(tmp_path)
    assert len(crowd() - before) == 1
    await connection.close()
    assert crowd() <= before


def test_a_thread_tells_the_loop_once_and_the_loop_may_end_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law: what a thread says after the loop has ended raises nothing, whatever it is about."""
    said: list[str] = []
    shouted: list[object] = []
    monkeypatch.setattr(threading, "excepthook", shouted.append)

    async def loop_that_ends() -> SqliteConnection:
        loop = asyncio.get_running_loop()
        soon = loop.call_soon_threadsafe

        def noted(tell: Callable[..., object], *given: object) -> object:
            said.append(threading.current_thread().name)
            return soon(tell, *given)

        monkeypatch.setattr(loop, "call_soon_threadsafe", noted)
        connection = await opened(tmp_path)
        await connection.run(lambda lent: None)
        connection.run(lambda lent: go_on.wait(PATIENCE))  # nobody waits for it
        return connection

    go_on = threading.Event()
    connection = asyncio.run(loop_that_ends())
    assert [name for name in said if name == "sqlite"] == ["sqlite"] * 2
    go_on.set()
    asyncio.run(connection.close())
    assert said.count("sqlite") == 3
    assert not shouted


def begun(lent: Connection) -> None:
    with lent.begin():
        pass


def wait_of(lent: Connection) -> int:
    """Milliseconds that the next transaction waits for another program."""
    return int(driver_of(lent).execute("PRAGMA busy_timeout").fetchone()[0])


async def test_nobody_waits_long_for_what_others_waited_for_in_vain(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert BUSY_SECONDS + 3 * STILL_BUSY_SECONDS < 5  # and that is what people may wait in all
    monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 0.2)
    connection = await opened(tmp_path)
    other = sqlite3.connect(tmp_path / "some.sqlite3", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    waits = [await connection.run(wait_of)]
    for _ in range(2):
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            await connection.run(begun)
        waits.append(await connection.run(wait_of))
    other.close()
    await connection.run(begun)
    assert [*waits, await connection.run(wait_of)] == [200, 100, 100, 200]
    await connection.close()


@pytest.mark.behaviour("Another program holds the database")
async def test_of_what_cannot_begin_it_is_known_that_nothing_is_written(
    database: Database, url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite_connection, "BUSY_SECONDS", 0.05)
    again = await Database.open(url, CALM)
    meta = SqlMeta(again)
    other = sqlite3.connect(url.removeprefix("sqlite+aiosqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    putting = (meta.put(str(number), "x") for number in range(5))
    refused = await asyncio.gather(*putting, return_exceptions=True)
    assert {type(error) for error in refused} == {NotWritten}
    assert await meta.get("0") is None
    other.close()
    await meta.put("0", "y")
    assert await meta.get("0") == "y"
    await again.close()
