"""Hands and seeds are readable by nobody else, from the first moment, whatever the umask."""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from stat import S_IMODE
from typing import Any

import pytest

from bot.computers import cache
from bot.private import make_database
from bot.storage import backup as copies
from bot.storage.database import Database
from bot.storage.migrations import upgrade, upgrade_open
from bot.storage.only_program import alone
from bot.storage.tables import SqlTableStore
from tests.storage.values import change, stored

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture(autouse=True, params=[0o022, 0o000], ids=oct)
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "data" / "var" / "stammtisch.sqlite3"


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """The widest mode of every file beside a database, looked at before and after every step of
    SQLite's."""
    widest: dict[str, int] = {}

    def look(path: Path) -> None:
        for each in path.parent.glob(path.name + "*"):
            widest[each.name] = widest.get(each.name, 0) | mode(each)

    connect = sqlite3.connect

    class Watched(sqlite3.Connection):
        path: Path

        def execute(self, *args: Any) -> sqlite3.Cursor:
            look(self.path)
            try:
                return super().execute(*args)
            finally:
                look(self.path)

    def watched(path: str, **options: Any) -> sqlite3.Connection:
        plain = Path(path.removeprefix("file://").partition("?")[0])
        assert plain.exists(), "SQLite would make it, for everybody to read"
        look(plain)
        made: Watched = connect(path, **options, factory=Watched)
        made.path = plain
        look(plain)
        return made

    monkeypatch.setattr("bot.storage.sqlite_connection.sqlite3.connect", watched)
    return widest


def url(file: Path) -> str:
    return f"sqlite+aiosqlite:///{file}"


def mode(path: Path) -> int:
    return S_IMODE(path.stat().st_mode)


def set_mode(path: Path, mode: int) -> None:
    path.chmod(mode)


def modes(folder: Path) -> dict[str, int]:
    return {path.name: mode(path) for path in folder.iterdir()}


async def used(file: Path) -> Database:
    database = await Database.open(url(file))
    await upgrade_open(database)
    await SqlTableStore(database).commit(change(stored()))
    return database


async def test_a_new_database_is_private_from_the_first_moment(
    file: Path, seen: dict[str, int]
) -> None:
    database = await used(file)
    assert mode(file.parent) == 0o700
    assert modes(file.parent) == dict.fromkeys(
        ("stammtisch.sqlite3", "stammtisch.sqlite3-wal", "stammtisch.sqlite3-shm"), 0o600
    )
    await database.close()
    assert len(seen) >= 3
    assert set(seen.values()) == {0o600}


def test_a_file_is_made_private_and_not_narrowed_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever had opened it meanwhile could go on reading."""
    monkeypatch.setattr("bot.private._narrow", lambda path, mode: None)
    made = tmp_path / "stammtisch.sqlite3"
    make_database(made)
    assert mode(made) == 0o600


async def test_what_others_could_read_is_narrowed_at_the_start(file: Path) -> None:
    await (await used(file)).close()
    set_mode(file.parent, 0o755)
    set_mode(file, 0o644)
    with closing(sqlite3.connect(file)) as other:
        other.execute("UPDATE tables SET version = version")
        other.commit()
        assert 0o644 in modes(file.parent).values()
        database = await Database.open(url(file))
        assert mode(file.parent) == 0o700
        assert set(modes(file.parent).values()) == {0o600}
        await database.close()


async def test_a_folder_that_is_not_the_programs_own_stays_as_it_is(tmp_path: Path) -> None:
    """It may be everybody's, such as the one for temporary files."""
    shared = tmp_path / "shared"
    shared.mkdir()
    set_mode(shared, 0o777)
    await (await used(shared / "my.sqlite3")).close()
    assert mode(shared) == 0o777
    assert modes(shared) == {"my.sqlite3": 0o600}


def test_a_mode_that_is_narrower_still_stays(tmp_path: Path) -> None:
    narrow = tmp_path / "narrow.sqlite3"
    narrow.touch(0o400)
    make_database(narrow)
    assert mode(narrow) == 0o400


async def test_backups_and_what_a_restore_sets_aside_are_private(
    file: Path, tmp_path: Path
) -> None:
    await (await used(file)).close()
    copy = tmp_path / "copy"
    copy.touch(0o666)
    copies.backup(url(file), copy, force=True)
    assert mode(copy) == 0o600
    set_mode(file, 0o644)
    set_mode(copy, 0o644)
    restored = copies.restore(url(file), copy, now=NOW)
    assert restored.aside is not None
    assert set(modes(file.parent).values()) == {0o600}
    elsewhere = tmp_path / "other" / "data" / "var" / "new.sqlite3"
    copies.restore(url(elsewhere), copy, now=NOW)
    assert mode(elsewhere) == 0o600
    assert mode(elsewhere.parent) == 0o700


def by_the_lock(folder: Path) -> None:
    with alone(url(folder / "new.sqlite3")):
        pass


def by_the_database(folder: Path) -> None:
    asyncio.run(upgrade(url(folder / "new.sqlite3")))


def by_compiled_players(folder: Path) -> None:
    assert cache.prepare(folder) is not None


@pytest.mark.every_case
@pytest.mark.parametrize("make", [by_the_lock, by_the_database, by_compiled_players])
def test_whoever_makes_the_folder_makes_it_private(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make: Callable[[Path], None]
) -> None:
    """Not only afterwards: the first start may fail before anything narrows it."""
    monkeypatch.setattr("bot.private._narrow", lambda path, mode: None)
    make(tmp_path / "data" / "var")
    assert mode(tmp_path / "data" / "var") == 0o700
