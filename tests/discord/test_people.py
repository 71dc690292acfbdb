"""People coming and going in a running match, ending it, and meeting again."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Verb
from bot.tables.customs import Customs
from bot.tables.stored import Pace, Status, Stop
from tests.discord.steps import (
    actor,
    first,
    hidden,
    leave,
    lobby,
    match,
    minutes,
    moderator,
    play,
    reach,
    tables,
)
from tests.discord.world import Player, World


async def end(player: Player) -> str:
    """By `/endgame` and its confirmation."""
    await player.slash("endgame")
    return await player.press_verb(player.panel, Verb.END_NOW)


async def test_leaving_a_running_match_asks_first(w: World) -> None:
    await match(w)
    more = await w.ben.press_verb(w.board(), Verb.MORE)
    assert "Leave" in more
    said = await w.ben.press_verb(w.ben.panel, Verb.LEAVE)
    assert "A stand-in plays your seat at once, and others can take it over" in said
    assert "You can come back as long as the seat is free" in said
    assert (await w.table()).stored.seating.place_of(w.ben.id) == 1
    said = await w.ben.press_verb(w.ben.panel, Verb.LEAVE_NOW)
    assert "a stand-in is playing seat 2" in said
    assert "**Take seat 2** or use `/join`" in said
    assert (await w.table()).stored.seating.place_of(w.ben.id) is None
    assert "Seat 2 is free. A stand-in plays it until somebody takes it." in w.board().text
    assert "You are not at this table" in await w.ben.press_verb(w.board(), Verb.HAND)


@pytest.mark.behaviour("Somebody leaves")
async def test_a_stranger_takes_the_seat_sees_the_hand_and_plays_on(w: World) -> None:
    table = await play(w, await match(w), 2)
    leaver, seat = actor(w, table), table.actors[0]
    panel = await leaver.hand()
    held = {card for card in hidden(table) if card in panel.text}
    await leave(leaver)
    assert not [card for card in hidden(table) if card in w.board().text]
    await w.dan.press_verb(w.board(), Verb.TAKE)
    assert f"Seat {seat + 1} is free" not in w.board().text
    assert "**Dan**" in w.board().text
    dm = w.dan.dm()
    assert held == {card for card in hidden(table) if card in dm.text}
    said = await w.dan.slash("play", action=first(await w.table()))
    after = await w.table()
    assert after.ply == table.ply + 1
    assert said
    assert "You are not at this table" in await leaver.slash("hand")


async def test_the_others_vote_to_end_a_match_that_somebody_left(w: World) -> None:
    await match(w, "Ann", "Ben", "Cat", "Dan", pace=Pace.RELAXED)
    await leave(w.dan)
    assert w.board().presses(Verb.TAKE)
    said = await w.ben.press_more(Verb.END)
    assert "Vote to end" in said
    assert "or 1 minute after more than half have" in said
    assert "0 of 2 votes to end the match" in said
    assert "counted" in await w.ben.press_verb(w.ben.panel, Verb.END_NOW)
    assert "1 of 2 votes to end the match" in w.board().text
    assert "You are not at this table" in await w.dan.slash("endgame")
    await end(w.cat)
    assert "More than half want to end the match" in w.board().text
    assert (await w.table()).stored.status is Status.RUNNING
    await minutes(w, 1)
    await w.env.advance_time(5)
    table = await w.table()
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.VOTE)
    assert "The table voted to end the match." in w.board().text
    assert "counts for nobody" in w.board().text


@pytest.mark.parametrize("pace", [Pace.DAILY, Pace.NONE])
async def test_a_vote_at_a_slow_pace_says_how_long_the_others_have(pace: Pace, w: World) -> None:
    await match(w, pace=pace)
    assert "or 12 hours after more than half have" in await w.ann.slash("endgame")


@pytest.mark.behaviour("Somebody gives up")
async def test_who_confirms_what_means_more_by_now_is_asked_anew(w: World) -> None:
    """By a question of before half of the match was played, or before it began."""
    await lobby(w, "Ann", "Ben", "Cat", hands=2)
    await w.ann.slash("endgame")
    asked_to_end = w.ann.panel
    await w.ann.press_verb(w.board(), Verb.START)
    await w.ben.slash("leave")
    asked_to_leave = w.ben.panel
    await reach(w, await w.table(), lambda now: now.round == 2)
    assert "you **concede** it" in await w.ben.press_verb(asked_to_leave, Verb.LEAVE_NOW)
    assert "Vote to end" in await w.ann.press_verb(asked_to_end, Verb.END_NOW)
    table = await w.table()
    assert table.stored.seating.place_of(w.ben.id) == 1
    assert not table.stored.votes.end_votes
    await w.ben.press_verb(w.ben.panel, Verb.LEAVE_NOW)
    await w.ann.press_verb(w.ann.panel, Verb.END_NOW)
    table = await w.table()
    assert table.stored.seating.conceded == {w.ben.id}
    assert table.stored.votes.end_votes == {w.ann.id}


@pytest.mark.behaviour("Somebody gives up")
async def test_who_leaves_after_half_of_the_match_is_told_that_they_concede(w: World) -> None:
    await reach(w, await match(w, hands=2), lambda now: now.round == 2)
    for player in (w.ben, w.ann):
        said = await player.slash("leave")
        assert "you **concede** it and come last, unless everybody gives up." in said
        assert "If you come back" in said
    await w.ann.press_verb(w.ann.panel, Verb.LEAVE_NOW)
    said = await w.ben.press_verb(w.ben.panel, Verb.LEAVE_NOW)
    assert "whoever stays has won" in said  # which it means by now
    assert "stand-in" not in said
    assert "cannot come back" in said
    assert (await w.table()).running
    said = await w.ben.press_verb(w.ben.panel, Verb.LEAVE_NOW)
    assert said.startswith("You have left the table.")
    assert "stand-in" not in said
    assert (await w.table()).stored.stop is Stop.CONCEDED
    shown = w.board().text
    assert "Ben left before the end, and the place is Ben's." in shown
    assert "No opponent is playing any more, so the match is decided." in shown
    assert "Ann and Ben gave up the match and came last." in shown
    assert "**Cat**" in next(line for line in shown.splitlines() if "🥇" in line)
    assert "1 win" in await w.cat.slash("leaderboard")


async def test_a_finished_match_names_whoever_left_it_wherever_it_is_looked_at(w: World) -> None:
    """As its result does, since nobody else has sat down there."""
    table = await play(w, await match(w), but_the_last=True)
    last, gone = actor(w, table), w.cat if actor(w, table) is w.ann else w.ann
    await leave(gone)
    await play(w, table)
    await w.env.advance_time(5)
    board, seat = w.board(), table.stored.seating.place_of(gone.id)
    assert seat is not None
    assert f"{gone.name} left before the end" in board.text
    assert f"{seat + 1} {gone.name}" in await last.press_verb(board, Verb.VERIFY)
    rounds = await last.press_verb(board, Verb.ROUNDS)
    await last.press_verb(board, Verb.MORE)
    for said in (rounds, await last.press_verb(last.panel, Verb.LOG)):
        assert gone.name in said
        assert f"Seat {seat + 1}" not in said.replace("\xa0", " ")


@pytest.mark.nightly
async def test_a_moderator_ends_a_match_that_they_do_not_play(w: World) -> None:
    mod = moderator(w)
    await match(w)
    assert "You are not at this table" in await w.dan.slash("endgame")
    await end(mod)
    assert (await w.table()).stored.stop is Stop.MODERATOR
    assert "A moderator ended the match." in w.board().text


async def test_when_everybody_has_left_the_match_is_stopped(w: World) -> None:
    await match(w)
    for player in (w.ann, w.ben, w.cat):
        await leave(player)
    table = await w.table()
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.EMPTY)
    assert "Nobody is there any more" in w.board().text
    assert len(w.boards()) == 1


@pytest.mark.behaviour("Not everybody comes to a rematch at once")
async def test_a_rematch_waits_for_everybody_and_others_take_what_is_free(w: World) -> None:
    await play(w, await match(w))
    result = w.board()
    await w.cat.press_verb(result, Verb.REMATCH)
    lobby = w.board()
    assert "1. *waiting for Ann*" in lobby.text
    assert "2. *waiting for Ben*" in lobby.text
    assert "become free" in lobby.text
    assert "You are first in line." in await w.dan.press_verb(lobby, Verb.JOIN)
    await w.ben.press_verb(lobby, Verb.JOIN)
    assert "2. **Ben**" in w.board().text
    await minutes(w, 11)
    assert "1. *waiting for Dan*" in w.board().text
    await w.dan.press_verb(w.board(), Verb.JOIN)
    assert "1. **Dan**" in w.board().text


@pytest.mark.nightly
async def test_who_starts_a_rematch_without_somebody_is_asked_once(w: World) -> None:
    await play(w, await match(w, "Ann", "Ben", "Cat", "Dan"))
    result = w.board()
    for player in (w.cat, w.ann, w.ben):
        await player.press_verb(result, Verb.REMATCH)
    assert "Only the host" in await w.ann.press_verb(w.board(), Verb.START)
    asked = await w.cat.press_verb(w.board(), Verb.START)
    assert "A seat is still held for Dan. Start without them?" in asked
    assert (await w.table()).stored.status is Status.LOBBY
    await w.cat.press_verb(w.cat.panel, Verb.START)
    began = (await w.table()).stored.seating.beginners.values()
    assert [person.name for person in began] == ["Ann", "Ben", "Cat"]


async def test_who_is_asked_about_held_seats_still_starts_only_what_they_were_shown(
    w: World,
) -> None:
    await play(w, await match(w, "Ann", "Ben", "Cat", "Dan", game="sticheln", rounds=1))
    result = w.board()
    for player in (w.cat, w.ann, w.ben):
        await player.press_verb(result, Verb.REMATCH)
    await w.cat.slash("watch")
    copy, table = w.cat.panel, await w.table()
    await w.directly(
        tables(w).change_options(table.id, w.cat.id, {}, Customs(hints=False), Pace.LIVE60)
    )
    assert "Start without them?" in await w.cat.press_verb(copy, Verb.START)
    said = await w.cat.press_verb(w.cat.panel, Verb.START)
    assert "The table moved on while you pressed" in said
    assert "60 s a turn" in said
    assert (await w.table()).stored.status is Status.LOBBY


@pytest.mark.nightly
async def test_a_rematch_by_command_after_a_stopped_match(w: World) -> None:
    await match(w)
    assert "isn't over yet" in await w.ben.slash("rematch")
    await end(moderator(w))
    said = await w.ben.slash("rematch")
    assert "2. **Ben** · host" in said
