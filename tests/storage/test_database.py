"""Opening, and the discipline of writing: whole transactions or none, whoever is cancelled."""

from __future__ import annotations

import asyncio
import re
import resource
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from operator import methodcaller
from pathlib import Path
from typing import Generic, TypeVar

import pytest
from sqlalchemy import Connection, Engine, event, func, insert, literal_column, select, text
from sqlalchemy.exc import DBAPIError, IntegrityError

from bot.storage.database import Database, StorageError, sqlite_file
from bot.storage.meta import SqlMeta
from bot.storage.migrations import upgrade
from bot.storage.schema import meta
from bot.tables.ports import Unavailable
from tests.patience import PATIENCE
from tests.storage.conftest import CALM

T = TypeVar("T")


def _add(connection: Connection, key: str) -> None:
    connection.execute(insert(meta).values(key=key, value="x"))


async def _keys(database: Database) -> set[str]:
    def work(connection: Connection) -> set[str]:
        return set(connection.execute(select(meta.c.key)).scalars())

    return await database.read(work)


class _Slow(Generic[T]):
    """Work in a transaction that stays under way, once done, until it may go on.

    It blocks: on PostgreSQL that would be the event loop.
    """

    def __init__(self, work: Callable[[Connection], T]) -> None:
        self._work = work
        self._done, self._go = threading.Event(), threading.Event()

    def __call__(self, connection: Connection) -> T:
        done = self._work(connection)
        self._done.set()
        assert self._go.wait(PATIENCE)
        return done

    async def under_way(self) -> None:
        assert await asyncio.to_thread(self._done.wait, PATIENCE)

    def go_on(self) -> None:
        self._go.set()


async def test_open_creates_the_folder_of_the_file(tmp_path: Path) -> None:
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/a/b/c.sqlite3")
    await database.close()
    assert (tmp_path / "a" / "b" / "c.sqlite3").is_file()


@pytest.mark.sqlite
async def test_the_pragmas_hold(database: Database) -> None:
    def pragmas(connection: Connection) -> list[object]:
        names = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        return [connection.exec_driver_sql(f"PRAGMA {name}").scalar_one() for name in names]

    assert await database.write(pragmas) == ["wal", 2, 1, 3000]


async def test_a_read_cannot_write(database: Database) -> None:
    with pytest.raises((DBAPIError, Unavailable)) as refused:
        await database.read(lambda connection: _add(connection, "a"))
    assert re.search(r"read-?only", f"{refused.value} {refused.value.__cause__}")
    assert await _keys(database) == set()


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "stammtisch.sqlite3",
        "://",
        "nosuch://host/db",
        "mysql+aiomysql://host/db",
        "sqlite+aiosqlite:///:memory:",
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


async def test_a_file_that_is_no_database_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "x.sqlite3").write_text("This is a letter to my aunt, and long enough. " * 50)
    with pytest.raises(
        StorageError, match=r"x\.sqlite3 cannot be opened: file is not a database\. Name"
    ):
        await Database.open(f"sqlite+aiosqlite:///{tmp_path}/x.sqlite3")


async def test_a_folder_instead_of_a_file_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(StorageError, match="cannot be opened: unable to open database file"):
        await Database.open(f"sqlite+aiosqlite:///{tmp_path}")


async def test_a_file_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    path = tmp_path / "x.sqlite3"
    sqlite3.connect(path).close()
    with pytest.raises(
        StorageError, match=r"cannot be opened: attempt to write a readonly.* Give the"
    ):
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


async def test_closed_twice_is_closed_and_refuses(database: Database) -> None:
    await database.close()
    await database.close()
    with pytest.raises(StorageError, match="closed"):
        await database.write(lambda connection: _add(connection, "a"))
    with pytest.raises(StorageError, match="closed"):
        await _keys(database)


@pytest.mark.sqlite
async def test_close_waits_for_the_transaction_under_way(url: str, database: Database) -> None:
    slow = _Slow(lambda connection: _add(connection, "a"))
    writing = asyncio.create_task(database.write(slow))
    await slow.under_way()
    closing = asyncio.create_task(database.close())
    await asyncio.sleep(0)
    assert not closing.done()
    slow.go_on()
    await writing
    await closing
    reopened = await Database.open(url, CALM)
    assert await _keys(reopened) == {"a"}
    await reopened.close()


async def _behind(database: Database, *works: Callable[[Connection], object]) -> list[object]:
    """What comes of writes that all arrived while another one was under way."""
    slow = _Slow(lambda connection: _add(connection, "first"))
    first = asyncio.create_task(database.write(slow))
    await slow.under_way()
    others = [asyncio.create_task(database.write(work)) for work in works]
    await asyncio.sleep(0)
    slow.go_on()
    await first
    return await asyncio.gather(*others, return_exceptions=True)


@pytest.mark.sqlite
async def test_whoever_comes_while_the_disk_is_busy_shares_the_next_commit(
    database: Database,
) -> None:
    commits: list[Connection] = []

    def listen(connection: Connection) -> None:
        commits.append(connection)

    event.listen(Engine, "commit", listen)
    await _behind(database, *(partial(_add, key=key) for key in "abc"))
    event.remove(Engine, "commit", listen)
    assert await _keys(database) == {"first", "a", "b", "c"}
    assert len(commits) == 2


@pytest.mark.sqlite
async def test_of_those_who_share_a_commit_only_the_failing_one_is_undone(
    database: Database,
) -> None:
    def failing(connection: Connection) -> None:
        _add(connection, "lost")
        raise RuntimeError("on purpose")

    a, lost, twice, b = await _behind(
        database,
        partial(_add, key="a"),
        failing,
        partial(_add, key="a"),
        partial(_add, key="b"),
    )
    assert (a, b) == (None, None)
    assert isinstance(lost, RuntimeError)
    assert isinstance(twice, IntegrityError)
    assert await _keys(database) == {"first", "a", "b"}


