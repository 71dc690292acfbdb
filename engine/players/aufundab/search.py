"""Auf und Ab: playouts of the rest of a round, in worlds that fit what a seat knows."""

from __future__ import annotations

from typing import Final

from engine.players.aufundab import twin
from engine.players.aufundab.policy import choose
from engine.players.aufundab.twin import ACTOR, SIZE, play, points, random_move
from engine.players.aufundab.walk import CHAINS, FIRST, THEN, free_cards, go_on, recall
from engine.players.aufundab.worlds import fill
from engine.players.compiled import Floats, Ints, jit
from engine.players.kit import BY_BOUND, GREEDY, Tried
from engine.players.ucb import add, next_move

NOISE: Final = 1.0
"""How far the rules of thumb may be off in a playout, so that playouts differ."""
SPREAD: Final = 10.0
"""How far the values of playouts lie apart, in points."""
OFTEN: Final = 4
"""Playouts in a likely world: to walk to the next one takes longer than all of them."""


@jit
def search(
    known: Ints,
    truth: Ints,
    tried: Tried,
    playouts: int,
    policy: int,
    way: int,
    r: Ints,
    world: Ints,
    room: Floats,
    found: Ints,
) -> None:
    """`Kit.search`, in a world, a room and a list that are its own."""
    for _ in range(playouts):
        at = next_move(tried, way, SPREAD)
        if len(truth) > 0:
            world[:] = truth
        else:
            fill(known, world, r)
        _try(world, tried, at, policy, room, found, r)


@jit
def weighed(
    known: Ints,
    history: Ints,
    walk: Ints,
    tried: Tried,
    playouts: int,
    r: Ints,
    world: Ints,
    room: Floats,
    found: Ints,
    s: Ints,
    free: Ints,
    told: Floats,
    by: Floats,
) -> None:
    """`Kit.weighed`, in vectors that are its own."""
    fresh = walk[twin.SEATS] == 0
    recall(known, history, walk, told, r, s, room, found, by)
    free_cards(known, free)
    chain = 0
    for turn in range(playouts):
        if turn % OFTEN == 0:
            chain = turn // OFTEN % CHAINS
            proposals = FIRST if fresh and turn < OFTEN * CHAINS else THEN
            go_on(history, walk, chain, told, free, proposals, r, s, room, found, by)
        for i in range(SIZE):
            world[i] = walk[chain * SIZE + i]
        at = next_move(tried, BY_BOUND, SPREAD)
        _try(world, tried, at, GREEDY, room, found, r)


@jit
def _try(
    world: Ints, tried: Tried, at: int, policy: int, room: Floats, found: Ints, r: Ints
) -> None:
    """Makes a move, plays the round to its end, and adds up what came of it."""
    seat = world[ACTOR]
    play(world, tried.moves[at])
    while world[ACTOR] >= 0:
        if policy == GREEDY:
            play(world, choose(world, room, found, r))
        else:
            play(world, random_move(world, r))
    scored = points(world)
    if world[twin.OWNER] == seat:
        add(tried, at, scored, 1.0)
    else:
        add(tried, at, -scored / (world[twin.SEATS] - 1.0), 0.0)


@jit
def play_by(
    state: Ints, rows: Ints, weights: Floats, length: int, room: Floats, found: Ints, r: Ints
) -> None:
    """Plays a round to its end, each seat by its row of the weights, or any move."""
    while state[ACTOR] >= 0:
        row = rows[state[ACTOR]]
        if row < 0:
            play(state, random_move(state, r))
        else:
            for i in range(length):
                room[i] = weights[row * length + i]
            play(state, choose(state, room, found, r))
