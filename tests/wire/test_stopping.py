"""Stopping: SIGTERM says goodbye, SIGKILL loses nothing acknowledged."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import pytest

from bot.i18n import texts
from bot.render.custom_ids import Verb
from tests.wire.faults import Fault, Kind
from tests.wire.front import Front
from tests.wire.matches import begin, evening, lobby
from tests.wire.program import Program
from tests.wire.test_bad_days import brought, ready_to_press

FAREWELL = texts("en").get("board.farewell")


@pytest.mark.behaviour("The bot is stopped")
async def test_presses_on_their_way_are_answered_before_the_end(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        person, shown, custom_id = await ready_to_press(e)
        e.front.faults.plan(Fault(Kind.SLOW, 1.0), "POST", "^/interactions/")
        pressed = asyncio.ensure_future(person.press(shown, custom_id))
        await e.wire.until(lambda: brought(e.table(), _newest(e.front)) or None)
        e.program.send(signal.SIGTERM)
        answer = await pressed
        assert not answer.failed
        assert brought(e.table(), answer.id) == 1
        assert await e.program.ended() == 0


@pytest.mark.behaviour("The bot is stopped")
async def test_boards_with_a_clock_say_that_the_bot_will_be_back(tmp_path: Path) -> None:
    async with evening(tmp_path, pace="relaxed") as e:
        other = e.wire.channel()
        await begin(e.wire, other, e.wire.join(None, "Dan", "Eve", "Fay"), pace="none")
        await e.play(1)
        e.program.send(signal.SIGTERM)
        assert await e.program.ended() == 0
        assert e.errors() == []
        assert FAREWELL in e.wire.board(e.channel).text
        assert FAREWELL not in e.wire.board(other).text
        await e.program.start()
        await e.wire.until(lambda: FAREWELL not in e.wire.board(e.channel).text or None)


async def test_a_discord_that_does_not_answer_does_not_hold_up_the_end(tmp_path: Path) -> None:
    async with evening(tmp_path, pace="relaxed") as e:
        e.front.faults.plan(Fault(Kind.SILENCE, 600), "*", "^/channels/", times=100)
        await e.play(1)
        e.program.send(signal.SIGTERM)
        assert await e.program.ended() == 0


@pytest.mark.nightly
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
        said = [
            r.path.split("/")[2] for r in list(e.front.requests)[since:] if FAREWELL in str(r.body)
        ]
        wanted = [str(paces[pace]) for pace in ("live60", "live180", "relaxed", "daily")]
        assert said == wanted


async def test_a_second_signal_ends_it_at_once(tmp_path: Path) -> None:
    async with evening(tmp_path, pace="relaxed") as e:
        e.front.faults.plan(Fault(Kind.SILENCE, 600), "*", "/", times=1000)
        asked = asyncio.ensure_future(e.people[0].slash(e.channel, "table"))
        await e.wire.until(lambda: e.front.faults.injected[Kind.SILENCE])
        e.program.send(signal.SIGTERM)
        await e.program.said("stopping")
        e.program.send(signal.SIGTERM)
        assert await e.program.ended() == 128 + signal.SIGTERM
        asked.cancel()


@pytest.mark.nightly
async def test_ctrl_c_stops_it_as_gracefully(tmp_path: Path) -> None:
    async with evening(tmp_path, pace="relaxed") as e:
        e.program.send(signal.SIGINT)
        assert await e.program.ended() == 0
        assert FAREWELL in e.wire.board(e.channel).text


@pytest.mark.nightly
async def test_a_signal_before_it_is_connected_ends_it_too(tmp_path: Path) -> None:
    async with Front() as front, Program(front, tmp_path) as program:
        await program.start()
        front.gateway.refuse_resume = 1000
        await front.gateway.drop()
        program.send(signal.SIGTERM)
        await program.ended()


@pytest.mark.nightly
async def test_after_a_restart_the_first_press_is_answered_and_unchanged_tables_are_not_drawn(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path, begun=False) as e:
        channels = [e.wire.channel(name=f"t{number}") for number in range(8)]
        for channel in channels:
            await lobby(e.wire, channel, e.wire.join(None, f"P{channel}"), seats=3)
        await begin(e.wire, e.channel, e.people)
        await e.program.terminate()
        since = len(e.front.requests)
        await e.program.start()
        answer = await e.people[0].press_verb(e.wire.board(e.channel), Verb.HAND)
        assert answer.panel is not None
        made = [r for r in list(e.front.requests)[since:] if r.path.startswith("/channels/")]
        assert made == []


def _newest(front: Front) -> int:
    """The interaction made last."""
    return next(reversed(front.backend.interactions))
