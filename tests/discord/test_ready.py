"""*Ready*: a match that begins without its host, at any table and at a planned one."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.customs import Customs, WaitTimes
from bot.tables.lobby import agreement
from bot.tables.model import Table
from bot.tables.stored import Pace, Status
from tests.discord.steps import dealt, lobby, match, minutes, stop, tables
from tests.discord.test_planning import come, pass_time, plan, seated
from tests.discord.world import World


async def ready(w: World, *names: str) -> Table:
    """The table once these have pressed *Ready* on its board."""
    for name in names:
        await w.players[name].press_verb(w.board(), Verb.READY)
    await w.env.advance_time(1)
    return await w.table()


def pressed(table: Table) -> str:
    """What *Ready* says that is not shown yet."""
    return Press(Verb.READY, table.id, argument=agreement(table.stored)).encode()


async def test_three_at_a_game_for_six_are_dealt_to_once_they_are_ready(w: World) -> None:
    await lobby(w, "Ann", "Ben", game="sticheln", seats=6)
    assert not w.board().presses(Verb.READY)
    said = await w.answer(w.ben, w.board(), pressed(await w.table()))
    assert "It takes 3 people to start, and 2 are here" in said
    assert "It takes 3 people to start" in await w.ben.slash("start")
    await w.cat.press_verb(w.board(), Verb.JOIN)
    assert "Start with 3? The cards are dealt once everybody here" in w.board().text
    assert w.board().presses(Verb.JOIN)
    first = w.board()
    await w.cat.press_verb(w.board(), Verb.READY)
    assert "3. **Cat** ✓" in w.board().text
    assert "Ready: Cat (1 of 3)" in w.board().text
    await w.ann.press_verb(w.board(), Verb.READY)
    assert "1. **Ann** · host ✓" in w.board().text
    assert "Ready: Ann and Cat (2 of 3)" in w.board().text
    assert "You are not at this table" in await w.dan.press_verb(w.board(), Verb.READY)
    await w.restart()
    await w.env.advance_time(60)
    assert (await w.table()).stored.status is Status.LOBBY
    assert "You're ready." in await w.ben.slash("start")
    await w.env.advance_time(1)
    table = await dealt(w, await w.table())
    assert seated(table) == ["Ann", "Ben", "Cat"]
    assert len(table.stored.seating.places) == 3
    assert w.board().presses(Verb.HAND)
    assert len(w.boards()) == 1
    stale = Press(Verb.READY, table.id).encode()
    assert "already" in await w.answer(w.ben, first, stale)
    assert (await w.table()).stored.version == table.stored.version


async def test_when_the_fourth_leaves_three_who_were_ready_are_asked_again(w: World) -> None:
    await lobby(w, "Ann", "Ben", "Cat", "Dan", game="sticheln", seats=6)
    await ready(w, "Ann", "Ben", "Cat")
    await w.dan.press_verb(w.board(), Verb.LEAVE)
    await w.env.advance_time(60)
    assert (await w.table()).stored.status is Status.LOBBY
    assert "Start with 3?" in w.board().text
    assert "✓" not in w.board().text
    await ready(w, "Ann", "Cat")
    await w.eve.press_verb(w.board(), Verb.JOIN)
    assert "Ready: Ann and Cat (2 of 4)" in w.board().text
    assert (await ready(w, "Ben")).stored.status is Status.LOBBY
    assert (await ready(w, "Eve")).stored.status is Status.RUNNING


@pytest.mark.behaviour("In a lobby somebody leaves after others have pressed")
@pytest.mark.parametrize("what", ["rules", "company"])
async def test_ready_on_a_copy_of_before_shows_the_lobby_that_there_is(what: str, w: World) -> None:
    table = await lobby(w, "Ann", "Ben", "Cat", "Dan", game="sticheln", seats=6)
    await w.ben.slash("watch")
    copy, board = w.ben.panel, w.board()
    if what == "rules":
        await w.directly(
            tables(w).change_options(table.id, w.ann.id, {}, Customs(hints=False), Pace.LIVE60)
        )
    else:
        await w.dan.press_verb(w.board(), Verb.LEAVE)
        await w.eve.press_verb(w.board(), Verb.JOIN)
    others = ("Ann", "Cat", "Dan" if what == "rules" else "Eve")
    await ready(w, *others)
    old = copy.only(Verb.READY)
    for shown in (copy, board):
        said = await w.answer(w.ben, shown, old)
        assert "The table moved on while you pressed" in said
        assert ("60 s a turn" in said) if what == "rules" else ("Eve" in said)
        assert (await w.table()).stored.status is Status.LOBBY
    await w.ben.press_verb(w.refreshed(copy), Verb.READY)
    await w.env.advance_time(1)
    assert (await w.table()).stored.status is Status.RUNNING


async def test_start_on_a_copy_of_before_shows_the_new_host_the_lobby_that_there_is(
    w: World,
) -> None:
    table = await lobby(w, "Ann", "Ben", "Cat", game="sticheln", seats=6)
    await w.ben.slash("watch")
    copy = w.ben.panel
    await w.directly(
        tables(w).change_options(table.id, w.ann.id, {}, Customs(hints=False), Pace.LIVE60)
    )
    await w.directly(tables(w).hand_over(table.id, w.ann.id, w.ben.id))
    said = await w.ben.press_verb(copy, Verb.START)
    assert "The table moved on while you pressed" in said
    assert "60 s a turn" in said
    assert (await w.table()).stored.status is Status.LOBBY
    await w.ben.press_verb(w.ben.panel, Verb.START)
    await w.env.advance_time(1)
    assert (await w.table()).stored.status is Status.RUNNING


@pytest.mark.behaviour("Not everybody comes to a rematch at once")
async def test_a_rematch_does_not_begin_past_somebody_whose_seat_is_held(w: World) -> None:
    await stop(w, await match(w, "Ann", "Ben", "Cat", "Dan", pace=Pace.LIVE60))
    await w.env.advance_time(1)
    await w.ann.press_verb(w.board(), Verb.REMATCH)
    for player in (w.ben, w.cat):
        await player.press_verb(w.board(), Verb.JOIN)
    table = await ready(w, "Ann", "Ben", "Cat")
    assert table.stored.status is Status.LOBBY
    assert "A seat is held for somebody from the last match" in w.board().text
    assert "pressed **Ready** and no seat is held any more" in w.board().text
    assert "Ready: Ann, Ben, and Cat (3 of 3)" in w.board().text
    await minutes(w, Pace.LIVE60.waits.keep // timedelta(minutes=1))
    await w.env.advance_time(2)
    table = await w.table()
    assert table.stored.status is Status.RUNNING
    assert seated(table) == ["Ann", "Ben", "Cat"]


# Planned tables


async def opened(w: World, *others: str, game: str = "sticheln", **options: Any) -> Table:
    """The lobby of a plan of Ann's to which the others come too, which has just opened."""
    await w.ann.slash("newgame", game=game, length=1, at="in 1h", **options)
    await come(w, *others)
    shown = plan(w)
    time = "12 hours" if options.get("pace") == Pace.DAILY.value else "5 minutes"
    assert f"{time} later the match starts with whoever has pressed **Ready**" in shown.text
    await pass_time(w, hours=1)
    return await w.table()


