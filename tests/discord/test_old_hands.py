"""Hands of before: a press on one draws what there is now in its place, whatever came between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from tests.discord.steps import actor, leave, match, play, pressable, stop
from tests.discord.test_panels import OF_THE_MATCH
from tests.discord.test_restored import SAID, brought_back, by_command, saved
from tests.discord.world import World


async def ends(w: World, table: Table) -> str:
    await play(w, table)
    return "the result"


async def is_stopped(w: World, table: Table) -> str:
    await stop(w, table)
    return "counts for nobody"


@pytest.mark.every_case
@pytest.mark.parametrize("over", [ends, is_stopped])
@pytest.mark.parametrize("age", [timedelta(minutes=2), timedelta(hours=3)])
@pytest.mark.behaviour("Somebody presses on a hand of a match that is over")
async def test_a_hand_in_a_channel_of_before_a_restart_becomes_the_result(
    over: Callable[[World, Table], Awaitable[str]], age: timedelta, w: World
) -> None:
    table = await play(w, await match(w), 2)
    player, panel, _ = await pressable(w, table)
    await w.restart()
    said = await over(w, table)
    w.skip(age)
    await w.env.advance_time(5)
    old = w.refreshed(panel)
    press, _ = old.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)[0]
    before = len(w.whispers(player))
    await player.press(old, press.encode())
    now = w.refreshed(panel)
    assert said in now.text
    assert not now.presses(*OF_THE_MATCH)
    assert len(w.whispers(player)) == before


async def test_a_hand_of_somebody_who_has_got_up_becomes_the_table_as_others_see_it(
    w: World,
) -> None:
    table = await play(w, await match(w), 2)
    player, panel, _ = await pressable(w, table)
    await w.restart()
    await leave(player)
    await w.env.advance_time(5)
    press, _ = w.refreshed(panel).presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)[0]
    await player.press(w.refreshed(panel), press.encode())
    now = w.refreshed(panel)
    assert "You are not at this table" in now.text
    assert not now.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)


async def test_every_press_of_a_hand_draws_the_result_in_its_place(w: World) -> None:
    table = await play(w, await match(w), 2)
    player, panel, _ = await pressable(w, table)
    await stop(w, table)
    verbs = (Verb.ACT, Verb.OPEN, Verb.COMBINE, Verb.STANDING, Verb.BACK, Verb.NEXT)
    for verb in (*verbs, Verb.WHY, Verb.HINT, Verb.NO_TIPS, Verb.HAND, Verb.LEAVE_NOW):
        question = table.questions[table.actors[0]]
        w.env.backend.get_message(panel.channel, panel.id).components = panel.components
        record = w.emit(player, panel, Press(verb, table.id, question, "1").encode())
        await w.env.settle()
        assert record.responded
        now = w.refreshed(panel)
        assert "counts for nobody" in now.text, verb
        assert not now.presses(*OF_THE_MATCH), verb


@pytest.mark.behaviour("The database was restored")
async def test_whoever_plays_by_direct_message_hears_that_a_restoration_ended_the_match(
    w: World,
) -> None:
    table = await match(w, dms=True)
    copy = saved(w)
    later = await play(w, table, 7)
    player, known = actor(w, later), {p.name: len(p.dms()) for p in w.people(3)}
    unknown = player.dm()
    await brought_back(w, by_command, copy)
    for one in w.people(3):
        assert SAID in one.dm().text
        assert not one.dm().presses(*OF_THE_MATCH)
        assert len(one.dms()) <= known[one.name] + 1
    assert player.dm().id > unknown.id
    press, _ = w.refreshed(unknown).presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)[0]
    await player.press(unknown, press.encode())
    now = w.refreshed(unknown)
    assert SAID in now.text
    assert not now.presses(*OF_THE_MATCH)
    heard = [len(one.dms()) for one in w.people(3)]
    await w.restart()
    await w.env.advance_time(60)
    assert [len(one.dms()) for one in w.people(3)] == heard


@pytest.mark.behaviour("The database was restored")
async def test_a_hand_of_a_match_that_the_copy_knows_only_as_a_lobby_is_closed_too(
    w: World,
) -> None:
    await w.ann.slash("newgame", game="aufundab", length=1, seats=3)
    await w.ben.press_verb(w.board(), Verb.JOIN)
    await w.cat.press_verb(w.board(), Verb.JOIN)
    copy = saved(w)
    await w.ann.slash("start")
    await w.env.advance_time(6)
    player = actor(w, await w.table())
    unknown = player.dm()
    await brought_back(w, by_command, copy)
    assert SAID in player.dm().text
    press, _ = w.refreshed(unknown).presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)[0]
    await player.press(unknown, press.encode())
    assert SAID in w.refreshed(unknown).text
    assert not w.refreshed(unknown).presses(*OF_THE_MATCH)


@pytest.mark.behaviour("The database was restored")
async def test_a_hand_of_a_match_that_the_copy_does_not_know_is_put_away(w: World) -> None:
    copy = saved(w)
    table = await match(w, dms=True)
    player = actor(w, table)
    unknown = player.dm()
    await brought_back(w, by_command, copy)
    press, _ = unknown.presses(Verb.ACT, Verb.OPEN, Verb.COMBINE)[0]
    await player.press(unknown, press.encode())
    assert "I don't know that table" in w.refreshed(unknown).text
    assert not w.refreshed(unknown).presses(*OF_THE_MATCH)
