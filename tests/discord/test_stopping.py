"""SIGTERM: what is pressed is answered, tables with a clock say so, and it is soon gone."""

from __future__ import annotations

import asyncio
import random
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from bot import running
from bot.ids import ChannelId, MessageId, QuestionId, UserId
from bot.publish.publisher import Publisher
from bot.publish.surfaces import Shows
from bot.render.custom_ids import Verb
from bot.storage import Database, SqlSurfaces, StorageError
from bot.tables.service import TableService
from cogs.play import Play
from tests.discord.steps import lobby, match, tables
from tests.discord.world import world
from tests.wire.faults import Fault, Kind
from tests.wire.front import Front
from tests.wire.matches import begin, evening
from tests.wire.matches import lobby as wire_lobby
from tests.wire.program import Program

BACK = "back in a moment"
TEN = 10.0


# In the simulated Discord


@pytest.mark.behaviour("The bot is stopped")
async def test_while_it_ends_no_table_is_opened_and_presses_are_answered(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        other = w.guild.create_text_channel("other")
        tables(w).drain()
        said = await w.ann.slash("newgame", game="aufundab", channel=other)
        assert "restart" in said.lower()
        assert await tables(w).open_in_channel(ChannelId(other.id)) is None
        player = (await w.actors())[0]
        await player.slash("play", action=(await player.legal())[0])
        assert (await w.table()).ply == table.ply + 1


async def test_after_a_stop_nothing_is_left_to_do(tmp_path: Path) -> None:
    async with world(tmp_path) as w:
        await match(w)
        await lobby(w, "Ann", channel=w.guild.create_text_channel("other").id)
        before = asyncio.all_tasks()
        await w.bot.stop()
        left = [task for task in asyncio.all_tasks() - before if task is not asyncio.current_task()]
        assert left == []
        assert w.bot.is_closed()
        await w.bot.stop()  # told again, it changes nothing


@pytest.mark.parametrize("part", [Publisher.farewell, Publisher.aclose, TableService.aclose])
async def test_a_part_of_a_stop_that_fails_does_not_keep_the_others_from_ending(
    part: Callable[..., object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise RuntimeError

    async with world(tmp_path) as w:
        await match(w)
        owner = Publisher if part.__qualname__.startswith("Publisher") else TableService
        monkeypatch.setattr(owner, part.__name__, fails)
        with capture_logs() as logs:
            await w.bot.stop()
        assert [line["kind"] for line in logs if line["event"] == "not_ended"] == ["RuntimeError"]
        assert w.bot.is_closed()
        assert w.bot.running is not None
        with pytest.raises(StorageError, match="closed"):
            await w.bot.running.meta.get("anything")


@pytest.mark.parametrize("gently", [True, False])
async def test_the_last_steps_may_take_what_is_left_of_the_stop(
    gently: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A disk that is slow to write is no reason to give the database up."""
    async with world(tmp_path) as w:
        await match(w)
        monkeypatch.setattr(running, "CLOSING", 0.0)
        with capture_logs() as logs:
            await (w.bot.stop() if gently else w.bot.close())
        assert [line["what"] for line in logs if line["event"] == "given_up"] == []


async def test_an_answer_that_the_stop_did_not_wait_for_is_given_up_and_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its session is closed under it, and there is nobody left to whom anything could be said."""

    async def late(*_: object) -> None:
        raise RuntimeError("Session is closed")

    async with world(tmp_path) as w:
        table = await match(w)
        board = w.board()
        monkeypatch.setattr(Play, "_hand", late)
        monkeypatch.setattr(type(w.bot), "is_closed", lambda _: True)
        with capture_logs() as logs:
            w.emit(w.ann, board, board.only(Verb.HAND))
            await w.env.settle()
        assert [line["event"] for line in logs if line["log_level"] == "error"] == []
        assert [line["what"] for line in logs if line["event"] == "given_up"] == ["answer"]
        monkeypatch.undo()
        assert (await w.table()).ply == table.ply


async def test_what_an_answer_drew_while_the_connection_was_closing_is_stored(
    tmp_path: Path,
) -> None:
    async with world(tmp_path) as w:
        table = await match(w)
        parts = w.bot.running
        assert parts is not None
        user, channel, message = UserId(w.ann.user.id), ChannelId(77), MessageId(78)
        await parts.begin_stop()
        await parts.finish_work()
        await parts.publisher.note_panel(table.id, user, channel, message, Shows(QuestionId(0)))
        await parts.close()
        database = await Database.open(w.settings.database_url)
        rows = await SqlSurfaces(database).all_of(table.id)
        await database.close()
        assert message in [row[3] for row in rows]
        await w.bot.close()


# The program itself, over the wire


async def test_sigterm_ends_it_within_ten_seconds_and_says_so_where_a_clock_runs(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path, begun=False) as e:
        quiet = e.wire.channel(name="quiet")
        others = e.wire.join(None, "Dan", "Eve", "Fay")
        await begin(e.wire, e.channel, e.people, pace="relaxed")
        await begin(e.wire, quiet, others, pace="none")
        seconds = await e.program.terminate()
        assert await e.program.ended() == 0
        assert seconds < TEN
        assert BACK in e.wire.board(e.channel).text
        assert BACK not in e.wire.board(quiet).text
        assert e.errors() == []
        await e.program.start()
        board = await e.wire.until(
            lambda: None if BACK in e.wire.board(e.channel).text else e.wire.board(e.channel)
        )
        assert board.presses(Verb.HAND)


async def test_the_earliest_deadline_hears_of_the_stop_first(tmp_path: Path) -> None:
    async with evening(tmp_path, begun=False) as e:
        paces = {"daily": 0, "relaxed": 0, "live60": 0, "live180": 0}
        for number, pace in enumerate(paces):
            paces[pace] = e.wire.channel(name=pace)
            people = e.wire.join(None, *(f"{name}{number}" for name in ("Ann", "Ben", "Cat")))
            await begin(e.wire, paces[pace], people, pace=pace)
        since = len(e.front.requests)
        e.front.faults.plan(Fault(Kind.SLOW, 0.05), "PATCH", "/channels/", times=100)
        await e.program.terminate()
        said = [r.path.split("/")[2] for r in list(e.front.requests)[since:] if BACK in str(r.body)]
        wanted = [str(paces[pace]) for pace in ("live60", "live180", "relaxed", "daily")]
        assert said == wanted


async def test_a_press_at_the_moment_of_the_stop_is_answered_and_stored(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        person = e.asked()
        known = e.table()
        before = len(known.log)
        suggested = await person.suggestions(e.channel, "play", "action")
        action = random.Random(1).choice(suggested)
        playing = asyncio.ensure_future(person.slash(e.channel, "play", action=action))
        await asyncio.sleep(0)
        e.program.send(signal.SIGTERM)
        answer = await playing
        assert await e.program.ended() == 0
        assert not answer.failed
        assert len(e.table().log) == before + 1


async def test_a_discord_that_does_not_answer_delays_the_stop_by_no_more_than_ten_seconds(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path, pace="relaxed") as e:
        e.front.faults.plan(Fault(Kind.SILENCE, 60), "*", "/", times=1000)
        asked = asyncio.ensure_future(e.people[0].slash(e.channel, "table"))
        await e.wire.until(lambda: e.front.faults.injected[Kind.SILENCE])
        seconds = await e.program.terminate()
        assert seconds < TEN
        e.front.faults.stop()
        asked.cancel()


async def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    async with evening(tmp_path, pace="relaxed") as e:
        e.front.faults.plan(Fault(Kind.SILENCE, 60), "*", "/", times=1000)
        asked = asyncio.ensure_future(e.people[0].slash(e.channel, "table"))
        await e.wire.until(lambda: e.front.faults.injected[Kind.SILENCE])
        e.program.send(signal.SIGTERM)
        await asyncio.sleep(0.3)
        assert e.program.running
        loop = asyncio.get_running_loop()
        begun = loop.time()
        e.program.send(signal.SIGTERM)
        assert await e.program.ended() == 128 + signal.SIGTERM
        assert loop.time() - begun < 1
        asked.cancel()


async def test_ctrl_c_stops_it_as_gracefully(tmp_path: Path) -> None:
    async with evening(tmp_path, pace="relaxed") as e:
        e.program.send(signal.SIGINT)
        assert await e.program.ended(TEN) == 0
        assert BACK in e.wire.board(e.channel).text


async def test_a_signal_before_it_is_connected_ends_it_too(tmp_path: Path) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        await program.start()
        front.gateway.refuse_resume = 1000
        await front.gateway.drop()
        assert await program.terminate() < TEN


async def test_sigkill_loses_nothing_that_was_acknowledged(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        for _ in range(3):
            known = await e.play(2)
            acknowledged = [line.text for line in known.log]
            await e.program.kill()
            assert [line.text for line in e.table().log] == acknowledged
            await e.program.start()


async def test_after_a_restart_the_first_press_is_answered_and_unchanged_tables_are_not_drawn(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path, begun=False) as e:
        channels = [e.wire.channel(name=f"t{number}") for number in range(8)]
        for channel in channels:
            await wire_lobby(e.wire, channel, e.wire.join(None, f"P{channel}"), seats=3)
        await begin(e.wire, e.channel, e.people)
        await e.program.terminate()
        since = len(e.front.requests)
        await e.program.start()
        answer = await e.people[0].press_verb(e.wire.board(e.channel), Verb.HAND)
        assert answer.panel is not None
        made = [r for r in list(e.front.requests)[since:] if r.path.startswith("/channels/")]
        assert made == []
