"""Whose turn it is and what is asked: first on board, panel and a spectator's copy, and what was
told since somebody was last asked.
"""

from __future__ import annotations

import random

import pytest

from bot.i18n import HYPHEN, texts
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Round
from bot.tables.stored import Pace
from bot.views.building import table_head
from engine.registry import games
from tests.discord.steps import match, play
from tests.discord.ways import act_in_dm
from tests.discord.world import Player, Shown, World
from tests.lengths import length

EN = texts("en")


def first_line(shown: Shown) -> str:
    return shown.text.splitlines()[0]


def asked(table: Table, player: Player) -> str:
    """What the player's own layout says is asked."""
    asks = table.game.layout(table.seen_by(player.id)).asks
    assert asks is not None
    names = [p.person.name for p in table.stored.seating.places if p.person is not None]
    return EN.phrase(table.stored.game, asks, names)


@pytest.mark.parametrize("game", games())
async def test_the_first_line_names_whose_turn_it_is_on_board_panel_and_copy(
    game: str, w: World
) -> None:
    table = await match(w, game=game, dms=True)
    rng = random.Random(game)
    for _ in range(6):
        actors = await w.actors()
        if not actors:
            break
        names = [player.name for player in actors]
        turn = f"{names[0]}'s turn" if len(names) == 1 else f"Waiting for {EN.list(names)}"
        assert first_line(w.board()).startswith(f"## {turn}: ")
        for player in actors:
            panel = player.dm()
            line = f"## Your turn: {asked(table, player)}"
            assert first_line(panel) == line.replace(HYPHEN, "-")
        await actors[0].slash("watch")
        assert first_line(actors[0].panel) == first_line(w.board())
        await act_in_dm(actors[0], rng)
        await w.env.advance_time(1)
        table = await w.table()


@pytest.mark.every_case
@pytest.mark.parametrize("game", games())
async def test_a_round_begins_without_the_news_of_the_one_before(game: str, w: World) -> None:
    """Else "Not dealt: …" stands above cards that are dealt."""
    players = [w.ann, w.ben, w.cat, w.dan]
    names = [player.name for player in players]
    wanted = length(game, rounds=2, points=30)
    table = await play(w, await match(w, *names, game=game, dms=True, pace=Pace.RELAXED, **wanted))
    assert isinstance(table.phase, BetweenRounds)
    called = table_head(table).names
    old = [EN.phrase(game, told, called).replace(HYPHEN, "-") for told in table.told[-4:]]
    await w.env.advance_time(61)
    table = await w.table()
    assert isinstance(table.phase, Round)
    shown = [w.board().text, *(player.dm().text for player in players)]
    assert [told for text in shown for told in old if told in text.replace(HYPHEN, "-")] == []
