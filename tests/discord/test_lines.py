"""One limit for whatever one person has posted, by whatever verb, and a channel's slow mode."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import discord
import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import Pace
from tests.discord.steps import actor, leave, lobby, match, minutes, others, person, play, tables
from tests.discord.world import Player, Sent, World

BUSY = "posted in a short time"
SLOW = "in slow mode"

Way: TypeAlias = Callable[[World, Table], Awaitable[str]]
"""Has Ann have one more line posted; what she is answered."""


class Posted:
    """Counts what everybody in a channel is sent."""

    def __init__(self, w: World) -> None:
        self.count = 0
        w.tap(self.read)

    def read(self, sent: Sent) -> None:
        answers = sent.route.endswith("/callback") and sent.body[0]["type"] == 4
        if sent.viewer is None and (answers or sent.route == "POST channels/*/messages"):
            self.count += 1


async def brings_down(w: World, table: Table) -> str:
    return await w.ann.slash("table")


async def seeks(w: World, table: Table) -> str:
    """For a seat that a friend takes, and gets up from again."""
    said = await w.answer(w.ann, w.board(), Press(Verb.SEEK, table.id, argument="1").encode())
    await w.directly(tables(w).sit(table.id, person(w.dan), 1))
    await w.directly(tables(w).leave(table.id, w.dan.id))
    return said


async def shows(w: World, table: Table) -> str:
    return await shown_by(w, w.ann)


async def shown_by(w: World, player: Player) -> str:
    await player.slash("leaderboard")
    press = Press(Verb.SHARE, argument="standings|all|all|0")
    return await w.answer(player, player.panel, press.encode())


async def plans(w: World, table: Table) -> str:
    """A table, and calls it off at once."""
    said = await w.ann.slash("newgame", game="sticheln", at="in 9h")
    offs = [one for one in w.messages(w.channel.id) if one.presses(Verb.CALL_OFF)]
    for shown in offs:
        named = shown.presses(Verb.CALL_OFF)[0][0].argument
        await w.answer(w.ann, shown, Press(Verb.CALL_OFF_NOW, argument=named).encode())
    return said


async def invites(w: World, table: Table) -> str:
    """Somebody else each time, to a lobby elsewhere."""
    room = w.room()
    await w.env.settle()
    user = w.env.create_user("Zoe")
    w.guild.add_member(user)
    here = await tables(w).open_of(w.ann.id)
    waiting = next((one for one in here if not one.running), None)
    if waiting is None:
        waiting = await lobby(w, "Ann", channel=room.id)
    return await w.ann.slash("seat invite", player=user, table=waiting.id)


async def asks_to_come(w: World, table: Table) -> str:
    """Somebody else each time, to a private table that is planned elsewhere."""
    planned = [one for one in w.messages(w.channel.id) if one.presses(Verb.ASK_TO_COME)]
    if not planned:
        await w.ann.slash("newgame", game="sticheln", at="in 9h", private=True)
        planned = [one for one in w.messages(w.channel.id) if one.presses(Verb.ASK_TO_COME)]
    guest, shown = w.guild.add_member(w.env.create_user("Zoe")), planned[-1]
    result = await w.ann.actor.select(
        w.message(shown), [guest], custom_id=shown.only(Verb.ASK_TO_COME)
    )
    return w.ann._remember(result)


async def offers(w: World, table: Table) -> str:
    """Of her seat elsewhere, to Eve in line, who lets it go: both are as before."""
    here = await tables(w).open_of(w.ann.id)
    waiting = next((one for one in here if not one.running), None)
    if waiting is None:
        waiting = await lobby(w, "Dan", "Fay", "Ann", channel=w.room().id, pace=Pace.RELAXED)
    await w.directly(tables(w).sit(waiting.id, person(w.eve)))
    await w.directly(tables(w).leave(waiting.id, w.ann.id))
    await w.directly(tables(w).get_out(waiting.id, w.eve.id))
    await w.directly(tables(w).sit(waiting.id, person(w.ann)))
    return ""


WAYS: tuple[Way, ...] = (brings_down, seeks, shows, plans, invites, asks_to_come, offers)
REFUSED = dict.fromkeys(WAYS, BUSY) | {brings_down: "To the table", offers: ""}
"""What is said once it is too much: a board that is asked for is shown where it is, and nobody asks
for a line that offers a seat."""


async def running(w: World) -> Table:
    """A match in which Ben's seat is free."""
    table = await match(w, pace=Pace.RELAXED)
    await leave(w.ben)
    await w.env.advance_time(1)
    return table


