"""Law: whatever the system, a driver or a schema refuses is one sentence, and never a traceback."""

from __future__ import annotations

import os
import shlex
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
import typer

from bot.operate import cli
from bot.settings import Settings
from bot.storage import Database
from tests import migrated
from tests.operate.conftest import START, Program, clean_environment
from tests.patience import PATIENCE

PLACES: Final = {
    "no folder": "letter/x",
    "a name of 300 letters": "a" * 300,
    "a folder": "folder",
    "a link to itself": "loop",
    "no UTF-8": "\udcff",
    "a pipe": "pipe",
}
"""What no file can be written to or read from; as root too, whom permissions do not bind."""

OF_SQLITE: Final = {
    what: f"sqlite+aiosqlite:///{place}" for what, place in PLACES.items() if what != "a pipe"
}

OF_POSTGRES: Final = {
    "an option that is none": "postgresql+asyncpg://u:s3cret@127.0.0.1:1/x?sslmode=require",
    "a value that is none": "postgresql+asyncpg://u:s3cret@127.0.0.1:1/x?ssl=bogus",
    "an object that is none": "postgresql+asyncpg://u:s3cret@127.0.0.1:1/x?loop=x",
    "a port that is none": "postgresql+asyncpg://u:s3cret@127.0.0.1:99999/x",
    "a host that is none": "postgresql+asyncpg://u:s3cret@db..example/x",
}

STARTS: Final = (
    "db upgrade", "db restored", "db recount", "person forget 7", "server forget 7",
)  # fmt: skip
"""Commands that have the database to themselves, and bring it up to date."""

READS: Final = ("doctor", "person export 7")

COPIES: Final = ("db backup copy", "db backup --keep 2 copies", "db restore whole")

WITH_A_PLACE: Final = (
    "db backup {}",
    "db backup --force {}",
    "db backup --keep 2 {}",
    "db restore {}",
    "gallery {}/x",
    "verify {}",
    "arena sticheln --seats 3 --players random,random,random --deals 1 --workers 1 --json {}",
)

DOES_WELL: Final = {
    ("db backup --keep 2 {}", "a folder"),
    ("gallery {}/x", "a folder"),
    ("gallery {}/x", "no UTF-8"),
    ("verify {}", "a pipe"),
    (WITH_A_PLACE[-1], "no UTF-8"),
}
"""What is nothing to refuse."""

OWN: Final = "arena sticheln --seats 3 --deals 1 --workers 1 --players {},random,random"

TYPED: Final = (
    "simulate nogame", "bench playouts nogame", "bench render --deck tarot", "demo --language xx",
    *(OWN.format(own) for own in ("slip:f", ".x:c", "ends:f", "fails:f", ":", "none:f")),
    "arena sticheln --seats 3 --deals 1 --players random,random,random --json ''",
)  # fmt: skip

HARMLESS: Final = {"games"}
"""Commands that are told nothing which could be wrong."""


@pytest.fixture
def here(tmp_path: Path) -> Path:
    """A folder with a database, and with much that gets in the way."""
    migrated.put(tmp_path / "data" / "var" / "stammtisch.sqlite3")
    migrated.put(tmp_path / "whole")
    (tmp_path / "letter").write_text("To my aunt")
    (tmp_path / "folder").mkdir()
    (tmp_path / "loop").symlink_to("loop")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "slip.py").write_text("def f(:\n")
    (tmp_path / "ends.py").write_text("raise SystemExit(3)\n")
    (tmp_path / "fails.py").write_text("1 / 0\n")
    return tmp_path


def refused(program: Program, typed: str, **environment: str) -> int:
    """The status of a command that says in one sentence why it does nothing."""
    environment = {"DISCORD_TOKEN": "x.y.z", "DISCORD_API_URL": "http://127.0.0.1:1", **environment}
    done = program(*shlex.split(typed), **environment)
    said = done.stdout + done.stderr
    assert "Traceback" not in said, said
    assert "s3cret" not in said
    assert done.returncode > 0, said
    if typed == "doctor":
        assert "✗ database: " in done.stdout or "✗ disk: " in done.stdout
        assert done.stderr == ""
    else:
        (line,) = (line for line in done.stderr.splitlines() if line and not line.startswith("{"))
        assert line.startswith("stammtisch: ")
        assert line.endswith(".")
        assert line.count(":") > 1 or line.count(".") > 1, "a reason, and what to do"
    return done.returncode


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("typed", [*STARTS, *READS, *COPIES])
@pytest.mark.parametrize("what", OF_SQLITE)
def test_a_file_that_is_none(program: Program, typed: str, what: str) -> None:
    status = refused(program, typed, DATABASE_URL=OF_SQLITE[what])
    assert status == (1 if typed == "doctor" else 2), "to try again would not help"


@pytest.mark.behaviour("The database does not answer when the bot starts")
@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("typed", [*STARTS, *READS])
@pytest.mark.parametrize("what", OF_POSTGRES)
def test_an_address_that_is_none(program: Program, typed: str, what: str) -> None:
    status = refused(program, typed, DATABASE_URL=OF_POSTGRES[what])
    assert status == (1 if typed == "doctor" else 2), "to try again would not help"


