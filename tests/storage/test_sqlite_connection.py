"""The one protected method of aiosqlite that whole transactions are run by."""

from __future__ import annotations

import asyncio
import inspect
import re
import threading
from importlib.metadata import version
from pathlib import Path

import aiosqlite
import pytest
from sqlalchemy import make_url, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.storage.sqlite_connection import SqliteConnection

pytestmark = pytest.mark.sqlite


def test_aiosqlite_is_the_one_that_was_looked_at() -> None:
    """After an update read `aiosqlite.core.Connection._execute` again, then change the version."""
    assert version("aiosqlite") == "0.22.1"


def test_aiosqlite_queues_for_its_thread_by_its_own_protected_method() -> None:
    signature = inspect.signature(aiosqlite.Connection._execute)
    assert list(signature.parameters) == ["self", "fn", "args", "kwargs"]
    assert inspect.iscoroutinefunction(aiosqlite.Connection._execute)
    used = inspect.getsource(aiosqlite.Connection.commit)
    assert "self._execute(" in used, "its own methods go another way by now"


def test_no_other_protected_name_of_aiosqlite_is_used() -> None:
    protected = {
        name
        for name in (*vars(aiosqlite.Connection), "_tx", "_thread", "_running", "_connection")
        if name.startswith("_") and not name.startswith("__")
    }
    own = inspect.getsource(SqliteConnection)
    used = {name for name in protected if re.search(rf"self\.{name}\b", own)}
    assert used == {"_execute"}


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
        go_on.wait(10)
        return "written"

    done = connection.run(work)
    await asyncio.to_thread(begun.wait, 10)
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


async def test_what_was_cancelled_before_it_was_queued_never_runs(tmp_path: Path) -> None:
    connection = await opened(tmp_path)
    ran = threading.Event()
    done = connection.run(lambda lent: ran.set())
    for task in asyncio.all_tasks() - {asyncio.current_task()}:
        task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await done
    await connection.close()
    assert not ran.is_set()


async def test_a_closed_connection_refuses(tmp_path: Path) -> None:
    connection = await opened(tmp_path)
    await connection.close()
    with pytest.raises(ValueError, match="closed"):
        await connection.run(lambda lent: None)
