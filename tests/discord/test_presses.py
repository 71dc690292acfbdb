"""Presses that come too late, twice, from strangers or from nowhere: answered in words, once."""

from __future__ import annotations

import pytest

from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table
from bot.tables.stored import Pace
from tests.discord.steps import actor, dealt, match, others, play, pressable, stop, tables
from tests.discord.world import World

MOVED_ON = "The table moved on while you pressed"


async def unchanged(w: World, before: Table) -> None:
    after = await w.table()
    assert after.log == before.log
    assert after.stored == before.stored


async def test_an_old_button_plays_nothing_and_shows_how_it_stands_now(w: World) -> None:
    table = await match(w)
    player, panel, old = await pressable(w, table)
    while (table := await play(w, table, 1)).actors != (table.stored.seating.place_of(player.id),):
        assert table.actors
    said = await w.answer(player, panel, old)
    assert "You have already played" in said
    question = table.questions[table.actors[0]]
    assert {p.question for p, _ in w.refreshed(panel).presses(Verb.ACT, Verb.OPEN)} == {question}
    await unchanged(w, table)


@pytest.mark.nightly
@pytest.mark.parametrize("verb", [Verb.ACT, Verb.OPEN, Verb.COMBINE])
async def test_an_old_button_of_a_match_that_is_over_is_answered_in_words(
    verb: Verb, w: World
) -> None:
    """Not with the result alone, as if something had been played."""
    table = await match(w)
    player = actor(w, table)
    panel = await player.hand()
    await stop(w, table)
    press = Press(verb, table.id, table.questions[table.actors[0]], "5-6")
    said = await w.answer(player, panel, press.encode())
    assert MOVED_ON in said or "closed" in said


async def test_two_presses_at_once_on_the_same_button_play_once(w: World) -> None:
    table = await match(w)
    player, panel, button = await pressable(w, table)
    records = await w.emit_all((player, panel, button), (player, panel, button))
    assert all(w.said(record) for record in records)
    after = await w.table()
    assert after.ply == table.ply + 1
    assert after.actors != table.actors


async def test_a_second_press_on_the_board_leaves_no_message(w: World) -> None:
    table = await play(w, await match(w), 1)
    player, board = actor(w, table), w.board()
    button = board.only(Verb.ACT)
    await w.emit_all((player, board, button), (player, board, button))
    assert "already" not in await w.answer(player, board, button)
    assert w.whispers(player) == []
    after = await w.table()
    assert after.ply == table.ply + 1
    assert actor(w, after).name in w.board().text
    other = Press(Verb.ACT, table.id, table.questions[table.actors[0]], "play 5-6")
    said = await w.answer(player, board, other.encode())
    assert "You have already passed." in said, "they have done something else"


async def test_a_press_on_the_board_that_was_moved_plays_and_leaves_one_board(w: World) -> None:
    table = await play(w, await match(w), 1)
    player = actor(w, table)
    old = w.board()
    button = old.only(Verb.ACT)
    await w.ann.slash("table")
    assert w.board().id != old.id
    assert await w.answer(player, old, button)
    after = await w.table()
    assert after.ply == table.ply + 1
    assert [shown.id for shown in w.boards()] == [w.board().id]
    assert "has moved down" in w.refreshed(old).text
    asked = after.questions[after.actors[0]]
    assert [press.question for press, _ in w.board().presses(Verb.ACT)] in ([asked], [])
    assert actor(w, after).name in w.board().text


@pytest.mark.nightly
async def test_a_press_on_a_copy_of_the_table_leaves_the_board_up_to_date(w: World) -> None:
    await play(w, await match(w, hands=2))
    await w.ben.press_more(Verb.TABLE)
    copy = w.ben.panel
    # It asks nothing that could be answered elsewhere; one of before may still be pressed.
    assert not copy.presses(Verb.NEXT)
    await w.answer(w.ben, copy, w.board().only(Verb.NEXT))
    assert "Ready: Ben" in w.board().text
    assert len(w.boards()) == 1


@pytest.mark.parametrize("by_hand", [True, False], ids=["on a hand", "on the board"])
async def test_who_presses_next_round_too_late_is_shown_the_new_one(
    by_hand: bool, w: World
) -> None:
    table = await play(w, await match(w, game="sticheln", pace=Pace.LIVE180, rounds=3))
    await w.env.advance_time(5)
    if by_hand:
        await w.ann.slash("hand")
    shown = w.ann.panel if by_hand else w.board()
    late = shown.only(Verb.NEXT)
    for player in (w.ann, w.ben, w.cat):
        await w.directly(tables(w).ready(table.id, player.id, None))
    now = await dealt(w, table)
    said = await w.answer(w.ann, shown, late)
    assert MOVED_ON in said
    if by_hand:
        assert "this is how it stands now" in said
        assert actor(w, now).name in w.refreshed(shown).text or w.ann is actor(w, now)
        assert not w.refreshed(shown).presses(Verb.NEXT)
    else:
        assert "The newest board in the channel shows where it stands" in said


async def test_who_nudges_somebody_who_has_played_by_then_is_told_so(w: World) -> None:
    table = await match(w, pace=Pace.LIVE180)
    await w.env.advance_time(100)
    impatient = others(w, table)[0]
    await impatient.press_verb(w.board(), Verb.MORE)
    nudge = impatient.panel.only(Verb.NUDGE)
    await play(w, table, 1)
    assert "It's no longer their turn" in await impatient.press(impatient.panel, nudge)
