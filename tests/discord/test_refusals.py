"""What Discord refuses for a reason of its own: locked threads, timed out bots, old messages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import discord
import pytest

from bot.app import ENTRY_POINT, create_bot, described
from bot.render.custom_ids import Verb
from bot.settings import Settings
from bot.tables.stored import Pace, Status
from tests.discord.steps import match, minutes, play, tables
from tests.discord.world import World


@pytest.mark.every_case
@pytest.mark.parametrize(
    ("status", "code", "locked"),
    [
        (400, 50083, True),
        pytest.param(400, 160005, True, marks=pytest.mark.nightly),
        (403, 50013, False),
    ],
)
@pytest.mark.behaviour("The thread is archived")
@pytest.mark.behaviour("The server times the bot out")
async def test_where_nothing_can_be_written_the_match_and_its_clock_wait(
    status: int, code: int, locked: bool, w: World
) -> None:
    place = (w.thread("game") if locked else w.channel).id
    table = await match(w, channel=place, pace=Pace.LIVE60, hands=2)
    for method in ("POST", "PATCH"):
        path = f"/channels/{place}/messages*"
        w.env.inject_error(method, path, status=status, code=code, times=None)
    await minutes(w, 12)
    after = await tables(w).table(table.id)
    assert after.stored.status is Status.RUNNING
    assert after.stored.timing.stalled is not None
    await minutes(w, 30)
    assert (await tables(w).table(table.id)).ply == after.ply, "nobody's time runs"
    assert len([m.text for m in w.ann.dms() if "locked" in m.text]) == locked
    w.heal()
    await minutes(w, 6)
    assert (await tables(w).table(table.id)).stored.timing.stalled is None


@pytest.mark.behaviour("A board cannot be edited any more")
async def test_a_board_that_can_be_edited_no_more_makes_way_for_a_new_one(w: World) -> None:
    table = await match(w)
    old = w.board()
    path = f"/channels/{w.channel.id}/messages/{old.id}"
    w.env.inject_error("PATCH", path, status=400, code=30046, times=None)
    await play(w, table, 1)
    await w.env.advance_time(5)
    assert w.board().id != old.id
    assert old.id not in [m.id for m in w.messages(w.channel.id)], "it would look alive"
    assert len([m for m in w.messages(w.channel.id) if m.presses(Verb.HAND)]) == 1


@pytest.mark.behaviour("The application has an entry point")
async def test_the_entry_point_of_the_application_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = create_bot(Settings(database_url=f"sqlite+aiosqlite:///{tmp_path / 'x.sqlite3'}"))
    entry = {"id": "7", "type": ENTRY_POINT, "name": "launch", "handler": 2, "version": "1"}
    sent: list[list[dict[str, Any]]] = []

    class Response:
        status, reason = 400, "Bad Request"

    async def upsert(application: int, payload: list[dict[str, Any]]) -> None:
        sent.append(payload)
        if not any(command.get("type") == ENTRY_POINT for command in payload):
            body = {"code": 50240, "message": "left out"}
            raise discord.HTTPException(Response(), body)

    async def there(application: int) -> list[dict[str, Any]]:
        return [{"id": "1", "type": 1, "name": "old"}, entry]

    monkeypatch.setattr(bot.http, "bulk_upsert_global_commands", upsert)
    monkeypatch.setattr(bot.http, "get_global_commands", there)
    bot._connection.application_id = 5
    commands = [dict(command) for command in described(bot)]
    await bot._send_commands(commands)
    kept = {name: value for name, value in entry.items() if name != "version"}
    assert sent == [commands, [*commands, kept]]


@pytest.mark.nightly
def test_every_command_says_where_it_can_be_installed_and_used() -> None:
    for command in described(create_bot(Settings())):
        where = command["integration_types"], command["contexts"]
        assert where in (([0], [0]), ([0, 1], [0, 1, 2])), command["name"]
