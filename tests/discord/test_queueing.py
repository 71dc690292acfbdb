"""The line at a table, as people see it: getting in and out, offers, and the rematch with a lot."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest

from bot.ids import UserId
from bot.render.custom_ids import Verb
from bot.tables.customs import WaitTimes
from bot.tables.lots import next_match
from bot.tables.queueing import MOST_WAITING
from bot.tables.servers import Setting
from bot.tables.stored import Pace, Person
from tests.discord.steps import dealt, leave, lobby, match, play, stop, tables
from tests.discord.test_doors import choose, give, role
from tests.discord.test_planning import pass_time
from tests.discord.test_preferences import sleep
from tests.discord.world import Player, Shown, World

FOUR = ("Ann", "Ben", "Cat", "Dan")


async def full(w: World) -> None:
    """A lobby of Kaiserspiel with all four, and Eve in line."""
    await lobby(w, *FOUR, seats=4, game="kaiserspiel", pace=Pace.RELAXED)
    said = await w.eve.press_verb(w.board(), Verb.JOIN)
    assert "You are first in line." in said
    assert "for 2 minutes" in said
    assert "In line: Eve" in w.board().text


def called(w: World, player: Player) -> Shown:
    """The one line that calls this person to a seat."""
    open_ = [one for one in w.notices() if one.presses(Verb.OUT)]
    (line,) = [one for one in open_ if f"<@{player.id}>" in one.text]
    return line


@pytest.mark.behaviour("Somebody wants to play where every seat is taken")
async def test_the_fifth_stands_in_line_and_is_told_where(w: World) -> None:
    await full(w)
    board = w.board()
    said = await w.fay.slash("join")
    assert "You are number 2 in line." in said
    assert "In line: Eve and Fay" in w.refreshed(board).text
    assert "You are first in line." in await w.eve.press_verb(board, Verb.JOIN)
    await w.restart()
    await w.env.advance_time(5)
    assert "You are number 2 in line." in await w.fay.press_verb(board, Verb.JOIN)
    out = w.eve.panel.only(Verb.OUT)
    assert "You are no longer in line." in await w.eve.press(w.eve.panel, out)
    assert not w.eve.panel.presses(Verb.OUT)
    assert "You are not in line" in await w.answer(w.eve, w.eve.panel, out)
    assert "In line: Fay" in w.refreshed(board).text
    assert "You are no longer in line." in await w.fay.slash("leave")
    assert "In line" not in w.refreshed(board).text
    assert "You are not at this table" in await w.fay.slash("leave")


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_whoever_leaves_a_table_whose_line_is_full_is_not_sent_there(w: World) -> None:
    table = await match(w, "Ann", "Ben", "Cat", game="sticheln")
    for number in range(MOST_WAITING):
        person = Person(UserId(7000 + number), f"G{number}")
        await w.directly(tables(w).sit(table.id, person))
    said = await leave(w.ben)
    assert "People in line may take it first, and the line is full." in said
    assert "/join" not in said


@pytest.mark.behaviour("A seat gets free while people are in line")
@pytest.mark.parametrize("half", [False, True])
async def test_whoever_leaves_is_told_that_the_line_comes_first(half: bool, w: World) -> None:
    table = await match(w, "Ann", "Ben", "Cat", game="sticheln", rounds=2)
    if half:
        await play(w, table)
    await w.ben.slash("leave")
    before = w.ben.panel
    await w.dan.slash("join")
    said = await w.ben.press_verb(before, Verb.LEAVE_NOW)  # it means something else by now
    assert "people in line may take it over first" in said.lower()
    assert ("**concede**" in said) == half
    said = await w.ben.press_verb(w.ben.panel, Verb.LEAVE_NOW)
    assert "People in line may take it first. To wait behind them, use `/join`." in said
    assert not w.board().presses(Verb.TAKE)
    said = await w.ben.slash("join")
    assert "in line." in said
    assert w.ben.panel.presses(Verb.OUT)


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_a_seat_that_gets_free_calls_the_first_who_takes_it(w: World) -> None:
    await full(w)
    await w.fay.slash("join")
    await w.ben.press_verb(w.board(), Verb.LEAVE)
    await w.env.advance_time(2)
    line = called(w, w.eve)
    assert "a seat at **Kaiserspiel** is free and kept for you" in line.text
    assert "waiting for Eve" in w.board().text
    assert "In line: Fay" in w.board().text
    said = await w.answer(w.ben, line, line.only(Verb.JOIN))
    assert "You are number 2 in line." in said
    await w.restart()
    await w.env.advance_time(5)
    assert called(w, w.eve).id == line.id, "it calls once"
    await w.eve.press_verb(line, Verb.JOIN)
    await w.env.advance_time(3)
    assert "Eve" in [one.name for one in (await w.table()).stored.seating.people]
    after = w.refreshed(line)
    assert f"<@{w.eve.id}> has joined the Kaiserspiel table" in after.text
    assert not after.presses(*Verb)


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_whoever_lets_it_pass_is_out_of_the_line_and_the_next_is_called(w: World) -> None:
    await full(w)
    await w.fay.slash("join")
    await w.ben.press_verb(w.board(), Verb.LEAVE)
    await w.env.advance_time(2)
    line = called(w, w.eve)
    await w.restart()
    await w.env.advance_time(WaitTimes().offer.total_seconds() + 5)
    assert "The seat at Kaiserspiel is no longer kept" in w.refreshed(line).text
    following = called(w, w.fay)
    seating = (await w.table()).stored.seating
    assert [one.name for one in seating.waiting] == ["Fay"]
    said = await w.fay.press_verb(following, Verb.OUT)
    assert "You are no longer in line." in said
    await w.env.advance_time(2)
    assert not w.board().presses(Verb.READY)
    assert "You have seat 2" in await w.eve.slash("join")


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_a_seat_of_a_running_match_is_offered_where_people_look(w: World) -> None:
    await full(w)
    table = await w.table()
    await w.directly(tables(w).start(table.id, w.ann.id))
    await dealt(w, table)
    assert "In line: Eve" in w.board().text
    await w.fay.press_verb(w.board(), Verb.MORE)
    assert "You are number 2 in line." in await w.fay.press_verb(w.fay.panel, Verb.JOIN)
    await w.eve.press_verb(w.board(), Verb.MORE)
    assert w.eve.panel.presses(Verb.OUT)
    await w.ann.press_verb(w.board(), Verb.MORE)
    assert not w.ann.panel.presses(Verb.OUT, Verb.JOIN)
    await w.directly(tables(w).leave(table.id, w.cat.id))
    await w.env.advance_time(3)
    board = w.board()
    assert "Seat 3 is kept for Eve" in board.text
    assert not board.presses(Verb.TAKE, Verb.SEEK)
    await w.eve.press_verb(called(w, w.eve), Verb.JOIN)
    await w.env.advance_time(3)
    now = await w.table()
    assert now.stored.seating.place_of(w.eve.id) == 2
    assert "is kept for" not in w.board().text


@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_an_offer_says_no_time_while_the_match_rests_and_then_the_true_one(w: World) -> None:
    table = await match(w, "Ann", "Ben", "Cat", game="sticheln", pace=Pace.DAILY)
    await w.dan.slash("join")
    await w.directly(tables(w).leave(table.id, w.ben.id))
    await w.env.advance_time(3)
    line = called(w, w.dan)
    for rests in (False, True, False, True):
        for one in (w.ann, w.cat):
            await w.directly(tables(w).rest(table.id, one.id, resting=not rests))
        await w.env.advance_time(3)
        now = (await w.table()).stored
        assert (now.timing.rest is not None) == rests
        (offer,) = now.seating.offers.values()
        times = re.findall(r"<t:(\d+):R>", w.refreshed(line).text)
        assert times == ([] if rests else [str(int(offer.until.timestamp()))])
        await pass_time(w, hours=1)


async def test_in_quiet_hours_the_line_mentions_without_a_sound(w: World) -> None:
    await full(w)
    begin, end = (f"{w.now() + timedelta(hours=hours):%H:%M}" for hours in (-1, 3))
    await sleep(w.eve, begin, end)
    sent = []
    w.tap(lambda one: sent.append(one.body[0]))
    await w.ben.press_verb(w.board(), Verb.LEAVE)
    await w.env.advance_time(2)
    assert f"<@{w.eve.id}>" in called(w, w.eve).text
    (line,) = [one for one in sent if one and f"<@{w.eve.id}>" in str(one.get("components"))]
    assert not line["allowed_mentions"].get("users")


async def test_whoever_has_left_the_server_is_not_called_and_the_next_is(w: World) -> None:
    await full(w)
    await w.fay.slash("join")
    await w.env.advance_time(400)
    w.env.backend.remove_member(w.guild.id, w.eve.id)
    await w.ben.press_verb(w.board(), Verb.LEAVE)
    await w.env.advance_time(5)
    assert all(f"<@{w.eve.id}>" not in one.text for one in w.notices())
    assert called(w, w.fay).presses(Verb.JOIN)
    assert [one.name for one in (await w.table()).stored.seating.waiting] == ["Fay"]


@pytest.mark.parametrize("why", ["never with them", "never with Eve", "role"])
@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_no_seat_is_offered_to_whom_something_keeps_from_it(why: str, w: World) -> None:
    await full(w)
    await w.fay.slash("join")
    if why == "role":
        regulars = role(w, "Regulars")
        give(w, w.fay, regulars)
        await choose(w, Setting.SITTERS, regulars)
    else:
        by, of = (w.eve, w.ann) if why == "never with them" else (w.ann, w.eve)
        await w.directly(w.running.context.blocks.block(by.id, of.id, on=True))
    await w.ben.press_verb(w.board(), Verb.LEAVE)
    await w.env.advance_time(5)
    assert all(f"<@{w.eve.id}>" not in one.text for one in w.notices())
    (told,) = [one for one in w.eve.dms() if "no longer in line for **Kaiserspiel**" in one.text]
    assert f"<#{w.channel.id}>" in told.text
    assert not any("no longer in line" in one.text for one in w.fay.dms())
    await w.fay.press_verb(called(w, w.fay), Verb.JOIN)
    assert (await w.table()).stored.seating.place_of(w.fay.id) == 1


async def test_the_host_sends_somebody_in_line_away(w: World) -> None:
    await full(w)
    said = await w.ann.slash("seat kick", player=w.eve.user)
    assert "Remove Eve from the line? They can't come back" in said
    assert "Eve" in w.board().text, "nothing is done before that is confirmed"
    said = await w.ann.press_verb(w.ann.panel, Verb.KICK_NOW)
    assert "Eve is no longer in line and can't come back" in said
    assert "In line" not in w.board().text
    assert "There is no seat for you" in await w.eve.slash("join")


async def test_whoever_is_forgotten_stands_in_no_line(w: World) -> None:
    await full(w)
    await w.eve.slash("mydata forget")
    await w.eve.press_verb(w.eve.panel, Verb.FORGET_NOW)
    assert (await w.table()).stored.seating.waiting == ()
    assert "In line" not in w.board().text


@pytest.mark.behaviour("More people want the rematch than it has seats")
async def test_the_rematch_has_whoever_waited_and_lets_one_sit_out_by_lot(w: World) -> None:
    await full(w)
    table = await w.table()
    await w.directly(tables(w).start(table.id, w.ann.id))
    await dealt(w, table)
    over = await stop(w, await play(w, await w.table(), 3))
    await w.env.advance_time(3)
    (out,) = next_match(over).sits_out
    result, player = w.board(), w.players[out.name]
    assert "In the rematch there is a seat for Eve, from the line." in result.text
    assert f"{out.name} sits it out, by lot." in result.text
    said = await player.press_verb(result, Verb.REMATCH)
    assert "You sit out the next match" in said
    await w.restart()
    await player.press_verb(result, Verb.VERIFY)
    pages = player.panel.text
    while "Who sits out" not in pages:
        (following,) = [
            press.encode()
            for press, part in player.panel.presses(Verb.VERIFY)
            if part["label"] == "›"
        ]
        pages = await player.press(player.panel, following)
    assert f"{out.name} {out.id} (sits out)" in pages
    await w.eve.press_verb(result, Verb.REMATCH)
    await w.env.advance_time(3)
    new = await w.table()
    assert new.stored.seating.host == w.eve.id
    assert f"In line: {out.name}" in w.board().text
    assert "You are first in line." in await player.press_verb(w.refreshed(result), Verb.REMATCH)
    for name in FOUR:
        if name != out.name:
            await w.players[name].press_verb(w.refreshed(result), Verb.REMATCH)
    await w.env.advance_time(3)
    for one in (await w.table()).stored.seating.people:
        await w.players[one.name].press_verb(w.board(), Verb.READY)
    await dealt(w, new)
    again = await stop(w, await w.table())
    after = next_match(again)
    assert [one.name for one in after.comes] == [out.name]
    assert after.sat_out == {w.eve.id: 1, out.id: 1}
    assert w.eve.id not in [one.id for one in after.sits_out]
