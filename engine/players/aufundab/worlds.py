"""Auf und Ab: random worlds, that is complete deals that fit what a seat knows.

What a seat knows is written as a state of the twin in which the other hands are empty (their
numbers of cards are there).
"""

from __future__ import annotations

from engine.players.aufundab.twin import (
    ACTOR,
    ALL,
    COUNTS,
    DOUBLE,
    DOUBLES,
    HANDS,
    OPENING,
    PLAYED,
    SEATS,
)
from engine.players.chance import below
from engine.players.compiled import Ints, jit, popcount


@jit
def fill(known: Ints, world: Ints, r: Ints) -> None:
    """Makes `world` a state that the seat to act may be in, each as likely as the others.

    Every double below the opening one lies aside: a hand with it would have begun.
    """
    world[:] = known
    seat = known[ACTOR]
    lower = DOUBLES & (DOUBLE[known[OPENING]] - 1)
    cards = ALL & ~(known[PLAYED] | known[HANDS + seat] | lower)
    left = popcount(cards)
    while cards > 0:
        card = cards & -cards
        cards ^= card
        # Each place takes the next card as likely as it has room; what no hand takes lies aside.
        place = below(r, left)
        left -= 1
        for other in range(known[SEATS]):
            room = world[COUNTS + other] - popcount(world[HANDS + other])
            if place < room:
                world[HANDS + other] |= card
                break
            place -= room
