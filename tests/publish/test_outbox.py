"""Messages are written down before they are sent, and found again after a crash."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from typing import Final

import discord
import pytest

from bot.ids import MessageId, QuestionId
from bot.publish.messages import BOARD as BOARD_SLOT
from bot.publish.messages import NOTICE, Sending, Surface
from bot.render.pages import note
from bot.surfaces import Kind
from bot.tables.stored import Offer
from bot.views.values import ClosedView
from tests.publish.stage import (
    ANN,
    BEN,
    BOARD,
    CAT,
    CHANNEL,
    HEAD,
    QUIET,
    TABLE,
    Call,
    Refused,
    Stage,
    call,
    other,
    turns,
)
from tests.publish.test_publisher_rounds import SHUFFLING, running
from tests.render import samples
from tests.render.limits import text

MEANT: Final = Surface(*BOARD_SLOT, CHANNEL, MessageId(0), samples.NOW, round=1)
"""A board on its way."""


def board(stage: Stage) -> None:
    stage.source.view = BOARD


def opening(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view, stage.source.dealt = SHUFFLING, running(2)


def result(stage: Stage) -> None:
    stage.posted(1)
    stage.source.view = samples.result_view(head=HEAD)


def hand(stage: Stage) -> None:
    stage.posted(1)
    stage.source.due = [(ANN, True, 5)]


def line(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = call(5)


def offer(stage: Stage) -> None:
    stage.posted(1)
    stage.source.sought = {2: 5}


SITUATIONS: Final = (board, opening, result, hand, line, offer)
"""A table where one message is due."""


def dies_at(stage: Stage, *, arrives: bool) -> Callable[[Call], Exception | None]:
    """Discord's first answer to a sending comes too late; the store stays as it was then."""

    def refuse(made: Call) -> Exception | None:
        if made[0] != "send":
            return None
        rows = dict(stage.surfaces.rows)
        announced = [row for row in rows.values() if row[0] == Kind.SENDING]
        assert [row[3] for row in announced] == [0], "written down before it is sent"
        assert announced[0][2] == made[1], "with its channel"
        stage.discord.refuse = lambda later: OSError("dead")
        stage.surfaces.rows = rows
        stage.surfaces.broken = True
        return None if arrives else OSError("dead")

    return refuse


async def after_a_crash(stage: Stage, situation: Callable[[Stage], None], arrives: bool) -> None:
    """A program that was started again after it had died while it sent."""
    stage.set(retries=(3600,))
    situation(stage)
    stage.discord.newest = 100  # newer than what was there
    stage.discord.refuse = dies_at(stage, arrives=arrives)
    await stage.draw()
    stage.surfaces.broken = False
    stage.discord.refuse = lambda made: None
    stage.fresh()
    stage.discord.calls.clear()


def sent(stage: Stage) -> list[int]:
    return [message for what, _, message in stage.discord.calls if what == "send"]


def alive(stage: Stage) -> list[int]:
    """What is there and known as something that people look at."""
    known = {
        row[3]
        for row in stage.surfaces.rows.values()
        if row[0] not in (Kind.RETIRED, Kind.REPLACED, Kind.SENDING)
    }
    return sorted(known)


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("minutes", [0, 10])
@pytest.mark.parametrize("chatter", [0, 300], ids=["quiet", "busy"])
@pytest.mark.behaviour("The bot or its machine dies")
async def test_what_was_sent_when_the_program_died_is_found_and_taken_over(
    situation: Callable[[Stage], None], minutes: int, chatter: int, stage: Stage
) -> None:
    """However much is written in the minutes around it."""
    stage.discord.chatter = chatter
    await after_a_crash(stage, situation, arrives=True)
    first = max(stage.discord.shown)
    stage.later(minutes=minutes)
    await stage.draw()
    assert sent(stage) == [], "it is there already"
    assert first in alive(stage)
    assert Kind.SENDING not in stage.kinds()


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("ahead", [timedelta(minutes=7), timedelta(days=400)], ids=str)
@pytest.mark.parametrize("set_right", [False, True], ids=["still", "set right"])
@pytest.mark.behaviour("The machine sleeps")
async def test_what_was_written_down_by_a_clock_that_was_ahead_is_found(
    situation: Callable[[Stage], None], ahead: timedelta, set_right: bool, stage: Stage
) -> None:
    await after_a_crash(stage, situation, arrives=True)
    first = max(stage.discord.shown)
    stage.discord.time = stage.now - ahead
    if set_right:
        stage.now -= ahead
    await stage.draw()
    assert sent(stage) == [], "it is there already"
    assert first in alive(stage)
    assert Kind.SENDING not in stage.kinds()


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("minutes", [0, 10])
async def test_what_never_arrived_is_sent(
    situation: Callable[[Stage], None], minutes: int, stage: Stage
) -> None:
    await after_a_crash(stage, situation, arrives=False)
    lost = stage.discord.nonces[stage.discord.newest]
    stage.later(minutes=minutes)
    await stage.draw()
    assert len(sent(stage)) == 1
    if not minutes:
        assert stage.discord.nonces[sent(stage)[0]] == lost, "by the name that it had"
        assert len(lost or "") <= 25, "Discord's limit"
    assert Kind.SENDING not in stage.kinds()