@pytest.mark.parametrize(
    ("typed", "what"),
    [case for case in product(WITH_A_PLACE, PLACES) if case not in DOES_WELL],
)
def test_a_place_that_is_none(program: Program, here: Path, typed: str, what: str) -> None:
    before = {path: path.lstat().st_mode for path in here.iterdir()}
    refused(program, typed.format(PLACES[what]))
    left = {path: path.lstat().st_mode for path in here.iterdir() if "\udcff" not in path.name}
    assert left == before


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("typed", TYPED)
def test_a_word_that_is_none(program: Program, typed: str) -> None:
    assert refused(program, typed) == 2


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["DISCORD_API_URL", "DISCORD_GATEWAY_URL"])
@pytest.mark.parametrize("rest", ["[", "127.0.0.1:99999", "a..b", "a b", ":8", ""])
def test_an_address_of_discord_that_is_none(program: Program, name: str, rest: str) -> None:
    scheme = "http" if name == "DISCORD_API_URL" else "ws"
    assert refused(program, "run", **{name: f"{scheme}://{rest}"}) == 2


class Starting:
    """A bot that opens its database as it starts, and does no more."""

    def __init__(self, url: str) -> None:
        self._url = url

    async def start(self, token: str) -> None:
        await Database.open(self._url)

    async def close(self) -> None:
        """There is nothing to close."""


@pytest.mark.behaviour("The database does not answer when the bot starts")
@pytest.mark.parametrize("url", OF_POSTGRES.values())
async def test_a_bot_with_a_wrong_address_is_not_started_again(url: str) -> None:
    bot: Any = Starting(url)
    ended = await cli._run(bot, "x.y.z", Settings(database_url=url))
    assert ended is not None
    sentence, status = ended
    assert status == 2, sentence
    assert sentence.endswith("Correct DATABASE_URL in .env or the environment.")
    assert "s3cret" not in sentence


def _older(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0043'")
        connection.execute("ALTER TABLE plans DROP COLUMN times")
        connection.commit()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _other(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE alembic_version (legs INTEGER)")


def _lacking(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE results")
        connection.commit()


@pytest.mark.parametrize("spoil", [_older, _empty, _other, _lacking])
def test_nobody_is_given_out_from_a_schema_that_is_not_ours(
    program: Program, here: Path, spoil: Callable[[Path], None]
) -> None:
    spoil(here / "data" / "var" / "stammtisch.sqlite3")
    refused(program, "person export 7")


@pytest.mark.parametrize("typed", ["db upgrade", "db recount", "person forget 7", "db backup x"])
def test_a_schema_of_somebody_else(program: Program, here: Path, typed: str) -> None:
    _other(here / "data" / "var" / "stammtisch.sqlite3")
    assert refused(program, typed) == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may enter every folder")
@pytest.mark.parametrize(
    "typed", ["doctor", "person export 7", "db backup copy", "db restore whole", "db upgrade"]
)
def test_a_folder_that_we_may_not_enter(program: Program, here: Path, typed: str) -> None:
    shut = here / "data" / "var"
    shut.chmod(0)
    try:
        refused(program, typed)
    finally:
        shut.chmod(0o700)


def test_what_is_no_plain_file_is_never_written_over(program: Program, here: Path) -> None:
    (here / "link").symlink_to("letter")
    for place in ("pipe", "link"):
        assert refused(program, f"db backup --force {place}") == 2
    assert stat.S_ISFIFO((here / "pipe").lstat().st_mode)
    assert (here / "link").is_symlink()
    assert refused(program, "db restore whole", DATABASE_URL="sqlite+aiosqlite:///pipe") == 2
    assert stat.S_ISFIFO((here / "pipe").lstat().st_mode)


@pytest.mark.parametrize("typed", ["games", "simulate sticheln", "person export 7"])
def test_a_full_disk_behind_standard_output(here: Path, typed: str) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-P", "-c", START, *typed.split()],
            cwd=here, env=clean_environment(), stdout=full, stderr=subprocess.PIPE, text=True,
            timeout=PATIENCE, check=False,
        )  # fmt: skip
    assert (done.returncode, done.stderr.count("\n")) == (1, 1), done.stderr
    assert done.stderr.startswith("stammtisch: No space left on device: ")


def test_every_command_is_driven() -> None:
    driven = ("run", *STARTS, *READS, *COPIES, *WITH_A_PLACE, *TYPED)
    missing = {
        name
        for name in _commands(typer.main.get_command(cli.app))
        if not any(f"{typed} ".startswith(f"{name} ") for typed in driven)
    }
    assert missing == HARMLESS


def _commands(found: Any, before: str = "") -> Iterator[str]:
    inner = getattr(found, "commands", None)
    if inner is None:
        yield before
        return
    for name, command in inner.items():
        yield from _commands(command, f"{before} {name}".strip())
