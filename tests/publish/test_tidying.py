"""What is retired goes: tried again until it is gone, whatever becomes of its table."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Final

import pytest

from bot.ids import GuildId, TableId
from bot.publish.timings import TIMINGS
from bot.render.pages import note
from tests.publish.stage import CHANNEL, HEAD, TABLE, Call, Refused, Stage, turn, turns
from tests.render import samples

LINE: Final = 88

REFUSED: Final = ((403, 50001), (403, 50013), (400, 50083), (403, 160005))
"""No access; no permission, or timed out; an archived thread, a locked one."""


def deletes(stage: Stage) -> list[Call]:
    return [call for call in stage.discord.calls if call[0] == "delete"]


def refusing(stage: Stage, status: int, code: int) -> None:
    stage.discord.refuse = lambda call: Refused(status, code) if call[0] == "delete" else None


def answered(stage: Stage) -> None:
    """The question that a line has called for is answered."""
    stage.posted(1)
    stage.line(5, LINE)
    stage.discord.shown[LINE] = stage.discord.shown[77] = note("x")
    stage.source.view = turn(6)


async def ended(stage: Stage, failures: int) -> None:
    """A match that has ended while a line was up, whose deletion fails so many times."""
    answered(stage)
    failing = iter([OSError("connection reset")] * failures)
    stage.discord.refuse = lambda call: next(failing, None) if call[0] == "delete" else None
    stage.source.view = samples.result_view(head=HEAD)
    await stage.draw()


async def test_a_deletion_that_fails_in_the_last_draw_is_tried_again(stage: Stage) -> None:
    stage.set(retries=(0, 0, 3600))
    await ended(stage, failures=2)
    assert deletes(stage) == [("delete", CHANNEL, LINE)] * 3
    assert LINE not in stage.discord.shown
    assert stage.kinds() == ["result"]


async def test_that_other_tables_are_drawn_meanwhile_changes_nothing(stage: Stage) -> None:
    """A table that is over leaves memory as soon as somebody sweeps."""
    stage.set(retries=(3600,), sweep=1)
    await ended(stage, failures=1)
    for number in range(3):
        stage.source.view = samples.result_view(head=replace(HEAD, table=TableId(f"X{number}")))
        await stage.draw(TableId(f"X{number}"))
    assert LINE in stage.discord.shown
    stage.publisher.retry(GuildId(1))
    await turns()
    assert LINE not in stage.discord.shown
    assert (TABLE, "retired", LINE) not in stage.surfaces.rows


def test_it_is_tried_again_after_seconds_at_first() -> None:
    assert TIMINGS.retries[0] <= 5
    assert list(TIMINGS.retries) == sorted(TIMINGS.retries)


@pytest.mark.parametrize(("status", "code"), REFUSED)
@pytest.mark.behaviour("The bot may no longer write")
async def test_what_may_not_be_deleted_waits_until_it_may(
    status: int, code: int, stage: Stage
) -> None:
    answered(stage)
    refusing(stage, status, code)
    await stage.draw()
    assert deletes(stage) == [("delete", CHANNEL, LINE)]
    for question in (7, 8):
        stage.source.view = turn(question)
        await stage.draw()
        assert deletes(stage) == [], "it is not asked for again and again"
    stage.publisher.retry(GuildId(2))
    await turns()
    assert deletes(stage) == [], "another server"
    stage.discord.refuse = lambda call: None
    stage.publisher.retry(GuildId(1))
    await turns()
    assert LINE not in stage.discord.shown
    assert stage.kinds() == ["board"]


@pytest.mark.parametrize(("status", "code"), REFUSED)
async def test_what_may_not_be_deleted_is_tried_again_after_a_while_and_a_restart(
    status: int, code: int, stage: Stage
) -> None:
    """A time-out ends without a word."""
    stage.set(retry_refused=3600)
    answered(stage)
    refusing(stage, status, code)
    await stage.draw()
    stage.discord.refuse = lambda call: None
    stage.fresh()
    await stage.draw()
    assert LINE not in stage.discord.shown
    assert stage.kinds() == ["board"]


@pytest.mark.parametrize(("status", "code"), [(404, 10008), (404, 10003), (403, 50007)])
async def test_what_is_gone_or_out_of_reach_for_good_is_not_deleted_again(
    status: int, code: int, stage: Stage
) -> None:
    stage.set(retries=(0,), retry_refused=0)
    answered(stage)
    refusing(stage, status, code)
    await stage.draw()
    assert deletes(stage) == [("delete", CHANNEL, LINE)]
    assert stage.kinds() == ["board"]


async def test_an_end_does_not_wait_for_what_is_to_be_tried_again(stage: Stage) -> None:
    stage.set(retries=(3600,), closing=1800)
    answered(stage)
    refusing(stage, 500, 0)
    await stage.draw()
    async with asyncio.timeout(600):
        await stage.publisher.aclose()
    assert stage.kinds() == ["board", "retired"], "the next start tries again"
