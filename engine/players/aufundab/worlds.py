"""Auf und Ab: complete deals that fit what a seat knows: any, and likely ones.

What a seat knows is written as a state of the twin in which the other hands are empty (their
numbers of cards are there).

Likely deals are found by walks.  Two cards that were not seen change places; whether the walk goes
there depends on how likely those who would have held other cards would have been to do what they
did (Metropolis).  Nobody knows who the others are: somebody may play by the rules of thumb to the
letter, about as they say, or quite otherwise.  What a seat did tells that along with its cards.
"""

from __future__ import annotations

from math import exp, log
from typing import Final, NamedTuple

from engine.players.aufundab.policy import LOOKED_AT, SCORES, new_room, weigh
from engine.players.aufundab.twin import (
    ACTOR,
    ALL,
    COUNTS,
    DOUBLE,
    DOUBLES,
    HANDS,
    MODE,
    OPENING,
    PLAYED,
    SEATS,
    SHOWN,
    SIZE,
    play,
)
from engine.players.chance import below, unit
from engine.players.compiled import Floats, Ints, floats, ints, jit, lowest, popcount

KINDS: Final = 3
"""So many kinds of player there are: to the letter, about as the rules of thumb say, otherwise."""
NEVER: Final = -1e9
"""Below every logarithm of a likelihood that occurs."""

# To the letter, and about.
_SHARP: Final = 0.15
_WARM: Final = 1.0
"""How much worse than the best a move weighs that is chosen e times as seldom."""
_SLIP: Final = 0.02
_DOUBT: Final = 0.3
"""How often any move is chosen, whatever it weighs."""
_LOOSE: Final = 0.3
"""How often about only number and quantity are chosen, and any of the cards for them."""

CHAINS: Final = 8
"""Number of walks, which take turns: one alone would not reach every deal soon."""
FIRST: Final = 500
"""Proposals to each walk before its first world is looked at."""
THEN: Final = 20
"""Proposals between two worlds that are looked at."""
WALK: Final = CHAINS * SIZE
"""Numbers in a walk: the world of each chain."""
_TINY: Final = 1e-12
"""Keeps a logarithm from being that of 0."""


class Desk(NamedTuple):
    """Room for a search: what stands there means nothing to the next one."""

    world: Ints
    """Where a playout is."""
    s: Ints
    """Where a replay is."""
    room: Floats
    """Of the rules of thumb."""
    found: Ints
    """Moves that they look at."""
    free: Ints
    """How many cards may be anywhere but in the own hand, and which."""
    told: Floats
    """By chain and seat: how likely it did what it did, with the cards of that world."""
    by: Floats
    """The same of one seat, by kind of player."""

    @classmethod
    def with_noise(cls, noise: float) -> Desk:
        """One where rules of thumb may be off by that."""
        return cls(
            ints(SIZE), ints(SIZE), new_room(noise), ints(LOOKED_AT),
            ints(1 + ALL.bit_count()), floats(4 * CHAINS), floats(KINDS),
        )  # fmt: skip


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


@jit
def _kind(s: Ints, move: int) -> int:
    """Number and quantity of a set in one; -1 for a pass."""
    cards = move & ALL
    if cards == 0:
        return -1
    return 12 * SHOWN[55 * s[MODE] + lowest(cards)] + popcount(cards) + (move >> 55)


@jit
def _said(move: int, desk: Desk) -> None:
    """Adds the log of how likely the seat to act does this, for each kind of player."""
    s, room, found, by = desk.s, desk.room, desk.found, desk.by
    count = weigh(s, room, found)
    if count == 1:
        return
    most = room[SCORES]
    for i in range(1, count):
        if room[SCORES + i] > most:
            most = room[SCORES + i]
    kind = _kind(s, move)
    sharp_whole = 0.0
    sharp_same = 0.0
    whole = 0.0
    same = 0.0
    alike = 0.0
    kinds = 0
    for i in range(count):
        likely = exp((room[SCORES + i] - most) / _WARM)
        sharp = exp((room[SCORES + i] - most) / _SHARP)
        whole += likely
        sharp_whole += sharp
        if found[i] == move:
            same += likely
            sharp_same += sharp
        if _kind(s, found[i]) == kind:
            alike += likely
            kinds += 1
    if kinds > 0:
        alike /= kinds
    by[0] += log((1.0 - _SLIP) * sharp_same / sharp_whole + _SLIP / count)
    chosen = ((1.0 - _LOOSE) * same + _LOOSE * alike) / whole
    by[1] += log((1.0 - _DOUBT) * chosen + _DOUBT / count)
    by[2] -= log(count)


@jit
def _mixed(by: Floats) -> float:
    """Log of how likely all was, each kind of player as frequent as the others."""
    most = max(by[0], max(by[1], by[2]))
    return most + log((exp(by[0] - most) + exp(by[1] - most) + exp(by[2] - most)) / 3.0)


@jit
def likelihood(history: Ints, seat: int, hand: int, least: float, desk: Desk) -> float:
    """Log of how likely a seat that holds this hand now did all that it did in this round.

    What is below `least` is not told exactly.
    """
    s, by = desk.s, desk.by
    for i in range(SIZE):
        s[i] = history[i]
    s[HANDS + seat] |= hand
    for i in range(KINDS):
        by[i] = 0.0
    for i in range(SIZE, len(history)):
        if s[ACTOR] == seat:
            _said(history[i], desk)
            if by[0] < least and by[1] < least and by[2] < least:
                return least - 1.0
        play(s, history[i])
    return _mixed(by)


@jit
def recall(known: Ints, history: Ints, walk: Ints, r: Ints, desk: Desk) -> None:
    """How likely the worlds are in which the chains of a walk stand, and which cards are free.

    Those of a new walk stand in any worlds that fit what the seat knows.
    """
    s, fresh = desk.s, walk[SEATS] == 0
    _free_cards(known, desk.free)
    for chain in range(CHAINS):
        if fresh:
            fill(known, s, r)
            for i in range(SIZE):
                walk[chain * SIZE + i] = s[i]
        for seat in range(known[SEATS]):
            if seat != known[ACTOR]:
                hand = walk[chain * SIZE + HANDS + seat]
                desk.told[4 * chain + seat] = likelihood(history, seat, hand, NEVER, desk)


@jit
def go_on(history: Ints, walk: Ints, chain: int, proposals: int, r: Ints, desk: Desk) -> None:
    """So many proposals to one chain, after `recall`."""
    told, free = desk.told, desk.free
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
            new_a = likelihood(history, a, walk[hands + a] ^ one ^ two, least, desk)
        if b >= 0 and new_a >= least:
            new_b = likelihood(history, b, walk[hands + b] ^ one ^ two, least - new_a, desk)
        if new_a + new_b < least:
            continue
        if a >= 0:
            walk[hands + a] ^= one | two
            told[4 * chain + a] = new_a
        if b >= 0:
            walk[hands + b] ^= one | two
            told[4 * chain + b] = new_b


@jit
def _free_cards(known: Ints, free: Ints) -> None:
    """Writes how many cards may be anywhere but in the own hand, and which."""
    lower = DOUBLES & (DOUBLE[known[OPENING]] - 1)
    cards = ALL & ~(known[PLAYED] | known[HANDS + known[ACTOR]] | lower)
    free[0] = 0
    while cards > 0:
        free[0] += 1
        free[free[0]] = lowest(cards)
        cards &= cards - 1
