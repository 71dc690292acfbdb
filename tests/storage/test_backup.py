"""Backups: of one moment, while somebody writes, never over another file; and the way back."""

from __future__ import annotations

import asyncio
import errno
import gc
import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from sqlalchemy import insert, select
from sqlalchemy.engine import Connection

from bot.ids import TableId
from bot.storage import backup as backup_module
from bot.storage.backup import Copied, Restored, backup, backup_into, restore
from bot.storage.database import Database, StorageAway, StorageError
from bot.storage.migrations import upgrade, upgrade_open
from bot.storage.schema import entries
from bot.storage.tables import SqlTableStore
from tests.operate.conftest import ROOT
from tests.storage.values import NOW, change, stored

if TYPE_CHECKING:
    from _typeshed import TraceFunction

MOMENT = datetime(2025, 3, 5, 12, 30, 15, tzinfo=UTC)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "var" / "bot.sqlite3"


@pytest.fixture
def address(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture
async def running(address: str) -> AsyncIterator[Database]:
    """The database as a bot that runs has it open."""
    database = await Database.open(address)
    await upgrade_open(database)
    yield database
    await database.close()


@pytest.fixture
async def stopped(running: Database) -> None:
    """A database with one table that nobody has open."""
    await SqlTableStore(running).commit(change(stored(TableId("T7Q2"))))
    await running.close()


def rows(path: Path, query: str) -> list[tuple[object, ...]]:
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def files(folder: Path) -> set[str]:
    return {found.name for found in folder.iterdir()}


def restored(address: str, copy: Path) -> Restored:
    return restore(address, copy, now=MOMENT)


def copied_into(address: str, folder: Path, keep: int, day: int) -> Path:
    return backup_into(address, folder, keep, now=MOMENT + timedelta(days=day))[0]


def days(folder: Path) -> list[int]:
    """Of the copies there."""
    shown = (datetime.strptime(name, "stammtisch-%Y%m%dT%H%M%S%z.backup") for name in files(folder))
    return sorted((found - MOMENT).days for found in shown)


@pytest.mark.usefixtures("stopped")
def test_the_copy_that_was_just_made_is_never_the_one_that_goes(
    address: str, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    copied_into(address, folder, 1, 365)  # the clock was ahead once
    for day in range(3):
        made = copied_into(address, folder, 1, day)
        assert folder.joinpath(made.name).exists()
        assert days(folder) == [day]


@pytest.mark.usefixtures("stopped")
def test_what_was_copied_by_a_clock_that_was_ahead_goes_with_the_oldest(
    address: str, tmp_path: Path
) -> None:
    """Whoever was forgotten is gone from all copies after so many more of them."""
    folder = tmp_path / "copies"
    for day in (1, 2, 365, 3):
        copied_into(address, folder, 9, day)
    copied_into(address, folder, 4, 4)
    assert days(folder) == [1, 2, 3, 4]


@pytest.mark.usefixtures("stopped")
def test_copies_by_a_clock_that_is_behind_push_out_the_oldest(address: str, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    for day in (101, 102, 103):
        copied_into(address, folder, 3, day)
    copied_into(address, folder, 3, 1)
    assert days(folder) == [1, 102, 103]
    copied_into(address, folder, 3, 2)
    assert days(folder) == [1, 2, 103]


@pytest.mark.usefixtures("stopped")
def test_only_copies_with_a_time_in_their_name_are_some_of_several(
    address: str, tmp_path: Path
) -> None:
    folder = tmp_path / "copies"
    folder.mkdir()
    mine = {"stammtisch-before-the-update.backup", ".stammtisch-mine.backup.0123abcd.partial"}
    for name in mine:
        (folder / name).touch()
    first, second = (copied_into(address, folder, 1, day).name for day in (1, 2))
    assert files(folder) == {*mine, second}
    assert first != second


DIES = """
import os, sys
from datetime import UTC, datetime
from pathlib import Path
from bot.storage import backup
def die(source, made):
    made.with_name(made.name + "-journal").touch()
    os._exit(9)
backup._copy = die
if sys.argv[1] == "backup":
    backup.backup_into(sys.argv[2], Path(sys.argv[3]), 1, now=datetime.now(UTC))
else:
    backup.restore(sys.argv[2], Path(sys.argv[3]), now=datetime.now(UTC))
"""


def killed(*arguments: str | Path) -> None:
    """A copy that is killed half-way."""
    typed = [sys.executable, "-c", DIES, *map(str, arguments)]
    assert subprocess.run(typed, cwd=ROOT, check=False).returncode == 9


@pytest.mark.usefixtures("stopped")
def test_what_a_killed_copy_has_left_goes_with_the_next_one(address: str, tmp_path: Path) -> None:
    folder = tmp_path / "copies"
    killed("backup", address, folder)
    assert len(files(folder)) == 2
    made = copied_into(address, folder, 1, 0)
    assert files(folder) == {made.name}


@pytest.mark.usefixtures("stopped")
def test_what_a_killed_restore_has_left_goes_with_the_next_one(
    address: str, path: Path, tmp_path: Path
) -> None:
    backup(address, tmp_path / "copy")
    killed("restore", address, tmp_path / "copy")
    assert len(files(path.parent)) == 3
    aside = restored(address, tmp_path / "copy").aside
    assert aside is not None
    assert files(path.parent) == {path.name, aside.name}


@pytest.mark.usefixtures("stopped")
def test_one_copy_at_a_time_is_made_in_a_folder(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither takes the other's unfinished file for a leftover, or its copy for an old one."""
    folder = tmp_path / "copies"
    copy, refused = backup_module._copy, []

    def meanwhile(source: Path, made: Path) -> Copied:
        with pytest.raises(StorageAway, match=r"Another backup into .*copies is under way: try"):
            copied_into(address, folder, 1, 1)
        refused.append(made.exists())
        return copy(source, made)

    monkeypatch.setattr(backup_module, "_copy", meanwhile)
    made = copied_into(address, folder, 1, 0)
    assert refused == [True]
    assert files(folder) == {made.name}


@pytest.mark.usefixtures("stopped")
def test_where_folders_cannot_be_locked_nothing_is_taken_for_a_leftover(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "copies"
    killed("backup", address, folder)
    left = files(folder)

    def none(*_: object) -> None:
        raise OSError(errno.EBADF, "no locks on folders here")

    monkeypatch.setattr("fcntl.flock", none)
    made = copied_into(address, folder, 1, 0)
    assert files(folder) == {*left, made.name}


PLIES = 10
"""Rows of one commit."""


async def test_a_backup_while_a_writer_commits_thousands_of_rows_is_one_moment(
    running: Database, address: str, tmp_path: Path
) -> None:
    """Every transaction is in it whole or not at all, and so are all that went before."""
    await SqlTableStore(running).commit(change(stored(TableId("T7Q2"))))
    stop, commits = threading.Event(), 0

    async def write() -> None:
        nonlocal commits
        while not stop.is_set():
            first = commits * PLIES
            lines = [
                {"table_id": "T7Q2", "ply": ply, "seat": 0, "text": "x" * 200, "at": NOW}
                for ply in range(first, first + PLIES)
            ]
            lines = [{**line, "by": "person"} for line in lines]

            def work(connection: Connection, lines: list[dict[str, object]] = lines) -> None:
                connection.execute(insert(entries), lines)

            await running.write(work)
            commits += 1

    async def enough(more: int) -> None:
        goal = commits + more
        while commits < goal:
            await asyncio.wait([writing], timeout=0.01)
            assert not writing.done()

    writing = asyncio.create_task(write())
    await enough(200)
    sizes = []
    for number in range(3):
        before = commits
        copy = tmp_path / f"{number}.sqlite3"
        await asyncio.to_thread(backup, address, copy)
        ((count, last),) = rows(copy, "SELECT count(*), max(ply) FROM entries")
        assert isinstance(count, int)
        assert count % PLIES == 0
        assert last == count - 1
        assert before * PLIES <= count <= (commits + 1) * PLIES
        sizes.append(count)
        await enough(50)
    stop.set()
    await writing
    assert sizes == sorted(set(sizes))
    assert commits * PLIES > 2000

    def everything(connection: Connection) -> int:
        return len(connection.execute(select(entries.c.ply)).all())

    assert await running.read(everything) == commits * PLIES


async def test_what_is_only_in_the_write_ahead_log_is_in_the_backup(
    running: Database, address: str, path: Path, tmp_path: Path
) -> None:
    await SqlTableStore(running).commit(change(stored(TableId("T7Q2"))))
    assert path.with_name(path.name + "-wal").stat().st_size > 0
    copied = backup(address, tmp_path / "copy")
    assert copied.tables == 1
    assert rows(tmp_path / "copy", "SELECT id FROM tables") == [("T7Q2",)]
    assert copied.size == (tmp_path / "copy").stat().st_size


@pytest.mark.usefixtures("stopped")
def test_a_backup_is_one_plain_file_for_its_owner_only(address: str, tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    copy = tmp_path / "copies" / "copy"
    backup(address, copy)
    assert files(copy.parent) == {"copy"}
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    assert rows(copy, "PRAGMA journal_mode") == [("delete",)]


@pytest.mark.usefixtures("stopped")
def test_a_backup_writes_over_nothing_unless_forced(address: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_text("dear to me")
    with pytest.raises(StorageError, match=r"copy is there already.* --force\.$"):
        backup(address, copy)
    assert copy.read_text() == "dear to me"
    assert backup(address, copy, force=True).tables == 1
    assert files(tmp_path) == {"var", "copy"}


@pytest.mark.usefixtures("stopped")
def test_a_file_that_comes_while_a_backup_is_made_is_not_written_over(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy = tmp_path / "copy"
    monkeypatch.setattr("bot.storage.backup._sync", lambda _: copy.write_text("dear to me"))
    with pytest.raises(StorageError, match="copy is there already"):
        backup(address, copy)
    assert copy.read_text() == "dear to me"
    assert files(tmp_path) == {"var", "copy"}


@pytest.mark.usefixtures("stopped")
def test_a_backup_never_takes_the_place_of_the_database(address: str, path: Path) -> None:
    for target in (path, path.parent):
        with pytest.raises(StorageError, match="cannot be written over"):
            backup(address, target, force=True)
    assert rows(path, "SELECT id FROM tables") == [("T7Q2",)]


def test_nothing_to_back_up_is_said_and_made(address: str, path: Path, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"There is no database .*bot\.sqlite3 to back up"):
        backup(address, tmp_path / "copy")
    assert not path.exists()
    assert files(tmp_path) == set()


@pytest.mark.usefixtures("stopped")
def test_a_folder_that_is_not_there_is_one_sentence(address: str, tmp_path: Path) -> None:
    with pytest.raises(StorageError, match=r"^There is no folder .*nowhere: make it"):
        backup(address, tmp_path / "nowhere" / "copy")


@pytest.mark.usefixtures("stopped")
def test_a_damaged_database_is_no_backup(address: str, path: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA foreign_keys=OFF")
        connection.execute("UPDATE sitters SET table_id = 'NONE'")
        connection.commit()
    with pytest.raises(StorageError, match="is damaged"):
        backup(address, tmp_path / "copy")
    assert files(tmp_path) == {"var"}


@pytest.mark.usefixtures("stopped")
async def test_restored_is_what_was_backed_up_and_the_old_one_is_kept(
    address: str, path: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy"
    backup(address, copy)
    later = await Database.open(address)
    await SqlTableStore(later).commit(change(stored(TableId("T8"), channel=501)))
    await later.close()
    done = restored(address, copy)
    assert done.aside == path.with_name("bot.sqlite3.before-20250305T123015Z")
    assert rows(done.aside, "SELECT id FROM tables ORDER BY id") == [("T7Q2",), ("T8",)]
    assert files(path.parent) == {path.name, done.aside.name}
    await upgrade(address)
    reopened = await Database.open(address)
    found = await SqlTableStore(reopened).load(TableId("T7Q2"))
    assert found is not None
    assert found[0] == stored(TableId("T7Q2"))
    await reopened.close()
    assert restored(address, copy).aside == done.aside.with_name(f"{done.aside.name}-2")


@pytest.mark.usefixtures("stopped")
def test_an_empty_place_is_restored_into(address: str, tmp_path: Path) -> None:
    backup(address, tmp_path / "copy")
    elsewhere = tmp_path / "new" / "folder" / "bot.sqlite3"
    assert restored(f"sqlite+aiosqlite:///{elsewhere}", tmp_path / "copy").aside is None
    assert rows(elsewhere, "SELECT id FROM tables") == [("T7Q2",)]


@pytest.mark.usefixtures("stopped")
def test_a_database_that_became_unreadable_is_replaced(
    address: str, path: Path, tmp_path: Path
) -> None:
    backup(address, tmp_path / "copy")
    path.write_bytes(b"no database any more " * 1000)
    done = restored(address, tmp_path / "copy")
    assert done.aside is not None
    assert done.aside.read_bytes().startswith(b"no database any more")
    assert rows(path, "SELECT id FROM tables") == [("T7Q2",)]


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize("mode", ["WAL", "PERSIST"])
def test_what_a_deleted_database_has_left_is_not_read_into_the_restored_one(
    mode: str, address: str, path: Path, tmp_path: Path
) -> None:
    backup(address, tmp_path / "copy")
    ending = {"WAL": "-wal", "PERSIST": "-journal"}[mode]
    log = path.with_name(path.name + ending)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA journal_mode={mode}")
        connection.execute("UPDATE tables SET id = 'LATER'")
        if mode == "WAL":
            connection.commit()
        left = log.read_bytes()
    path.unlink()
    log.write_bytes(left)  # as whoever died there has left it
    assert restored(address, tmp_path / "copy").aside is None
    assert not log.exists()
    assert rows(path, "SELECT id FROM tables") == [("T7Q2",)]


@pytest.mark.usefixtures("stopped")
def test_a_link_to_the_database_goes_on_leading_there(
    address: str, path: Path, tmp_path: Path
) -> None:
    backup(address, tmp_path / "copy")
    disk = tmp_path / "disk.sqlite3"
    path.rename(disk)
    path.symlink_to(disk)
    done = restored(address, tmp_path / "copy")
    assert done.aside is not None
    assert done.aside.parent == tmp_path
    assert path.is_symlink()
    assert rows(disk, "SELECT value FROM meta WHERE key = 'restored'") == [("yes",)]


def _other(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE tables (legs INTEGER)")


def _letter(path: Path) -> None:
    path.write_text("To my aunt: this is no database. " * 99)


def _newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
        connection.commit()


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:20_000])


@pytest.mark.usefixtures("stopped")
@pytest.mark.parametrize(
    ("spoil", "said"),
    [
        (Path.unlink, "There is no backup"),
        (_letter, "file is not a database"),
        (_other, "is not a database of Stammtisch"),
        (_newer, r"newer version of this program \(schema 9999\)"),
        (_cut, "malformed"),
    ],
)
def test_what_is_no_backup_of_ours_replaces_nothing(
    address: str, path: Path, tmp_path: Path, spoil: Callable[[Path], None], said: str
) -> None:
    copy = tmp_path / "copy"
    backup(address, copy)
    spoil(copy)
    with pytest.raises(StorageError, match=said) as refused:
        restored(address, copy)
    assert "\n" not in str(refused.value)
    assert rows(path, "SELECT id FROM tables") == [("T7Q2",)]
    assert files(path.parent) == {path.name}


@pytest.mark.usefixtures("stopped")
@pytest.mark.filterwarnings("ignore:unclosed database:ResourceWarning")  # broken off before that
def test_whenever_a_restore_is_broken_off_there_is_a_whole_database(
    address: str, path: Path, tmp_path: Path
) -> None:
    """Law: by Ctrl-C at any line, the one before or the backup stands there under its name."""
    copy = tmp_path / "copy"
    backup(address, copy)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tables SET id = 'LATER'")
        connection.commit()
    source = restore.__code__.co_filename
    found, line, done = set(), 0, False
    while not done:
        line += 1
        left = line

        def broken_off(frame: FrameType, event: str, given: object) -> TraceFunction | None:
            nonlocal left
            if frame.f_code.co_filename != source:
                return None
            left -= event == "line"
            if left == 0:
                raise KeyboardInterrupt
            return broken_off

        tracing = sys.gettrace()
        sys.settrace(broken_off)
        try:
            restored(address, copy)
            done = True
        except KeyboardInterrupt:
            pass
        finally:
            sys.settrace(tracing)
        ((stands,),) = rows(path, "SELECT id FROM tables")
        assert rows(path, "PRAGMA integrity_check") == [("ok",)]
        found.add(stands)
        for aside in path.parent.glob("*.before-*"):
            aside.unlink()
    gc.collect()  # what was never closed goes here, and not in somebody else's test
    assert found == {"LATER", "T7Q2"}
    assert line > 30
