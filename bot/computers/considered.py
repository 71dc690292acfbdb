"""Actions that a player considered, with their figures, as workers report them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import AnyGame
from engine.notation import kind_of
from engine.players.player import Decision

MOST: Final = 4


class Row(NamedTuple):
    """One action; fields as in `bot.tables.ports.Considered`, which no worker loads."""

    text: str
    value: float = 0.0
    won: float = 0.0
    visits: int = 0


def considered(game: AnyGame, decision: Decision) -> str:
    """A decision as text, with what else was looked at; without figures if nothing was."""
    looked = (one for one in decision.estimates if one.visits)
    rows = [Row(game.format_action(one.action), one.value, one.won, one.visits) for one in looked]
    return json.dumps(picked(rows or [Row(game.format_action(decision.action))]))


def picked(rows: Sequence[Row]) -> tuple[Row, ...]:
    """The best, those next to it, and at least one of another kind than it if there is one."""
    best, *others = rows
    other = next((row for row in others if kind_of(row.text) != kind_of(best.text)), None)
    first = [best, *others[: MOST - 1]]
    if other is not None and other not in first:
        first[-1] = other
    return tuple(first)
