"""Levels of computer players at a table: easy, normal, strong.

Whoever only names levels loads nothing that may be compiled: what plays is imported by `player`.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from engine.game import AnyGame
from engine.players.player import Player


class Level(StrEnum):
    """The weakest first; each is the name of a player in `roster`."""

    EASY = "easy"
    NORMAL = "normal"
    STRONG = "strong"


def player(level: Level, game: AnyGame) -> Player:
    """The player of that level; of a game without a twin the default action."""
    from engine.players import roster

    return roster.player(level.value, game)


def adviser(game: AnyGame) -> Player:
    """Whoever looks at every action, with figures: what a hint tells."""
    from engine.players import roster

    return roster.adviser(game)


ADVICE: Final = 5_000
"""Number of playouts of advice where there is time: people compare its figures, and shares of so
many deals differ by chance by one in a hundred or less."""


def playouts(level: Level) -> int:
    """Number of playouts of that level where there is time; 0 if it makes none."""
    return 1_000 if level is Level.STRONG else 0
