"""Upper confidence bounds: which move is played out next."""

from __future__ import annotations

from math import log, sqrt

from engine.players.compiled import Floats, Ints, jit


@jit
def next_move(visits: Ints, sums: Floats, count: int, spread: float) -> int:
    """The move with the highest upper confidence bound (UCB1); one that was never tried is first.

    `spread` is how far values lie apart, as a rule.
    """
    whole = 0
    for i in range(count):
        if visits[i] == 0:
            return i
        whole += visits[i]
    best = 0
    bound = 0.0
    for i in range(count):
        now = sums[i] / visits[i] + spread * sqrt(log(whole) / visits[i])
        if i == 0 or now > bound:
            best = i
            bound = now
    return best


@jit
def fewest(visits: Ints, count: int) -> int:
    """The first of the moves that were tried least often."""
    best = 0
    for i in range(1, count):
        if visits[i] < visits[best]:
            best = i
    return best
