"""Hands that ask what is over are drawn anew, once, with what there is by then."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from types import SimpleNamespace
from typing import Any, cast

import pytest

from bot.ids import ChannelId, MessageId, QuestionId
from bot.publish.messages import (
    EDITABLE_TIME,
    SentWhisper,
    Shows,
    Surface,
    Whisper,
    editable_whispers,
)
from bot.render.custom_ids import Press, Verb
from bot.surfaces import Kind
from bot.views.snapshot import Mark, WantedHand
from bot.views.values import BetweenRoundsView, HandView
from tests.publish.stage import (
    ANN,
    ASKED,
    BEN,
    BOARD,
    CAT,
    CHANNEL,
    HEAD,
    PASSING,
    TABLE,
    Refused,
    Stage,
    other,
    turns,
)
from tests.render import samples
from tests.render.limits import presses, text

DEAL = QuestionId(2)


def moment(question: int | None, ended: int = 0) -> WantedHand:
    now = None if question is None else QuestionId(question)
    return WantedHand(DEAL, now, ended, asked=question is not None)


def asks(stage: Stage, message: int) -> list[Press]:
    """What can be played on a message."""
    found = presses(stage.discord.shown[message]).values()
    return [press for press in found if press.verb in (Verb.ACT, Verb.OPEN, Verb.COMBINE)]


async def test_a_hand_whose_question_is_answered_elsewhere_is_drawn_anew_once(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.due = [(BEN, False, DEAL)]
    stage.source.moments = {BEN: moment(None)}
    assert await stage.draw() == [("edit", CHANNEL, 77), ("edit", 1101, 88)]
    assert asks(stage, 88) == []
    stage.fresh()
    assert await stage.draw() == [("edit", CHANNEL, 77)], "also after a restart"


async def test_a_hand_that_asks_what_is_still_open_stays(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.due = [(BEN, False, DEAL)]  # a stand-in is about to answer, or a pass for the deal
    stage.source.moments = {BEN: moment(5)}
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_a_hand_that_is_drawn_anew_after_its_warning_warns_nobody_again(
    stage: Stage,
) -> None:
    stage.posted(1)
    hand = Surface(Kind.HAND, BEN, ChannelId(1101), MessageId(88), samples.NOW, Mark.ASKED)
    stage.stored(hand._replace(question=QuestionId(5), warned=True))
    stage.source.moments = {BEN: moment(5)}  # nobody wants to take a play back any more
    stage.source.due = [(BEN, True, 5, True)]
    assert await stage.draw() == [("edit", CHANNEL, 77), ("edit", 1101, 88)]
    stage.source.view = other(BOARD)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_a_kill_before_the_hand_was_drawn_anew_leaves_it_to_the_next_start(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.counted = 7
    stage.source.moments = {BEN: moment(None)}
    stage.discord.refuse = lambda call: OSError() if call[2] == 88 else None
    await stage.draw()
    assert stage.surfaces.drawn.get(TABLE) is None, "not drawn completely"
    stage.discord.refuse = lambda call: None
    stage.fresh()
    assert ("edit", 1101, 88) in await stage.draw()


async def test_the_answer_to_its_own_press_is_no_reason_to_draw_it_again(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.moments = {BEN: moment(None)}
    with stage.publisher.answering(TABLE, BEN):
        assert await stage.draw() == [("edit", CHANNEL, 77)], "the answer is on its way"
        where = ChannelId(1101), MessageId(88)
        await stage.publisher.note_direct_hand(TABLE, BEN, *where, Shows(DEAL))
    stage.source.view = other(BOARD)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_a_second_press_that_is_still_being_answered_draws_the_hand(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.moments = {BEN: moment(None)}
    with stage.publisher.answering(TABLE, BEN):
        with stage.publisher.answering(TABLE, BEN):
            pass  # the first one has its answer
        assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_the_end_of_a_round_is_told_on_every_hand_once(stage: Stage) -> None:
    stage.posted(1)
    for user, question, message in ((ANN, DEAL, 87), (BEN, 9, 88)):
        stage.panel(user, question, message)
    stage.source.moments = {ANN: moment(None, ended=1), BEN: moment(None, ended=1)}
    stage.source.pause = BetweenRoundsView(
        QuestionId(10), 1, (1, 2, 3), (1, 2, 3), frozenset(), None
    )
    calls = await stage.draw()
    assert sorted(calls[1:]) == [("edit", 1100, 87), ("edit", 1101, 88)]
    for message in (87, 88):
        assert Verb.NEXT in {press.verb for press in presses(stage.discord.shown[message]).values()}
    stage.source.view = other(BOARD)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_everybodys_hand_shows_the_result_and_nothing_to_press(stage: Stage) -> None:
    stage.posted(3)
    for user, message in ((ANN, 87), (BEN, 88), (CAT, 89)):
        stage.panel(user, 6, message)
    stage.source.view, stage.source.moments = samples.result_view(head=HEAD), {}
    await stage.draw()
    for message in (87, 88, 89):
        assert "On the leaderboard" in text(stage.discord.shown[message])
        assert list(presses(stage.discord.shown[message])) == []
    assert stage.kinds() == ["result"]
    stage.fresh()
    assert await stage.draw() == []


async def test_whoever_has_got_up_keeps_no_button_of_the_table(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(CAT, 5, 89)
    stage.source.moments = {ANN: moment(None)}
    assert ("edit", 1102, 89) in await stage.draw()
    assert "You no longer have a seat at this table" in text(stage.discord.shown[89])
    assert list(presses(stage.discord.shown[89])) == []
    assert (Kind.HAND, CAT) not in {(row[1], row[2]) for row in stage.surfaces.rows}


@pytest.mark.behaviour("A hand cannot be edited any more")
async def test_the_result_is_sent_anew_where_a_hand_is_too_old_for_another_edit(
    stage: Stage,
) -> None:
    stage.posted(3)
    stage.panel(BEN, 6, 88)
    stage.source.view, stage.source.moments = samples.result_view(head=HEAD), {}
    stage.discord.refuse = lambda c: Refused(400, 30046) if c == ("edit", 1101, 88) else None
    calls = await stage.draw()
    sent = [message for what, channel, message in calls if (what, channel) == ("send", 1101)]
    assert len(sent) == 1
    assert "On the leaderboard" in text(stage.discord.shown[sent[0]])
    assert ("delete", 1101, 88) in calls


@pytest.mark.behaviour("A hand cannot be edited any more")
async def test_a_hand_that_cannot_be_edited_goes_and_a_new_one_comes(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.due = [(BEN, False, DEAL)]
    stage.source.moments = {BEN: moment(None)}
    stage.discord.refuse = lambda c: Refused(400, 30046) if c == ("edit", 1101, 88) else None
    calls = await stage.draw()
    assert ("delete", 1101, 88) in calls
    assert any(call[:2] == ("send", 1101) for call in await stage.draw())


@pytest.mark.parametrize("code", [50007, 50278, 10003, 50001])
async def test_a_dm_that_is_closed_is_not_tried_again(stage: Stage, code: int) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.moments = {BEN: moment(None)}
    stage.discord.refuse = lambda c: Refused(403, code) if c == ("edit", 1101, 88) else None
    assert ("edit", 1101, 88) in await stage.draw()
    stage.source.view = other(BOARD)
    assert await stage.draw() == [("edit", CHANNEL, 77)]


async def test_a_slow_edit_delays_neither_the_call_of_its_owner_nor_the_next_board(
    stage: Stage,
) -> None:
    stage.set(patience=0.01)
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.moments = {BEN: moment(None)}
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[2] == 88
    await stage.draw()
    stage.source.view, stage.source.due = other(BOARD), [(BEN, True, 7)]
    stage.source.moments = {BEN: moment(7)}
    calls = await stage.draw()
    assert ("send", 1101, 1) in calls
    assert ("edit", CHANNEL, 77) in calls
    stage.discord.gate.set()
    await turns()
    assert stage.find((Kind.HAND, BEN)).message == 1


# Hands that only their owner sees in a channel


class Ephemeral:
    """As much of a message of discord.py's as a whisper needs."""

    def __init__(self, stage: Stage, message: int) -> None:
        self.id = message
        self._discord = stage.discord

    async def edit(self, **_: object) -> None:
        await self._discord._do(("whisper", 0, self.id))

    async def delete(self) -> None:
        await self._discord._do(("unwhisper", 0, self.id))


