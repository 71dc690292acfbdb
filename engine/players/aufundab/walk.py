"""Auf und Ab: a Metropolis walk through worlds, by how likely others acted so.

Two cards that were not seen change places; whether the walk goes there depends on how likely those
who would have held other cards would have been to do what they did (Metropolis).
"""

from __future__ import annotations

from math import log
from typing import Final

from engine.players.aufundab.likely import NEVER, likelihood
from engine.players.aufundab.twin import (
    ACTOR,
    ALL,
    DOUBLE,
    DOUBLES,
    HANDS,
    OPENING,
    PLAYED,
    SEATS,
    SIZE,
)
from engine.players.aufundab.worlds import fill
from engine.players.chance import below, unit
from engine.players.compiled import Floats, Ints, jit, lowest

CHAINS: Final = 8
"""Number of walks, which take turns: one alone would not reach every deal soon."""
FIRST: Final = 500
"""Proposals to each walk before its first world is looked at."""
THEN: Final = 20
"""Proposals between two worlds that are looked at."""
WALK: Final = CHAINS * SIZE
"""Numbers in a walk: the world of each chain."""
FREE: Final = 56
"""Room for what `free_cards` writes."""
_TINY: Final = 1e-12
"""Keeps a logarithm from being that of 0."""


@jit
def recall(
    known: Ints,
    history: Ints,
    walk: Ints,
    told: Floats,
    r: Ints,
    s: Ints,
    room: Floats,
    found: Ints,
    by: Floats,
) -> None:
    """Where the chains of a walk are, and how likely: `told` by chain and seat.

    Those of a new walk stand in any worlds that fit what the seat knows.
    """
    fresh = walk[SEATS] == 0
    for chain in range(CHAINS):
        if fresh:
            fill(known, s, r)
            for i in range(SIZE):
                walk[chain * SIZE + i] = s[i]
        for seat in range(known[SEATS]):
            if seat != known[ACTOR]:
                hand = walk[chain * SIZE + HANDS + seat]
                told[4 * chain + seat] = likelihood(history, seat, hand, NEVER, s, room, found, by)


@jit
def go_on(
    history: Ints,
    walk: Ints,
    chain: int,
    told: Floats,
    free: Ints,
    proposals: int,
    r: Ints,
    s: Ints,
    room: Floats,
    found: Ints,
    by: Floats,
) -> None:
    """So many proposals to one chain.  `free` is what `free_cards` wrote."""
    hands = chain * SIZE + HANDS
    seats = walk[SEATS]
    for _ in range(proposals):
        one = 1 << free[1 + below(r, free[0])]
        two = 1 << free[1 + below(r, free[0])]
        # The seats that have them; what no hand has lies aside.
        a = -1
        b = -1
        for seat in range(seats):
            if walk[hands + seat] & one > 0:
                a = seat
            if walk[hands + seat] & two > 0:
                b = seat
        if a == b:
            continue
        # No logarithm of a likelihood is above 0, so what is hopeless shows early.
        least = log(unit(r) + _TINY)
        if a >= 0:
            least += told[4 * chain + a]
        if b >= 0:
            least += told[4 * chain + b]
        new_a = 0.0
        new_b = 0.0
        if a >= 0:
            new_a = likelihood(history, a, walk[hands + a] ^ one ^ two, least, s, room, found, by)
        if b >= 0 and new_a >= least:
            new_b = likelihood(
                history, b, walk[hands + b] ^ one ^ two, least - new_a, s, room, found, by
            )
        if new_a + new_b < least:
            continue
        if a >= 0:
            walk[hands + a] ^= one | two
            told[4 * chain + a] = new_a
        if b >= 0:
            walk[hands + b] ^= one | two
            told[4 * chain + b] = new_b


@jit
def free_cards(known: Ints, free: Ints) -> None:
    """Writes how many cards may be anywhere but in the own hand, and which."""
    lower = DOUBLES & (DOUBLE[known[OPENING]] - 1)
    cards = ALL & ~(known[PLAYED] | known[HANDS + known[ACTOR]] | lower)
    free[0] = 0
    while cards > 0:
        free[0] += 1
        free[free[0]] = lowest(cards)
        cards &= cards - 1
