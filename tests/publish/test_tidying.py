"""What is retired goes: tried again until it is gone, whatever becomes of its table."""

from __future__ import annotations

import asyncio
from typing import Final

import pytest

from bot.render.pages import note
from tests.publish.stage import CHANNEL, HEAD, Call, Refused, Stage, turn
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


@pytest.mark.parametrize("failure", [OSError("connection reset"), Refused(403, 50013)], ids=repr)
async def test_a_deletion_that_fails_in_the_last_draw_is_tried_again(
    failure: Exception, stage: Stage
) -> None:
    """A time-out ends without a word."""
    stage.set(retries=(0, 0, 3600), retry_refused=0)
    answered(stage)
    failing = iter([failure] * 2)
    stage.discord.refuse = lambda call: next(failing, None) if call[0] == "delete" else None
    stage.source.view = samples.result_view(head=HEAD)
    await stage.draw()
    assert deletes(stage) == [("delete", CHANNEL, LINE)] * 3
    assert LINE not in stage.discord.shown
    assert stage.kinds() == ["result"]


@pytest.mark.parametrize(("status", "code"), REFUSED)
async def test_what_may_not_be_deleted_is_not_asked_for_at_each_draw_but_after_a_restart(
    status: int, code: int, stage: Stage
) -> None:
    answered(stage)
    refusing(stage, status, code)
    await stage.draw()
    assert deletes(stage) == [("delete", CHANNEL, LINE)]
    stage.source.view = turn(7)
    await stage.draw()
    assert deletes(stage) == []
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


async def test_what_is_refused_for_an_unknown_reason_is_given_up(stage: Stage) -> None:
    stage.set(retries=(0,), retry_refused=0)
    answered(stage)
    refusing(stage, 400, 999_999)
    await stage.draw()
    assert deletes(stage) == [("delete", CHANNEL, LINE)] * 3
    assert stage.kinds() == ["board"]


async def test_an_end_does_not_wait_for_what_is_to_be_tried_again(stage: Stage) -> None:
    stage.set(retries=(3600,), closing=1800)
    answered(stage)
    refusing(stage, 500, 0)
    await stage.draw()
    async with asyncio.timeout(600):
        await stage.publisher.aclose()
    assert stage.kinds() == ["board", "retired"], "the next start tries again"
