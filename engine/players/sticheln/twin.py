"""Sticheln: the rules on a vector of integers: legal moves, random ones, playing.

A move is the number of the game's own action: a card to be played, or CHOOSE more than the card
that is laid aside for its colour.  Seats that choose at once are asked one after the other; whose
turn it is then need not be the lowest of them.
"""

from __future__ import annotations

from typing import Final

from engine.games.sticheln.cards import CHOOSE as _CHOOSE
from engine.games.sticheln.cards import HAND as _HAND
from engine.games.sticheln.cards import HIGHEST as _HIGHEST
from engine.games.sticheln.cards import SUITS as _SUITS
from engine.games.sticheln.cards import TRICKS as _TRICKS
from engine.players.chance import below
from engine.players.compiled import Ints, jit

CHOOSE: Final = _CHOOSE
HAND: Final = _HAND
TRICKS: Final = _TRICKS
COLOURS: Final = len(_SUITS)
MOST: Final = max(_HIGHEST)
"""Seats there may be."""
NUMBERS: Final = max(_HIGHEST.values()) + 1
"""A card is its colour times this, and its number."""

NONE: Final = -1
"""In place of a seat or a card: there is none, or it is not known."""
SECRET: Final = -2
"""In place of a chosen card: it is chosen, and others may not know it yet."""

# Where what stands.  Vectors by seat have room for MOST.

SEATS: Final = 0
ZEROS: Final = 1
"""1 if the seat that led takes a trick of nothing but zeros."""
HIGHEST: Final = 2
"""The highest number that is played with."""
TURN: Final = 3
"""Who is to act; NONE when the round is over."""
OPEN: Final = 4
"""Seats that have still to choose."""
LEADER: Final = 5
"""Of the present trick; while all choose, of the first."""
LAID: Final = 6
"""Cards in the present trick."""
LEFT: Final = 7
"""Tricks that are not complete."""
LEAD: Final = 8
"""The colour that was led; what it says before a lead means nothing."""
BEST: Final = 9
"""Who would win the present trick; NONE while there are zeros only."""
POWER: Final = 10
"""How strong the card is that would win it (`strength`); 0 while there are zeros only."""
CHOSEN: Final = 11
"""By seat the card of the unwanted colour, NONE or SECRET."""
COUNT: Final = CHOSEN + MOST
"""By seat the cards in hand."""
POINTS: Final = COUNT + MOST
"""By seat the points so far, the chosen card among them."""
WORTH: Final = POINTS + MOST
"""By seat what the present trick would bring it."""
SEEN: Final = WORTH + MOST
"""By colour the numbers that everybody has seen, as bits."""
HELD: Final = SEEN + COLOURS
"""By seat and colour the numbers in hand, as bits."""
HANDS: Final = HELD + MOST * COLOURS
"""By seat room for HAND cards; the first COUNT are there, in any order, the others NONE."""
SIZE: Final = HANDS + MOST * HAND


@jit
def random_move(state: Ints, r: Ints) -> int:
    """A move of whose turn it is, each as likely as the others."""
    seat = state[TURN]
    more = CHOOSE if state[OPEN] else 0
    return state[HANDS + seat * HAND + below(r, state[COUNT + seat])] + more


@jit
def strength(card: int, lead: int) -> int:
    """How strong a card is where that colour was led; 0 wins nothing."""
    number = card % NUMBERS
    if number == 0 or card // NUMBERS == lead:
        return number
    return number + NUMBERS


@jit
def play(state: Ints, move: int) -> int:
    """Whose turn it is makes a move, which is legal; who takes a trick by that, or NONE."""
    seat = state[TURN]
    seats = state[SEATS]
    chooses = state[OPEN] > 0
    card = move - CHOOSE if chooses else move
    colour, number = card // NUMBERS, card % NUMBERS
    state[COUNT + seat] -= 1
    last = HANDS + seat * HAND + state[COUNT + seat]
    at = HANDS + seat * HAND
    while state[at] != card:
        at += 1
    state[at] = state[last]
    state[last] = NONE
    state[HELD + seat * COLOURS + colour] ^= 1 << number
    if chooses:
        state[CHOSEN + seat] = card
        state[POINTS + seat] = -number
        state[OPEN] -= 1
        if state[OPEN]:
            following = 0
            while state[CHOSEN + following] != NONE:
                following += 1
            state[TURN] = following
            return NONE
        state[TURN] = state[LEADER]
        for each in range(seats):
            shown = state[CHOSEN + each]
            state[SEEN + shown // NUMBERS] |= 1 << (shown % NUMBERS)
        return NONE
    state[SEEN + colour] |= 1 << number
    for each in range(seats):
        if state[CHOSEN + each] // NUMBERS == colour:
            state[WORTH + each] -= number
        else:
            state[WORTH + each] += 1
    if state[LAID] == 0:
        state[LEAD] = colour
    now = strength(card, state[LEAD])
    if now > state[POWER]:
        state[POWER] = now
        state[BEST] = seat
    state[LAID] += 1
    if state[LAID] < seats:
        state[TURN] = seat + 1 if seat + 1 < seats else 0
        return NONE
    winner = state[BEST]
    if winner == NONE and state[ZEROS]:
        winner = state[LEADER]
    if winner != NONE:
        state[POINTS + winner] += state[WORTH + winner]
        state[LEADER] = winner
    for each in range(seats):
        state[WORTH + each] = 0
    state[LAID] = 0
    state[BEST] = NONE
    state[POWER] = 0
    state[LEFT] -= 1
    state[TURN] = state[LEADER] if state[LEFT] else NONE
    return winner
