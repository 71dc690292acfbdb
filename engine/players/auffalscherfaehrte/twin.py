"""Auf falscher Fährte: the rules on a vector of integers: legal moves, random ones, playing.

A coloured card is its index in the pack of four players, 13 to a suit; coloured cards that belong
together are a mask, and jokers are counted.  A move is one whole number: a card to hide, a card to
play (JOKER for a joker), or a suit to be trump (KEEP declines), as the stage asks.
Seats that hide a card at once are asked one after the other.
"""

from __future__ import annotations

from typing import Final

from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest, popcount

JOKER: Final = 52
"""The move that plays a joker."""
KEEP: Final = 4
"""The move that leaves the trump as it is."""
NUMBERS: Final = 13
"""Cards of a suit."""
SUIT: Final = (1 << NUMBERS) - 1
"""Mask of the first suit."""
NONE: Final = -1
"""No seat, no suit or no card."""
UNKNOWN: Final = -2
"""A hidden card that the seat does not know."""

HIDING: Final = 0
PLAYING: Final = 1
NAMING: Final = 2
OVER: Final = 3

# Where in the vector what stands.
SEATS: Final = 0
PACK_JOKERS: Final = 1
"""Jokers of the pack; less the one left over."""
TRICKS: Final = 2
"""Tricks of a round."""
STAGE: Final = 3
ACTOR: Final = 4
TRUMP: Final = 5
LEADER: Final = 6
"""Who leads to the present trick."""
LED: Final = 7
"""The suit to follow; NONE while no coloured card lies there."""
PLACED: Final = 8
"""Cards in the present trick."""
BEST: Final = 9
"""Whose the present trick is so far."""
STRENGTH: Final = 10
"""What its best card counts."""
DONE: Final = 11
"""Complete tricks."""
JOKERS_SEEN: Final = 12
"""Jokers played."""
JOKERS_BEFORE: Final = 13
"""Jokers played before the present trick."""
OFFERS: Final = 14
"""Two slots: who may change the trump, in order."""
TURNED: Final = 16
"""Hidden cards that have been turned."""
TURNED_CARDS: Final = 17
"""These, as a mask."""
SEEN: Final = 18
"""Coloured cards that all have seen: played, turned or left over."""
HAND: Final = 20
"""By seat, as what follows: its coloured cards."""
JOKERS: Final = 24
"""Its jokers."""
HELD: Final = 28
"""How many cards it holds."""
HIDDEN: Final = 32
"""The card it hid."""
REVEAL: Final = 36
"""By place: whose hidden card is turned there."""
TAKEN: Final = 40
"""Tricks won."""
VOID: Final = 44
"""Suits that it showed not to hold, as a mask of four bits."""
CARD: Final = 48
"""Its card in the present trick; NONE before."""
SCRATCH: Final = 52
"""Room for whoever draws a world."""
SIZE: Final = 70

CHANGE_AFTER: Final = 8
RIGHTS: Final = 2
"""Number of jokers of a round that give a right to change the trump."""


@jit
def legal(s: Ints) -> int:
    """The legal moves of the seat to act, as a mask with a bit for each; there is one."""
    seat = s[ACTOR]
    hand = s[HAND + seat]
    if s[STAGE] == NAMING:
        return 31 ^ (1 << s[TRUMP])
    if s[STAGE] == HIDING:
        return hand
    may = hand
    if s[LED] >= 0:
        follow = hand & (SUIT << (NUMBERS * s[LED]))
        if follow:
            may = follow
    if s[JOKERS + seat] > 0 and (s[JOKERS_SEEN] == s[JOKERS_BEFORE] or hand == 0):
        may |= 1 << JOKER
    return may


@jit
def any_of(mask: int, r: Ints) -> int:
    """One of the moves of a mask, each as likely as the others."""
    for _ in range(below(r, popcount(mask))):
        mask &= mask - 1
    return lowest(mask)


