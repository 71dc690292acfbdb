"""Registry: every package (or module) in `engine.games` that has a `GAME`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

import engine.games
from engine.game import AnyGame


@cache
def games() -> Mapping[str, AnyGame]:
    """All games by id, in alphabetical order."""
    found: dict[str, AnyGame] = {}
    for module in sorted(pkgutil.iter_modules(engine.games.__path__), key=lambda m: m.name):
        if not module.name.startswith("_"):
            game: AnyGame = importlib.import_module(f"engine.games.{module.name}").GAME
            found[game.info.id] = game
    return MappingProxyType(found)
