"""Opening, and the discipline of writing: whole transactions or none, whoever is cancelled."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from pathlib import Path

import pytest
from sqlalchemy import func, insert, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database, StorageError
from bot.storage.meta import SqlMeta
from bot.storage.migrations import upgrade_open
from bot.storage.schema import meta


async def _add(connection: AsyncConnection, key: str) -> None:
    await connection.execute(insert(meta).values(key=key, value="x"))


async def _keys(database: Database) -> set[str]:
    async def work(connection: AsyncConnection) -> set[str]:
        return set((await connection.execute(select(meta.c.key))).scalars())

    return await database.read(work)


async def test_open_creates_the_folder_of_the_file(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/a/b/c.sqlite3")
    await database.close()
    assert (tmp_path / "a" / "b" / "c.sqlite3").is_file()


async def test_the_pragmas_hold(database: Database) -> None:
    async def pragmas(connection: AsyncConnection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [(await connection.exec_driver_sql(f"PRAGMA {name}")).scalar_one() for name in names]

    assert await database.write(pragmas) == ["wal", 2, 1, 5000]


async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises(DBAPIError, match="readonly"):
        await database.read(lambda connection: _add(connection, "a"))
    assert await _keys(database) == set()


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "stammtisch.sqlite3",
        "://",
        "nosuch://host/db",
        "mysql+aiomysql://host/db",
        "sqlite+pysqlite:///secret.sqlite3",
        "postgresql+asyncpg://me:secret@host:port/db",
        "postgresql+pg8000://me:secret@host/db",
    ],
)
async def test_a_wrong_address_is_one_sentence_without_the_password(wrong: str) -> None:
    with pytest.raises(StorageError) as caught:
        await Database.open(wrong)
    said = str(caught.value)
    assert said.startswith("DATABASE_URL ")
    assert said.endswith(".")
    assert "\n" not in said
    assert "secret" not in said


async def test_a_folder_that_cannot_be_made_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StorageError, match=r"folder .*/file/var of the database cannot be created"):
        await Database.open(f"sqlite+aiosqlite:///{tmp_path}/file/var/x.sqlite3")


async def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite3").write_text("This is a letter to my aunt, and long enough. " * 50)
    with pytest.raises(StorageError, match=r"x\.sqlite3 cannot be opened: file is not a database"):
        await Database.open(f"sqlite+aiosqlite:///{tmp_path}/x.sqlite3")


async def test_a_folder_instead_of_a_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be opened: unable to open database file"):
        await Database.open(f"sqlite+aiosqlite:///{tmp_path}")


async def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    sqlite3.connect(path).close()
    with pytest.raises(StorageError, match="cannot be opened: attempt to write a readonly"):
        await Database.open(f"sqlite+aiosqlite:///file:{path}?mode=ro&uri=true")


def test_a_refused_database_leaves_no_thread_behind(tmp_path: Path) -> None:
    """As in `stammtisch run`, whose event loop ends at once."""
    (tmp_path / "x.sqlite3").write_text("no database" * 100)
    before = threading.active_count()

    async def refused(name: str) -> None:
        with pytest.raises(StorageError):
            await Database.open(f"sqlite+aiosqlite:///{tmp_path}/{name}")

    for name in ("", "x.sqlite3"):
        asyncio.run(refused(name))
    assert threading.active_count() == before


async def test_in_memory_reads_see_writes() -> None:
    database = await Database.open("sqlite+aiosqlite://")
    await upgrade_open(database)
    await asyncio.gather(*(SqlMeta(database).put(str(i), "x") for i in range(5)))
    assert await _keys(database) == {"0", "1", "2", "3", "4"}
    await database.close()


async def test_closed_twice_is_closed_and_refuses(database: Database) -> None:
    await database.close()
    await database.close()
    with pytest.raises(StorageError, match="closed"):
        await database.write(lambda connection: _add(connection, "a"))
    with pytest.raises(StorageError, match="closed"):
        await _keys(database)


async def test_close_waits_for_the_transaction_under_way(url: str, database: Database) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def work(connection: AsyncConnection) -> None:
        await _add(connection, "a")
        begun.set()
        await go.wait()

    writing = asyncio.create_task(database.write(work))
    await begun.wait()
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    assert not closing.done()
    go.set()
    await writing
    await closing
    reopened = await Database.open(url)
    assert await _keys(reopened) == {"a"}
    await reopened.close()


async def test_one_tasks_rollback_leaves_anothers_insert(database: Database) -> None:
    begun = asyncio.Event()

    async def failing(connection: AsyncConnection) -> None:
        await _add(connection, "lost")
        begun.set()
        for _ in range(20):
            await asyncio.sleep(0)
        raise RuntimeError("on purpose")

    first = asyncio.create_task(database.write(failing))
    await begun.wait()
    await database.write(lambda connection: _add(connection, "kept"))
    with pytest.raises(RuntimeError, match="on purpose"):
        await first
    assert await _keys(database) == {"kept"}


async def test_a_read_sees_one_snapshot_while_others_write(database: Database) -> None:
    counted = select(func.count()).select_from(meta)
    looked, written = asyncio.Event(), asyncio.Event()

    async def twice(connection: AsyncConnection) -> tuple[int, int]:
        first = (await connection.execute(counted)).scalar_one()
        looked.set()
        await written.wait()
        return first, (await connection.execute(counted)).scalar_one()

    reading = asyncio.create_task(database.read(twice))
    await looked.wait()
    await database.write(lambda connection: _add(connection, "a"))
    written.set()
    assert await reading == (0, 0)
    assert await _keys(database) == {"a"}


async def test_a_cancelled_caller_learns_it_after_the_transaction(database: Database) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def work(connection: AsyncConnection) -> None:
        await _add(connection, "a")
        begun.set()
        await go.wait()
        await _add(connection, "b")

    writing = asyncio.create_task(database.write(work))
    await begun.wait()
    for _ in range(2):
        writing.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert not writing.done()
    go.set()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await _keys(database) == {"a", "b"}


async def test_a_caller_cancelled_while_waiting_writes_nothing(database: Database) -> None:
    begun, go = asyncio.Event(), asyncio.Event()

    async def slow(connection: AsyncConnection) -> None:
        begun.set()
        await go.wait()
        await _add(connection, "first")

    first = asyncio.create_task(database.write(slow))
    await begun.wait()
    second = asyncio.create_task(database.write(lambda connection: _add(connection, "second")))
    await asyncio.sleep(0)
    second.cancel()
    with pytest.raises(asyncio.CancelledError):
        await second
    go.set()
    await first
    assert await _keys(database) == {"first"}


@pytest.mark.parametrize("after", [0, 1, 2])
async def test_a_transaction_that_is_itself_cancelled_is_undone(
    database: Database, after: int
) -> None:
    """As when the event loop ends and cancels every task there is."""

    async def work(connection: AsyncConnection) -> None:
        for step in range(3):
            if step == after:
                task = asyncio.current_task()
                assert task is not None
                task.cancel()
            await _add(connection, str(step))

    with pytest.raises(asyncio.CancelledError):
        await database.write(work)
    assert await _keys(database) == set()
    await database.write(lambda connection: _add(connection, "next"))
    assert await _keys(database) == {"next"}


async def test_cancelled_at_any_step_of_the_loop_it_is_all_or_nothing(database: Database) -> None:
    async def both(connection: AsyncConnection, name: str) -> None:
        await _add(connection, f"{name} a")
        await _add(connection, f"{name} b")

    async def write(name: str) -> None:
        await database.write(lambda connection: both(connection, name))

    whole = 0
    for steps in range(60):
        name = str(steps)
        task = asyncio.create_task(write(name))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        mine = {key for key in await _keys(database) if key.startswith(f"{name} ")}
        assert mine in (set(), {f"{name} a", f"{name} b"})
        whole += bool(mine)
    assert 0 < whole < 60


async def test_what_another_process_sees_is_what_was_acknowledged(
    url: str, database: Database
) -> None:
    await SqlMeta(database).put("commands", "abc")
    path = url.removeprefix("sqlite+aiosqlite:///")
    other = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    try:
        assert other.execute("SELECT value FROM meta").fetchall() == [("abc",)]
    finally:
        other.close()