@pytest.mark.every_case
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.behaviour("Somebody has line after line posted")
@pytest.mark.behaviour("A seat gets free while people are in line")
async def test_what_one_person_has_posted_again_and_again_has_a_limit(way: Way, w: World) -> None:
    table, posted = await running(w), Posted(w)
    most, pause = (1, 6) if way is offers else (3, 2)
    if way in (invites, asks_to_come, offers):
        await way(w, table)
        await minutes(w, pause)
    posted.count = 0
    said = [await way(w, table) for _ in range(5)]
    assert posted.count == most
    assert REFUSED[way] in said[-1]
    await minutes(w, pause)
    before = posted.count
    await way(w, table)
    assert posted.count > before


@pytest.mark.every_case
@pytest.mark.parametrize("way", [way for way in WAYS if REFUSED[way] is BUSY])
async def test_it_is_one_limit_whatever_was_posted_before(way: Way, w: World) -> None:
    table = await running(w)
    if way in (invites, asks_to_come):
        await way(w, table)
        await w.env.advance_time(61)
    for _ in range(3):
        await brings_down(w, table)
    posted = Posted(w)
    assert BUSY in await way(w, table)
    assert posted.count == 0


async def test_whoever_has_had_enough_posted_posts_nothing_by_any_verb(w: World) -> None:
    """Also by one that comes to be: whatever posts goes through the one limit."""
    table = await match(w, pace=Pace.RELAXED)
    late = actor(w, table)
    one, other = others(w, table)
    await leave(other)
    await w.env.advance_time(400)
    for _ in range(3):
        await one.slash("table")
    posted, seat = Posted(w), table.stored.seating.place_of(other.id)
    question = table.questions[table.actors[0]]
    for argument in ("", str(seat), "more", "result", "standings|all|all|0", str(w.dan.id)):
        for verb in Verb:
            press = Press(verb, table.id, question, argument).encode()
            w.emit(one, w.board(), press, 3, values=[str(w.dan.id)])
        await w.env.settle()
    assert posted.count == 0
    now = await w.table()
    assert now.stored.timing.warned is None, "nobody was nudged"
    assert now.stored.seating.place_of(late.id) == table.actors[0]


def slow_down(w: World, seconds: int) -> None:
    channel = w.bot.get_channel(w.channel.id)
    assert isinstance(channel, discord.TextChannel)
    channel.slowmode_delay = seconds
    w.env.backend.get_channel(w.channel.id).rate_limit_per_user = seconds


@pytest.mark.behaviour("Somebody has line after line posted")
async def test_a_channels_slow_mode_holds_for_what_people_have_posted(w: World) -> None:
    table = await running(w)
    slow_down(w, 300)
    await shows(w, table)
    posted = Posted(w)
    assert SLOW in await shows(w, table)
    assert SLOW in await seeks(w, table)
    assert posted.count == 0
    await shown_by(w, w.cat)
    assert posted.count == 1, "each person waits for their own"
    await w.env.advance_time(301)
    await shows(w, table)
    assert posted.count == 2


@pytest.mark.behaviour("Somebody has line after line posted")
async def test_a_rematch_is_held_up_too_by_whoever_opens_it_alone(w: World) -> None:
    table = await play(w, await match(w, pace=Pace.RELAXED))
    slow_down(w, 300)
    posted = Posted(w)
    await w.ann.slash("rematch", table=table.id)
    await w.ann.slash("endgame")
    await w.ann.press_verb(w.ann.panel, Verb.END_NOW)
    await w.env.advance_time(5)
    assert SLOW in await w.ann.slash("rematch", table=table.id)
    assert posted.count == 1
    await w.ben.slash("rematch", table=table.id)
    assert posted.count == 2
    assert "seat" in await w.ann.slash("rematch", table=table.id), "she only sits down"
