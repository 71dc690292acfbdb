"""Auf falscher Fährte: playouts of the rest of a round, in worlds that fit what a seat knows."""

from __future__ import annotations

from typing import Final

from engine.players.auffalscherfaehrte.policy import WEIGHTS, choose
from engine.players.auffalscherfaehrte.twin import (
    ACTOR,
    OVER,
    SCRATCH,
    SEATS,
    STAGE,
    any_of,
    legal,
    play,
    points,
)
from engine.players.auffalscherfaehrte.walk import walk_on
from engine.players.auffalscherfaehrte.worlds import world
from engine.players.chance import below
from engine.players.compiled import Ints, jit
from engine.players.kit import BY_BOUND, GREEDY, Tried
from engine.players.ucb import add_points, next_move

SPREAD: Final = 1.5
"""How far the values of moves lie apart: points of a round."""
SLIPS: Final = 16
"""One in so many moves of a playout by rules of thumb is any move."""


@jit
def search(
    known: Ints, truth: Ints, tried: Tried, playouts: int, policy: int, way: int, r: Ints, s: Ints
) -> None:
    """As `Kit.search`; `s` is room for a state."""
    seat = known[ACTOR]
    for _ in range(playouts):
        at = next_move(tried, way, SPREAD)
        if len(truth):
            s[:] = truth
            s[ACTOR] = seat
        else:
            world(known, r, s)
        _try(s, seat, tried, at, policy, r)


@jit
def weighed(
    known: Ints,
    history: Ints,
    walk: Ints,
    tried: Tried,
    playouts: int,
    r: Ints,
    s: Ints,
    steps: int,
) -> None:
    """As `Kit.weighed`, with so many steps to each world; `s` is room for a state."""
    for _ in range(playouts):
        at = next_move(tried, BY_BOUND, SPREAD)
        walk_on(known, history, walk, steps, r, s)
        _try(s, known[ACTOR], tried, at, GREEDY, r)


@jit
def _try(s: Ints, seat: int, tried: Tried, at: int, policy: int, r: Ints) -> None:
    """Makes a move, plays the round to its end, and adds up what came of it."""
    play(s, tried.moves[at])
    while s[STAGE] != OVER:
        if policy == GREEDY and below(r, SLIPS) > 0:
            play(s, choose(s, WEIGHTS))
        else:
            play(s, any_of(legal(s), r))
    for each in range(s[SEATS]):
        s[SCRATCH + each] = points(s, each)
    add_points(tried, at, s, SCRATCH, s[SEATS], seat)
