"""`stammtisch demo` without a browser: it starts, answers, refuses strangers and stops."""

from __future__ import annotations

import asyncio
import re
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
from yarl import URL

from bot.app import Stammtisch
from bot.demo import world as world_module
from bot.demo.page import _page, start_page
from bot.demo.show import free_port as free_port_beside
from bot.demo.world import (
    CHANNEL,
    PEOPLE,
    SHORT_POINTS,
    SLEEP,
    VISITOR,
    View,
    WallClock,
    World,
    demo_settings,
    world,
)
from bot.emojis import known_emojis
from bot.i18n import texts
from bot.pictures.artwork import FANNED
from bot.render.custom_ids import Verb
from bot.settings import Settings
from bot.tables.service import TableService
from bot.tables.stored import Status
from engine.players.levels import Level
from engine.registry import games
from tests.browser.driver import Demo
from tests.discord.world import walk
from tests.operate.conftest import Program, program
from tests.patience import PATIENCE, until
from tests.ports import free_port

__all__ = ["program"]


@asynccontextmanager
async def opened(folder: Path) -> AsyncIterator[World]:
    """A world; no fixture, since SimCord must be left in the context that entered it."""
    async with world(folder, free_port(), "en") as made:
        made._env.settle_timeout = PATIENCE
        # The demo plays in real time, where Discord would give an answer three seconds.
        backend: Any = made._env.backend
        after = backend.iso_after
        backend.iso_after = lambda seconds: after(max(seconds, PATIENCE))
        yield made


def service(running: World) -> TableService:
    """The tables of its bot."""
    bot = running._env.bot
    assert isinstance(bot, Stammtisch)
    assert bot.running is not None
    return bot.running.tables


def page_of(running: World) -> simcord.Preview:
    assert running._page is not None
    return running._page


def test_it_starts_and_ctrl_c_ends_it_cleanly(tmp_path: Path) -> None:
    started = Demo(tmp_path, "--port", str(free_port()))
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
    said = f"stammtisch: port {port} is in use or reserved: choose another one with --port.\n"
    assert done.stderr == said


