"""Auf falscher Fährte: playouts of the rest of a round, in worlds that fit what a seat knows."""

from __future__ import annotations

from typing import Final

from engine.players.auffalscherfaehrte.policy import WEIGHTS, choose
from engine.players.auffalscherfaehrte.twin import (
    ACTOR,
    OVER,
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
from engine.players.compiled import Floats, Ints, jit
from engine.players.kit import BY_BOUND, GREEDY
from engine.players.ucb import fewest, next_move

SPREAD: Final = 1.5
"""How far the values of moves lie apart: points of a round."""
SLIPS: Final = 16
"""One in so many moves of a playout by rules of thumb is any move."""


@jit
def search(
    known: Ints,
    truth: Ints,
    told: int,
    moves: Ints,
    count: int,
    playouts: int,
    policy: int,
    how: int,
    r: Ints,
    visits: Ints,
    sums: Floats,
    wins: Floats,
    s: Ints,
) -> None:
    """As `Kit.search`; `told` is the length of `truth`, `s` room for a state."""
    seat = known[ACTOR]
    for _ in range(playouts):
        bound = how == BY_BOUND
        at = next_move(visits, sums, count, SPREAD) if bound else fewest(visits, count)
        if told:
            s[:] = truth
            s[ACTOR] = seat
        else:
            world(known, r, s)
        play(s, moves[at])
        play_out(s, policy, r)
        visits[at] += 1
        sums[at] += value(s, seat)
        wins[at] += share(s, seat)


@jit
def weighed(
    known: Ints,
    history: Ints,
    walk: Ints,
    moves: Ints,
    count: int,
    playouts: int,
    r: Ints,
    visits: Ints,
    sums: Floats,
    wins: Floats,
    s: Ints,
    steps: int,
) -> None:
    """As `Kit.weighed`, with so many steps to each world; `s` is room for a state."""
    seat = known[ACTOR]
    for _ in range(playouts):
        at = next_move(visits, sums, count, SPREAD)
        walk_on(known, history, walk, steps, r, s)
        play(s, moves[at])
        play_out(s, GREEDY, r)
        visits[at] += 1
        sums[at] += value(s, seat)
        wins[at] += share(s, seat)


@jit
def play_out(s: Ints, policy: int, r: Ints) -> None:
    """Plays the round to its end."""
    while s[STAGE] != OVER:
        if policy == GREEDY and below(r, SLIPS) > 0:
            play(s, choose(s, WEIGHTS))
        else:
            play(s, any_of(legal(s), r))


@jit
def value(s: Ints, seat: int) -> float:
    """Points of a seat over the mean of the others."""
    whole = 0
    for other in range(s[SEATS]):
        whole += points(s, other)
    own = points(s, seat)
    return own - (whole - own) / (s[SEATS] - 1)


@jit
def share(s: Ints, seat: int) -> float:
    """Its share of the first place of the round."""
    own = points(s, seat)
    first = 0
    for other in range(s[SEATS]):
        if points(s, other) > own:
            return 0.0
        if points(s, other) == own:
            first += 1
    return 1.0 / first
