"""Looking on: the spectator's board, which only its reader sees, and the ways to it."""

from __future__ import annotations

import pytest

from bot.i18n import texts
from bot.render.custom_ids import Verb
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds
from tests.discord.steps import actor, hidden, lobby, match, play
from tests.discord.world import World


def shown_of(table: Table, said: str) -> set[str]:
    """Hidden cards that can be read there, as codes or as people see them."""
    words = texts("en")
    hands = {
        form for card in hidden(table) for form in (card, words.card(table.game.info.id, card))
    }
    return hands & set(said.split())


@pytest.mark.parametrize("game", ["aufundab", "auffalscherfaehrte", "kaiserspiel", "sticheln"])
async def test_a_spectator_sees_the_board_and_no_hand(game: str, w: World) -> None:
    names = ("Ann", "Ben", "Cat", "Dan")
    table = await play(w, await match(w, *names, game=game), 3)
    said = await w.eve.slash("watch")
    assert w.eve.answered.ephemeral
    assert all(name in said for name in names)
    assert not shown_of(table, said)
    assert {press.verb for press, _ in w.eve.panel.presses(*Verb)} == {
        Verb.WATCH, Verb.LOG, Verb.MORE, Verb.JOIN,
    }  # fmt: skip
    assert len(w.boards()) == 1, "the channel sees nothing of it"
    await w.ann.slash("watch")
    assert not w.ann.panel.presses(Verb.JOIN), "who sits there needs no line"


@pytest.mark.nightly
async def test_the_spectators_copy_is_renewed_by_its_own_button(w: World) -> None:
    table = await match(w, hands=2)
    await w.dan.slash("watch")
    copy = w.dan.panel
    table = await play(w, table, 2)
    assert w.refreshed(copy).text == copy.text
    await w.dan.press_verb(copy, Verb.WATCH)
    assert w.dan.panel.id == copy.id
    assert w.dan.panel.text != copy.text
    assert f"**{actor(w, table).name}" in w.dan.panel.text
    table = await play(w, table)
    assert isinstance(table.phase, BetweenRounds)
    await w.dan.press_verb(w.dan.panel, Verb.WATCH)
    assert "in all" in w.dan.panel.text
    assert not w.dan.panel.presses(Verb.NEXT)


async def test_every_refusal_for_not_sitting_there_offers_to_watch(w: World) -> None:
    table = await play(w, await match(w), 1)
    for command in ("hand", "leave", "endgame", "start"):
        assert "You are not at this table" in await w.dan.slash(command), command
        assert w.dan.panel.presses(Verb.WATCH), command
    assert "You are not at this table" in await w.dan.slash("play", action="pass")
    assert w.dan.panel.presses(Verb.WATCH)
    await play(w, table)
    assert "You didn't play in this match" in await w.dan.slash("rematch")
    assert not w.dan.panel.presses(Verb.WATCH), "there is nothing to watch any more"


@pytest.mark.nightly
async def test_a_lobby_and_a_result_can_be_watched_too(w: World) -> None:
    assert "`/newgame` opens one" in await w.dan.slash("watch")
    await lobby(w, "Ann", "Ben", "Cat", seats=4)
    assert "4. *free seat*" in await w.dan.slash("watch")
    await w.ann.press_verb(w.board(), Verb.START)
    await w.dan.press_verb(w.dan.panel, Verb.WATCH)
    assert w.dan.panel.presses(Verb.MORE)
    await play(w, await w.table())
    assert " wins" in await w.dan.press_verb(w.dan.panel, Verb.WATCH)
    assert " wins" in await w.dan.slash("watch")