@pytest.mark.parametrize("situation", SITUATIONS)
@pytest.mark.parametrize("arrives", [True, False])
@pytest.mark.parametrize("minutes", [0, 10])
async def test_whoever_is_asked_is_called_although_something_cannot_be_looked_for(
    situation: Callable[[Stage], None], arrives: bool, minutes: int, stage: Stage
) -> None:
    """It may be there: it is sent as soon as that is known, and never twice."""
    await after_a_crash(stage, situation, arrives=arrives)
    before = set(stage.discord.shown)
    stage.discord.refuse = lambda made: Refused(500, 0) if made[0] == "history" else None
    stage.source.due = [*stage.source.due, (CAT, True, 6)]
    stage.later(minutes=minutes)
    await stage.draw()
    called = [stage.discord.marks[message][0] for message in sent(stage)]
    assert called == ([] if situation is opening else [1000 + CAT]), "before a deal nobody is asked"
    stage.discord.refuse = lambda made: None
    await stage.draw()
    again = [message for message in sent(stage) if stage.discord.marks[message][0] != 1000 + CAT]
    assert len(again) == (0 if arrives else 1)
    assert before <= {*alive(stage), 77}
    assert Kind.SENDING not in stage.kinds()


@pytest.mark.parametrize("situation", [each for each in SITUATIONS if each is not hand])
@pytest.mark.parametrize("arrives", [True, False])
@pytest.mark.parametrize("minutes", [0, 10])
async def test_nothing_is_sent_again_before_the_server_is_in_sight(
    situation: Callable[[Stage], None], arrives: bool, minutes: int, stage: Stage
) -> None:
    """A draw begins when the connection stands, and Discord tells of the servers after that."""
    await after_a_crash(stage, situation, arrives=arrives)
    before = set(stage.discord.shown)
    permissions, stage.discord.allowed = stage.discord.allowed, None
    stage.later(minutes=minutes)
    await stage.draw()
    assert sent(stage) == []
    stage.discord.allowed = permissions
    await stage.draw()
    assert len(sent(stage)) == (0 if arrives else 1)
    assert before <= {*alive(stage), 77}
    assert Kind.SENDING not in stage.kinds()


async def test_what_arrives_after_it_was_looked_for_is_looked_for_again(stage: Stage) -> None:
    """Although the table is over, and nothing else is drawn any more."""
    stage.set(retries=(3600,))
    stage.posted(1)
    stage.source.called = call(5)
    stage.discord.newest = 100
    stage.discord.refuse = lambda made: Refused(500, 0) if made[0] == "send" else None
    await stage.draw()
    (late,) = stage.discord.marks
    stage.discord.refuse = lambda made: None
    stage.source.called = None
    stage.source.view = samples.result_view(head=HEAD)
    await stage.draw()
    assert Kind.SENDING in stage.kinds()
    stage.discord.shown[late] = note("late")
    stage.later(minutes=10)
    workers = stage.publisher._draw_tasks
    state = workers.state(TABLE)
    assert state.schedule.timer is not None, "it is drawn again"
    workers.begin(state)
    await turns()
    assert late not in stage.discord.shown
    assert stage.kinds() == [Kind.RESULT]


async def test_a_board_that_cannot_be_looked_for_is_sent_again_by_its_name(stage: Stage) -> None:
    """Without *Read Message History*: to Discord it is the same message for some minutes."""
    stage.discord.allowed = discord.Permissions(
        view_channel=True, send_messages=True, send_messages_in_threads=True
    )
    stage.posted(1)
    stage.noted(MEANT, "abc")
    await stage.draw()
    assert "history" not in [what for what, *_ in stage.discord.calls]
    assert [stage.discord.nonces[message] for message in sent(stage)] == ["abc"]

    stage.noted(MEANT, "abc")
    stage.discord.calls.clear()
    stage.later(minutes=10)
    await stage.draw()
    assert sent(stage) == [], "later it is given up"
    assert Kind.SENDING not in stage.kinds()


