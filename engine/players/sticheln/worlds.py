"""Sticheln: random worlds, that is complete deals that fit what a seat knows.

What a seat knows is a state of the twin whose turn is its own: the hands of the others are empty
but for their count, and while all choose their choices are NONE or SECRET.  Nobody has to follow,
so every way to deal out the cards that were not seen is as likely as the others.
"""

from __future__ import annotations

from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest
from engine.players.sticheln.policy import choose
from engine.players.sticheln.twin import (
    CHOSEN,
    COLOURS,
    COUNT,
    HAND,
    HANDS,
    HELD,
    HIGHEST,
    MOST,
    NUMBERS,
    OPEN,
    SEATS,
    SECRET,
    SEEN,
    TURN,
    play,
)


@jit
def draw_world(known: Ints, r: Ints, world: Ints) -> None:
    """Makes `world` a whole state that fits what is known.

    Choices that nobody may know yet are made by the rules of thumb.
    """
    world[:] = known
    me = known[TURN]
    seats = known[SEATS]
    left = 0
    for seat in range(seats):
        if seat != me:
            left += known[COUNT + seat]
            world[COUNT + seat] = 0
            if known[CHOSEN + seat] == SECRET:
                left += 1
    for colour in range(5 if seats < MOST else COLOURS):
        unseen = (2 << known[HIGHEST]) - 1
        unseen &= ~(known[SEEN + colour] | known[HELD + me * COLOURS + colour])
        while unseen:
            number = lowest(unseen)
            unseen &= unseen - 1
            # To each seat as likely as it has room: so every deal is as likely.
            room = below(r, left)
            left -= 1
            seat = -1
            while room >= 0:
                seat += 1
                if seat != me:
                    room -= known[COUNT + seat] - world[COUNT + seat]
                    if known[CHOSEN + seat] == SECRET:
                        room -= 1
            world[HANDS + seat * HAND + world[COUNT + seat]] = colour * NUMBERS + number
            world[HELD + seat * COLOURS + colour] |= 1 << number
            world[COUNT + seat] += 1
    for seat in range(seats):
        if known[CHOSEN + seat] == SECRET:
            world[OPEN] += 1
            world[TURN] = seat
            play(world, choose(world, seat, r))
    world[TURN] = me
