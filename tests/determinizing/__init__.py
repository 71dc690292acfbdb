"""Determinizations: full states, drawn at random, that agree with what one seat knows.

A law compares what a seat sees with what it would see in them.  There is a module for each game, by
its id.
"""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

from engine.game import AnyGame


def determinize(game: AnyGame, view: Any, rng: Random) -> Any:
    """A state that is consistent with the view; by the game's own method, if a test gave it one."""
    draw = getattr(game, "determinize", None)
    if draw is None:
        draw = import_module(f"{__name__}.{game.info.id}").determinize
    return draw(view, rng)
