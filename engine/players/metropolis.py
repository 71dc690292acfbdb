"""Metropolis walks through worlds, each visited as often as it is likely; shared by games.

A game's `walk` proposes another deal and adds up how likely what the others did is in each of the
two (Metropolis).  Likelihoods are logarithms in whole numbers, as everything in a walk is.
"""

from __future__ import annotations

from math import log
from typing import Final

from engine.players.chance import unit
from engine.players.compiled import COMPILED, Ints, jit

FINE: Final = 1 << 20
"""How many whole numbers make 1 of a logarithm."""

BURN: Final = 25
"""Factor: steps before the first world, in steps between two worlds."""
THIN: Final = 20 if COMPILED else 2
"""Steps between two worlds; fewer where each takes its time."""


@jit
def logarithm(likelihood: float) -> int:
    """That of a likelihood above 0, times `FINE`."""
    return int(log(likelihood) * FINE)


@jit
def is_taken(now: int, proposed: int, r: Ints) -> int:
    """1 if the walk goes to the proposed world, 0 if it stays; both are logarithms."""
    if proposed >= now or logarithm(unit(r) + 1e-10) <= proposed - now:
        return 1
    return 0