async def test_a_board_that_cannot_be_looked_for_is_sent_again_once(stage: Stage) -> None:
    """A newer round's board takes its place: its own name is another one."""
    stage.discord.allowed = discord.Permissions(
        view_channel=True, send_messages=True, send_messages_in_threads=True
    )
    stage.posted(1)
    stage.noted(MEANT, "abc")
    stage.source.view = other(BOARD, 2)
    for _ in range(3):
        stage.later(seconds=10)
        await stage.draw()
    boards = [message for message, nonce in stage.discord.nonces.items() if nonce != "abc"]
    assert len(boards) == 1


async def test_of_two_messages_the_later_one_stays(stage: Stage) -> None:
    stage.line(5, 90)
    stage.posted(1)
    stage.source.called = call(5)
    line = Surface(*NOTICE, CHANNEL, MessageId(0), samples.NOW, question=QuestionId(4))
    stage.discord.marks[80] = (CHANNEL, Sending(line, "abc").mark)
    stage.discord.shown[80] = note("x")
    stage.noted(line, "abc")
    await stage.draw()
    assert stage.find(NOTICE).message == 90
    assert ("delete", CHANNEL, 80) in stage.discord.calls


async def test_a_board_that_gave_way_is_replaced_by_a_line_whenever_that_works(
    stage: Stage,
) -> None:
    stage.set(retries=(3600,))
    stage.posted(1)
    edits = [("edit", CHANNEL, 77)]
    stage.discord.refuse = lambda made: Refused(503, 0) if made in edits else None
    await stage.publisher.repost(TABLE)
    assert stage.kinds().count(Kind.REPLACED) == 1
    edits.clear()
    stage.fresh()
    stage.discord.calls.clear()
    assert ("edit", CHANNEL, 77) in await stage.draw()
    assert Kind.REPLACED not in stage.kinds()
    assert stage.find(BOARD_SLOT).message != 77


@pytest.mark.parametrize("situation", [hand, line])
async def test_what_was_withdrawn_and_is_asked_for_again_is_another_message(
    situation: Callable[[Stage], None], stage: Stage
) -> None:
    """By the nonce of then Discord might answer with what it was: deleted, or drawn over."""
    situation(stage)
    await stage.draw()
    (first,) = sent(stage)
    due, called = stage.source.due, stage.source.called
    stage.source.due, stage.source.called = (), None
    stage.source.moments = {}  # they have got up
    await stage.draw()
    situation(stage)
    stage.source.due, stage.source.called = due, called
    stage.source.moments = dict(QUIET)
    await stage.draw()
    (second,) = sent(stage)
    assert stage.discord.nonces[first] != stage.discord.nonces[second]


@pytest.mark.parametrize("over", [False, None])
@pytest.mark.parametrize("declines", [True, False])
async def test_who_was_invited_is_called_once_as_long_as_the_table_is_open(
    declines: bool, over: bool | None, stage: Stage
) -> None:
    stage.source.view, stage.source.invited = samples.lobby_view(head=HEAD), {BEN: True}
    stage.posted(0)
    await stage.draw()
    (line,) = stage.discord.nonces
    if declines:
        await stage.publisher.declined(TABLE, BEN)
    else:
        stage.source.invited = {BEN: over}
        assert ("edit", CHANNEL, line) in await stage.draw()
        stage.source.invited = {BEN: True}
    for _ in range(2):
        stage.fresh()
        await stage.draw()
    assert list(stage.discord.nonces) == [line]
    stage.source.invited, stage.source.view = {}, ClosedView(HEAD, "ended")
    await stage.draw()
    assert Kind.INVITATION not in stage.kinds()


@pytest.mark.parametrize("declines", [True, False])
async def test_who_may_sit_down_only_later_is_called_then(declines: bool, stage: Stage) -> None:
    stage.source.view, stage.source.invited = samples.lobby_view(head=HEAD), {BEN: None}
    stage.posted(0)
    await stage.draw()
    assert Kind.INVITATION not in stage.kinds()
    if declines:
        await stage.publisher.declined(TABLE, BEN)
    stage.source.invited = {BEN: True}
    await stage.draw()
    assert len(stage.discord.nonces) == (0 if declines else 1)


