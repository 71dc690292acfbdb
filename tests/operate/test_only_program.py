"""Two programs on one SQLite file: the second is refused, and a crash leaves nothing behind."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.storage.backup import backup, restore
from bot.storage.database import StorageError
from bot.storage.migrations import upgrade
from bot.storage.only_program import alone
from tests.operate.conftest import Program, clean_environment

SOMEBODY = 12345
"""The number of a user who is not the one who runs the tests."""

AS_ROOT = pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")

HOLD = """
import os, sys
from bot.storage.only_program import alone
with alone(sys.argv[1]):
    print("held", flush=True)
    sys.stdin.read()
"""


@contextmanager
def holder(url: str) -> Iterator[subprocess.Popen[str]]:
    """Another process that has the database."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, url],
        env=clean_environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite+aiosqlite:///{tmp_path}/data/var/stammtisch.sqlite3"


@pytest.mark.behaviour("A second bot is started on the same SQLite file")
def test_the_second_is_refused_until_the_first_is_dead(url: str) -> None:
    with holder(url) as first:
        with pytest.raises(StorageError) as refused, alone(url):
            pass
        said = str(refused.value)
        assert f"in use by another stammtisch (process {first.pid}): stop that one first" in said
        assert said.endswith(".")
        assert "\n" not in said
        first.kill()
        first.wait()
        with alone(url):
            pass


@pytest.mark.behaviour("A second bot is started on the same SQLite file")
def test_another_name_of_the_file_is_the_same_file(url: str, tmp_path: Path) -> None:
    (tmp_path / "other").symlink_to(tmp_path / "data" / "var")
    other = f"sqlite+aiosqlite:///{tmp_path}/other/stammtisch.sqlite3"
    with holder(url), pytest.raises(StorageError, match="in use by another"), alone(other):
        pass


@pytest.mark.behaviour("A second bot is started on the same SQLite file")
def test_as_it_is_typed(program: Program, url: str) -> None:
    """Doctor and backup go on working beside a running bot; what would write does not."""
    assert program("db", "upgrade").returncode == 0
    assert program("db", "backup", "old").returncode == 0
    with holder(url):
        for arguments in ("run", "db upgrade", "db restore old", "db restored", "db recount"):
            done = program(*arguments.split(), DISCORD_TOKEN="MTA.fake.token")
            assert (done.returncode, done.stdout) == (2, ""), done.stderr
            assert "stop that one first, or name another file" in done.stderr.splitlines()[-1]
            assert "Traceback" not in done.stderr
        assert program("db", "backup", "copy").returncode == 0
        assert "✓ database" in program("doctor").stdout


def test_what_a_program_starts_does_not_keep_its_lock(url: str) -> None:
    """Such as workers that outlive it."""
    reader, writer = os.pipe()
    script = HOLD.replace('"held"', "os.fork() and 'held' or ''")
    script = script.replace("sys.stdin.read()", f"os.read({reader}, 1)")
    with subprocess.Popen(
        [sys.executable, "-c", script, url],
        env=clean_environment(),
        stdout=subprocess.PIPE,
        text=True,
        pass_fds=[reader],
    ) as parent:
        assert parent.stdout is not None
        assert sorted([parent.stdout.readline(), parent.stdout.readline()]) == ["\n", "held\n"]
        parent.kill()
        parent.wait()
        with alone(url):
            pass
        os.write(writer, b"x")
    os.close(reader)
    os.close(writer)


def test_the_lock_is_private_and_other_databases_have_none(url: str, tmp_path: Path) -> None:
    with alone(url):
        path = tmp_path / "data" / "var" / "stammtisch.sqlite3.lock"
        assert path.stat().st_mode & 0o777 == 0o600
    other = "postgresql+asyncpg://me@127.0.0.1/x"
    with alone(other), alone(other):
        pass
    (tmp_path / "file").write_text("")
    wrong = f"sqlite+aiosqlite:///{tmp_path}/file/x.sqlite3"
    with pytest.raises(StorageError, match="cannot be written"), alone(wrong):
        pass


@pytest.fixture
def lock(url: str, tmp_path: Path) -> Path:
    """Where the lock is going to be; its folder is there."""
    folder = tmp_path / "data" / "var"
    folder.mkdir(parents=True, mode=0o700)
    return folder / "stammtisch.sqlite3.lock"


def linked(lock: Path) -> None:
    lock.symlink_to(lock.with_name("precious"))


def linked_hard(lock: Path) -> None:
    lock.hardlink_to(lock.with_name("precious"))


def owned_by_somebody_else(lock: Path) -> None:
    lock.touch(0o666)
    os.chown(lock, SOMEBODY, SOMEBODY)


@pytest.mark.parametrize(
    "foreign", [linked, linked_hard, pytest.param(owned_by_somebody_else, marks=AS_ROOT)]
)
def test_a_lock_that_is_not_ours_is_not_used(
    url: str, lock: Path, foreign: Callable[[Path], None]
) -> None:
    precious = lock.with_name("precious")
    precious.write_text("DISCORD_TOKEN=precious")
    foreign(lock)
    said = r"\.lock .* is a link, or belongs to.*: remove it"
    with pytest.raises(StorageError, match=said), alone(url):
        pass
    assert precious.read_text() == "DISCORD_TOKEN=precious"
    lock.unlink()  # what the sentence says helps
    with alone(url):
        pass


@AS_ROOT
def test_a_database_of_somebody_else_is_not_written(url: str, lock: Path) -> None:
    """They could read the cards; in a folder of theirs they may, since root works for them."""
    database = lock.with_suffix("")
    database.touch(0o666)
    os.chown(database, SOMEBODY, SOMEBODY)
    with pytest.raises(StorageError, match=r"cannot be opened: .*it belongs to somebody else"):
        asyncio.run(upgrade(url))
    os.chown(lock.parent, SOMEBODY, SOMEBODY)
    asyncio.run(upgrade(url))


def test_a_lock_that_others_could_take_is_narrowed(url: str, lock: Path) -> None:
    lock.touch()
    lock.chmod(0o666)
    with alone(url):
        assert lock.stat().st_mode & 0o777 == 0o600


@AS_ROOT
def test_what_root_makes_there_belongs_to_whom_the_folder_belongs(
    url: str, lock: Path, tmp_path: Path
) -> None:
    """The service goes on with it, whatever an operator has typed before its first start."""
    asyncio.run(upgrade(url))
    backup(url, tmp_path / "copy")
    for name in ("made", "restored"):
        folder = tmp_path / name
        folder.mkdir(0o700)
        os.chown(folder, SOMEBODY, SOMEBODY)
        there = f"sqlite+aiosqlite:///{folder}/stammtisch.sqlite3"
        with alone(there):
            if name == "made":
                asyncio.run(upgrade(there))
            else:
                for _ in range(2):
                    restore(there, tmp_path / "copy", now=datetime(2026, 3, 1, tzinfo=UTC))
        backup(there, folder / "copy")
        found = {path.name: path.stat().st_uid for path in folder.iterdir()}
        assert {"stammtisch.sqlite3", "stammtisch.sqlite3.lock", "copy"} <= found.keys()
        assert set(found.values()) == {SOMEBODY}, found
