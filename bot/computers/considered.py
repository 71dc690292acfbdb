"""Actions that a player considered, with their figures, as workers report them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Final

from engine.game import AnyGame
from engine.notation import kind_of
from engine.players.player import Considered, Decision

MAX_ROWS: Final = 4


def considered(game: AnyGame, decision: Decision) -> str:
    """A decision and the actions beside it as text; without figures if none were compared."""
    looked = (one for one in decision.estimates if one.visits)
    rows = [
        Considered(game.format_action(one.action), one.value, one.won, one.visits) for one in looked
    ]
    return json.dumps(picked(rows or [Considered(game.format_action(decision.action))]))


def picked(rows: Sequence[Considered]) -> tuple[Considered, ...]:
    """The best row, those next to it, and at least one of another kind if there is one."""
    best, *others = rows
    other = next((row for row in others if kind_of(row.text) != kind_of(best.text)), None)
    first = [best, *others[: MAX_ROWS - 1]]
    if other is not None and other not in first:
        first[-1] = other
    return tuple(first)
