"""Stand-ins as people meet them: for the absent and for free seats, and the way back."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.stored import Actor, Pace
from tests.discord.steps import (
    actor,
    dealt,
    hidden,
    kick,
    late,
    leave,
    lobby,
    match,
    moderator,
    play,
)
from tests.discord.world import Player, World

SEED = 4
"""Of the deals: a round is long enough for somebody to be late twice."""

pytestmark = pytest.mark.deals(SEED)

STAND_IN = "🪑 A stand-in is playing for"


async def lose(w: World, player: Player, table: Table) -> Table:
    """The table once `player` was late twice in a row; the others play on."""
    while not table.stored.seating.places[table.stored.seating.place_of(player.id) or 0].away:
        if actor(w, table) is player:
            table = await late(w, table)
        else:
            table = await play(w, table, 1)
        assert table.actors, "the round was too short"
    return table


async def until_asked(w: World, player: Player, table: Table) -> Table:
    """The table when it is the turn of that person."""
    while actor(w, table) is not player:
        table = await play(w, table, 1)
    return table


@pytest.mark.behaviour("Somebody takes too long")
async def test_after_two_times_in_a_row_a_stand_in_plays_and_the_board_says_so(w: World) -> None:
    table = await lose(w, w.ben, await match(w, pace=Pace.LIVE60))
    board = w.board()
    assert f"{STAND_IN} Ben." in board.text
    assert "🪑 a stand-in takes over for Ben" in board.text, "in the log"
    assert board.presses(Verb.BACK)
    assert table.stored.seating.place_of(w.ben.id) == 1, "the seat stays Ben's"
    table = await until_asked(w, w.ben, table)
    await w.env.advance_time(3)
    after = await w.table()
    assert after.log[table.ply].by is Actor.STAND_IN
    assert "<@" not in w.board().text


@pytest.mark.behaviour("Somebody takes too long")
async def test_im_back_on_the_board_gives_seat_and_hand_back(w: World) -> None:
    table = await lose(w, w.ben, await match(w, pace=Pace.LIVE60))
    said = await w.ben.press_verb(w.board(), Verb.BACK)
    assert "Welcome back! Seat 2 is yours again." in said
    assert [card for card in hidden(table) if card in w.ben.panel.text]
    assert not w.ben.panel.presses(Verb.BACK)
    assert STAND_IN not in w.board().text
    assert not w.board().presses(Verb.BACK)
    table = await until_asked(w, w.ben, await w.table())
    await w.env.advance_time(5)
    assert (await w.table()).ply == table.ply, "Ben is waited for again"


@pytest.mark.nightly
async def test_im_back_tells_others_whom_it_is_for(w: World) -> None:
    await lose(w, w.ben, await match(w, pace=Pace.LIVE60))
    button = w.board().only(Verb.BACK)
    said = await w.ann.press_verb(w.board(), Verb.BACK)
    assert "No stand-in is playing for you: seat 1 is yours. **I'm back** is for Ben." in said
    assert "You are not at this table" in await w.dan.press_verb(w.board(), Verb.BACK)
    assert w.dan.panel.presses(Verb.WATCH)
    assert (await w.table()).stored.seating.places[1].away
    await w.ben.slash("seat take", seat=2)
    said = await w.answer(w.ben, w.board(), button)
    assert "No stand-in is playing for you: seat 2 is yours." in said
    assert "is for" not in said


@pytest.mark.nightly
async def test_a_moderator_is_told_that_a_stand_in_plays_for_whom_they_kicked(w: World) -> None:
    await match(w)
    mod = moderator(w)
    asked = await mod.slash("seat kick", player=w.cat.user)
    assert "A stand-in plays seat 3 until somebody takes it. Cat can't come back" in asked
    assert "The result of that seat still counts for Cat." in asked
    said = await kick(mod, w.cat)
    assert "A stand-in plays seat 3 until somebody takes it." in said
    assert "no seat for you at this table" in await w.cat.slash("seat take", seat=3)
    assert "You have seat 3." in await w.dan.slash("seat take", seat=3)
    asked = await mod.slash("seat kick", player=w.dan.user)
    assert "Remove Dan from the running match?" in asked
    assert "still counts" not in asked


async def test_who_confirms_a_removal_that_means_something_else_by_now_is_asked_anew(
    w: World,
) -> None:
    """By a question of before the match began: then it was a host's to decide."""
    await lobby(w, "Ann", "Ben", "Cat", pace=Pace.LIVE60)
    mod = moderator(w)
    for player in (w.ann, mod):
        assert "Remove Cat from this table?" in await player.slash("seat kick", player=w.cat.user)
    asked = w.ann.panel
    await w.ann.press_verb(w.board(), Verb.START)
    table = await lose(w, w.cat, await dealt(w, await w.table()))
    said = await w.ann.press_verb(asked, Verb.KICK_NOW)
    assert "Vote to remove Cat?" in said
    assert "0 of 2 votes" in said
    said = await mod.press_verb(mod.panel, Verb.KICK_NOW)
    assert "Remove Cat from the running match?" in said
    table = await w.table()
    assert table.stored.seating.place_of(w.cat.id) == 2
    assert not table.stored.votes.away_votes
    await w.ann.press_verb(w.ann.panel, Verb.KICK_NOW)
    assert (await w.table()).stored.votes.away_votes == {w.cat.id: {w.ann.id}}
    said = await mod.press_verb(mod.panel, Verb.KICK_NOW)
    assert "A stand-in plays seat 3 until somebody takes it." in said
    assert (await w.table()).stored.seating.place_of(w.cat.id) is None


@pytest.mark.nightly
async def test_a_match_that_everybody_leaves_says_that_stand_ins_do_not_go_on(w: World) -> None:
    await match(w)
    await leave(w.ann)
    await leave(w.ben)
    assert "You have left the table." in await leave(w.cat)
    assert "a stand-in is playing seat" not in w.cat.panel.text
    said = "Nobody is there any more, and stand-ins don't play among themselves."
    assert said in w.board().text, "true of people who are only away, too"
