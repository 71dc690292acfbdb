"""Discord's bad days: whatever it refuses, forgets or says twice, an action is applied once."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.render.custom_ids import Verb
from tests.wire.faults import Fault, Kind
from tests.wire.ledger import Known
from tests.wire.matches import Evening, begin, evening, play_on
from tests.wire.people import Person, Shown
from tests.wire.playing import press_something

BOARD = "/channels/.*/messages/"


async def ready_to_press(e: Evening) -> tuple[Person, Shown, str]:
    """Whoever is asked, their panel, and a button on it that plays at once."""
    for _ in range(40):
        person = await e.asked()
        shown = await person.hand(e.channel)
        for press, component in shown.presses(Verb.ACT):
            if not component.get("options"):
                return person, shown, press.encode()
        await press_something(person, shown, e.rng)
        known = e.table()
        if known.between_rounds:
            await e.play(1)
    raise AssertionError("nobody was ever offered a button")


def brought(known: Known, interaction: int) -> int:
    """How many lines of the log an interaction brought."""
    return [line.interaction for line in known.log].count(interaction)


async def board_shows(e: Evening, name: str) -> None:
    """Waits until the board says that it is that person's turn."""
    await e.wire.until(lambda: f"{name}'s turn" in e.wire.board(e.channel).text or None)


@pytest.mark.parametrize(
    "status", [*(pytest.param(status, marks=pytest.mark.nightly) for status in (500, 502)), 503]
)
@pytest.mark.behaviour("Discord answers late")
async def test_a_5xx_delays_the_board_and_loses_nothing(status: int, tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        e.front.faults.plan(Fault(Kind.ERROR, status=status), "PATCH", BOARD, times=2)
        await e.play(2)
        await e.wire.until(lambda: e.front.faults.injected[Kind.ERROR] == 2 or None)
        await board_shows(e, (await e.asked()).name)
        assert e.errors() == []


@pytest.mark.behaviour("Discord answers late")
async def test_silence_on_one_board_keeps_nobody_from_playing(tmp_path: Path) -> None:
    """Discord never answers the edit of one table's board; both tables play on."""
    async with evening(tmp_path) as e:
        other = e.wire.channel()
        people = e.wire.join(None, "Dan", "Eve", "Fay")
        await begin(e.wire, other, people)
        path = f"/channels/{e.channel}/messages"
        e.front.faults.plan(Fault(Kind.SILENCE, 600), "*", path, times=100)
        here = await e.play(3)
        there = await play_on(e.wire, e.ledger, other, e.rng, 3)
        assert len(here.log) >= 4
        assert len(there.log) >= 4
        name = e.wire.people[there.asked[0]].name
        await e.wire.until(lambda: f"{name}'s turn" in e.wire.board(other).text or None)


async def test_a_gateway_that_drops_is_resumed_and_no_press_is_missed(tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        person, shown, custom_id = await ready_to_press(e)
        dropped = asyncio.ensure_future(e.front.gateway.drop())
        answer = await person.press(shown, custom_id)
        await dropped
        assert not answer.failed
        assert brought(e.table(), answer.id) == 1
        assert e.front.gateway.resumed == 1
        assert e.front.gateway.identified == 1
        assert e.errors() == []


@pytest.mark.parametrize("how", ["invalid session", "refused resume"])
async def test_a_lost_session_is_begun_anew(how: str, tmp_path: Path) -> None:
    async with evening(tmp_path) as e:
        await e.play(2)
        gateway = e.front.gateway
        if how == "invalid session":
            await gateway.invalidate()
        else:
            gateway.refuse_resume = 1
            await gateway.drop()
        await gateway.wait(lambda: gateway.identified == 2)
        before = len(e.table().log)
        known = await e.play(2)
        assert len(known.log) >= before + 2
        assert e.errors() == []
