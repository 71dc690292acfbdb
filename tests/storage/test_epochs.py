"""A restored database is noticed: by the command's note, by the mark beside it, never without."""

from __future__ import annotations

import shutil
import stat
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from bot.ids import ChannelId, TableId
from bot.storage.backup import backup, restore
from bot.storage.database import Database
from bot.storage.epochs import Opened, note_restored, opened
from bot.storage.mark import Mark, MarkFile
from bot.storage.migrations import upgrade
from bot.storage.tables import SqlTableStore
from bot.tables.stored import Status
from tests.storage.values import NOW, altered, change, stored

pytestmark = pytest.mark.nightly

FIRST = Opened(0, restored=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "bot.sqlite3"


@pytest.fixture
def address(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


async def life(address: str, beats: int = 0) -> Opened:
    """The program runs for so many beats, and is killed."""
    await upgrade(address)
    database = await Database.open(address)
    begun = await opened(database)
    store = SqlTableStore(database)
    for beat in range(beats):
        await store.seen(NOW + timedelta(seconds=10 * beat))
    await database.close()
    return begun


def restored(address: str, copy: Path) -> None:
    restore(address, copy, now=datetime(2026, 3, 5, 12, tzinfo=UTC))


async def test_starts_and_crashes_begin_no_epoch(address: str) -> None:
    assert [await life(address, beats) for beats in (0, 3, 0, 1)] == [FIRST] * 4


@pytest.mark.behaviour("The database was restored")
async def test_the_command_says_so_itself_even_without_a_mark(address: str, path: Path) -> None:
    await life(address)
    backup(address, path.with_name("copy"))
    restored(address, path.with_name("copy"))
    MarkFile(path).path.unlink()
    assert await life(address) == Opened(1, restored=True)
    assert await life(address) == Opened(1, restored=False)


@pytest.mark.behaviour("The database was restored")
async def test_no_two_futures_share_an_epoch(address: str, path: Path) -> None:
    """However often one and the same backup is brought back, and by whatever way."""
    copy = path.with_name("copy")
    await life(address)
    backup(address, copy)
    epochs = []
    for way in (1, 2, 1, 1, 2):
        if way == 1:
            restored(address, copy)
        else:
            shutil.copy(copy, path)
        epochs.append((await life(address, 1)).epoch)
    assert epochs == [1, 2, 3, 4, 5]


@pytest.mark.behaviour("The database was restored")
async def test_a_file_that_was_copied_back_is_told_by_the_mark_beside_it(
    address: str, path: Path
) -> None:
    await life(address, 1)
    copy = path.with_name("snapshot")
    shutil.copy(path, copy)
    await life(address, 1)
    shutil.copy(copy, path)
    assert await life(address) == Opened(1, restored=True)
    assert await life(address, 4) == Opened(1, restored=False)


async def test_a_copy_of_the_midst_of_the_last_life_is_told_too(address: str, path: Path) -> None:
    await upgrade(address)
    database = await Database.open(address)
    await opened(database)
    backup(address, path.with_name("copy"))
    await SqlTableStore(database).seen(NOW)
    await database.close()
    shutil.copy(path.with_name("copy"), path)
    assert (await life(address)).restored


async def test_the_mark_never_runs_ahead_of_what_is_committed(address: str, path: Path) -> None:
    """A crash between the two leaves an older mark, which accuses nobody."""
    await life(address)
    mark = MarkFile(path).path.read_bytes()
    await life(address, 5)
    MarkFile(path).path.write_bytes(mark)
    assert await life(address) == FIRST


@pytest.mark.parametrize("left", [b"", b"epoch 9", b"nonsense" * 99])
async def test_a_mark_that_cannot_be_read_says_nothing_and_is_written_anew(
    left: bytes, address: str, path: Path
) -> None:
    await life(address)
    file = MarkFile(path)
    file.path.write_bytes(left)
    assert await life(address) == FIRST
    assert file.read() is not None


async def test_a_mark_that_cannot_be_written_stops_nobody(address: str, path: Path) -> None:
    MarkFile(path).path.mkdir()
    assert await life(address, 2) == FIRST


async def test_nobody_else_reads_the_mark(address: str, path: Path) -> None:
    await life(address)
    assert stat.S_IMODE(MarkFile(path).path.stat().st_mode) == 0o600


async def test_an_epoch_that_begins_meanwhile_is_kept(address: str, path: Path) -> None:
    await life(address)
    database = await Database.open(address)
    store = SqlTableStore(database)
    assert [await store.begin_epoch(0), await store.begin_epoch(0)] == [1, 2]
    assert await store.begin_epoch(7) == 8
    await database.close()
    assert (MarkFile(path).read() or Mark()).epoch == 8
    assert await life(address) == Opened(8, restored=False)


async def test_it_can_be_said_of_any_database(database: Database) -> None:
    assert await opened(database) == FIRST
    await note_restored(database)
    assert await opened(database) == Opened(1, restored=True)
    assert await opened(database) == Opened(1, restored=False)


async def test_tables_that_were_left_behind_are_found(database: Database) -> None:
    store = SqlTableStore(database)
    for number, (name, epoch, status) in enumerate(
        [("A", 0, Status.LOBBY), ("B", 2, Status.LOBBY), ("C", 0, Status.EXPIRED)]
    ):
        made = stored(TableId(name), channel=ChannelId(number), status=status)
        await store.commit(change(altered(made, epoch=epoch)))
    assert await store.open_before(2) == ["A"]
    assert (await store.load(TableId("B")) or [stored()])[0].epoch == 2
    assert await store.begin_epoch(0) == 1
    await store.seen(NOW)
