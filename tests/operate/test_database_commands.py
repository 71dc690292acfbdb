"""`stammtisch doctor`, `db backup` and `db restore` as they are typed."""

from __future__ import annotations

import asyncio
import json
import socket
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.storage.backup import end_open_tables
from bot.storage.database import Database
from bot.storage.tables import SqlTableStore
from tests.operate.conftest import Program
from tests.storage.values import ANNA, BEN, TABLE, change, stored


def test_doctor_in_an_empty_folder_has_nothing_to_complain_and_makes_nothing(
    program: Program, tmp_path: Path
) -> None:
    done = program("doctor")
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert [line[0] for line in lines] == ["✓", "–", "✓", "–"]
    assert lines[1].endswith("stammtisch.sqlite3 is not there yet; stammtisch run makes it")
    assert list(tmp_path.iterdir()) == []


def test_doctor_says_what_is_wrong_with_status_1(program: Program, tmp_path: Path) -> None:
    program("db", "upgrade")
    (tmp_path / "data" / "var" / "stammtisch.sqlite3").write_text("a letter " * 999)
    done = program("doctor")
    assert (done.returncode, done.stderr) == (1, "")
    assert "✗ database: " in done.stdout
    assert "file is not a database. Name another file in DATABASE_URL" in done.stdout
    assert "Traceback" not in done.stdout


def test_doctor_of_a_malformed_setting(program: Program) -> None:
    done = program("doctor", METRICS_PORT="high")
    assert (done.returncode, done.stderr) == (1, "")
    (line,) = done.stdout.splitlines()
    assert line.startswith("✗ settings: METRICS_PORT is malformed")


def test_doctor_never_shows_the_token(program: Program) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        address = f"http://127.0.0.1:{taken.getsockname()[1]}"
        done = program("doctor", DISCORD_TOKEN="MTA.fake.token", DISCORD_API_URL=address)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.splitlines()[-1].startswith("✗ login: Discord cannot be reached at http://")
    assert "MTA.fake.token" not in done.stdout


def test_a_backup_and_the_way_back(program: Program, tmp_path: Path) -> None:
    program("db", "upgrade")
    done = program("db", "backup", "copy")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Copied to copy and checked.  Tables: 0, bytes: ")
    again = program("db", "backup", "copy")
    assert (again.returncode, again.stdout) == (2, "")
    assert again.stderr == (
        "stammtisch: copy is there already: choose another name, or write over it with --force.\n"
    )
    assert program("db", "backup", "copy", "--force").returncode == 0
    back = program("db", "restore", "copy")
    assert (back.returncode, back.stderr) == (0, "")
    line, last = back.stdout.splitlines()
    assert "stammtisch.sqlite3.before-" in line
    assert last == "Restored.  Tables: 0.  Start the bot: stammtisch run"


def test_the_leaderboards_are_counted_anew(program: Program, tmp_path: Path) -> None:
    done = program("db", "recount")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Leaderboards: 0 lines counted, all as they were.\n"
    with closing(sqlite3.connect(tmp_path / "data" / "var" / "stammtisch.sqlite3")) as spoiling:
        spoiling.execute("INSERT INTO standings VALUES (1, 2, 'all', '', 1, 1, 1, 0, 0.0, 0.0)")
        spoiling.commit()
    done = program("db", "recount")
    assert done.stdout == ("Leaderboards: 0 lines counted, 1 were not right and are mended.\n")


@pytest.mark.behaviour("The database was restored")
def test_a_database_that_was_brought_back_otherwise_is_said_to_be_one(
    program: Program, tmp_path: Path
) -> None:
    done = program("db", "restored")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "Noted.  Start the bot: stammtisch run\n"
    file = tmp_path / "data" / "var" / "stammtisch.sqlite3"
    assert asyncio.run(ended(f"sqlite+aiosqlite:///{file}")) == 0


async def ended(url: str) -> int | None:
    database = await Database.open(url)
    try:
        return await end_open_tables(database, datetime(2026, 3, 5, tzinfo=UTC))
    finally:
        await database.close()


@pytest.mark.parametrize("command", ["backup", "restore"])
def test_postgresql_is_told_its_own_tools(program: Program, command: str) -> None:
    address = "postgresql+asyncpg://me:s3cret@127.0.0.1/stammtisch"
    done = program("db", command, "copy", DATABASE_URL=address)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert "pg_dump" in line
    assert "pg_restore" in line
    assert "s3cret" not in line


def test_backups_are_rotated(program: Program, tmp_path: Path) -> None:
    program("db", "upgrade")
    folder = tmp_path / "copies"
    folder.mkdir()
    old = [folder / f"stammtisch-2020010{day}T000000Z.backup" for day in range(1, 5)]
    for copy in (*old, folder / "mine.backup"):
        copy.write_bytes(b"")
    done = program("db", "backup", "--keep", "2", "copies")
    assert (done.returncode, done.stderr) == (0, "")
    left = sorted(copy.name for copy in folder.iterdir())
    assert left[:2] == ["mine.backup", old[-1].name]
    (made,) = left[2:]
    assert f"Copied to {Path('copies') / made} and checked." in done.stdout
    assert (folder / made).stat().st_mode & 0o777 == 0o600


def test_a_backup_that_fails_deletes_none(program: Program, tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "stammtisch-20200101T000000Z.backup"
    copy.parent.mkdir()
    copy.write_bytes(b"")
    done = program("db", "backup", "--keep", "1", "copies")
    assert done.returncode == 2
    assert "There is no database" in done.stderr
    assert list(copy.parent.iterdir()) == [copy]


def test_a_person_is_given_out_and_forgotten(program: Program, tmp_path: Path) -> None:
    program("db", "upgrade")
    file = tmp_path / "data" / "var" / "stammtisch.sqlite3"
    asyncio.run(_at_a_table(file))
    done = program("person", "export", str(ANNA.id))
    assert (done.returncode, done.stderr) == (0, "")
    assert json.loads(done.stdout)["tables"][0]["id"] == TABLE
    done = program("person", "forget", str(ANNA.id))
    assert (done.returncode, done.stdout, done.stderr) == (0, "Forgotten.\n", "")
    assert ANNA.name.encode() not in file.read_bytes()
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT user_id FROM sitters").fetchall() == [(BEN.id,)]
    done = program("person", "forget", str(ANNA.id))
    assert done.stdout == "Nothing was stored of that person.\n"


def test_a_server_is_forgotten(program: Program, tmp_path: Path) -> None:
    program("db", "upgrade")
    file = tmp_path / "data" / "var" / "stammtisch.sqlite3"
    asyncio.run(_at_a_table(file))
    done = program("server", "forget", "1")
    assert (done.returncode, done.stdout, done.stderr) == (0, "Forgotten.  Tables: 1.\n", "")
    assert ANNA.name.encode() not in file.read_bytes()
    assert program("server", "forget", "1").stdout == "Forgotten.  Tables: 0.\n"


def test_nobody_is_given_out_where_there_is_no_database(program: Program, tmp_path: Path) -> None:
    done = program("person", "export", "7")
    assert done.returncode == 2
    assert "There is no database" in done.stderr
    assert list(tmp_path.iterdir()) == []


async def _at_a_table(file: Path) -> None:
    """Anna and Ben sit in a lobby."""
    database = await Database.open(f"sqlite+aiosqlite:///{file}")
    await SqlTableStore(database).commit(change(stored(people=(ANNA, BEN))))
    await database.close()
