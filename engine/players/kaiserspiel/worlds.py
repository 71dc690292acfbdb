"""Kaiserspiel: random worlds, that is complete deals that fit what a seat knows.

Hidden cards are drawn evenly, but as a rule nobody has kept a Banner back at a pause that is over,
and everybody has thrown out (and played face down) what is worth least.
"""

from __future__ import annotations

from typing import Final

from engine.players.chance import below, shuffle
from engine.players.compiled import Ints, jit, lowest, popcount
from engine.players.kaiserspiel.policy import worst
from engine.players.kaiserspiel.twin import (
    ACTOR,
    ANSWER_CALL,
    BANNERS,
    CALL,
    CUT,
    DEALER,
    DECK,
    DISCARDS,
    DOWN,
    DOWNS,
    HANDS,
    KAISERS,
    LAID,
    LAID_COUNT,
    LEADERS,
    OPENS,
    PAUSE,
    PLAY,
    QUEUE,
    SEATS,
    SPECIAL,
    STEP,
    STOCK,
    STOCK_AT,
    UP,
    all_kaisers,
)

HIDDEN_KAISER: Final = 2 * DOWN + 1
"""As in the game: in place of somebody else's Kaiser that lies face down."""
CANDID: Final = 8
"""In all but one of so many worlds a Banner that could have been declared has been."""
_BELIEF: Final = 8
"""All but one of so many seats throw out what is worth least."""


@jit
def _dealt(s: Ints, seat: int) -> int:
    """How many cards a seat has been dealt so far."""
    got = s[STOCK_AT] + 2
    if got == 28:
        return 7
    place = (seat + SEATS - s[DEALER] + 3) % SEATS
    early = 1 if place < 2 else 0
    if got <= 4:
        return early if got == 2 else 1
    return 3 if early or got == 12 else 1


@jit
def _has_passed(s: Ints, seat: int) -> int:
    """1 if the seat could have declared every Banner that it holds."""
    if s[STEP] == PLAY:
        return 1
    if s[PAUSE] < 3:
        return 0
    if s[STEP] != CALL and s[STEP] != ANSWER_CALL:
        queue = s[QUEUE]
        while queue:
            if queue & 7 == seat + 1:
                return 0
            queue >>= 3
    return 1


@jit
def _one_of(cards: int, s: Ints, r: Ints) -> int:
    """The card of these that somebody gives away."""
    if below(r, _BELIEF):
        return worst(cards, s[SPECIAL], all_kaisers(s) | (cards & BANNERS))
    for _ in range(below(r, popcount(cards))):
        cards &= cards - 1
    return lowest(cards)


@jit
def _sort_out(s: Ints, seat: int, cards: int, done: int, r: Ints) -> None:
    """Of the cards that a seat was dealt: what it holds, has thrown out and has laid face down."""
    cards &= ~s[UP]
    declared = cards & s[KAISERS + seat]
    cards &= ~declared
    two = 0
    for _ in range(2 if done else 0):
        card = _one_of(cards & ~two, s, r)
        two |= 1 << card
    cards &= ~two
    s[DISCARDS + seat] = two
    for place in range(s[LAID_COUNT]):
        if s[LAID + place] >= 2 * DOWN and (s[LEADERS + place // SEATS] + place) % SEATS == seat:
            if s[LAID + place] == HIDDEN_KAISER:
                card = _one_of(declared, s, r)
                declared &= ~(1 << card)
            else:
                card = _one_of(cards, s, r)
                cards &= ~(1 << card)
            s[LAID + place] = DOWN + card
            s[DOWNS + seat] |= 1 << card
    s[HANDS + seat] = declared | cards


@jit
def draw_world(known: Ints, s: Ints, room: Ints, r: Ints) -> None:
    """Fills `s` with a whole round that fits; `room` has space for a pack."""
    s[:] = known
    me = known[ACTOR]
    seen = s[UP] | all_kaisers(s) | s[HANDS + me] | s[DISCARDS + me] | s[DOWNS + me] | 1 << s[CUT]
    for i in range(SEATS):
        if s[OPENS + i] >= 0:
            seen |= 1 << s[OPENS + i]
    count = 0
    for card in range(DECK):
        if not seen >> card & 1:
            room[count] = card
            count += 1
    shuffle(r, room, count)
    candid = below(r, CANDID)
    for seat in range(SEATS):
        if seat != me:
            cards = s[KAISERS + seat]
            for i in range(SEATS):
                if s[OPENS + i] >= 0 and (s[DEALER] + 1 + i) % SEATS == seat:
                    cards |= 1 << s[OPENS + i]
            for place in range(s[LAID_COUNT]):
                owner = (s[LEADERS + place // SEATS] + place) % SEATS
                if s[LAID + place] < DOWN and owner == seat:
                    cards |= 1 << s[LAID + place]
            barred = BANNERS if candid and _has_passed(s, seat) else 0
            for _ in range(_dealt(s, seat) - popcount(cards)):
                at = count - 1
                while barred >> room[at] & 1:
                    at -= 1
                cards |= 1 << room[at]
                count -= 1
                room[at] = room[count]
            _sort_out(s, seat, cards, 1 if known[DISCARDS + seat] else 0, r)
    at = s[STOCK_AT]
    for i in range(count):
        s[STOCK + at + i] = room[i]
