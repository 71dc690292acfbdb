"""Whose turn it is and what is asked: first on board, panel and a spectator's copy, and what was
told since somebody was last asked.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from bot.i18n import HYPHEN, texts
from bot.tables.model import Table
from tests.discord.steps import match
from tests.discord.ways import act_in_dm
from tests.discord.world import NAMES, Player, Shown, world

EN = texts("en")


def first_line(shown: Shown) -> str:
    return shown.text.splitlines()[0]


def asked(table: Table, player: Player) -> str:
    """What the player's own layout says is asked."""
    asks = table.game.layout(table.seen_by(player.id)).asks
    assert asks is not None
    names = [p.person.name for p in table.stored.seating.places if p.person is not None]
    return EN.phrase(table.stored.game, asks, names)


@pytest.mark.parametrize(
    ("game", "people"),
    [("aufundab", 3), ("auffalscherfaehrte", 3), ("sticheln", 3), ("kaiserspiel", 4)],
)
async def test_the_first_line_names_whose_turn_it_is_on_board_panel_and_copy(
    game: str, people: int, tmp_path: Path
) -> None:
    async with world(tmp_path, people) as w:
        table = await match(w, *NAMES[:people], game=game, dms=True)
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
                assert panel is not None
                line = f"## Your turn: {asked(table, player)}"
                assert first_line(panel) == line.replace(HYPHEN, "-")
            await actors[0].slash("watch")
            assert actors[0].panel is not None
            assert first_line(actors[0].panel) == first_line(w.board())
            await act_in_dm(actors[0], rng)
            await w.env.advance_time(1)
            table = await w.table()


def stands_above(told: str, text: str) -> bool:
    """Whether a trick shows the card, or a line says the sentence, that was told."""
    name, _, card = told.partition(" ")
    return f"{card}\u00a0{name}" in text or told in text.replace(f"-# {told}", "")


@pytest.mark.nightly
async def test_a_panel_tells_what_happened_since_its_owner_was_last_asked(tmp_path: Path) -> None:
    async with world(tmp_path, 3) as w:
        await match(w, game="sticheln", dms=True)
        for player in await w.actors():
            await player.slash("play", action=(await player.legal())[0])
        rng = random.Random(7)
        for _ in range(5):
            (player,) = await w.actors()
            await act_in_dm(player, rng)
            await w.env.advance_time(1)
        table = await w.table()
        (player,) = await w.actors()
        seat = await player.seat()
        names = [p.person.name for p in table.stored.seating.places if p.person is not None]
        told = table.told_since(seat)
        since = [EN.phrase("sticheln", said, names) for said in told]
        # Cards stand in their trick, or they are of one that is over: only who took that is told.
        laid = {EN.phrase("sticheln", said, names) for said in told if said.code == "played"}
        assert since[0].startswith(player.name), "the own card comes first"
        assert len(since) >= 3
        panel = player.dm()
        assert panel is not None
        for text in (panel.text, w.board().text):
            lines = text.splitlines()
            news = [line for line in since[-6:] if f"-# {line}" in lines]
            left = [line for line in since[-6:] if line not in laid]
            assert news == [line for line in left if not stands_above(line, text)]
            assert [line for line in lines if line[3:] in news] == [f"-# {line}" for line in news]
