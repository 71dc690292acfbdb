"""What somebody meets who does not know the program: on a new server, and where they ask."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from bot.ids import ALONE, UserId
from bot.render.custom_ids import Press, Verb
from bot.tables.queueing import MOST_WAITING
from bot.tables.stored import Person
from engine.registry import games
from tests.discord.figures import plain
from tests.discord.steps import actor, lobby, match, moderator, person, play, tables
from tests.discord.test_access import elsewhere
from tests.discord.world import Shown, World


async def invited(w: World) -> list[Shown]:
    """What the program has in the channel once its server has invited it."""
    with w.env._bot_scope():
        w.bot.dispatch("guild_join", w.bot.get_guild(w.guild.id))
    await w.env.settle()
    return w.messages(w.channel.id)


# A new server


@pytest.mark.behaviour("The bot is invited to a server")
async def test_a_new_server_is_told_once_what_to_type(w: World) -> None:
    (told,) = await invited(w)
    assert "Sticheln" in told.text
    assert "newgame" in told.text
    assert "Only whoever may *Manage Server*" in await w.ann.press_verb(told, Verb.SETTINGS)
    assert "Which game?" in await w.ben.press_verb(told, Verb.ALONE)


@pytest.mark.behaviour("The bot is invited to a server")
async def test_where_it_may_write_nowhere_it_says_nothing(w: World) -> None:
    room = w.room("other")
    await w.permit(send_messages=False)
    assert await invited(w) == []
    assert [len(shown.presses(Verb.ALONE)) for shown in w.messages(room.id)] == [1]
    await w.permit(channel=room.id, send_messages=False)
    await invited(w)
    assert len(w.messages(room.id)) == 1


# A match to try it with


async def test_two_presses_begin_a_match_against_computers(w: World) -> None:
    w.computers.say = plain
    (told,) = await invited(w)
    await w.ann.press_verb(told, Verb.ALONE)
    said = await w.answer(w.ann, w.ann.panel, Press(Verb.ALONE, argument="sticheln").encode())
    assert "direct messages" in said
    (table,) = await tables(w).open_of(w.ann.id)
    assert (table.stored.guild, table.round) == (ALONE, 1)
    assert len(table.stored.seating.people) == 1
    assert w.messages(w.channel.id) == [told], "nobody else sees it"
    again = await w.answer(w.ann, told, Press(Verb.ALONE, argument="aufundab").encode())
    assert "still going" in again
    assert len(await tables(w).open_of(w.ann.id)) == 1


async def test_in_direct_messages_it_begins_there(w: World) -> None:
    w.computers.say = plain
    assert "Play now" in await w.ann.slash("help", dm=True)
    press = Press(Verb.ALONE, argument="aufundab").encode()
    await w.answer(w.ann, w.ann.panel, press)
    (table,) = await tables(w).open_of(w.ann.id)
    assert table.stored.channel == w.ann._dm_id()
    assert "newgame" not in await w.ann.slash("help", dm=True), "one match at a time"


async def test_no_match_of_a_game_that_there_is_not(w: World) -> None:
    (told,) = await invited(w)
    await w.answer(w.ann, told, Press(Verb.ALONE, argument="poker").encode())
    assert await tables(w).open_of(w.ann.id) == []


# Help


async def test_help_says_what_one_can_do_here_and_now(w: World) -> None:
    assert "opens a table in this channel" in await w.ann.slash("help")
    table = await lobby(w, "Ann", "Ben")
    assert "press **Join**" in await w.cat.slash("help")
    assert "is yours" in await w.ann.slash("help")
    assert "everybody has pressed **Ready**" in await w.ben.slash("help")
    assert "You moderate here" not in await w.cat.slash("help")
    assert "You moderate here" in await moderator(w).slash("help")
    assert "newgame" in await w.cat.slash("help", dm=True)
    assert table.stored.status.is_open


async def test_help_at_a_match(w: World) -> None:
    table = await match(w)
    asked = actor(w, table)
    waits = next(player for player in (w.ann, w.ben, w.cat) if player is not asked)
    assert "You are asked:" in await asked.slash("help")
    assert "You are asked:" not in await waits.slash("help")
    assert "You play Auf und Ab here" in await waits.slash("help")
    assert "is being played here" in await w.dan.slash("help")
    assert "A seat at that table is free" not in await w.dan.slash("help")
    assert "`/join` puts you in line" in await w.dan.slash("help")
    await w.dan.slash("join")
    assert "You are in line" in await w.dan.slash("help")
    await w.dan.slash("leave")
    for number in range(MOST_WAITING):
        await w.directly(tables(w).sit(table.id, Person(UserId(900 + number), f"No. {number}")))
    assert "puts you in line" not in await w.dan.slash("help")
    for number in range(MOST_WAITING):
        await w.directly(tables(w).get_out(table.id, UserId(900 + number)))
    await w.dan.slash("join")
    await waits.slash("leave")
    await w.directly(tables(w).leave(table.id, waits.id))
    assert "A seat at that table is free" in await w.dan.slash("help")
    said = await w.eve.slash("help")
    assert "A seat at that table is free" not in said, "it is kept for Dan"
    assert "`/join` puts you in line" in said
    room = w.room("other")
    assert "asked at 1 table:" in await asked.slash("help", channel=room), "none is here"
    await lobby(w, "Eve", channel=room.id)
    assert "asked at 1 other table:" in await asked.slash("help", channel=room)
    await w.directly(tables(w).sit(table.id, person(w.dan), None))
    await play(w, await w.table())
    assert "rematch" in await asked.slash("help")
    assert "rematch" not in await w.eve.slash("help")


async def test_help_names_what_is_missing_to_open_a_table(w: World) -> None:
    await w.permit(w.cat, w.channel.id, send_messages=False)
    assert "You can't open a table in this channel" in await w.cat.slash("help")
    assert "opens a table in this channel" in await w.ben.slash("help")
    asking = elsewhere(w, w.ann)
    assert "opens a table in this channel" in await asking.slash("help")


async def test_help_leads_to_the_rules(w: World) -> None:
    await w.ann.slash("help")
    rules = [press for press, _ in w.ann.panel.presses(Verb.RULES)]
    assert rules == [Press.rules(game) for game in games()]


# About


async def test_about_says_whose_games_these_are_and_what_counts(w: World) -> None:
    said = await w.ann.slash("about")
    for part in (version("stammtisch"), "Klaus Palesch", "Ed Pegg", "Jürgen Kraul", "Nidwalden"):
        assert part in said
    assert "began among people alone" in said
    assert "https://" not in said, "nobody has said where its source is"
