"""`stammtisch demo` without a browser: it starts, answers, refuses strangers and stops."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import simcord
from aiohttp import web

from bot.app import Stammtisch
from bot.demo import world as world_module
from bot.demo.page import start_page
from bot.demo.show import free_port
from bot.demo.world import (
    CHANNEL,
    PEOPLE,
    SETTLE_SECONDS,
    View,
    WallClock,
    World,
    demo_settings,
    world,
)
from bot.i18n import texts
from bot.render.custom_ids import Verb
from bot.settings import Settings
from bot.tables.stored import Status
from engine.registry import games
from tests.browser.driver import Demo
from tests.discord.world import walk
from tests.operate.conftest import Program, program

__all__ = ["program"]


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[World]:
    """A world; no fixture, since SimCord must be left in the context that entered it."""
    async with world(folder, free_port(0)) as made:
        yield made


def test_it_starts_and_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    started = Demo(tmp_path, "--port", str(free_port(0)))
    status, _, errors = started.stop()
    assert (status, errors) == (0, "")
    assert not list(tmp_path.iterdir()), "the demo left something behind"


def test_a_port_in_use_is_one_sentence(program: Program) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = program("demo", "--no-browser", "--port", str(port))
    assert done.returncode == 2
    assert done.stderr == f"stammtisch: port {port} is in use: choose another one with --port.\n"


def test_without_the_extra_one_sentence_says_how_to_get_it(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    from bot.operate import cli

    monkeypatch.setattr(cli, "find_spec", lambda name: None)
    monkeypatch.setattr(sys, "argv", ["stammtisch", "demo"])
    with pytest.raises(SystemExit) as ended:
        cli.main()
    assert ended.value.code == 2
    sentence = capsys.readouterr().err
    assert sentence.count("\n") == 1
    assert "--extra demo" in sentence


async def test_channel_and_every_direct_message_can_be_opened_one_after_the_other(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as running:
        seen = set()
        for name in PEOPLE:
            for direct in (False, True):
                seen.add(await running.show(View(name, direct)))
        assert len(seen) == 2 * len(PEOPLE)


async def test_the_page_opens_as_whoever_was_chosen(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        await running.show(View("Cat", direct=False))
        page = running._page
        assert page is not None
        assert [viewer.name for viewer in page.viewers] == ["cat", "ann", "ben", "dan"]
        assert page.channel.name == CHANNEL


async def test_the_bot_can_be_restarted_while_a_page_is_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        before = running._env.bot
        await running.restart()
        assert running._env.bot is not before
        assert running._page is not None
        await running._page.refresh()


async def test_no_press_waits_for_the_next_heartbeat(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        for _ in range(2):
            env: Any = running._env
            now = env._virtual_time
            far = [r for r in env._work.callbacks if r.when and r.when - now > SETTLE_SECONDS]
            assert len(far) >= 2, "heartbeat and deadlines"
            assert all(record.real_handle is None for record in far)
            await running.restart()


async def press(running: World, name: str, verb: Verb) -> simcord.InteractionResult:
    """Somebody presses the button of that verb on the newest message in the channel."""
    message = running._channel.last_message
    assert message is not None
    stored = running._env.backend.get_message(message.channel.id, message.id)
    custom_ids = [str(part.get("custom_id", "")) for part in walk(stored.components)]
    (custom_id,) = [each for each in custom_ids if each.startswith(f"st:{verb}:")]
    async with running._turn:
        return await running._members[name].click(message, custom_id=custom_id)


async def slash(running: World, name: str, command: str, **options: Any) -> None:
    """Somebody types a command in the channel."""
    async with running._turn:
        await running._members[name].slash(running._channel, command, **options)


@pytest.mark.parametrize("game", sorted(games()))
async def test_every_game_is_opened_dealt_and_played(game: str, tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        people = PEOPLE[: games()[game].info.seats[0]]
        await slash(running, "Ann", "newgame", game=game, length=1, seats=len(people))
        for name in people[1:]:
            await press(running, name, Verb.JOIN)
        # A full table starts by itself, so Ann has only to be quick once.
        bot = running._env.bot
        assert isinstance(bot, Stammtisch)
        assert bot.running is not None
        tables = bot.running.tables
        (table,) = await tables.open_tables()
        if table.stored.status is Status.LOBBY:
            await slash(running, "Ann", "start")
        for _ in range(100):
            table = await tables.table(table.id)
            if table.actors:
                break
            await asyncio.sleep(0.1)
        for _ in range(4):
            seat = table.actors[0]
            person = table.stored.seating.places[seat].person
            assert person is not None
            await slash(running, person.name, "play", action=next(table.legal_texts(seat)))
            table = await tables.table(table.id)
        assert table.ply == 5
        assert running._page is not None
        async with running._turn:
            await running._page.refresh()


async def test_presses_and_redrawing_take_turns(tmp_path: Path) -> None:
    """Two operations that meet would lock the page for good."""
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        page = running._page
        assert page is not None
        async with running._turn:
            press = asyncio.create_task(page._action(None, {}))
            await asyncio.sleep(0)
            assert not press.done()
        with pytest.raises(simcord.SetupError):
            await press  # no such page context: it came through to SimCord


async def test_start_page_is_for_this_computer_only(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        runner = web.AppRunner(start_page(running))
        await runner.setup()
        site = web.TCPSite(runner, "127.0.0.1", port := free_port(0))
        await site.start()
        try:
            async with aiohttp.ClientSession(f"http://127.0.0.1:{port}") as browser:
                async with browser.get("/") as answer:
                    assert answer.status == 200
                    page = await answer.text()
                    assert "/newgame" in page
                    assert all(texts("en").game_name(game) in page for game in games())
                    assert "Kaiserspiel\ntakes all four" in page
                    assert "$" not in page
                async with browser.get("/", headers={"Host": "elsewhere.example"}) as answer:
                    assert answer.status == 403
                origin = {"Origin": "http://elsewhere.example"}
                async with browser.post("/restart", headers=origin) as answer:
                    assert answer.status == 403
                async with browser.get("/dm/eve", allow_redirects=False) as answer:
                    assert answer.status == 404
                async with browser.get("/dm/ben", allow_redirects=False) as answer:
                    assert answer.status == 302
                    assert answer.headers["Location"].startswith("http://127.0.0.1:")
        finally:
            await runner.cleanup()


def test_the_environment_plays_no_part(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "MTA.real.token")
    monkeypatch.setenv("DATABASE_URL", "nonsense")
    monkeypatch.setenv("LOG_LEVEL", "loud")
    settings = demo_settings(tmp_path)
    assert settings.discord_token is None
    assert settings.database_url == f"sqlite+aiosqlite:///{tmp_path / 'demo.sqlite3'}"
    assert settings.log_level == Settings.model_fields["log_level"].default


def test_the_clock_of_the_demo_is_the_wall_clock_and_cannot_be_moved(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    moment = 100.0
    monkeypatch.setattr(world_module, "_monotonic", lambda: moment)
    clock = WallClock()
    begun = clock.now()
    clock.advance(3600)
    clock.elapsed = 7.0
    assert clock.now() == begun
    moment = 105.0
    assert (clock.now() - begun).total_seconds() == 5.0
    assert clock.elapsed == 5.0
