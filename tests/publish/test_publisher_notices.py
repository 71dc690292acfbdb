"""The line in the channel that calls whoever is asked and gets no hand by direct message."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from structlog.testing import capture_logs

from bot.ids import GuildId, QuestionId, UserId
from bot.publish.messages import NOTICE, Call
from bot.surfaces import Kind
from bot.tables.preferences import Preferences, Quiet
from tests.publish.stage import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    HEAD,
    TABLE,
    Refused,
    Stage,
    call,
    calls,
    turn,
    turns,
)
from tests.render import samples
from tests.render.limits import text

DAN = UserId(103)


async def test_the_line_goes_before_the_board_and_pings_only_who_is_asked(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = call(5, 1, 2)
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert stage.discord.pinged == {1: [BEN, CAT]}
    shown = text(stage.discord.shown[1])
    assert f"<@{BEN}> <@{CAT}>" in shown
    assert f"/{CHANNEL}/77" in str(stage.discord.shown[1].components), "a way to the board"
    assert stage.call(NOTICE) == Call(QuestionId(5))


async def test_there_is_one_line_for_each_question(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = call(5, 1, 2)
    await stage.draw()
    stage.source.called = call(5, 2)  # one of two has answered
    assert await stage.draw() == []
    stage.fresh()
    assert await stage.draw() == [("edit", CHANNEL, 77)], "not after a restart either"


async def test_the_line_goes_once_it_is_answered_and_nobody_else_is_asked(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = call(5)
    await stage.draw()
    stage.source.called, stage.source.view = None, turn(6)
    assert await stage.draw() == [("edit", CHANNEL, 77), ("delete", CHANNEL, 1)]
    assert stage.kinds() == ["board"]
    assert await stage.draw() == []


async def test_the_next_line_does_not_wait_for_the_old_one_to_go(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = call(5)
    await stage.draw()
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[0] == "delete"
    for question in (6, 7):
        stage.source.called, stage.source.view = call(question), turn(question)
        calls = await stage.draw()
        assert [kind for kind, *_ in calls] == ["send", "edit", "delete"], "deletes go last"
    stage.discord.gate.set()
    await turns()
    assert stage.kinds() == ["board", "notice"]


async def test_a_warning_takes_the_place_of_the_line(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = call(5)
    await stage.draw()
    stage.source.called = call(5, warned=True)
    assert await stage.draw() == [
        ("member", 1, BEN),
        ("send", CHANNEL, 2),
        ("delete", CHANNEL, 1),
    ]
    assert "time runs out" in text(stage.discord.shown[2])
    assert stage.discord.pinged[2] == [BEN]
    assert await stage.draw() == []


async def test_a_line_that_fails_leaves_the_board_and_comes_later(stage: Stage) -> None:
    stage.set(retries=(0, 3600))
    stage.posted(1)
    stage.source.called = call(5)
    stage.discord.refuse = lambda call: Refused(500, 0) if call == ("send", CHANNEL, 1) else None
    with capture_logs() as logs:
        calls = await stage.draw()
    sent, looked = ("send", CHANNEL, 1), ("history", CHANNEL, 0)
    assert calls == [sent, ("edit", CHANNEL, 77), looked, looked, ("send", CHANNEL, 2)]
    assert [entry["event"] for entry in logs] == ["message_failed"]


async def test_a_line_at_the_end_of_quiet_hours_comes_although_it_fails_once(
    stage: Stage,
) -> None:
    stage.set(retries=(0, 3600))
    stage.posted(1)
    stage.source.counted, stage.source.quiet_until = 1, stage.now + timedelta(hours=1)
    await stage.draw()
    stage.source.called, stage.source.quiet_until = call(5), None
    assert await stage.draw() == [], "nothing has changed, and it is not time yet"
    stage.later(hours=1)
    stage.discord.refuse = lambda call: Refused(500, 0) if call == ("send", CHANNEL, 1) else None
    assert ("send", CHANNEL, 2) in await stage.draw()
    assert await stage.draw() == []


RESTARTS = pytest.mark.parametrize("restarts", [False, True])


def restart(stage: Stage, restarts: bool) -> None:
    if restarts:
        stage.fresh()


def sleeps(stage: Stage, user: UserId, begin: datetime | None = None) -> None:
    """They have quiet hours, one of them, from now on or from `begin`."""
    begin = begin or stage.now
    night = Quiet(begin.time(), (begin + timedelta(hours=1)).time(), "UTC")
    stage.people.chosen[user] = Preferences(quiet=night)


@RESTARTS
async def test_nobody_is_called_again_with_somebody_who_is_asked_an_older_question(
    restarts: bool, stage: Stage
) -> None:
    stage.posted(1)
    sleeps(stage, CAT)
    stage.source.called = calls({BEN: (8, False)})
    await stage.draw()
    stage.later(hours=1)
    restart(stage, restarts)
    stage.source.called = calls({BEN: (8, False), CAT: (5, False)})
    await stage.draw()
    assert f"<@{BEN}> <@{CAT}>" in text(stage.discord.shown[2])
    assert stage.discord.pinged[2] == [CAT]
    restart(stage, restarts)
    stage.source.called = calls({CAT: (5, False)})
    assert not any(kind == "send" for kind, *_ in await stage.draw())


async def test_whoever_is_asked_anew_is_called_though_another_still_thinks(stage: Stage) -> None:
    stage.posted(1)
    stage.source.called = calls({BEN: (5, False), CAT: (5, False)})
    await stage.draw()
    stage.source.called = calls({BEN: (5, False), CAT: (8, False)})
    await stage.draw()
    assert stage.discord.pinged == {1: [BEN, CAT], 2: [CAT]}


@RESTARTS
async def test_a_warning_calls_nobody_who_has_heard_and_wants_one_call(
    restarts: bool, stage: Stage
) -> None:
    stage.posted(1)
    stage.source.called = calls({BEN: (5, False), CAT: (5, False)})
    await stage.draw()
    restart(stage, restarts)
    stage.source.called = calls({BEN: (5, True), CAT: (5, False)})
    await stage.draw()
    assert f"<@{CAT}>" not in text(stage.discord.shown[2])
    restart(stage, restarts)
    assert not any(kind == "send" for kind, *_ in await stage.draw())
    stage.source.called = calls({CAT: (5, False)})
    assert not any(kind == "send" for kind, *_ in await stage.draw()), "Ben has answered"
    assert stage.discord.pinged == {1: [BEN, CAT], 2: [BEN]}


@RESTARTS
async def test_a_warning_goes_from_the_line_once_it_is_answered_and_others_are_asked(
    restarts: bool, stage: Stage
) -> None:
    stage.posted(1)
    asked = {BEN: (5, False), CAT: (5, False), DAN: (5, False)}
    stage.source.called = calls(asked)
    await stage.draw()
    stage.source.called = calls({**asked, BEN: (5, True), DAN: (5, True)})
    await stage.draw()
    restart(stage, restarts)
    await stage.draw()
    for left, said in (((CAT, DAN), "time runs out"), ((CAT,), "it's your turn")):
        stage.source.called = calls({user: (5, user == DAN) for user in left})
        assert ("edit", CHANNEL, 2) in await stage.draw()
        shown = text(stage.discord.shown[2])
        assert (f"<@{left[-1]}>," in shown, f"<@{BEN}>" in shown) == (True, False)
        assert said in shown
        assert stage.find(NOTICE).warned == (DAN in left)
        restart(stage, restarts)
    assert stage.discord.pinged == {1: [BEN, CAT, DAN], 2: [BEN, DAN]}
    assert not any(kind == "send" for kind, *_ in await stage.draw())


@RESTARTS
async def test_such_a_line_that_cannot_be_edited_comes_anew_and_calls_nobody(
    restarts: bool, stage: Stage
) -> None:
    stage.set(retries=(0, 3600))
    stage.posted(1)
    for warned in (False, True):
        stage.source.called = calls({BEN: (5, warned), CAT: (5, False)})
        await stage.draw()
    restart(stage, restarts)
    stage.discord.refuse = lambda made: Refused(400, 30046) if made[::2] == ("edit", 2) else None
    stage.source.called = calls({CAT: (5, False)})
    for _ in range(2):
        await stage.draw()
    assert f"<@{CAT}>, it's your turn" in text(stage.discord.shown[3])
    assert stage.discord.pinged == {1: [BEN, CAT], 2: [BEN], 3: []}
    assert stage.kinds().count(Kind.NOTICE) == 1


@RESTARTS
async def test_after_a_warning_whoever_no_line_has_named_is_called_once(
    restarts: bool, stage: Stage
) -> None:
    """They want one call, and had quiet hours until now."""
    stage.posted(1)
    sleeps(stage, CAT)
    for warned in (False, True):
        stage.source.called = calls({BEN: (5, warned)})
        await stage.draw()
    restart(stage, restarts)
    stage.later(hours=1)
    stage.source.called = calls({BEN: (5, True), CAT: (5, False)})
    for _ in range(2):
        await stage.draw()
        restart(stage, restarts)
    assert "time runs out" in text(stage.discord.shown[3])
    assert stage.discord.pinged == {1: [BEN], 2: [BEN], 3: [CAT]}


@RESTARTS
@pytest.mark.parametrize("warned", [True, False])
async def test_a_line_says_another_time_once_that_holds_and_calls_nobody(
    warned: bool, restarts: bool, stage: Stage
) -> None:
    """The table has voted for a pause or a slower pace, or the bot was away."""
    stage.posted(1)
    first = stage.source.called = call(5, warned=warned)
    assert first.due is not None
    await stage.draw()
    for hours in (None, 1, 2, 24):
        restart(stage, restarts)
        due = None if hours is None else first.due + timedelta(hours=hours)
        stage.source.called = replace(first, due=due)
        assert ("edit", CHANNEL, 1) in await stage.draw()
        stamp = None if due is None else f"<t:{int(due.timestamp())}:R>"
        assert re.findall("<t:.*?>", text(stage.discord.shown[1])) == ([stamp] if stamp else [])
        assert ("edit", CHANNEL, 1) not in await stage.draw(), "once"
    assert stage.discord.pinged == {1: [BEN]}
    assert stage.call(NOTICE) == Call(QuestionId(5), warned)


async def test_after_an_answer_a_line_says_another_time_without_whoever_gave_it(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.source.called = call(5, 1, 2)
    await stage.draw()
    stage.source.called = call(5, 2)
    await stage.draw()
    stage.source.called = replace(call(5, 2), due=None)
    assert await stage.draw() == [("edit", CHANNEL, 1)]
    assert text(stage.discord.shown[1]) == f"<@{CAT}>, it's your turn."


async def test_whose_quiet_hours_begin_as_the_line_is_on_its_way_is_called_at_their_end(
    stage: Stage,
) -> None:
    """While Ben is looked for."""
    stage.set(patience=0)
    stage.posted(1)
    stage.later(minutes=31)
    begin = stage.now + timedelta(minutes=1)
    sleeps(stage, CAT, begin)
    stage.source.counted, stage.source.called = 1, call(5, 1, 2)
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda made: made == ("member", 1, BEN)
    await stage.draw()
    stage.later(minutes=2)
    stage.source.called, stage.source.quiet_until = call(5), begin + timedelta(hours=1)
    stage.discord.gate.set()
    await turns()
    await stage.publisher.flush(TABLE)
    assert stage.discord.pinged == {1: [BEN]}
    stage.later(hours=1)
    stage.source.called, stage.source.quiet_until = call(5, 1, 2), None
    await stage.draw()
    assert stage.discord.pinged == {1: [BEN], 2: [CAT]}


async def test_a_line_that_hangs_does_not_hold_up_the_board(stage: Stage) -> None:
    stage.set(patience=0.01)
    stage.posted(1)
    stage.source.called = call(5)
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda call: call[0] == "send"
    assert await stage.draw() == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    assert await stage.draw() == [], "and is not sent twice"
    stage.discord.gate.set()
    await turns()
    assert stage.call(NOTICE) == Call(QuestionId(5))


async def test_a_board_that_hangs_does_not_hold_up_the_next_line(stage: Stage) -> None:
    stage.set(glance=0)
    stage.posted(1)
    stage.source.view, stage.source.called = turn(5), call(5)
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda made: made[0] == "edit"
    stage.publisher.changed(TABLE)
    await turns()
    assert stage.discord.calls == [("send", CHANNEL, 1), ("edit", CHANNEL, 77)]
    stage.source.view, stage.source.called = turn(6), call(6, 2)
    stage.publisher.changed(TABLE)
    await turns()
    assert ("send", CHANNEL, 2) in stage.discord.calls, "the board is still on its way"
    assert stage.discord.pinged[2] == [CAT]
    assert stage.discord.calls.count(("edit", CHANNEL, 77)) == 1
    stage.discord.gate.set()
    await stage.publisher.flush(TABLE)
    await turns()
    assert stage.discord.calls.count(("edit", CHANNEL, 77)) == 2, "then it shows what is new"
    assert stage.call(NOTICE) == Call(QuestionId(6))
    assert len([made for made in stage.discord.calls if made[0] == "send"]) == 2


@pytest.mark.parametrize("over", [True, False], ids=["over", "answered"])
async def test_nobody_is_called_to_what_is_over_when_the_line_is_sent(
    over: bool, stage: Stage
) -> None:
    """While they were looked for, the match has ended, or another question has come."""
    stage.set(patience=0)
    stage.posted(1)
    stage.source.called = call(5, warned=True)
    stage.discord.gate = asyncio.Event()
    stage.discord.gated = lambda made: made == ("member", 1, BEN)
    await stage.draw()
    stage.source.called = None if over else call(6, 2)
    stage.source.view = samples.result_view(head=HEAD) if over else turn(6)
    await stage.draw()
    stage.discord.gate.set()
    await turns()
    pinged = [people for people in stage.discord.pinged.values() if people]
    assert pinged == ([] if over else [[CAT]])
    assert stage.kinds() == (["result"] if over else ["board", "notice"])


# Who left


def left(stage: Stage) -> None:
    """Whoever is looked for is not on the server any more."""
    stage.discord.refuse = lambda call: Refused(404, 10007) if call[0] == "member" else None


def by_line(stage: Stage, warned: bool = False) -> None:
    stage.source.called = call(5, warned=warned)


def by_dm(stage: Stage, warned: bool = False) -> None:
    stage.source.due = [(BEN, True, 5, warned)]


@pytest.mark.parametrize("asked", [by_line, by_dm])
async def test_whoever_left_the_server_is_named_to_the_table_and_not_called(
    asked: Callable[..., None], stage: Stage
) -> None:
    stage.posted(1)
    stage.later(minutes=31)
    asked(stage)
    left(stage)
    assert await stage.draw() == [("member", 1, BEN), ("edit", CHANNEL, 77)]
    assert stage.source.gone == [BEN]


async def test_nobody_is_looked_for_who_was_heard_of_or_looked_for_lately(stage: Stage) -> None:
    stage.posted(1)
    stage.later(minutes=31)
    stage.publisher.membership.heard(GuildId(1), BEN)
    stage.source.called = call(5)
    assert ("member", 1, BEN) not in await stage.draw()
    for question in (6, 7):
        stage.later(minutes=3)
        stage.source.called = call(question, 0)
        calls = await stage.draw()
        assert (("member", 1, ANN) in calls) == (question == 6)
    stage.later(minutes=3)
    stage.source.called = call(8, 0)
    assert ("member", 1, ANN) in await stage.draw()


@pytest.mark.parametrize("guild", [None, GuildId(2)])
async def test_what_somebody_does_elsewhere_proves_nothing(
    stage: Stage, guild: GuildId | None
) -> None:
    stage.posted(1)
    stage.later(minutes=31)
    stage.publisher.membership.heard(guild, BEN)
    stage.source.called = call(5)
    assert ("member", 1, BEN) in await stage.draw()


async def test_a_table_is_told_of_whoever_is_known_to_be_gone_although_nobody_is_asked(
    stage: Stage,
) -> None:
    """They may still sit at another one, or it may not have been stored."""
    stage.later(minutes=31)
    left(stage)
    membership = stage.publisher.membership
    for _ in range(2):
        assert await membership.has_left(TABLE, GuildId(1), BEN)
    assert stage.source.gone == [BEN, BEN]
    assert stage.discord.calls == [("member", 1, BEN)]


async def test_after_the_clock_was_set_back_whoever_has_come_back_is_called(stage: Stage) -> None:
    stage.later(days=1)
    left(stage)
    membership = stage.publisher.membership
    assert await membership.has_left(TABLE, GuildId(1), BEN)
    stage.discord.refuse = lambda call: None
    stage.later(days=-1)
    assert not await membership.has_left(TABLE, GuildId(1), BEN)


@pytest.mark.parametrize("code", [50007, 50278])
@pytest.mark.parametrize("left", [True, False])
async def test_a_closed_dm_may_mean_that_its_owner_left(
    stage: Stage, code: int, left: bool
) -> None:
    stage.posted(1)
    stage.source.due = [(BEN, True, 5)]

    def refuse(call: tuple[str, int, int]) -> Exception | None:
        if call[0] == "member":
            return Refused(404, 10007) if left else None
        return Refused(403, code) if call[1] == 1101 else None

    stage.discord.refuse = refuse
    assert ("member", 1, BEN) in await stage.draw()
    assert (stage.source.gone, stage.source.unreached) == (([BEN], []) if left else ([], [BEN]))


async def test_whoever_cannot_be_looked_for_is_called(stage: Stage) -> None:
    stage.posted(1)
    stage.later(minutes=31)
    stage.source.called = call(5)
    stage.discord.refuse = lambda call: Refused(500, 0) if call[0] == "member" else None
    assert ("send", CHANNEL, 1) in await stage.draw()
    stage.discord.allowed = None  # the server is out of sight: nothing can be asked
    stage.later(minutes=31)
    stage.source.called = call(6)
    assert ("send", CHANNEL, 2) in await stage.draw()
    assert stage.source.gone == []


async def test_whoever_is_asked_and_called_by_nothing_is_looked_for_now_and_then(
    stage: Stage,
) -> None:
    stage.posted(1)
    stage.source.quiet = [BEN]
    assert await stage.draw() == [("edit", CHANNEL, 77)], "they were heard of"
    stage.later(minutes=31)
    stage.source.view = turn(6)
    assert sorted(await stage.draw()) == [("edit", CHANNEL, 77), ("member", 1, BEN)]
    stage.later(minutes=4)
    assert await stage.draw() == []
    stage.later(minutes=2)
    left(stage)
    assert await stage.draw() == [("member", 1, BEN)]
    assert stage.source.gone == [BEN]


@pytest.mark.parametrize("asked", [by_line, by_dm])
async def test_whoever_left_just_now_is_missed_at_the_warning(
    asked: Callable[..., None], stage: Stage
) -> None:
    stage.posted(1)
    asked(stage)
    assert ("member", 1, BEN) not in await stage.draw(), "they were heard of"
    asked(stage, warned=True)
    left(stage)
    assert await stage.draw() == [("member", 1, BEN)]
    assert stage.source.gone == [BEN]


async def test_whoever_was_looked_for_lately_is_looked_for_again_at_each_warning(
    stage: Stage,
) -> None:
    stage.set(retries=(3600,))
    stage.posted(1)
    stage.fresh(heard=False)
    stage.source.called = call(5)
    assert ("member", 1, BEN) in await stage.draw()
    for question in (5, 6):
        stage.source.called = call(question, warned=True)
        stage.discord.refuse = lambda call: OSError() if call[0] == "send" else None
        assert ("member", 1, BEN) in await stage.draw()
        assert ("member", 1, BEN) not in await stage.draw(), "once, although the line failed"
        stage.discord.refuse = lambda call: None
        assert ("member", 1, BEN) not in await stage.draw()


async def test_a_hand_whose_sending_failed_late_is_sent_again_soon(stage: Stage) -> None:
    stage.set(patience=0, retries=(0.0, 3600.0), letters=(0.0,))
    stage.posted(1)
    stage.source.due = [(BEN, True, 5)]
    stage.discord.gate = asyncio.Event()
    failing = iter([Refused(500, 0)])
    stage.discord.refuse = lambda call: next(failing, None) if call[:2] == ("send", 1101) else None
    stage.discord.gated = lambda call: call[:2] == ("send", 1101)
    for _ in range(3):  # each finds the first call still under way
        await stage.draw()
    stage.discord.gate.set()
    await turns()
    assert stage.call((Kind.HAND, BEN)) == Call(QuestionId(5))
