"""A deal of a match that is over, played again alone."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from random import Random

import pytest

from bot.ids import ALONE
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import Status
from engine.game import Options
from engine.players.levels import Level
from engine.registry import games
from engine.verify import verify
from tests.discord.figures import plain
from tests.discord.steps import match, play, tables
from tests.discord.test_alone import play_out
from tests.discord.world import World
from tests.lengths import shortest

SEED = 5

pytestmark = pytest.mark.deals(SEED)


async def over(w: World, game: str, **given: object) -> Table:
    """A match of Ann and others that is over; its result stands in the channel."""
    w.computers.say = plain
    table = await match(w, game=game, **{**shortest(game), **given})
    while table.running:
        table = await play(w, table)
        for player in w.people(len(table.stored.seating.places)) if table.running else ():
            await w.directly(tables(w).ready(table.id, player.id, None))
        await w.env.advance_time(2)
        table = await tables(w).table(table.id)
    return table


def counted(w: World) -> list[int]:
    """How many rows the database has of results."""
    with closing(sqlite3.connect(w.file)) as found:
        asked = "select (select count(*) from matches), (select count(*) from results)"
        return [*found.execute(asked).fetchone()]


async def asked_again(w: World) -> str:
    """Ann presses *Play that deal again* on the result's page ⋯."""
    return await w.ann.press_more(Verb.AGAIN)


async def in_her_messages(w: World) -> Table:
    """The table in Ann's direct messages, where `w` looks from now on."""
    w.channel = w.ann.user.dm_channel
    await w.env.advance_time(1)
    return await w.table()


def first_deal(table: Table) -> object:
    return json.loads(next(entry.text for entry in table.log if entry.is_deal))


@pytest.mark.parametrize("game", games())
async def test_it_has_the_same_cards_says_how_it_went_and_counts_nowhere(
    game: str, w: World
) -> None:
    old = await over(w, game)
    before, scores = counted(w), old.rounds[0]
    await asked_again(w)
    table = await in_her_messages(w)
    assert (table.stored.guild, table.round) == (ALONE, 1)
    assert first_deal(table) == first_deal(old)
    assert table.stored.seating.place_of(w.ann.id) == old.stored.seating.place_of(w.ann.id)
    assert {one.level for one in table.stored.seating.computers.values()} == {Level.STRONG}
    assert f"Round 1 of table {old.id}, played again: it counts nowhere" in w.board().text
    said = await w.ann.slash("verify", dm=True)
    assert f"repeats round 1 of table {old.id}" in said
    await w.restart()
    table = await play_out(w, Random(SEED))
    assert table.stored.status is Status.FINISHED
    assert len(table.rounds) == 1
    text = w.board().text
    assert "scored" in text
    assert f"Round 1 at table {old.id}" in text
    assert "it counts nowhere" in text
    mine, then = table.rounds[0][0], scores[0]
    how = "more than" if mine > then else "fewer than" if mine < then else "as many as"
    assert how in text
    await w.ann.slash("replay", dm=True)
    (record,) = w.ann.files().values()
    assert verify(json.loads(record), 1) == []
    assert json.loads(record)["rounds"][0]["proof"] is None
    first = table
    await w.ann.press_verb(w.board(), Verb.AGAIN)
    table = await in_her_messages(w)
    assert table.id != first.id
    assert table.stored.again == first.stored.again
    assert first_deal(table) == first_deal(old)
    assert counted(w) == before


@pytest.mark.behaviour("Somebody wants to play a deal again")
@pytest.mark.parametrize("game", ["auffalscherfaehrte", "kaiserspiel"])
async def test_nothing_is_played_again_before_it_is_open_to_all(game: str, w: World) -> None:
    given: Options = {"rounds": 2} if game == "auffalscherfaehrte" else {"target": 150}
    table = await play(w, await match(w, game=game, **given))
    assert len(table.rounds) == 1
    await w.ann.slash("rules", game=game)
    press = Press(Verb.AGAIN, table.id, argument="1||").encode()
    assert "no deal here to be played again" in await w.answer(w.ann, w.ann.panel, press)
    assert [one.id for one in await w.directly(tables(w).open_of(w.ann.id))] == [table.id]


async def test_of_several_rounds_one_is_chosen_and_begins_with_its_trump(w: World) -> None:
    game = "auffalscherfaehrte"
    old = await over(w, game, rounds=3)
    opening = json.loads(old.log[old.deals[2]].text)
    said = await asked_again(w)
    assert "Which round?" in said
    await w.ann.choose(w.ann.panel, w.ann.panel.only(Verb.AGAIN), "3||")
    table = await in_her_messages(w)
    assert first_deal(table) == opening
    assert table.stored.again is not None
    assert table.stored.again.points == old.rounds[2]


async def test_who_did_not_play_chooses_a_seat_by_its_name(w: World) -> None:
    old = await over(w, "sticheln")
    await w.eve.press_verb(w.board(), Verb.MORE)
    said = await w.eve.press_verb(w.eve.panel, Verb.AGAIN)
    assert "From which seat?" in said
    assert "Seat 2 · Ben" in str(w.eve.panel.components)
    await w.eve.choose(w.eve.panel, w.eve.panel.only(Verb.AGAIN), "1|1|")
    w.channel = w.eve.user.dm_channel
    await w.env.advance_time(1)
    table = await w.table()
    assert table.stored.seating.place_of(w.eve.id) == 1
    assert first_deal(table) == first_deal(old)


async def test_where_direct_messages_are_closed_it_says_so_and_leaves_no_table(w: World) -> None:
    await over(w, "sticheln")
    w.close_dms(w.ann)
    assert "direct messages" in await asked_again(w)
    open_now = await w.directly(tables(w).open_of(w.ann.id))
    assert open_now == []


async def test_a_second_one_shows_the_first(w: World) -> None:
    await over(w, "sticheln")
    channel = w.channel
    await asked_again(w)
    first = await in_her_messages(w)
    w.channel = channel
    assert "still going" in await asked_again(w)
    assert (await in_her_messages(w)).id == first.id


async def test_leaving_it_ends_it_and_it_can_be_dealt_once_more(w: World) -> None:
    old = await over(w, "sticheln")
    await asked_again(w)
    await in_her_messages(w)
    await w.ann.slash("leave", dm=True)
    await w.ann.press_verb(w.ann.panel, Verb.LEAVE_NOW)
    await w.env.advance_time(1)
    assert "it counts nowhere" in w.board().text
    await w.ann.slash("rematch", dm=True)
    table = await in_her_messages(w)
    assert table.running
    assert first_deal(table) == first_deal(old)


async def test_what_is_stored_of_it_is_given_out_and_forgotten(w: World) -> None:
    await over(w, "sticheln")
    await asked_again(w)
    table = await in_her_messages(w)
    await w.ann.slash("mydata export", dm=True)
    (text,) = w.ann.files().values()
    assert table.id in text
    assert '"again":{"table":"' in text
    assert table.stored.again is not None
    cards = json.loads(table.stored.again.opening)["deal"]["hands"]
    assert json.dumps(cards[1], separators=(",", ":")) not in text
    await w.ann.slash("mydata forget", dm=True)
    await w.ann.press_verb(w.ann.panel, Verb.FORGET_NOW)
    await w.env.advance_time(2)
    gone = await tables(w).find(table.id)
    assert not gone.running
    assert w.ann.id not in {person.id for person in gone.stored.seating.people}
