"""Sticheln: complete deals that fit what a seat knows: any, and likely ones.

What a seat knows is a state of the twin whose turn is its own: the hands of the others are empty
but for their count, and while all choose their choices are NONE or SECRET.  Nobody has to follow,
so every way to deal out the cards that were not seen fits as well as the others.

Likely deals are found by a walk (Metropolis).  A step swaps two cards in the hands of others; it
is taken by the ratio of how likely they did with the one cards and with the other what they did
in this round.
"""

from __future__ import annotations

from math import exp
from typing import Final

from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest
from engine.players.kit import BURN, is_taken, logarithm
from engine.players.sticheln.policy import (
    WEIGHTS,
    choose,
    hidden_cards,
    threat_to,
    unseen,
    value_of,
)
from engine.players.sticheln.twin import (
    BEST,
    CHOOSE,
    CHOSEN,
    COLOURS,
    COUNT,
    HAND,
    HANDS,
    HELD,
    HIGHEST,
    LEADER,
    LEFT,
    MOST,
    NONE,
    NUMBERS,
    OPEN,
    SEATS,
    SECRET,
    SIZE,
    TRICKS,
    TURN,
    ZEROS,
    play,
)

PLAYED: Final = 0.5
"""How far apart what is worth more and what is worth less have to be to tell: points."""
ANY: Final = 0.15
"""The share of moves that may be any move: others may think quite differently."""

# Where in a walk what stands.
BEGUN: Final = 0
FRAMES: Final = 1
"""Decisions of the others."""
SCORE: Final = 2
"""By seat: how likely its decisions are, as a logarithm times `FINE` of `engine.players.kit`."""
HERE: Final = 8
"""The world where the walk is."""
FIRST: Final = HERE + SIZE
"""For every decision of another what it did, then the state that all see, with the cards that
its seat went on to play."""


def room(seats: int, told: int) -> int:
    """How many numbers a walk takes after a history of so many numbers."""
    return FIRST + (1 + SIZE) * (seats - 1 + told) if told else 0


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
        rest = unseen(known, me, colour)
        while rest:
            number = lowest(rest)
            rest &= rest - 1
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


@jit
def walk_on(known: Ints, history: Ints, walk: Ints, steps: int, r: Ints, world: Ints) -> None:
    """Goes so many steps on, at first as many times as it takes to get anywhere.

    Makes `world` the one that is reached.
    """
    me = known[TURN]
    if walk[BEGUN] == 0:
        walk[BEGUN] = 1
        _tell(known, history, walk, world)
        draw_world(known, r, world)
        for i in range(SIZE):
            walk[HERE + i] = world[i]
        for seat in range(known[SEATS]):
            if seat != me:
                walk[SCORE + seat] = score(walk, seat, world)
        steps *= BURN
    for _ in range(steps):
        _step(walk, me, r, world)
    for i in range(SIZE):
        world[i] = walk[HERE + i]


