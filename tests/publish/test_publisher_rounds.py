"""A round begins with a message of its own: it is posted, told to the table, drawn into."""

from __future__ import annotations

import re
from dataclasses import replace

import discord
import pytest
from structlog.testing import capture_logs

from bot.ids import QuestionId
from bot.render.deal_proof import DIGITS
from bot.views.values import BetweenRoundsView, BoardView, ShufflingView
from tests.publish.stage import (
    BEN,
    BOARD,
    CHANNEL,
    HEAD,
    TABLE,
    Refused,
    Stage,
    refusal,
    turns,
)
from tests.render.limits import text
from tests.render.samples import COMMITMENT

SHUFFLING = ShufflingView(HEAD, 2, ("kuckuck", "", "7"))
HEX = re.compile("[0-9a-f]{16}")


def running(number: int) -> BoardView:
    """A board as it is once the cards of a round are dealt."""
    return replace(BOARD, round=number, post="1", words=("", "", ""))


async def test_a_round_is_posted_then_told_then_drawn_into_the_same_message(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    calls = await stage.draw()
    assert calls == [("send", CHANNEL, 1), ("edit", CHANNEL, 77), ("edit", CHANNEL, 1)]
    assert stage.source.told == [(2, 1)]
    assert stage.round() == 2
    assert not HEX.search(text(stage.discord.shown[1]))
    assert await stage.draw() == []


async def test_hands_follow_the_deal_at_once(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    stage.source.due = [(BEN, True, 60)]
    sent = [call for call in await stage.draw() if call[0] == "send"]
    assert sent == [("send", CHANNEL, 1), ("send", 1101, 2)]


@pytest.mark.parametrize("number", [1, 2])
async def test_what_is_retired_keeps_commitment_and_words(stage: Stage, number: int) -> None:
    stage.posted(number - 1)
    stage.source.view = replace(SHUFFLING, round=number)
    stage.source.dealt = running(number)
    await stage.draw()
    line = text(stage.discord.shown[77])
    proof = f" · fair-deal proof (see `/verify`) {COMMITMENT[:DIGITS]}…" if number == 1 else ""
    assert line.endswith(f"Cut: Ann kuckuck · Cat 7{proof}")
    assert "\n" not in line
    assert ("the match has started" if number == 1 else "this round is over") in line


async def test_after_a_restart_the_table_is_told_again_and_nothing_is_posted(stage: Stage) -> None:
    stage.posted(2)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    assert stage.source.told == [(2, 77)]


async def test_a_table_that_could_not_be_told_is_told_later(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt, stage.source.deaf = SHUFFLING, running(2), True
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    stage.source.deaf = False
    assert await stage.draw() == [("edit", CHANNEL, 1)]
    assert stage.source.told == [(2, 1)]


@pytest.mark.parametrize(
    "error",
    [Refused(403, 50001), Refused(403, 50013), refusal(403)],
    ids=["no access", "no permission", "forbidden"],
)
async def test_where_nothing_can_be_posted_the_table_is_told_so(
    stage: Stage, error: discord.HTTPException
) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    stage.source.due = [(BEN, True, 60)]
    stage.discord.refuse = lambda call: error if call[1] == CHANNEL else None
    with capture_logs() as logs:
        calls = await stage.draw()
    assert stage.source.told == [(2, None)]
    assert [entry["event"] for entry in logs] == ["board_barred"]
    assert ("dm", 1101, 0) in calls


async def test_where_nothing_is_dealt_without_a_message_the_match_waits(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    stage.source.company = True
    stage.discord.refuse = lambda call: Refused(403, 50013) if call[1] == CHANNEL else None
    await stage.draw()
    assert stage.source.stall
    assert stage.source.view is SHUFFLING
    stage.discord.refuse = lambda call: None
    await stage.draw()
    assert stage.source.told[-1][1] is not None
    assert not stage.source.stall


async def test_a_post_that_was_lost_is_tried_again(stage: Stage) -> None:
    stage.set(retries=(0, 3600))
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)
    lost = [("send", CHANNEL, 1)]
    stage.discord.refuse = lambda call: Refused(503, 0) if lost and lost.pop() == call else None
    await stage.draw()
    await turns()
    assert stage.source.told == [(2, 2)]
    assert stage.discord.calls[0] == ("send", CHANNEL, 1)


async def test_a_round_dealt_without_a_message_gets_one_later(stage: Stage) -> None:
    stage.posted(0)
    stage.source.view = replace(running(1), post="", words=("", "x", ""))
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert "could not be posted" in text(stage.discord.shown[1])
    assert f"proof (see `/verify`) {COMMITMENT[:DIGITS]}…" in text(stage.discord.shown[77])
    assert "Cut: Ben x" in text(stage.discord.shown[77])


async def test_a_table_that_stays_closed_does_not_keep_the_publisher_busy(stage: Stage) -> None:
    stage.source.view = SHUFFLING
    await stage.draw()
    assert stage.source.told == [(2, 1)] * 2
    assert stage.discord.calls == [("send", CHANNEL, 1)]


async def test_a_board_that_is_moved_keeps_its_proof(stage: Stage) -> None:
    stage.posted(2)
    stage.source.view = running(2)
    await stage.publisher.repost(TABLE)
    assert not HEX.search(text(stage.discord.shown[77]))
    stage.posted(2)
    moo = ("", "moo", "")
    pause = BetweenRoundsView(QuestionId(9), 2, (1, 2, 3), (1, 2, 3), frozenset(), None, moo)
    stage.source.view = replace(running(2), pause=pause)
    await stage.publisher.repost(TABLE)
    shown = text(stage.discord.shown[77])
    assert "Cut: Ben moo" in shown
    assert not HEX.search(shown)


async def test_a_round_that_the_table_has_not_heard_of_is_not_noted_as_drawn(stage: Stage) -> None:
    stage.posted(1)
    stage.source.counted, stage.source.view = 7, SHUFFLING
    await stage.draw()
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {}
    stage.fresh()
    stage.source.dealt = running(2)
    await stage.draw()
    assert stage.source.told[-1] == (2, 1)
    await stage.publisher.aclose()
    assert stage.surfaces.drawn == {TABLE: 7}