def said(stage: Stage, message: int) -> SentWhisper:
    return cast(SentWhisper, Ephemeral(stage, message))


async def test_a_newer_hand_in_the_channel_takes_the_place_of_the_one_before(stage: Stage) -> None:
    stage.posted(1)
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(QuestionId(5)))
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(DEAL))
    await stage.publisher.note_whisper(TABLE, CAT, said(stage, 2), Shows(DEAL))
    await turns()
    assert stage.discord.calls == []
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 3), Shows(QuestionId(7)))
    await turns()
    assert stage.discord.calls == [("unwhisper", 0, 1)]


async def test_a_hand_in_the_channel_is_drawn_anew_while_that_can_be(stage: Stage) -> None:
    stage.posted(1)
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(QuestionId(5)))
    stage.source.moments = {BEN: moment(5)}
    assert ("whisper", 0, 1) not in await stage.draw()
    stage.source.moments = {BEN: moment(None)}
    assert ("whisper", 0, 1) in await stage.draw()
    assert ("whisper", 0, 1) not in await stage.draw()
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(QuestionId(7)))
    stage.now += EDITABLE_TIME
    assert ("whisper", 0, 1) not in await stage.draw()
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 4), Shows(DEAL))
    await turns()
    assert ("unwhisper", 0, 1) not in stage.discord.calls, "nobody can delete it any more"


