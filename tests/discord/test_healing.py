"""Boards out of sight, channels, servers and people that go: no table is stranded."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import timedelta
from unittest.mock import patch

import pytest

from bot.publish.boards import BURIED
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.stored import Pace, Status, Stop
from tests.discord.steps import actor, at, first, match, minutes, play, tables
from tests.discord.test_preferences import calls, prefer
from tests.discord.world import Player, Shown, World


def newest(w: World, channel: int | None = None) -> Shown:
    """The newest message that shows the table itself."""
    boards = [s for s in w.messages(channel or w.channel.id) if s.presses(Verb.MORE, Verb.JOIN)]
    return boards[-1]


async def ply(w: World, table: Table) -> Table:
    """Whoever is asked plays something, by typing."""
    now = await tables(w).table(table.id)
    await actor(w, now).slash("play", action=first(now))
    return await tables(w).table(table.id)


async def chat(w: World, count: int) -> None:
    for number in range(count):
        await w.ann.actor.send(w.channel, f"talk {number}")


@pytest.mark.behaviour("The board was deleted")
async def test_a_deleted_board_is_posted_again_at_the_next_change(w: World) -> None:
    table = await match(w)
    before = newest(w)
    await w.delete(before)
    table = await ply(w, table)
    assert newest(w).id != before.id
    assert actor(w, table).name in newest(w).text
    assert len(w.boards()) == 1
    await newest_goes_on(w, table)


async def newest_goes_on(w: World, table: Table) -> None:
    """The board can be played on."""
    player = actor(w, table)
    await player.press_verb(newest(w), Verb.HAND)
    assert (await ply(w, table)).ply == table.ply + 1


@pytest.mark.parametrize(("lines", "moves"), [(BURIED, False), (BURIED + 1, True)])
@pytest.mark.behaviour("The board was deleted")
async def test_a_board_under_more_than_fifteen_messages_is_posted_again_at_the_next_turn(
    lines: int, moves: bool, w: World
) -> None:
    table = await ply(w, await match(w))
    before = newest(w)
    await chat(w, lines)
    assert newest(w).id == before.id, "it moves only when somebody is asked"
    table = await ply(w, table)
    assert (newest(w).id != before.id) == moves
    assert len(w.boards()) == 1
    if moves:
        assert not w.refreshed(before).presses(*Verb)
        again = newest(w)
        await ply(w, table)
        assert newest(w).id == again.id


@pytest.mark.behaviour("The bot may no longer write")
async def test_a_lost_permission_is_named_to_the_host_once_and_the_match_waits_then_goes_on(
    w: World,
) -> None:
    table = await match(w, dms=True, pace=Pace.LIVE60)
    await w.delete(newest(w))
    await w.permit(send_messages=False)
    table = await ply(w, table)
    await w.env.advance_time(2)
    told = [shown for shown in w.ann.dms() if "Send Messages" in shown.text]
    assert len(told) == 1
    assert not [s for p in (w.ben, w.cat) for s in p.dms() if "Send Messages" in s.text]
    stalled = await tables(w).table(table.id)
    assert stalled.stored.timing.stalled is not None
    await minutes(w, 10)
    assert (await tables(w).table(table.id)).ply == table.ply, "nobody's time runs out"
    await minutes(w, 6)
    assert len([shown for shown in w.ann.dms() if "Send Messages" in shown.text]) == 1
    await w.permit()
    await w.env.advance_time(2)
    going = await tables(w).table(table.id)
    assert going.stored.timing.stalled is None
    assert actor(w, going).name in newest(w).text
    await w.env.advance_time(65)
    assert (await tables(w).table(table.id)).ply > table.ply, "time runs again"


@pytest.mark.parametrize("down", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.every_case
@pytest.mark.behaviour("The channel or thread is deleted")
async def test_a_match_whose_channel_is_deleted_is_over_and_everybody_is_free(
    down: bool, w: World
) -> None:
    """Also if the program was down then, and looks for what was on its way when it ended."""
    table = await match(w, dms=down)
    if down:
        with patch.object(w.env.backend, "emit"):
            w.env.backend.delete_channel(w.channel.id)
        await w.restart()
    else:
        w.env.backend.delete_channel(w.channel.id)
        await w.env.settle()
    await w.env.advance_time(2)
    after = await tables(w).table(table.id)
    assert (after.stored.status, after.stored.stop) == (Status.STOPPED, Stop.CHANNEL)
    assert await tables(w).open_of(w.ann.id) == []


@pytest.mark.nightly
@pytest.mark.behaviour("The channel or thread is deleted")
async def test_a_match_in_a_thread_that_is_deleted_is_over(w: World) -> None:
    thread = w.thread("game night")
    table = await match(w, channel=thread.id)
    w.env.backend.delete_channel(thread.id)
    await w.env.settle()
    after = await tables(w).table(table.id)
    assert (after.stored.status, after.stored.stop) == (Status.STOPPED, Stop.CHANNEL)


@pytest.mark.behaviour("The bot is removed from the server")
async def test_a_removed_program_waits_and_goes_on_when_it_comes_back(w: World) -> None:
    table = await match(w, dms=True, pace=Pace.LIVE60)
    guild = w.bot.get_guild(w.guild.id)
    w.env.inject_error("*", "/channels/*", status=403, code=50001, times=None)
    await w.directly(dispatch(w, "guild_remove", guild))
    waiting = await tables(w).table(table.id)
    assert waiting.stored.timing.stalled is not None
    await minutes(w, 10)
    assert (await tables(w).table(table.id)).ply == table.ply
    w.heal()
    await w.directly(dispatch(w, "guild_join", guild))
    await w.env.advance_time(2)
    going = await tables(w).table(table.id)
    assert going.stored.timing.stalled is None
    assert actor(w, going).name in newest(w).text


async def dispatch(w: World, event: str, *args: object) -> None:
    w.bot.dispatch(event, *args)


@pytest.mark.behaviour("The bot may no longer write")
async def test_a_table_that_nobody_can_see_for_a_week_is_given_up(w: World) -> None:
    table = await match(w, dms=True, pace=Pace.LIVE60)
    guild = w.bot.get_guild(w.guild.id)
    w.env.inject_error("*", "/channels/*", status=403, code=50001, times=None)
    await w.directly(dispatch(w, "guild_remove", guild))
    w.skip(timedelta(days=7, minutes=2))
    await w.env.advance_time(61)
    after = await tables(w).table(table.id)
    assert (after.stored.status, after.stored.stop) == (Status.STOPPED, Stop.UNSEEN)


async def kicked(w: World, player: Player) -> None:
    w.env.backend.remove_member(w.guild.id, player.id)


async def banned(w: World, player: Player) -> None:
    w.env.backend.apply_ban(w.guild.id, player.id, None)


Goes = Callable[[World, Player], Awaitable[None]]


@pytest.mark.parametrize(
    ("goes", "pace", "dms"),
    [
        (kicked, Pace.LIVE60, False),
        (banned, Pace.LIVE60, False),
        (kicked, Pace.NONE, False),
        (kicked, Pace.NONE, True),
    ],
)
@pytest.mark.behaviour("Somebody has left or was banned")
async def test_the_seat_of_somebody_who_is_no_longer_on_the_server_goes_to_the_stand_in(
    goes: Goes, pace: Pace, dms: bool, w: World
) -> None:
    """Without a clock that is noticed when they are asked."""
    table = await match(w, pace=pace, dms=dms)
    await w.restart()  # of whom nothing was heard since the start nothing is known
    gone = following(w, table)
    seat = table.stored.seating.place_of(gone.id)
    assert seat is not None
    await goes(w, gone)
    await ply(w, table)
    await w.env.advance_time(5)
    after = await tables(w).table(table.id)
    assert after.stored.seating.places[seat].person is None
    assert after.stored.status is Status.RUNNING
    assert after.ply > table.ply + 1, "the stand-in plays"
    assert f"Seat {seat + 1}" in newest(w).text


def following(w: World, table: Table) -> Player:
    """Whoever is asked after the one who is asked now."""
    return at(w, table, (table.actors[0] + 1) % len(table.stored.seating.places))


@pytest.mark.behaviour("Direct messages are closed")
async def test_a_dm_that_closes_in_a_match_is_said_once_behind_my_hand_and_play_goes_on(
    w: World,
) -> None:
    table = await match(w, dms=True)
    player = following(w, table)
    w.close_dms(player)
    table = await ply(w, table)
    await w.env.advance_time(2)
    table = await tables(w).table(table.id)
    assert actor(w, table) is player
    seat = table.actors[0]
    assert table.stored.seating.places[seat].reachable is False
    said = await player.press_verb(newest(w), Verb.HAND)
    assert "no longer send you direct messages" in said
    again = await player.press_verb(newest(w), Verb.HAND)
    assert "no longer send you direct messages" not in again
    assert (await ply(w, table)).ply == table.ply + 1


async def close(w: World, player: Player) -> None:
    w.close_dms(player)


async def choose(w: World, player: Player) -> None:
    await prefer(player, "called", "hand", "button")


async def drawn_again(w: World) -> None:
    """Something else changes at the table, so that it is drawn."""
    await w.directly(w.running.publisher.repost((await w.table()).id))
    await w.env.advance_time(6)


@pytest.mark.behaviour("Direct messages are closed")
@pytest.mark.behaviour("Somebody has chosen to have their hand only behind *My hand*")
@pytest.mark.parametrize("ends", [close, choose])
async def test_whoever_gets_no_more_hands_is_called_at_each_turn_until_they_answer(
    ends: Callable[[World, Player], Awaitable[None]], w: World
) -> None:
    table = await match(w, dms=True, pace=Pace.RELAXED)
    player = following(w, table)
    assert player.dms(), "an older hand stays there, and is kept up to date"
    await ends(w, player)
    for turn in range(2):
        table = await play(w, table, 1)
        while actor(w, table) is not player:
            table = await play(w, table, 1)
        await w.env.advance_time(6)
        assert calls(w, player), turn
        await drawn_again(w)
        assert calls(w, player), turn
    await w.restart()
    await drawn_again(w)
    assert len(calls(w, player)) == 1


@pytest.mark.behaviour("Somebody has chosen to have their hand only behind *My hand*")
async def test_whom_a_hand_has_called_no_line_calls_to_the_same_question(w: World) -> None:
    table = await match(w, dms=True, pace=Pace.RELAXED)
    table = await play(w, table, 1)
    await w.env.advance_time(6)
    player = actor(w, table)
    assert player.dm().presses(Verb.ACT)
    await choose(w, player)
    await drawn_again(w)
    assert not calls(w, player)
    await w.restart()
    await drawn_again(w)
    assert not calls(w, player)
