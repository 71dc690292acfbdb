"""What was just finished stays on board and panel, with whose it is and why, for a while."""

from __future__ import annotations

import pytest

from bot.i18n import texts
from bot.tables.model import Table
from engine.layout import LastSet, Trick
from engine.registry import games
from tests.conformance.laws_of_tricks import finished, lies
from tests.discord.steps import at, match, play, reach
from tests.discord.world import NAMES, World

QUIET = ("discard", "pass", "accept", "stay", "raise 1")
"""How a round of Kaiserspiel comes to its tricks."""


def _lying(table: Table) -> Trick | LastSet | None:
    """What lies finished on the board."""
    return next(iter(finished(table.game.layout(table.observe(None)))), None)


def _just_finished(table: Table) -> bool:
    layout = table.game.layout(table.observe(None))
    return bool(finished(layout)) and not lies(layout) and table.actors != ()


async def _said(w: World, table: Table, seat: int) -> tuple[list[str], list[str]]:
    """What the board and one person's own panel say, line by line."""
    await w.env.advance_time(5)
    board = w.board().text.splitlines()
    return board, (await at(w, table, seat).hand()).text.splitlines()


@pytest.mark.parametrize("game", games())
async def test_it_stays_until_the_next_lead_is_answered(game: str, w: World) -> None:
    names = NAMES[: games()[game].info.seats[0]]
    table = await reach(w, await match(w, game=game), _just_finished, QUIET)
    lying = _lying(table)
    assert lying is not None
    assert lying.reason is not None
    people = [names[seat] for seat in range(len(names))]
    # Words are compared with plain hyphens.
    said = texts("en").phrase(game, lying.reason, people).replace("\u2011", "-")
    for plies in (0, 1):
        # Before the lead, and while it is not answered.
        table = await play(w, table, plies)
        for lines in await _said(w, table, table.actors[0]):
            # Beside the next trick it is in small print.
            assert said in lines or (plies and f"-# {said}" in lines)
    table = await play(w, table, 1)
    assert _lying(table) != lying
    for lines in await _said(w, table, table.actors[0]):
        assert said not in lines