async def test_standing_lines_turn_to_the_language_that_the_server_chooses(stage: Stage) -> None:
    stage.source.view = samples.lobby_view(head=HEAD)
    stage.source.invited, stage.source.sought = {BEN: True}, {2: 1}
    stage.source.offered = {CAT: Offer(stage.now, 1)}
    stage.source.called = call(5)
    stage.stored(Surface(Kind.CALL, 9, CHANNEL, MessageId(90), samples.NOW))
    stage.posted(0)
    await stage.draw()
    before = {sent: text(stage.discord.shown[sent]) for sent in stage.discord.nonces}
    assert len(before) == 4
    head = replace(HEAD, locale="de")
    stage.source.view = samples.lobby_view(head=head)
    stage.source.called = replace(call(5), head=head)
    failing = iter([Refused(500, 0)])
    stage.discord.refuse = lambda made: next(failing, None) if made[::2] == ("edit", 1) else None
    for _ in range(2):
        await stage.draw()
    assert all(text(stage.discord.shown[sent]) != said for sent, said in before.items())
    assert "eröffnet" in text(stage.discord.shown[90])
    assert [*stage.discord.nonces] == [*before]
    assert not any(made[2] in {*before, 90} for made in await stage.draw())


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_the_line_of_an_offer_says_until_when_it_stands_and_nothing_while_it_waits(
    stage: Stage,
) -> None:
    stage.source.view = samples.lobby_view(head=HEAD)
    stage.posted(0)
    times = []
    for waits, minutes in ((True, 2), (False, 60), (False, 62), (True, 62)):
        stage.source.offers_wait = waits
        stage.source.offered = {BEN: Offer(stage.now + timedelta(minutes=minutes), 1)}
        await stage.draw()
        assert not any(call[2] == 1 for call in await stage.draw())
        stage.fresh()
        times.append(re.findall(r"<t:(\d+):R>", text(stage.discord.shown[1])))
    assert stage.discord.pinged == {1: [BEN]}, "one line, which calls once"
    now = int(stage.now.timestamp())
    assert times == [[], [str(now + 3600)], [str(now + 3720)], []]
    stage.discord.refuse = lambda call: Refused(403, 50001) if call[2] == 1 else None
    stage.source.offers_wait = False
    await stage.draw()
    stage.source.offered = {}
    stage.discord.refuse = lambda call: None
    await stage.draw()
    assert "has joined" in text(stage.discord.shown[1])


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_an_offer_that_cannot_be_edited_any_longer_comes_anew_without_a_call(
    stage: Stage,
) -> None:
    stage.source.view = samples.lobby_view(head=HEAD)
    stage.posted(0)
    stage.source.offered = {BEN: Offer(stage.now + timedelta(minutes=2), 1)}
    await stage.draw()
    stage.discord.refuse = lambda made: Refused(400, 30046) if made[::2] == ("edit", 1) else None
    stage.source.offered = {BEN: Offer(stage.now + timedelta(minutes=62), 1)}
    assert {("send", CHANNEL, 2), ("delete", CHANNEL, 1)} <= set(await stage.draw())
    assert stage.kinds().count(Kind.OFFER) == 1
    assert f"<t:{int(stage.now.timestamp()) + 3720}:R>" in text(stage.discord.shown[2])
    assert stage.discord.pinged == {1: [BEN], 2: []}
    assert not any(kind == "send" for kind, *_ in await stage.draw())


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_who_is_offered_a_seat_again_is_called_again_only_after_a_while(stage: Stage) -> None:
    stage.source.view = samples.lobby_view(head=HEAD)
    stage.posted(0)
    for number in (1, 2, 3):
        stage.source.offered = {BEN: Offer(stage.now, number)}
        await stage.draw()
        stage.source.offered = {}
        await stage.draw()
        stage.fresh()
    assert len(stage.discord.nonces) == 1
    stage.source.offered = {BEN: Offer(stage.now, 4), CAT: Offer(stage.now, 4)}
    await stage.draw()
    assert len(stage.discord.nonces) == 2, "others are"
    stage.later(minutes=5)
    await stage.draw()
    assert len(set(stage.discord.nonces.values())) == 3
    stage.source.offered, stage.source.view = {}, ClosedView(HEAD, "ended")
    await stage.draw()
    assert Kind.OFFER not in stage.kinds()


@pytest.mark.behaviour("The bot may no longer write")
async def test_what_may_not_be_drawn_over_is_drawn_over_when_it_may(stage: Stage) -> None:
    """A board that gave way, and a line that offers a seat."""
    stage.posted(1)
    invited = Surface(Kind.INVITATION, BEN, CHANNEL, MessageId(90), samples.NOW)
    stage.stored(invited)
    refused = [("edit", CHANNEL, 77), ("edit", CHANNEL, 90)]
    stage.discord.refuse = lambda made: Refused(403, 50013) if made in refused else None
    await stage.publisher.repost(TABLE)
    assert set(refused) <= set(stage.discord.calls)
    assert {Kind.REPLACED, Kind.INVITATION} < set(stage.kinds())
    stage.discord.refuse = lambda made: None
    assert set(refused) <= set(await stage.draw())
    assert stage.kinds() == [Kind.BOARD]