@jit
def play(s: Ints, move: int) -> None:
    """The seat to act does this, which is legal."""
    seat = s[ACTOR]
    if s[STAGE] == NAMING:
        if move != KEEP:
            s[TRUMP] = move
        s[OFFERS] = s[OFFERS + 1]
        s[OFFERS + 1] = NONE
        _go_on(s)
        return
    s[HELD + seat] -= 1
    if s[STAGE] == HIDING:
        s[HAND + seat] ^= 1 << move
        s[HIDDEN + seat] = move
        s[ACTOR] = s[LEADER]
        s[STAGE] = PLAYING
        for other in range(s[SEATS]):
            if s[STAGE] == PLAYING and s[HIDDEN + other] == NONE:
                s[ACTOR] = other
                s[STAGE] = HIDING
        return
    s[CARD + seat] = move
    s[PLACED] += 1
    if move == JOKER:
        if s[JOKERS_SEEN] > s[JOKERS_BEFORE]:
            s[VOID + seat] = 15
        s[JOKERS + seat] -= 1
        s[JOKERS_SEEN] += 1
    else:
        suit = move // NUMBERS
        s[HAND + seat] ^= 1 << move
        s[SEEN] |= 1 << move
        if s[LED] == NONE:
            s[LED] = suit
        elif suit != s[LED]:
            s[VOID + seat] |= 1 << s[LED]
        strength = strength_of(s, move)
        if strength > s[STRENGTH]:
            s[STRENGTH] = strength
            s[BEST] = seat
    if s[PLACED] < s[SEATS]:
        s[ACTOR] = (seat + 1) % s[SEATS]
    else:
        _complete(s)


@jit
def strength_of(s: Ints, card: int) -> int:
    """What a coloured card counts in the present trick; 0: it cannot win.  A lead is followed."""
    suit = card // NUMBERS
    number = card % NUMBERS
    if suit == s[TRUMP]:
        return number + 1 + NUMBERS
    if suit == s[LED] or s[LED] == NONE:
        return number + 1
    return 0


@jit
def _complete(s: Ints) -> None:
    """The trick is complete; the rights to change the trump come first."""
    seats = s[SEATS]
    s[DONE] += 1
    if s[PACK_JOKERS] > 0:
        right = s[JOKERS_BEFORE]
        place = OFFERS
        for step in range(seats):
            seat = (s[LEADER] + step) % seats
            if s[CARD + seat] == JOKER:
                if right < RIGHTS:
                    s[place] = seat
                    place += 1
                right += 1
    if s[BEST] >= 0:
        s[TAKEN + s[BEST]] += 1
        s[LEADER] = s[BEST]
    if s[PACK_JOKERS] == 0 and s[DONE] == CHANGE_AFTER:
        s[OFFERS] = last_alone(s)
    for seat in range(seats):
        s[CARD + seat] = NONE
    s[JOKERS_BEFORE] = s[JOKERS_SEEN]
    s[LED] = NONE
    s[PLACED] = 0
    s[BEST] = NONE
    s[STRENGTH] = 0
    _go_on(s)


@jit
def last_alone(s: Ints) -> int:
    """The seat that is alone in last place by the tricks so far; NONE if none is."""
    sign = -1
    if is_plus(s):
        sign = 1
    last = NONE
    least = 99
    for seat in range(s[SEATS]):
        merit = sign * s[TAKEN + seat]
        if merit < least:
            least = merit
            last = seat
        elif merit == least:
            last = NONE
    return last


@jit
def _go_on(s: Ints) -> None:
    """After a trick: whoever may change the trump, then the turning, then the next lead."""
    if s[OFFERS] != NONE:
        s[STAGE] = NAMING
        s[ACTOR] = s[OFFERS]
        return
    seats = s[SEATS]
    # After tricks 2 to 5 with four seats, after tricks 3 to 5 with three.
    if s[TURNED] < seats and s[DONE] > 5 - seats + s[TURNED]:
        card = s[HIDDEN + s[REVEAL + s[TURNED]]]
        s[TURNED] += 1
        s[TURNED_CARDS] |= 1 << card
        s[SEEN] |= 1 << card
    if s[DONE] == s[TRICKS]:
        s[STAGE] = OVER
        s[ACTOR] = NONE
    else:
        s[STAGE] = PLAYING
        s[ACTOR] = s[LEADER]


@jit
def is_plus(s: Ints) -> int:
    """1 in a Plus round, 0 in a Minus round; all have hidden a card."""
    total = 0
    for seat in range(s[SEATS]):
        total += s[HIDDEN + seat] % NUMBERS
    if total >= goal_of(s):
        return 1
    return 0


@jit
def goal_of(s: Ints) -> int:
    """From this sum of the hidden cards on a round is Plus."""
    return 10 * s[SEATS] - 16


@jit
def points(s: Ints, seat: int) -> int:
    """Points of a seat for the tricks so far, as if the round was over."""
    sign = -1
    if is_plus(s):
        sign = 1
    own = sign * s[TAKEN + seat]
    better = 0
    worse = 0
    for other in range(s[SEATS]):
        merit = sign * s[TAKEN + other]
        if merit > own:
            better += 1
        if merit < own:
            worse += 1
    if worse == 0:
        return 0
    return s[SEATS] - better
