"""Playouts of several moves: which is tried next, and what the end of a round counts for it."""

from __future__ import annotations

from math import log, sqrt

from engine.players.compiled import Ints, jit
from engine.players.kit import FLAT, Tried


@jit
def next_move(tried: Tried, way: int, spread: float) -> int:
    """The index of the move to try next: one that was never tried, if there is one.

    Else (`FLAT`) the one tried least often, or (`GUIDED`) that with the highest upper confidence
    bound (UCB1), where `spread` is how far values lie apart, as a rule.
    """
    visits = tried.visits
    best = 0
    whole = 0
    for i in range(len(visits)):
        if visits[i] == 0:
            return i
        whole += visits[i]
        if visits[i] < visits[best]:
            best = i
    if way == FLAT:
        return best
    bound = 0.0
    for i in range(len(visits)):
        now = tried.sums[i] / visits[i] + spread * sqrt(log(whole) / visits[i])
        if i == 0 or now > bound:
            best = i
            bound = now
    return best


@jit
def add(tried: Tried, at: int, value: float, won: float) -> None:
    """Adds a playout of a move."""
    tried.visits[at] += 1
    tried.sums[at] += value
    tried.wins[at] += won


@jit
def add_points(tried: Tried, at: int, state: Ints, points: int, seats: int, seat: int) -> None:
    """Adds a playout: a seat's points over the mean of the others, and its share of first place.

    From the slot `points` on, `state` has the points of every seat.
    """
    own = state[points + seat]
    whole = 0
    first = 1
    shared = 0
    for other in range(seats):
        now = state[points + other]
        whole += now
        if now > own:
            first = 0
        if now == own:
            shared += 1
    add(tried, at, own - (whole - own) / (seats - 1), first / shared)