@pytest.mark.sqlite
async def test_where_sqlite_gives_up_a_shared_commit_all_are_told(database: Database) -> None:
    """As when the disk is full: SQLite ends the transaction by itself."""

    def full(connection: Connection) -> None:
        connection.exec_driver_sql("ROLLBACK")
        raise OSError("disk full")

    outcomes = await _behind(database, partial(_add, key="a"), full, partial(_add, key="b"))
    assert all(isinstance(outcome, Exception) for outcome in outcomes)
    assert await _keys(database) == {"first"}
    await database.write(partial(_add, key="c"))
    assert await _keys(database) == {"first", "c"}


@contextmanager
def full_disk(url: str) -> Iterator[None]:
    """The operating system refuses what would make the database's files 4 kB longer."""
    file = sqlite_file(url)
    assert file is not None
    size = Path(f"{file}-wal").stat().st_size + 4096
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.sqlite
async def test_a_disk_that_takes_no_more_bytes_loses_nothing_and_is_written_again(
    database: Database, url: str
) -> None:
    def much(connection: Connection) -> None:
        connection.execute(insert(meta), [{"key": f"k{n}", "value": "x" * 9000} for n in range(99)])

    await SqlMeta(database).put("a", "1")
    with full_disk(url):
        for _ in range(3):
            with pytest.raises(Unavailable):
                await database.write(much)
            assert database.written is None
            assert await SqlMeta(database).get("a") == "1"
            assert await SqlMeta(database).get("k0") is None
    await database.write(much)
    assert await SqlMeta(database).get("k98") == "x" * 9000
    assert database.written is not None


@pytest.mark.sqlite
async def test_a_commit_that_fails_leaves_no_transaction_open(database: Database) -> None:
    tables = (
        "CREATE TABLE kings (name TEXT PRIMARY KEY)",
        "CREATE TABLE heirs (king TEXT REFERENCES kings DEFERRABLE INITIALLY DEFERRED)",
    )
    for table in tables:
        await database.write(methodcaller("exec_driver_sql", table))
    with pytest.raises(IntegrityError):
        await database.write(methodcaller("exec_driver_sql", "INSERT INTO heirs VALUES ('nobody')"))
    await database.write(partial(_add, key="a"))
    assert await database.scalars(select(literal_column("king")).select_from(text("heirs"))) == []


async def test_one_tasks_rollback_leaves_anothers_insert(database: Database) -> None:
    def failing(connection: Connection) -> None:
        _add(connection, "lost")
        raise RuntimeError("on purpose")

    first, second, third = await asyncio.gather(
        database.write(lambda connection: _add(connection, "before")),
        database.write(failing),
        database.write(lambda connection: _add(connection, "after")),
        return_exceptions=True,
    )
    assert (first, third) == (None, None)
    assert isinstance(second, RuntimeError)
    assert await _keys(database) == {"before", "after"}


@pytest.mark.sqlite
async def test_a_read_sees_one_snapshot_while_others_write(database: Database) -> None:
    counted = select(func.count()).select_from(meta)
    slow = _Slow(lambda connection: connection.execute(counted).scalar_one())

    def twice(connection: Connection) -> tuple[int, int]:
        return slow(connection), connection.execute(counted).scalar_one()

    reading = asyncio.create_task(database.read(twice))
    await slow.under_way()
    await database.write(lambda connection: _add(connection, "a"))
    slow.go_on()
    assert await reading == (0, 0)
    assert await _keys(database) == {"a"}


@pytest.mark.sqlite
async def test_a_cancelled_caller_learns_it_after_the_transaction(database: Database) -> None:
    slow = _Slow(lambda connection: _add(connection, "a"))

    def both(connection: Connection) -> None:
        slow(connection)
        _add(connection, "b")

    writing = asyncio.create_task(database.write(both))
    await slow.under_way()
    for _ in range(2):
        writing.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    assert not writing.done()
    slow.go_on()
    with pytest.raises(asyncio.CancelledError):
        await writing
    assert await _keys(database) == {"a", "b"}


@pytest.mark.sqlite
def test_when_the_event_loop_ends_it_is_all_or_nothing(url: str) -> None:
    """It cancels every task there is."""
    asyncio.run(upgrade(url))
    slow = _Slow(lambda connection: _add(connection, "a"))

    async def interrupted() -> None:
        database = await Database.open(url, CALM)
        writing = asyncio.create_task(database.write(slow))
        await slow.under_way()
        asyncio.get_running_loop().call_later(0.05, slow.go_on)
        assert not writing.done()

    async def found() -> set[str]:
        database = await Database.open(url, CALM)
        try:
            return await _keys(database)
        finally:
            await database.close()

    asyncio.run(interrupted())
    assert asyncio.run(found()) == {"a"}


async def test_cancelled_at_any_step_of_the_loop_it_is_all_or_nothing(database: Database) -> None:
    def both(connection: Connection, name: str) -> None:
        _add(connection, f"{name} a")
        _add(connection, f"{name} b")

    async def write(name: str) -> None:
        await database.write(lambda connection: both(connection, name))

    whole = 0
    for steps in range(12):
        name = str(steps)
        task = asyncio.create_task(write(name))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        mine = {key for key in await _keys(database) if key.startswith(f"{name} ")}
        assert mine in (set(), {f"{name} a", f"{name} b"})
        whole += bool(mine)
    assert 0 < whole < 12


@pytest.mark.sqlite  # read by another library
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