async def five_minutes(w: World) -> Table:
    await minutes(w, WaitTimes().start // timedelta(minutes=1))
    await w.env.advance_time(2)
    return await w.table()


@pytest.mark.behaviour("The time of a planned table comes")
async def test_a_planned_table_starts_with_whoever_is_ready(w: World) -> None:
    table = await opened(w, "Ben", "Cat", "Dan", "Eve")
    line = next(one for one in w.messages(w.channel.id) if "has opened" in one.text)
    (letter,) = w.ben.dms()
    for shown in (line, letter):
        # No `in 4 minutes`: what is never drawn again would say `2 hours ago` in the evening.
        assert re.search(r"keeps a seat there: at <t:\d+:t> the match starts", shown.text)
    assert "Starts <t:" in w.board().text
    assert "the others lose their seats" in w.board().text
    await ready(w, "Dan", "Eve", "Ben")
    assert "Ready: Ben, Dan, and Eve (3 of 5)" in w.board().text
    await w.restart()
    now = await five_minutes(w)
    assert (now.id, now.stored.status) == (table.id, Status.RUNNING)
    assert seated(now) == ["Ben", "Dan", "Eve"]
    assert now.stored.seating.host == w.ben.id, "who planned it did not come"
    assert (await dealt(w, now)).actors


@pytest.mark.behaviour("The time of a planned table comes")
async def test_it_starts_at_once_when_everybody_is_ready(w: World) -> None:
    await opened(w, "Ben", "Cat")
    table = await ready(w, "Cat", "Ann", "Ben")
    assert table.stored.status is Status.RUNNING
    assert seated(table) == ["Ann", "Ben", "Cat"]


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
async def test_with_too_few_it_waits_and_starts_as_soon_as_they_are_enough(w: World) -> None:
    table = await opened(w, "Ben", "Cat")
    await ready(w, "Ben", "Cat")
    assert (await five_minutes(w)).stored.status is Status.LOBBY
    assert seated(await w.table()) == ["Ann", "Ben", "Cat"]
    assert "Starts as soon as enough people have pressed **Ready**" in w.board().text
    await w.restart()
    await w.dan.press_verb(w.board(), Verb.JOIN)
    table = await ready(w, "Dan")
    assert table.stored.status is Status.RUNNING
    assert seated(table) == ["Ben", "Cat", "Dan"]


@pytest.mark.behaviour("Too few are ready when a planned table is to start")
async def test_where_too_few_sit_ready_is_shown_and_nobody_loses_their_seat(w: World) -> None:
    table = await opened(w, "Ben")
    assert not w.board().presses(Verb.READY), "it cannot be pressed yet"
    assert "Starts <t:" in w.board().text
    said = await w.answer(w.ben, w.board(), pressed(table))
    assert "It takes 3 people to start" in said
    assert seated(await five_minutes(w)) == ["Ann", "Ben"]
    await minutes(w, 11)
    assert (await tables(w).find(table.id)).stored.status is Status.EXPIRED


async def test_a_computer_player_is_always_ready(w: World) -> None:
    await opened(w, "Ben", "Cat", game="aufundab", computers="1 normal")
    await ready(w, "Ann", "Cat")
    table = await five_minutes(w)
    assert table.stored.status is Status.RUNNING
    assert seated(table) == ["Ann", "Cat"]
    assert len(table.stored.seating.places) == 3


@pytest.mark.nightly
async def test_at_a_daily_pace_people_have_half_a_day(w: World) -> None:
    await opened(w, "Ben", "Cat", "Dan", pace=Pace.DAILY.value)
    await ready(w, "Ann", "Ben", "Cat")
    await pass_time(w, hours=11)
    assert (await w.table()).stored.status is Status.LOBBY
    await pass_time(w, hours=1)
    assert seated(await w.table()) == ["Ann", "Ben", "Cat"]
    assert (await w.table()).stored.status is Status.RUNNING
