"""`stammtisch run` without what it needs, and `db upgrade`: one sentence, never a traceback."""

from __future__ import annotations

import socket
import sqlite3
from pathlib import Path

import pytest

from tests.operate.conftest import Program


def sentence(stderr: str) -> str:
    """The one line on standard error."""
    (line,) = stderr.splitlines()
    assert line.startswith("stammtisch: ")
    assert line.endswith(".")
    return line


def test_no_token(program: Program) -> None:
    done = program("run")
    assert done.returncode == 2
    assert "DISCORD_TOKEN" in sentence(done.stderr)
    assert "stammtisch demo" in done.stderr


@pytest.mark.parametrize("command", [("run",), ("db", "upgrade")])
def test_a_malformed_setting(program: Program, command: tuple[str, ...]) -> None:
    done = program(*command, GUILD_READY_TIMEOUT="soon")
    assert done.returncode == 2
    assert "GUILD_READY_TIMEOUT" in sentence(done.stderr)


def test_settings_come_from_the_file_in_the_working_directory(
    program: Program, tmp_path: Path
) -> None:
    (tmp_path / ".env").write_text("LOG_LEVEL=loud\n")
    assert "LOG_LEVEL" in sentence(program("run").stderr)


def test_discord_out_of_reach_is_said_without_the_token(program: Program) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        port = taken.getsockname()[1]
        done = program(
            "run", DISCORD_TOKEN="MTA.fake.token", DISCORD_API_URL=f"http://127.0.0.1:{port}"
        )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith(f"stammtisch: Discord cannot be reached at http://127.0.0.1:{port}")
    assert "Traceback" not in done.stderr
    assert "MTA.fake.token" not in done.stderr


def test_db_upgrade_makes_the_database_and_may_be_repeated(
    program: Program, tmp_path: Path
) -> None:
    for _ in range(2):
        done = program("db", "upgrade")
        assert (done.returncode, done.stderr) == (0, "")
    database = sqlite3.connect(tmp_path / "data" / "var" / "stammtisch.sqlite3")
    try:
        names = {row[0] for row in database.execute("SELECT name FROM sqlite_master")}
    finally:
        database.close()
    assert "alembic_version" in names


def test_a_database_that_cannot_be_opened(program: Program, tmp_path: Path) -> None:
    (tmp_path / "in_the_way").write_text("a file, no folder")
    done = program("db", "upgrade", DATABASE_URL="sqlite+aiosqlite:///in_the_way/x.sqlite3")
    assert done.returncode == 2
    assert "DATABASE_URL" in sentence(done.stderr)


@pytest.mark.behaviour("The database does not answer when the bot starts")
def test_a_server_that_is_away_is_one_sentence_and_may_be_tried_again(program: Program) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # bound and not listening: every connection is refused
        address = f"postgresql+asyncpg://me:secret@127.0.0.1:{taken.getsockname()[1]}/x"
        done = program("db", "upgrade", DATABASE_URL=address)
    assert done.returncode == 1
    assert "cannot be opened" in sentence(done.stderr)
    assert "secret" not in done.stderr
