"""A kill in the moment in which a message is sent leaves no second one that looks alive."""

from __future__ import annotations

import asyncio
import signal
from pathlib import Path

import aiohttp
import pytest

from bot.render.custom_ids import Verb
from tests.wire.front import Request
from tests.wire.matches import Evening, evening, lobby
from tests.wire.people import Shown
from tests.wire.playing import PLAYABLE, type_something


def kill_at(e: Evening, method: str, *paths: str) -> None:
    """The program dies before it hears that one of these was done."""

    def aim(request: Request) -> None:
        aimed = any(path in request.path for path in paths)
        if request.applied and request.method == method and aimed:
            e.front.seen.remove(aim)
            e.program.send(signal.SIGKILL)

    e.front.seen.append(aim)


def pressable(e: Evening, verb: Verb) -> int:
    """So many messages of the channel can be pressed so."""
    return len([m for m in e.wire.messages(e.channel) if m.presses(verb)])


async def one_left(e: Evening, verb: Verb) -> None:
    await e.wire.until(lambda: pressable(e, verb) == 1 or None)


@pytest.mark.parametrize("hold", [0.0, 120.0], ids=["nonces forgotten", "nonces known"])
@pytest.mark.behaviour("The bot or its machine dies")
async def test_a_round_that_was_posted_when_the_program_died_has_one_message(
    hold: float, tmp_path: Path
) -> None:
    async with evening(tmp_path, begun=False) as e:
        e.front.nonces_hold = hold
        await lobby(e.wire, e.channel, e.people)
        kill_at(e, "POST", f"/channels/{e.channel}/messages")
        await e.people[0].slash(e.channel, "start")
        await e.program.ended()
        await e.program.start()
        await e.wire.board_with(e.channel, Verb.HAND)
        await one_left(e, Verb.HAND)
        assert e.errors() == []


@pytest.mark.nightly
@pytest.mark.behaviour("The bot or its machine dies")
async def test_a_command_that_was_answered_when_the_program_died_has_one_board(
    tmp_path: Path,
) -> None:
    async with evening(tmp_path, begun=False) as e:
        kill_at(e, "POST", "/interactions/")
        await e.people[0].slash(e.channel, "newgame", game="aufundab")
        await e.program.ended()
        (there,) = e.wire.messages(e.channel)
        await e.program.start()
        await e.program.said("message_found")
        await e.people[1].press_verb(e.wire.board(e.channel), Verb.JOIN)
        assert [m.id for m in e.wire.messages(e.channel)] == [there.id]
        assert "**Ben**" in e.wire.board(e.channel).text


def live_hands(e: Evening) -> list[Shown]:
    """Hands in direct messages that can still be played from."""
    return [shown for person in e.people for shown in person.dms() if shown.presses(*PLAYABLE)]


async def end_by_vote(e: Evening) -> None:
    for person in e.people:
        asked = await person.slash(e.channel, "endgame")
        assert asked.panel is not None
        await person.press_verb(asked.panel, Verb.END_NOW)
    await e.wire.board_with(e.channel, Verb.REMATCH)


@pytest.mark.behaviour("The bot or its machine dies")
async def test_hands_that_were_sent_when_the_program_died_are_not_left_behind(
    tmp_path: Path,
) -> None:
    """Their people play on at once, and Discord knows the nonces: nothing is sent twice."""
    async with evening(tmp_path) as e:
        for _ in range(4):
            await e.wire.until(lambda: live_hands(e) or None)
            kill_at(e, "POST", *(f"/channels/{person.dm()}/messages" for person in e.people))
            ended = asyncio.create_task(e.program.ended())
            while not ended.done():  # who goes on alone has their hand drawn anew, and none is sent
                asking = asyncio.create_task(e.asked())  # a dead program passes for nobody
                await asyncio.wait({asking, ended}, return_when=asyncio.FIRST_COMPLETED)
                if not asking.done():
                    asking.cancel()
                    break
                await type_something(await asking, e.channel, e.rng)
            await ended
            await e.program.start()
            await type_something(await e.asked(), e.channel, e.rng)
        await end_by_vote(e)
        await e.wire.until(lambda: not live_hands(e) or None)
        assert e.errors() == []


@pytest.mark.nightly
async def test_history_shows_no_nonces(tmp_path: Path) -> None:
    """As Discord: a message of a channel does not say by which nonce it was sent."""
    async with evening(tmp_path) as e, aiohttp.ClientSession() as session:
        url = f"{e.front.api_url}/channels/{e.channel}/messages"
        async with session.get(url, headers={"Authorization": f"Bot {e.front.token}"}) as answer:
            found = await answer.json()
        assert found
        assert all("nonce" not in message for message in found)
