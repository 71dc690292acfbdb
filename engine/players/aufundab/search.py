"""Auf und Ab: playouts of the rest of a round, in worlds that fit what a seat knows."""

from __future__ import annotations

from typing import Final

from engine.players.aufundab import twin
from engine.players.aufundab.policy import choose
from engine.players.aufundab.twin import ACTOR, SIZE, play, points, random_move
from engine.players.aufundab.walk import CHAINS, FIRST, THEN, free_cards, go_on, recall
from engine.players.aufundab.worlds import fill
from engine.players.compiled import Floats, Ints, jit
from engine.players.kit import BY_BOUND, GREEDY
from engine.players.ucb import fewest, next_move

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
    moves: Ints,
    count: int,
    playouts: int,
    policy: int,
    choosing: int,
    r: Ints,
    visits: Ints,
    sums: Floats,
    wins: Floats,
    world: Ints,
    room: Floats,
    found: Ints,
) -> None:
    """`Kit.search`, in a world, a room and a list that are its own."""
    for _ in range(playouts):
        if choosing == BY_BOUND:
            tried = next_move(visits, sums, count, SPREAD)
        else:
            tried = fewest(visits, count)
        if len(truth) > 0:
            world[:] = truth
        else:
            fill(known, world, r)
        _play_out(world, moves[tried], tried, policy, room, found, r, visits, sums, wins)


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
        tried = next_move(visits, sums, count, SPREAD)
        _play_out(world, moves[tried], tried, GREEDY, room, found, r, visits, sums, wins)


@jit
def _play_out(
    world: Ints,
    move: int,
    tried: int,
    policy: int,
    room: Floats,
    found: Ints,
    r: Ints,
    visits: Ints,
    sums: Floats,
    wins: Floats,
) -> None:
    """Plays a round to its end, and adds up what came of the move that was tried."""
    seat = world[ACTOR]
    play(world, move)
    while world[ACTOR] >= 0:
        if policy == GREEDY:
            play(world, choose(world, room, found, r))
        else:
            play(world, random_move(world, r))
    scored = points(world)
    visits[tried] += 1
    if world[twin.OWNER] == seat:
        sums[tried] += scored
        wins[tried] += 1.0
    else:
        sums[tried] -= scored / (world[twin.SEATS] - 1.0)


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
