"""Direct messages that Discord refuses to the program itself: one backoff for all."""

from __future__ import annotations

import asyncio
from datetime import timedelta

import pytest

from bot.publish.refusals import Held
from bot.publish.requests import Letters
from bot.surfaces import Kind
from tests.publish.stage import ANN, BEN, CAT, CHANNEL, Refused, Stage, call
from tests.render import samples


def refuse_letters(stage: Stage, status: int = 403, code: int = 20026) -> None:
    stage.discord.refuse = lambda made: Refused(status, code) if made[1] > 1000 else None


async def test_one_at_a_time_finds_out_whether_discord_takes_them_again(stage: Stage) -> None:
    stage.set(retries=(3600,), letters=(10.0, 60.0))
    stage.posted(1)
    stage.source.due = [(ANN, True, 5), (BEN, True, 5), (CAT, True, 5)]
    refuse_letters(stage)
    assert len(await stage.draw()) <= 4, "what was under way, and the board"
    for seconds, tries in ((9, 0), (1, 1), (59, 0), (1, 1), (59, 0), (1, 1)):
        stage.later(seconds=seconds)
        made = [one for one in await stage.draw() if one[1] > 1000]
        assert len(made) == tries
    stage.discord.refuse = lambda made: None
    stage.later(seconds=60)
    await stage.draw()
    await stage.draw()
    assert stage.source.unreached == []
    assert all(stage.call((Kind.HAND, user)) is not None for user in (ANN, BEN, CAT))


async def test_a_channel_that_can_be_opened_proves_nothing() -> None:
    now = samples.NOW
    letters = Letters(lambda: now)

    async def refused() -> None:
        raise Refused(403, 20026)

    async def taken() -> int:
        return 5

    with pytest.raises(Refused):
        await letters.through(refused)
    now = samples.NOW + timedelta(seconds=11)
    assert await letters.through(taken, opens=True) == 5
    assert letters.refused
    assert not letters.held
    assert await letters.through(taken) == 5
    assert not letters.refused


async def test_while_one_tries_the_others_wait() -> None:
    now = samples.NOW
    letters, answer = Letters(lambda: now), asyncio.Event()

    async def refused() -> None:
        raise Refused(503, 0)

    async def slow() -> None:
        await answer.wait()

    with pytest.raises(Refused):
        await letters.through(refused)
    now = samples.NOW + timedelta(seconds=11)
    trying = asyncio.create_task(letters.through(slow))
    await asyncio.sleep(0)
    with pytest.raises(Held):
        await letters.through(slow)
    answer.set()
    await trying
    await letters.through(slow)


async def test_whom_a_line_has_called_is_not_called_again_by_the_hand_that_follows(
    stage: Stage,
) -> None:
    stage.set(retries=(3600,))
    stage.posted(1)
    stage.source.due, stage.source.called = [(BEN, True, 5)], call(5)
    refuse_letters(stage)
    await stage.draw()
    (line,) = [made for made in stage.discord.calls if made[:2] == ("send", CHANNEL)]
    assert not stage.discord.silent[line[2]]
    stage.discord.refuse = lambda made: None
    stage.later(minutes=1)
    await stage.draw()
    (hand,) = [made for made in stage.discord.calls if made[:2] == ("send", 1000 + BEN)]
    assert stage.discord.silent[hand[2]]
    assert ("delete", *line[1:]) in await stage.draw(), "the line has said what it had to"


async def test_a_line_for_somebody_else_silences_nobodys_hand(stage: Stage) -> None:
    """Several people are asked the same question at once; one of them has closed messages."""
    stage.set(retries=(3600,))
    stage.posted(1)
    stage.source.called = call(5, 2)
    await stage.draw()
    stage.source.due = [(BEN, True, 5)]
    await stage.draw()
    (hand,) = [made for made in stage.discord.calls if made[:2] == ("send", 1000 + BEN)]
    assert not stage.discord.silent[hand[2]]


async def test_whoever_needs_the_line_a_moment_later_is_called_too(stage: Stage) -> None:
    stage.set(retries=(3600,))
    stage.posted(1)
    stage.source.called = call(5, 2)
    await stage.draw()
    stage.source.due, stage.source.called = [(BEN, True, 5)], call(5, 1, 2)
    refuse_letters(stage)
    made = await stage.draw()
    (line,) = [one for one in made if one[:2] == ("send", CHANNEL)]
    assert BEN in stage.discord.pinged[line[2]]
    assert not [one for one in await stage.draw() if one[:2] == ("send", CHANNEL)]
