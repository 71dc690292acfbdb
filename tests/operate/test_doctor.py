"""`stammtisch doctor`: every check says what is wrong and what to do, and disturbs nobody."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import discord
import pytest
from simcord.backend.models import Overwrite
from simcord.enums import OverwriteType

from bot.app import create_bot, described
from bot.ids import TableId
from bot.operate.doctor import NEEDED, Mark, agrees, examine
from bot.settings import Settings
from bot.storage.database import Database
from bot.storage.migrations import upgrade_open
from bot.storage.tables import SqlTableStore
from tests.operate.conftest import ROOT
from tests.storage.values import change, stored
from tests.wire.front import Front
from tests.wire.people import Wire

TOKEN = "wire.front.token"


class Patient:
    """A program that is examined: its settings, its database, its Discord."""

    def __init__(self, front: Front, folder: Path) -> None:
        self.front = front
        self.wire = Wire(front)
        self.path = folder / "bot.sqlite3"
        self.values: dict[str, Any] = {
            "discord_token": TOKEN,
            "database_url": f"sqlite+aiosqlite:///{self.path}",
            "discord_api_url": front.api_url,
            "discord_gateway_url": front.gateway_url,
        }

    async def said(self, **changed: Any) -> list[str]:
        """The lines of the doctor."""
        settings = Settings.model_validate({**self.values, **changed})
        wanted = described(create_bot(settings))
        return [str(line) async for line in examine(settings, wanted)]

    async def about(self, what: str, **changed: Any) -> str:
        """The only line of that name."""
        (line,) = (line for line in await self.said(**changed) if line[2:].startswith(what))
        return line

    async def migrated(self, *tables: tuple[str, int, int]) -> None:
        """Makes the database, with open tables: id, server and channel."""
        database = await Database.open(self.values["database_url"])
        await upgrade_open(database)
        for name, guild, channel in tables:
            opened = stored(TableId(name), channel=channel)
            await SqlTableStore(database).commit(change(opened))
            await database.write(_moved(name, guild))
        await database.close()

    async def registered(self, commands: list[Any]) -> None:
        """Registers these commands with Discord."""
        async with discord.Client(intents=discord.Intents.none()) as client:
            await client.login(TOKEN)
            assert client.application_id is not None
            await client.http.bulk_upsert_global_commands(client.application_id, commands)


def _moved(table: str, guild: int) -> Any:
    def work(connection: Any) -> None:
        connection.exec_driver_sql(f"UPDATE tables SET guild_id = {guild} WHERE id = '{table}'")  # noqa: S608 - values of this test

    return work


@pytest.fixture
async def patient(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Patient]:
    monkeypatch.setattr(discord.http.Route, "BASE", "")
    async with Front() as front:
        monkeypatch.setattr(discord.http.Route, "BASE", front.api_url)
        yield Patient(front, tmp_path)


def commands() -> list[Any]:
    return list(described(create_bot()))


async def test_all_is_well(patient: Patient) -> None:
    guild = patient.wire.guild("Zum Adler")
    channel = patient.wire.channel()
    await patient.migrated(("T7Q2", guild, channel))
    wanted = commands()
    discord.http.Route.BASE = patient.front.api_url
    await patient.registered(wanted)
    lines = await patient.said()
    assert {line[0] for line in lines} == {Mark.GOOD.value}, lines
    assert [line[2:].split(":")[0] for line in lines] == [
        "settings", "database", "schema", "disk", "login", "commands", "intents", "gateway",
        "server Zum Adler",
    ]  # fmt: skip
    assert lines[-1].endswith("all permissions; open tables: 1")
    assert TOKEN not in "".join(lines)


async def test_it_reads_and_never_logs_in_at_the_gateway(patient: Patient) -> None:
    guild = patient.wire.guild()
    await patient.migrated(("T7Q2", guild, patient.wire.channel()))
    before = patient.path.read_bytes()
    await patient.said()
    assert patient.path.read_bytes() == before
    assert patient.front.gateway.identified == 0
    assert {request.method for request in patient.front.requests} == {"GET"}


async def test_without_a_token_the_rest_is_checked(patient: Patient) -> None:
    await patient.migrated()
    lines = await patient.said(discord_token=None)
    assert [line[0] for line in lines] == ["✓", "✓", "✓", "✓", "–"]
    assert "DISCORD_TOKEN is not set; put it into .env" in lines[-1]
    assert not patient.front.requests


async def test_a_token_that_discord_refuses(patient: Patient) -> None:
    lines = await patient.said(discord_token="wrong.token.here")
    assert lines[-1].startswith("✗ login: Discord refuses DISCORD_TOKEN; reset the token")
    assert "wrong.token.here" not in "".join(lines)


async def test_a_gateway_that_cannot_be_reached(patient: Patient) -> None:
    line = await patient.about("gateway", discord_gateway_url="ws://127.0.0.1:1")
    assert line.startswith("✗ gateway: ws://127.0.0.1:1 cannot be reached (")


async def test_no_more_starts_today(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    left = {"total": 1000, "remaining": 0, "reset_after": 5_400_000, "max_concurrency": 1}
    answer = {"url": patient.front.gateway_url, "shards": 1, "session_start_limit": left}
    monkeypatch.setattr(patient.front, "_gateway_bot", lambda: answer)
    line = await patient.about("gateway")
    assert line == (
        "✗ gateway: the bot was started 1000 times today, and Discord allows no more;"
        " try again in 1.5 hours"
    )


async def test_commands_that_are_not_the_programs(patient: Patient) -> None:
    wanted = commands()
    discord.http.Route.BASE = patient.front.api_url
    assert (await patient.about("commands")).startswith("– commands: none is registered yet")
    changed = [{**wanted[0], "description": "Something else"}, *wanted[1:-1]]
    await patient.registered(changed)
    line = await patient.about("commands")
    assert line.startswith("✗ commands: not as this program has them: ")
    # Of a name of several words, as of what a right-click offers, the first.
    assert {f"/{name.split()[0]}" for name in (wanted[0]["name"], wanted[-1]["name"])} == {
        word.rstrip(",;") for word in line.split() if word.startswith("/")
    }


async def test_a_permission_that_is_missing_on_a_server(patient: Patient) -> None:
    backend = patient.wire.backend
    guild = patient.wire.guild("Ochsen\x1b[31m\nX")
    for role in backend.guilds[guild].roles.values():
        role.permissions &= ~discord.Permissions.send_messages_in_threads.flag
    lines = await patient.said()
    assert lines[-1] == (
        "✗ server Ochsen[31mX: missing: Send Messages in Threads; give it to the bot's role"
    )


async def test_a_permission_that_is_missing_in_the_channel_of_an_open_table(
    patient: Patient,
) -> None:
    backend = patient.wire.backend
    guild = patient.wire.guild("Adler")
    fine, closed = patient.wire.channel(name="fine"), patient.wire.channel(name="closed")
    denied = discord.Permissions(send_messages=True, send_messages_in_threads=True).value
    backend.set_overwrite(closed, Overwrite(guild, OverwriteType.ROLE, deny=denied))
    await patient.migrated(("T1", guild, fine), ("T2", guild, closed))
    lines = await patient.said()
    assert lines[-2].startswith("✓ server Adler: all permissions; open tables: 2")
    assert lines[-1] == (
        "✗ server Adler, channel #closed: missing: Send Messages, Attach Files; give it to the bot"
        " there (table T2)"
    )


async def test_open_tables_where_the_bot_is_not_any_more(patient: Patient) -> None:
    guild = patient.wire.guild("Adler")
    await patient.migrated(("T1", guild, 987_654_321), ("T2", 12345, 50))
    lines = await patient.said()
    assert any(
        line.startswith("✗ server Adler, channel 987654321: it was deleted") for line in lines
    )
    assert lines[-1] == (
        "✗ server 12345: the bot is not there, but tables are open (T2); invite it"
    )


async def test_a_bot_on_no_server_is_told_how_to_be_invited(patient: Patient) -> None:
    assert (await patient.said())[-1].startswith("– servers: the bot is on none; invite it")


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("0100", "✗ schema: 0100, and this program needs 0101; start stammtisch run"),
        ("0025", "✗ schema: the database is older than the first release (schema 0025)"),
        ("9999", "✗ schema: the database was written by a newer version of this program"),
    ],
)
async def test_a_schema_that_is_not_the_programs(
    patient: Patient, version: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    await patient.migrated()
    monkeypatch.setattr("bot.storage.migrations.known_revisions", lambda: {"0100", "0101"})
    with closing(sqlite3.connect(patient.path)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = ?", (version,))
        connection.commit()
    assert (await patient.about("schema", discord_token=None)).startswith(said)


async def test_a_folder_that_cannot_be_written(
    patient: Patient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write everywhere
    line = await patient.about("disk", discord_token=None)
    assert line == (
        f"✗ disk: {patient.path.parent} cannot be written; give it to the user who runs the bot"
    )


async def test_a_full_disk(patient: Patient, monkeypatch: pytest.MonkeyPatch) -> None:
    class Usage:
        free = 1_000_000

    monkeypatch.setattr("shutil.disk_usage", lambda _: Usage())
    line = await patient.about("disk", discord_token=None)
    assert line.startswith("✗ disk: only 0.0 GB free in ")


def test_the_readmes_invitation_asks_for_exactly_what_is_needed() -> None:
    asked = discord.Permissions(**dict.fromkeys(NEEDED, True)).value
    assert f"permissions={asked}\n" in (ROOT / "README.md").read_text().replace("`", "\n")


@pytest.mark.parametrize(
    ("wanted", "found", "same"),
    [
        ({"name": "a", "nsfw": False, "options": []}, {"name": "a", "id": "1"}, True),
        ({"options": [{"name": "x", "required": False}]}, {"options": [{"name": "x"}]}, True),
        ({"options": [{"name": "x"}]}, {"options": [{"name": "x"}, {"name": "y"}]}, False),
        ({"options": []}, {"options": [{"name": "y"}]}, False),
        ({"contexts": [0, 1]}, {"contexts": [0]}, False),
        ({"contexts": None}, {}, True),
        ({"dm_permission": True}, {}, True),
        ({"required": True}, {"required": False}, False),
        ({"a": {"b": 1}}, {"a": 1}, False),
    ],
)
def test_commands_agree_in_what_the_program_says(
    wanted: Mapping[str, Any], found: Mapping[str, Any], same: bool
) -> None:
    assert agrees(wanted, found) is same
