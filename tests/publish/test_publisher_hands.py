"""Hands by direct message: who gets which, when, and what becomes of the old one."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from bot.ids import ChannelId, MessageId, QuestionId
from bot.publish.messages import Call, Shows, Surface
from bot.render.deal_proof import DIGITS
from bot.surfaces import Kind
from tests.publish.stage import (
    ANN,
    BEN,
    BOARD,
    CAT,
    CHANNEL,
    QUIET,
    TABLE,
    Refused,
    Stage,
    call,
    other,
    turns,
)
from tests.render import samples
from tests.render.limits import text


async def test_hands_go_first_then_the_board_then_the_hands_of_others(stage: Stage) -> None:
    stage.posted(1)
    stage.source.due = [(ANN, False, 0), (BEN, True, 6), (CAT, False, 0)]
    calls = await stage.draw()
    sent = [call for call in calls if call[0] != "dm"]
    assert [call[1] for call in sent] == [1101, CHANNEL, 1100, 1102]
    assert [call[0] for call in sent] == ["send", "edit", "send", "send"]


async def test_the_new_panel_is_there_before_the_old_one_goes(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 3, 88)
    stage.source.due = [(BEN, True, 6)]
    calls = await stage.draw()
    assert calls == [
        ("dm", 1101, 0),
        ("send", 1101, 1),
        ("edit", CHANNEL, 77),
        ("delete", 1101, 88),
    ]
    assert stage.call((Kind.HAND, BEN)) == Call(QuestionId(6))
    stage.source.due = [(BEN, True, 8)]
    assert await stage.draw() == [("send", 1101, 2), ("delete", 1101, 1)], "the channel is known"


async def test_a_panel_that_shows_the_question_stays(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 6, 88)
    stage.source.due = [(BEN, True, 6), (ANN, False, 0)]
    stage.panel(ANN, 4, 89)
    stage.fresh()
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_an_answer_in_the_dm_is_the_panel(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 3, 88)
    await stage.publisher.note_direct_hand(
        TABLE, BEN, ChannelId(1101), MessageId(88), Shows(QuestionId(5))
    )
    stage.source.due = [(BEN, True, 5)]
    assert await stage.draw() == [("edit", CHANNEL, 77)]
    await stage.publisher.note_direct_hand(
        TABLE, BEN, ChannelId(1101), MessageId(90), Shows(QuestionId(7))
    )
    await turns()
    assert stage.discord.calls[-1] == ("delete", 1101, 88)


@pytest.mark.parametrize("pressed", [True, False])
async def test_whoever_has_pressed_a_hand_that_an_edit_has_brought_up_to_date_has_heard(
    pressed: bool, stage: Stage
) -> None:
    where, shows = (ChannelId(1101), MessageId(88)), Shows(QuestionId(5))
    stage.posted(1)
    stage.stored(Surface(Kind.HAND, BEN, *where).edited(shows))
    if pressed:
        await stage.publisher.note_direct_hand(TABLE, BEN, *where, shows)
    stage.source.called = call(5)
    assert (("send", CHANNEL, 1) in await stage.draw()) == (not pressed)


async def test_a_panel_that_was_sent_during_the_answer_stays(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    await stage.publisher.note_direct_hand(
        TABLE, BEN, ChannelId(1101), MessageId(70), Shows(QuestionId(5))
    )
    await turns()
    assert stage.discord.calls == [("delete", 1101, 70)]
    assert stage.find((Kind.HAND, BEN)).message == 88


async def test_an_answer_that_asks_nothing_does_not_stand_for_the_next_deal(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 3, 88)
    await stage.publisher.note_direct_hand(
        TABLE, BEN, ChannelId(1101), MessageId(88), Shows(QuestionId(2))
    )
    await turns()
    assert stage.call((Kind.HAND, BEN)) == Call(QuestionId(2))
    stage.source.due = [(BEN, False, 56)]
    assert ("send", 1101, 1) in await stage.draw()


@pytest.mark.parametrize("code", [50007, 50278])
async def test_a_closed_dm_is_told_once_and_the_table_goes_on(stage: Stage, code: int) -> None:
    stage.posted(1)
    stage.source.due = [(ANN, True, 6), (BEN, True, 6)]
    stage.discord.refuse = lambda call: Refused(403, code) if call[1] == 1100 else None
    calls = await stage.draw()
    assert ("send", 1101, 1) in calls or ("send", 1101, 2) in calls
    assert calls[-1] == ("edit", CHANNEL, 77)
    assert stage.source.unreached == [ANN]
    assert not any(call[1] == 1100 for call in await stage.draw())


async def test_a_hand_is_never_sent_to_a_stored_channel(stage: Stage) -> None:
    stage.posted(1)
    stage.stored(
        Surface(Kind.HAND, BEN, CHANNEL, MessageId(88), samples.NOW, question=QuestionId(0))
    )
    stage.source.due = [(BEN, True, 6)]
    calls = await stage.draw()
    assert ("send", 1101, 1) in calls
    assert not any(call[:2] == ("send", CHANNEL) for call in calls)


async def test_greeting_finds_out_who_can_be_reached(stage: Stage) -> None:
    stage.posted(0)
    assert await stage.publisher.greet(TABLE, ANN)
    said = text(stage.discord.shown[1])
    assert "hand comes here" in said
    assert f"proof (see `/verify`) {samples.COMMITMENT[:DIGITS]}…" in said
    stage.discord.refuse = lambda call: Refused(403, 50007)
    assert not await stage.publisher.greet(TABLE, BEN)
    stage.discord.refuse = lambda call: Refused(500, 0)
    assert await stage.publisher.greet(TABLE, CAT) is None, "that is not about them"


async def test_a_greeting_comes_once_and_stays_as_it_is(stage: Stage) -> None:
    """Whoever was shown the commitment can show it again: no hand takes its place."""
    stage.posted(0)
    assert await stage.publisher.greet(TABLE, BEN)
    said = text(stage.discord.shown[1])
    await stage.publisher.aclose()
    stage.fresh()
    assert await stage.publisher.greet(TABLE, BEN)
    for question in (5, 8):
        stage.source.due = [(BEN, True, question)]
        calls = await stage.draw()
        assert any(call[:2] == ("send", 1101) for call in calls)
        assert not any(call[0] != "send" and call[2] == 1 for call in calls)
    assert text(stage.discord.shown[1]) == said


async def test_whoever_is_warned_gets_the_hand_anew_and_the_old_one_goes(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.due = [(BEN, True, 5, True)]
    calls = await stage.draw()
    assert ("send", 1101, 1) in calls
    assert calls[-1] == ("delete", 1101, 88)
    assert await stage.draw() == []


async def test_whoever_was_warned_of_a_time_that_has_changed_before_a_restart_is_warned_again(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88, warned=True)
    stage.source.due = [(BEN, True, 5)]
    assert ("send", 1101, 1) not in await stage.draw()
    stage.source.due = [(BEN, True, 5, True)]
    calls = await stage.draw()
    assert ("send", 1101, 1) in calls
    assert calls[-1] == ("delete", 1101, 88)


async def test_whoever_was_warned_before_their_quiet_hours_is_not_warned_again_after_them(
    stage: Stage,
) -> None:
    """Beside somebody who wants to be called once: nobody who gets letters now is warned."""
    stage.posted(1)
    stage.panel(BEN, 5, 88, warned=True)
    asked = QUIET[BEN]._replace(question=QuestionId(5), warned=True)
    stage.source.moments = {**stage.source.moments, BEN: asked}
    stage.source.quiet, stage.source.due = [BEN], [(CAT, True, 5)]
    await stage.draw()
    stage.source.view = replace(BOARD, due=samples.NOW)
    await stage.draw()
    stage.source.quiet, stage.source.due = [], [(BEN, True, 5, True), (CAT, True, 5)]
    assert ("send", 1101) not in [call[:2] for call in await stage.draw()]


async def test_an_answer_on_a_warned_hand_brings_no_new_one(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88, warned=True)
    await stage.publisher.note_direct_hand(
        TABLE, BEN, ChannelId(1101), MessageId(88), Shows(QuestionId(5))
    )
    stage.source.due = [(BEN, True, 5, True)]
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_a_hand_that_does_not_arrive_holds_up_neither_board_nor_the_next_draw(
    stage: Stage,
) -> None:
    stage.set(patience=0.01)
    stage.posted(1)
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[1] == 1101
    stage.source.due = [(BEN, True, 6)]
    assert await stage.draw() == [("dm", 1101, 0), ("edit", CHANNEL, 77)]
    stage.source.view = other(BOARD)
    assert await stage.draw() == [("edit", CHANNEL, 77)], "the hand is still under way"
    stage.discord.gate.set()
    await turns()
    assert stage.call((Kind.HAND, BEN)) == Call(QuestionId(6))
    assert stage.discord.calls == [("edit", CHANNEL, 77), ("send", 1101, 1)]


async def test_whoever_gets_up_while_their_hand_is_on_its_way_is_not_shown_it(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[0] == "dm"
    stage.source.due = [(BEN, True, 6)]
    stage.publisher.changed(TABLE)
    await turns()
    stage.source.due = []
    stage.discord.gate.set()
    await stage.publisher.flush(TABLE)
    await turns()
    assert [call for call in stage.discord.calls if call[0] == "send"] == []
    assert stage.kinds() == ["board"]


async def test_what_changed_while_somebody_was_called_is_on_the_board_at_once(stage: Stage) -> None:
    stage.posted(1)
    stage.source.due = [(BEN, True, 6)]
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[0] == "send"
    stage.publisher.changed(TABLE)
    await turns()
    stage.source.view = replace(BOARD, end_votes=2)
    stage.publisher.changed(TABLE)
    stage.discord.gate.set()
    await stage.publisher.flush(TABLE)
    boards = [call for call in stage.discord.calls if call[0] == "edit"]
    assert boards == [("edit", CHANNEL, 77)], "what was over is not drawn first"
    assert "2 votes" in text(stage.discord.shown[77])