@pytest.mark.behaviour("Somebody is asked who has a hand open")
@pytest.mark.parametrize("held", [ASKED, PASSING], ids=["has a choice", "can only pass"])
async def test_a_hand_in_the_channel_comes_alive_when_its_owner_is_asked(
    held: HandView, stage: Stage
) -> None:
    stage.posted(1)
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(DEAL))
    stage.source.held = held
    stage.source.moments = {BEN: moment(None)}
    assert ("whisper", 0, 1) not in await stage.draw()
    stage.source.moments = {BEN: moment(5)._replace(asked=False)}
    assert ("whisper", 0, 1) not in await stage.draw(), "it is answered without them"
    stage.source.moments = {BEN: moment(5)}
    assert ("whisper", 0, 1) in await stage.draw()
    assert ("whisper", 0, 1) not in await stage.draw()


async def test_a_hand_by_direct_message_comes_alive_where_none_can_be_sent_any_more(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.panel(BEN, DEAL, 88)
    stage.source.moments = {BEN: moment(5)}
    assert ("edit", 1101, 88) in await stage.draw()
    assert ("edit", 1101, 88) not in await stage.draw()


@pytest.mark.parametrize("asked", [5, None], ids=["was asked", "was not asked"])
async def test_a_hand_that_was_drawn_while_the_board_was_is_not_drawn_as_it_was_before(
    stage: Stage, asked: int | None
) -> None:
    stage.posted(1)
    stage.source.moments = {BEN: moment(asked)}
    stage.source.held = ASKED
    stage.set(patience=0.01)
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call == ("edit", CHANNEL, 77)
    stage.publisher.changed(TABLE)
    await turns()
    stage.source.moments = {BEN: moment(7)}
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 3), Shows(QuestionId(7)))
    stage.publisher.changed(TABLE)
    stage.discord.gate.set()
    assert ("whisper", 0, 3) not in await stage.draw()


async def test_whoever_plays_by_direct_message_is_asked_in_the_channel_too(stage: Stage) -> None:
    stage.posted(1)
    stage.panel(BEN, 5, 88)
    stage.source.held = ASKED
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(DEAL))
    stage.source.moments = {BEN: moment(5)}
    assert ("whisper", 0, 1) in await stage.draw(), "it says whose turn it is"
    where = ChannelId(1101), MessageId(88)
    await stage.publisher.note_direct_hand(TABLE, BEN, *where, Shows(DEAL))
    stage.source.moments = {BEN: moment(None)}
    assert ("whisper", 0, 1) in await stage.draw(), "it asks what is answered"
    stage.source.moments = {BEN: moment(9)}
    assert ("whisper", 0, 1) in await stage.draw()


async def test_what_discord_does_not_let_us_draw_is_not_asked_again(stage: Stage) -> None:
    stage.posted(1)
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(QuestionId(5)))
    stage.source.moments = {BEN: moment(None)}
    stage.discord.refuse = lambda call: Refused(401, 50027) if call[0] == "whisper" else None
    assert ("whisper", 0, 1) in await stage.draw()
    assert ("whisper", 0, 1) not in await stage.draw()


async def test_a_hand_that_was_pressed_while_it_was_drawn_anew_is_drawn_once_more(
    stage: Stage,
) -> None:
    stage.set(patience=0.01)
    stage.posted(1)
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(QuestionId(5)))
    stage.source.moments = {BEN: moment(None)}
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[0] == "whisper"
    await stage.draw()
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(DEAL))
    stage.discord.gate.set()
    await turns()
    assert ("whisper", 0, 1) in await stage.draw()
    assert ("whisper", 0, 1) not in await stage.draw()


async def test_the_secret_of_a_hand_is_in_no_repr_and_stored_nowhere_and_old_ones_are_forgotten(
    stage: Stage,
) -> None:
    await stage.publisher.note_whisper(TABLE, BEN, said(stage, 1), Shows(DEAL))
    await turns()
    assert stage.surfaces.rows == {}
    now = samples.NOW
    whispers = editable_whispers(lambda: now)
    message: Any = SimpleNamespace(id=1, token="secret")
    whispers[MessageId(1)] = Whisper(message)
    assert "secret" not in repr(whispers)
    now += EDITABLE_TIME - timedelta(seconds=1)
    assert MessageId(1) in whispers
    now += timedelta(seconds=1)
    assert MessageId(1) not in whispers
    assert list(whispers) == []
