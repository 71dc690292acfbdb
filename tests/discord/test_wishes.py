"""What people wish for beside playing, under ⋯ and on the board."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.render.custom_ids import Verb
from bot.tables.stored import Pace
from tests.discord.steps import actor, due, first, leave, match, others, stop
from tests.discord.world import Player, World

SEED = 4

pytestmark = pytest.mark.deals(SEED)


async def offered(w: World, player: Player) -> set[Verb]:
    await player.press_verb(w.board(), Verb.MORE)
    return {press.verb for press, _ in player.panel.presses(*Verb)}


@pytest.mark.behaviour("Somebody lets the others wait")
@pytest.mark.parametrize("dms", [False, True])
async def test_a_nudge_calls_whoever_is_asked_once(dms: bool, w: World) -> None:
    table = await match(w, pace=Pace.RELAXED, dms=dms)
    late = actor(w, table)
    one, other = others(w, table)
    assert Verb.NUDGE not in await offered(w, late)
    said = await one.press_more(Verb.NUDGE)
    assert "still have more than half of their time" in said
    await w.env.advance_time(301)
    before, sent = len(late.dms()), w.sent("POST")
    said = await one.press_more(Verb.NUDGE)
    assert "I have reminded everyone whose turn it is" in said
    await w.env.advance_time(2)
    if dms:
        assert "⏳ **Your time runs out" in late.dms()[-1].text
        assert len(late.dms()) == before, "the call before it goes"
    else:
        (notice,) = w.notices()
        assert f"<@{late.id}>" in notice.text
        assert late.dms() == []
    assert w.sent("POST") == sent + 1
    said = await other.press_more(Verb.NUDGE)
    assert "already reminded them" in said
    await w.restart()
    await w.env.advance_time(170)
    assert w.sent("POST") == sent + 1, "the warning is dropped"
    assert (await w.table()).ply == table.ply


@pytest.mark.behaviour("A seat of a running match is free")
async def test_a_substitute_is_called_for_once_and_the_call_is_settled(w: World) -> None:
    table = await match(w, pace=Pace.RELAXED)
    board = w.board()
    assert not board.presses(Verb.SEEK)
    await leave(w.ben)
    await w.env.advance_time(1)
    board = w.refreshed(board)
    before = w.sent("POST")
    said = await w.ann.press(board, board.only(Verb.SEEK))
    await w.env.advance_time(2)
    assert not w.refreshed(board).presses(Verb.SEEK)
    line = w.messages(w.channel.id)[-1]
    assert "needs a substitute" in line.text
    assert w.sent("POST") == before + 1, said
    again = await w.answer(w.cat, board, board.only(Verb.SEEK))
    assert "has already been told" in again
    await w.restart()
    await w.env.advance_time(5)
    assert w.sent("POST") == before + 1
    await w.dan.press(line, line.only(Verb.TAKE))
    await w.env.advance_time(5)
    now = await w.table()
    assert now.stored.seating.place_of(w.dan.id) == 1
    after = w.refreshed(line)
    assert "Dan has taken seat 2" in after.text
    assert not after.presses(*Verb)
    assert now.id == table.id


async def vote(w: World, player: Player, pace: Pace) -> str:
    await player.press_more(Verb.PACE)
    ((press, component),) = player.panel.presses(Verb.PACE)
    assert [option["value"] for option in component["options"]]
    return await player.choose(player.panel, press.encode(), pace.value)


@pytest.mark.behaviour("Somebody has less time than they thought")
async def test_the_pace_changes_by_vote(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    said = await vote(w, w.ann, Pace.DAILY)
    assert "Your vote for **daily (24 h a turn)** is counted" in said
    assert "1 of 2 votes for the pace daily (24 h a turn)" in w.board().text
    await w.restart()
    await w.env.advance_time(5)
    said = await vote(w, w.cat, Pace.DAILY)
    assert "The pace is now **daily (24 h a turn)**" in said
    assert "for the pace" not in w.board().text
    await w.env.advance_time(120)
    now = await w.table()
    assert now.ply == table.ply, "the turn that is running has the new time too"
    for player in (w.ann, w.ben):
        said = await vote(w, player, Pace.LIVE180)
    assert "From the next turn on" in said
    assert "Pace from the next turn on: live (3 min a turn)" in w.board().text
    await actor(w, now).slash("play", action=first(now))
    assert "Pace from the next turn" not in w.board().text
    assert (await w.table()).stored.timing.pace is Pace.LIVE180


@pytest.mark.parametrize("dms", [False, True])
async def test_hands_say_the_new_time_and_whoever_was_warned_is_warned_again(
    dms: bool, w: World
) -> None:
    table = await match(w, pace=Pace.LIVE60, dms=dms)
    late = actor(w, table)
    await late.hand()
    await w.env.advance_time(47)
    if dms:
        assert "⏳ **Your time runs out" in late.dms()[-1].text
    for player in others(w, table):
        await vote(w, player, Pace.DAILY)
    await w.env.advance_time(5)
    turn = due(await w.table())
    until = f"Your time runs out <t:{int(turn.timestamp())}:R>"
    assert turn - w.now() > timedelta(hours=23)
    shown = [*w.whispers(late), *(late.dms()[-1:] if dms else w.notices())]
    asking = [one for one in shown if one.presses(Verb.ACT, Verb.OPEN) or one.calls]
    assert len(asking) == 2
    assert all(until in one.text for one in asking), asking
    for _ in range(12):
        w.skip(timedelta(hours=1))
        await w.env.advance_time(61)
    before = w.sent("POST")
    said = await others(w, table)[0].press_more(Verb.NUDGE)
    assert "I have reminded everyone whose turn it is" in said
    await w.env.advance_time(5)
    assert w.sent("POST") == before + 1
    assert (await w.table()).ply == table.ply


async def test_after_the_match_nobody_is_asked_for_another_pace(w: World) -> None:
    table = await match(w, pace=Pace.LIVE60)
    await w.ann.press_verb(w.board(), Verb.MORE)
    more = w.ann.panel
    await stop(w, table)
    said = await w.answer(w.ann, more, more.only(Verb.PACE))
    assert "This table is closed" in said
    await w.env.advance_time(5)
    await w.ann.press_verb(w.board(), Verb.MORE)
    assert [press.verb for press, _ in w.ann.panel.presses(*Verb)] == [
        Verb.LOG, Verb.RULES, Verb.SHARE_TABLE,
    ]  # fmt: skip