@jit
def _tell(known: Ints, history: Ints, walk: Ints, s: Ints) -> None:
    """Replays the round as all saw it."""
    seats = known[SEATS]
    me = known[TURN]
    for i in range(SIZE):
        s[i] = NONE
    for i in range(OPEN, HANDS):
        s[i] = 0
    s[SEATS] = seats
    s[ZEROS] = known[ZEROS]
    s[HIGHEST] = known[HIGHEST]
    s[LEADER] = history[0]
    s[LEFT] = TRICKS
    s[BEST] = NONE
    for seat in range(seats):
        s[CHOSEN + seat] = NONE
        s[COUNT + seat] = HAND
    for seat in range(seats):
        s[OPEN] = seats - seat
        s[TURN] = seat
        _tell_one(walk, s, me, known[CHOSEN + seat], CHOOSE)
    for at in range(1, len(history)):
        _tell_one(walk, s, me, history[at], 0)
    # Backwards: what a seat played from a decision on it held there.
    for i in range(HELD, HANDS):
        s[i] = 0
    for k in range(walk[FRAMES] - 1, -1, -1):
        at = FIRST + (1 + SIZE) * k
        seat = walk[at + 1 + TURN]
        card = walk[at]
        s[HELD + seat * COLOURS + card // NUMBERS] |= 1 << (card % NUMBERS)
        for colour in range(COLOURS):
            slot = HELD + seat * COLOURS + colour
            walk[at + 1 + slot] = s[slot]


@jit
def _tell_one(walk: Ints, s: Ints, me: int, card: int, more: int) -> None:
    """Whose turn it is does this; it holds no other card."""
    seat = s[TURN]
    if seat != me:
        at = FIRST + (1 + SIZE) * walk[FRAMES]
        walk[FRAMES] += 1
        walk[at] = card
        for i in range(SIZE):
            walk[at + 1 + i] = s[i]
    s[HANDS + seat * HAND + s[COUNT + seat] - 1] = card
    s[HELD + seat * COLOURS + card // NUMBERS] |= 1 << (card % NUMBERS)
    play(s, card + more)


@jit
def score(walk: Ints, seat: int, s: Ints) -> int:
    """How likely all that the seat did is with the cards that it has now; `s` is scratch."""
    whole = 0
    for k in range(walk[FRAMES]):
        at = FIRST + (1 + SIZE) * k
        if walk[at + 1 + TURN] != seat:
            continue
        for i in range(HANDS):
            s[i] = walk[at + 1 + i]
        for colour in range(COLOURS):
            slot = HELD + seat * COLOURS + colour
            s[slot] |= walk[HERE + slot]
        whole += logarithm(likelihood(s, seat, walk[at]))
    return whole


@jit
def likelihood(s: Ints, seat: int, card: int) -> float:
    """How likely the seat whose turn it is makes this of its cards."""
    count = s[COUNT + seat]
    if count == 1:
        return 1.0
    hidden = hidden_cards(s, seat)
    threat = threat_to(s, seat)
    own = value_of(s, seat, card, hidden, threat, WEIGHTS)
    whole = 0.0
    for colour in range(COLOURS):
        rest = s[HELD + seat * COLOURS + colour]
        while rest:
            other = colour * NUMBERS + lowest(rest)
            rest &= rest - 1
            whole += exp((value_of(s, seat, other, hidden, threat, WEIGHTS) - own) / PLAYED)
    return (1.0 - ANY) / whole + ANY / count


@jit
def _step(walk: Ints, me: int, r: Ints, s: Ints) -> None:
    """Proposes a swap, and takes it or leaves it."""
    seats = walk[HERE + SEATS]
    one = (me + 1 + below(r, seats - 1)) % seats
    two = (me + 1 + below(r, seats - 1)) % seats
    if one == two or walk[HERE + COUNT + one] == 0 or walk[HERE + COUNT + two] == 0:
        return
    first = HERE + HANDS + one * HAND + below(r, walk[HERE + COUNT + one])
    second = HERE + HANDS + two * HAND + below(r, walk[HERE + COUNT + two])
    _swap(walk, one, first, two, second)
    a = score(walk, one, s)
    b = score(walk, two, s)
    if is_taken(walk[SCORE + one] + walk[SCORE + two], a + b, r):
        walk[SCORE + one] = a
        walk[SCORE + two] = b
        return
    _swap(walk, one, first, two, second)


@jit
def _swap(walk: Ints, one: int, first: int, two: int, second: int) -> None:
    """The card in the slot `first` of `one` for that in `second` of `two`."""
    for card in (walk[first], walk[second]):
        bit = 1 << (card % NUMBERS)
        walk[HERE + HELD + one * COLOURS + card // NUMBERS] ^= bit
        walk[HERE + HELD + two * COLOURS + card // NUMBERS] ^= bit
    kept = walk[first]
    walk[first] = walk[second]
    walk[second] = kept
