"""Roster: all computer players, by name and game."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, Final, cast

import engine.players
from engine.game import AnyGame
from engine.players.kit import FLAT, GUIDED, Kit
from engine.players.player import FEW, Player
from engine.players.search import (
    Cheater,
    DefaultPlayer,
    GreedyPlayer,
    RandomPlayer,
    Searcher,
    SlippingPlayer,
    Strong,
)

_WITH_KIT: Final[Mapping[str, Callable[[AnyGame, Kit], Player]]] = MappingProxyType(
    {
        "easy": SlippingPlayer,
        "normal": lambda game, kit: GreedyPlayer(kit),
        "greedy": lambda game, kit: GreedyPlayer(kit),
        "pimc": lambda game, kit: Searcher(kit, FLAT),
        "guided": lambda game, kit: Searcher(kit, GUIDED),
        "strong": lambda game, kit: Strong(kit),
    }
)

NAMES: Final = ("random", *_WITH_KIT)
"""Every player that sees no more than its seat does, the weakest first.

`normal` and `greedy` are two names of one: that of the level and that of how it plays.
"""

CHEATER: Final = "cheater"
"""Knows all cards: for measuring, by `cheater` alone."""


@cache
def kit_of(game: str) -> Kit | None:
    """The twin of a game, if it has one."""
    if game not in {module.name for module in pkgutil.iter_modules(engine.players.__path__)}:
        return None
    return cast(Kit, importlib.import_module(f"engine.players.{game}").KIT)


def player(name: str, game: AnyGame) -> Player:
    """The player of that name; of a game without a twin the default action, but `random`.

    Raises KeyError if there is none of that name.
    """
    if name == "random":
        return RandomPlayer()
    make, kit = _WITH_KIT[name], kit_of(game.info.id)
    return DefaultPlayer(game) if kit is None else make(game, kit)


def adviser(game: AnyGame) -> Player:
    """`guided`, which looks at the next best in any case."""
    kit = kit_of(game.info.id)
    return DefaultPlayer(game) if kit is None else Searcher(kit, GUIDED, beside=FEW)


def cheater(game: AnyGame, state: Any) -> Player:
    """`guided` with all cards open, at that state.

    Raises LookupError for a game without a twin.
    """
    kit = kit_of(game.info.id)
    if kit is None:
        raise LookupError(game.info.id)
    return Cheater(kit, state)
