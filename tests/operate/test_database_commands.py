"""`stammtisch doctor`, `db backup` and `db restore` as they are typed."""

from __future__ import annotations

import asyncio
import socket
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from bot.storage.database import Database
from bot.storage.restored import end_open_tables
from tests.operate.conftest import Program


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
        spoiling.execute("INSERT INTO standings VALUES (1, 2, 'all', '', 1, 1, 1, 0, 0.0)")
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