async def test_a_port_that_was_taken_between_two_pages_does_not_close_the_demo(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as running:
        first = await running.show(View(VISITOR, direct=False))
        await running._close_page()
        with socket.create_server(("127.0.0.1", running._port)):
            second = await running.show(View(VISITOR, direct=False))
    assert URL(first).port == running._port
    assert URL(second).port not in (None, running._port)


def test_there_is_no_port_after_the_last() -> None:
    assert 0 < free_port_beside(65_535 + 1) <= 65_535


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
        page = page_of(running)
        assert [viewer.name for viewer in page.viewers] == ["cat", "ann", "ben", "dan"]
        assert page.channel.name == CHANNEL


async def test_the_bot_can_be_restarted_while_a_page_is_open(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        before = running._env.bot
        await running.restart()
        assert running._env.bot is not before
        await page_of(running).refresh()


async def test_no_press_waits_for_the_next_heartbeat(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        for _ in range(2):
            env: Any = running._env
            now = env._virtual_time
            far = [r for r in env._work.callbacks if r.when and r.when - now > SLEEP]
            assert len(far) >= 2, "heartbeat and deadlines"
            assert all(record.real_handle is None for record in far)
            await running.restart()


async def test_timers_run_after_work_that_took_longer_than_a_press_may(tmp_path: Path) -> None:
    """As on a machine that has much else to do: computer players went on only once somebody
    pressed something."""
    async with opened(tmp_path) as running:
        env: Any = running._env
        env.settle_timeout = 0.1
        loop, ran = asyncio.get_running_loop(), asyncio.Event()
        before = env._real_advance_task

        def given_up() -> bool:
            now = env._real_advance_task
            return now is not None and now is not before and bool(now.done())

        with env._bot_scope():
            work = loop.create_future()
            task = asyncio.create_task(asyncio.wait_for(work, None))
            loop.call_later(0.01, lambda: None)
        await until(given_up)
        work.set_result(None)
        await task
        with env._bot_scope():
            loop.call_later(0.01, ran.set)
        await until(ran.is_set)


async def press(running: World, name: str, verb: Verb) -> simcord.InteractionResult:
    """Somebody presses the button of that verb on the newest message in the channel."""
    message = running._channel.last_message
    assert message is not None
    stored = running._env.backend.get_message(message.channel.id, message.id)
    custom_ids = [str(part.get("custom_id", "")) for part in walk(stored.components)]
    (custom_id,) = [each for each in custom_ids if each.startswith(f"st:{verb}:")]
    async with running._lock:
        return await running._members[name].click(message, custom_id=custom_id)


async def slash(running: World, name: str, command: str, **options: Any) -> None:
    """Somebody types a command in the channel."""
    async with running._lock:
        await running._members[name].slash(running._channel, command, **options)


@pytest.mark.parametrize("game", sorted(games()))
async def test_every_game_is_opened_dealt_and_played(game: str, tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        people = PEOPLE[: games()[game].info.seats[0]]
        await slash(running, "Ann", "newgame", game=game, length=1, seats=len(people))
        for name in people[1:]:
            await press(running, name, Verb.JOIN)
        tables = service(running)
        (table,) = await tables.open_tables()
        for name in people[:-1]:
            await press(running, name, Verb.READY)
        assert (await tables.table(table.id)).stored.status is Status.LOBBY
        await press(running, people[-1], Verb.READY)

        async def dealt() -> Any:
            now = await tables.table(table.id)
            return now if now.actors else None

        table = await until(dealt)
        for _ in range(4):
            seat = table.actors[0]
            person = table.stored.seating.places[seat].person
            assert person is not None
            await slash(running, person.name, "play", action=next(table.legal_texts(seat)))
            table = await tables.table(table.id)
        assert table.ply == 5
        async with running._lock:
            await page_of(running).refresh()


async def test_presses_and_redrawing_take_turns(tmp_path: Path) -> None:
    """Two operations that meet would lock the page for good."""
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        page = page_of(running)
        async with running._lock:
            press = asyncio.create_task(page._action(None, {}))
            await asyncio.sleep(0)
            assert not press.done()
        with pytest.raises(simcord.SetupError):
            await press  # no such page context: it came through to SimCord


@asynccontextmanager
async def browsing(running: World) -> AsyncIterator[aiohttp.ClientSession]:
    """A browser on the start page of that demo, which keeps its cookies."""
    runner = web.AppRunner(start_page(running))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", port := free_port()).start()
    kept = aiohttp.CookieJar(unsafe=True)  # those of an address are kept, too
    try:
        async with aiohttp.ClientSession(f"http://127.0.0.1:{port}", cookie_jar=kept) as browser:
            yield browser
    finally:
        await runner.cleanup()


async def test_start_page_is_for_this_computer_only(tmp_path: Path) -> None:
    async with opened(tmp_path) as running, browsing(running) as browser:
        async with browser.get("/") as answer:
            assert answer.status == 200
            page = await answer.text()
            assert "/newgame" in page
            assert all(texts("en").game_name(game) in page for game in games())
            assert "Kaiserspiel takes all four" in page
            assert "$" not in page
            assert len(re.findall(r"\d\u00a0people · .*\d\u00a0minutes", page)) == len(games())
            assert not re.search(r"\d (people|minutes)", page)
            shown = re.findall(r'<img src="(/cards/[^"]+)" alt="([^"]+)">', page)
            assert len(shown) == len(FANNED)
            assert "King of acorns" in page
        for path, alt in shown:
            assert alt.count(",") >= 4
            async with browser.get(path) as answer:
                assert answer.headers["Content-Type"] == "image/png"
                assert (await answer.read()).startswith(b"\x89PNG")
        async with browser.get("/cards/whist.png") as answer:
            assert answer.status == 404
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


async def test_the_start_page_remembers_whether_matches_are_short(tmp_path: Path) -> None:
    async with opened(tmp_path) as running, browsing(running) as browser:
        for said, ticked in (({}, False), ({"short": "on"}, True), ({}, False)):
            form = {"game": "sticheln", **said}
            async with browser.post("/play", data=form, allow_redirects=False) as answer:
                assert answer.status == 303
            async with browser.get("/") as answer:
                page = await answer.text()
            assert ('name="short" checked' in page) is ticked


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


async def test_a_short_match_is_one_round_or_a_few_points(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        for game in games():
            await running.play(game, short=True)
        tables = service(running)
        options = [
            (await tables.table(one.id)).stored.options for one in await tables.open_tables()
        ]
        lengths = [
            {key: value for key, value in some.items() if key in ("hands", "rounds", "target")}
            for some in options
        ]
        assert sorted(lengths, key=str) == [
            {"hands": 1},
            {"rounds": 1},
            {"rounds": 1},
            {"target": SHORT_POINTS},
        ]


async def test_what_only_one_person_sees_is_published_too(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        backend, changed, channel = running._env.backend, running._changed, running._channel.id
        changed.clear()
        whisper = backend.create_message(
            channel, backend.bot_user.id, "a hint", flags=64, broadcast=False
        )
        assert changed.is_set()
        changed.clear()
        backend.edit_message(channel, whisper.id, {"content": "another"})
        assert changed.is_set()
        changed.clear()
        backend.delete_message(channel, whisper.id)
        assert changed.is_set()


async def test_a_press_that_is_refused_keeps_nobody_from_what_has_changed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        page = page_of(running)
        shown, published = page._open_page(), list[int]()
        refresh = page.refresh

        async def refreshing() -> None:
            published.append(1)
            await refresh()

        monkeypatch.setattr(page, "refresh", refreshing)
        running._changed.set()
        refused = await page._action(shown.id, {"kind": "click"})
        assert refused["rejected"]
        assert running._changed.is_set() or published, "it waits for nobody any more"


async def test_a_page_that_was_redrawn_meanwhile_still_gets_the_size_of_its_window(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as running:
        await running.show(View("Ann", direct=False))
        page = page_of(running)
        shown = page._open_page()
        said = {
            "protocol_version": 3,
            "sequence": 1,
            "request_id": "one",
            "generation": shown.generation,
            "bot_generation": running._env._generation,
            "kind": "configure_presentation",
            "published_revision": shown.revision - 1,
            "layout": "channel",
            "display": "responsive",
            "width": 960,
            "height": 720,
            "host_width": 390,
            "host_height": 844,
        }
        answer = await page._action(shown.id, said)
        assert not answer["rejected"], answer
        assert shown.host_width == 390


async def test_cards_have_emoji_whose_pictures_the_page_serves_itself(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        await running.play("sticheln")
        await running.show(View(VISITOR, direct=True, game="sticheln"))
        heart = known_emojis().suit("sticheln", "R")
        assert heart is not None
        assert heart.id in running._env.backend.application_emojis
        page = page_of(running)
        shown = page._open_page()
        await page.refresh()
        served = [
            (await page._prepare_asset(shown.id, asset))[:2]
            for asset, record in shown.assets.items()
            if record.source and record.source[0] == "emoji"
        ]
        assert served
        for kind, content in served:
            assert kind == "image/png"
            assert content.startswith(b"\x89PNG")


async def test_play_now_seats_the_visitor_with_computers_and_the_same_match_goes_on(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as running:
        for game in ("sticheln", "sticheln", "kaiserspiel"):
            await running.play(game)
            page = page_of(running)
            assert [viewer.name for viewer in page.viewers] == ["ann"]
        known = service(running)
        tables = [await known.table(one.id) for one in await known.open_tables()]
        assert {table.stored.game for table in tables} == {"sticheln", "kaiserspiel"}
        assert len(tables) == 2
        for table in tables:
            seating = table.stored.seating
            assert table.stored.status is Status.RUNNING
            assert [person.name for person in seating.people] == ["Ann"]
            assert not seating.free_places
            assert {one.level for one in seating.computers.values()} == {Level.NORMAL}


async def test_the_visitor_alone_manages_servers_and_may_try_their_settings(tmp_path: Path) -> None:
    async with opened(tmp_path) as running:
        await running.play("sticheln")
        room = running._rooms["sticheln"]
        assert "settings" in room.visitor.available_commands(room.channel)
        may = {
            name: "settings" in member.available_commands(running._channel)
            for name, member in running._members.items()
        }
        assert may == {name: name == "Ann" for name in may}


@pytest.mark.parametrize("language", ["de", "fr"])
def test_the_start_page_is_in_the_language_of_the_demo(language: str) -> None:
    words, english = texts(language), texts("en")
    page = _page(words, restarted=True, short=False).text or ""
    assert f'<html lang="{language}">' in page
    for code in ("demo.lead", "demo.restarted", "demo.play_title", "demo.foot", "demo.restart"):
        assert words.get(code) in page
        assert english.get(code) not in page
    assert "<code>/newgame</code>" in page
    assert words.get("button.hand") in page
    assert not re.search(r"\*\*|[{}]|`|demo\.", page.partition("</style>")[2])


def test_a_language_that_there_is_not_is_one_sentence(program: Program) -> None:
    done = program("demo", "--no-browser", "--language", "xx")
    assert done.returncode == 2
    assert done.stderr == "stammtisch: there is no language xx: choose one of en, de, fr.\n"
