"""Levels of computer players at a table: easy, normal, strong.

Whoever only names levels loads nothing that may be compiled: what plays is imported by `player`.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from engine.game import AnyGame
from engine.players.player import Player


class Level(StrEnum):
    """The weakest first; each is the name of a player in `roster`."""

    EASY = "easy"
    NORMAL = "normal"
    STRONG = "strong"


STRONGEST: Final = "strong"
"""The name in `roster` of the player that plays `strong`."""

_PLAYOUTS: Final[Mapping[Level, int]] = MappingProxyType(
    {Level.EASY: 0, Level.NORMAL: 0, Level.STRONG: 1_000}
)


def player(level: Level, game: AnyGame) -> Player:
    """The player of that level; of a game without a twin the default action."""
    from engine.players import roster

    return roster.player(level.value, game)


def adviser(game: AnyGame) -> Player:
    """Whoever looks at every action, with figures: what a hint tells."""
    from engine.players import roster

    return roster.player("guided", game)


def playouts(level: Level) -> int:
    """Number of playouts of that level where there is time; 0 if it makes none."""
    return _PLAYOUTS[level]
