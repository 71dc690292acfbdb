"""How long the matches of tests are, by what a game itself says about its length."""

from __future__ import annotations

from typing import Any

from engine.registry import games


def length(game: str, rounds: int, points: int) -> dict[str, Any]:
    """Options of a match of so many rounds; where rounds are not counted, to so many points."""
    keys = {spec.measures: spec.key for spec in games()[game].info.options}
    if "rounds" in keys:
        return {keys["rounds"]: rounds}
    return {keys["points"]: points} if "points" in keys else {}


def shortest(game: str) -> dict[str, Any]:
    """Options of its shortest match."""
    return length(game, 1, 1)


def shortest_asked(game: str) -> dict[str, Any]:
    """The same as `/newgame` is asked for it."""
    counted = any(spec.parameter == "length" for spec in games()[game].info.options)
    return {"length": 1} if counted else {}
