"""Auf falscher Fährte: random worlds, that is complete deals that fit what a seat knows.

`known` is a state of the twin in which the other hands are empty, other hidden cards UNKNOWN, and
nobody knows whose card is turned next.  The seat is the one to act.
"""

from __future__ import annotations

from typing import Final

from engine.players.auffalscherfaehrte.twin import (
    ACTOR,
    HAND,
    HELD,
    HIDDEN,
    JOKERS,
    JOKERS_SEEN,
    NONE,
    NUMBERS,
    PACK_JOKERS,
    REVEAL,
    SCRATCH,
    SEATS,
    SEEN,
    SUIT,
    TURNED,
    TURNED_CARDS,
    UNKNOWN,
    VOID,
    any_of,
)
from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest, popcount

KINDS: Final = 5
"""The four suits, and jokers."""
COVERED: Final = 4
"""The place of hidden cards; below it those of the hands, by seat."""

ROOM: Final = SCRATCH
"""By place: how many cards it still takes."""
LEFT: Final = SCRATCH + 5
"""By kind: how many of its cards have no place yet."""
OPEN: Final = SCRATCH + 10
"""By kind: the places that take its cards, as a mask."""
COVERED_CARDS: Final = SCRATCH + 15
"""The covered hidden cards of the others, as a mask."""


@jit
def pack_of(seats: int) -> int:
    """Mask of the coloured cards that so many seats play with."""
    suit = SUIT
    if seats == 3:
        suit = SUIT >> 3
    return suit | suit << NUMBERS | suit << 2 * NUMBERS | suit << 3 * NUMBERS


@jit
def unseen(s: Ints, seat: int) -> int:
    """Mask of the coloured cards of which the seat does not know where they are."""
    rest = pack_of(s[SEATS]) & ~s[SEEN] & ~s[HAND + seat]
    if s[HIDDEN + seat] >= 0:
        rest &= ~(1 << s[HIDDEN + seat])
    return rest


@jit
def world(known: Ints, r: Ints, s: Ints) -> None:
    """Makes `s` a state, drawn at random, that the seat to act cannot tell from the true one."""
    s[:] = known
    careful = 0
    while deal(s, r, careful) == 0:
        s[:] = known
        careful = 1
    _hide(s, r)


@jit
def deal(s: Ints, r: Ints, careful: int) -> int:
    """Gives every unseen card a place; 0 if that did not come out, as it always does with care.

    A card falls to each place open to it as likely as there is room.  The kinds with the least
    choice go first.
    """
    seat = s[ACTOR]
    rest = unseen(s, seat)
    _prepare(s, rest)
    s[COVERED_CARDS] = 0
    for choice in range(1, COVERED + 2):
        for kind in range(KINDS):
            if popcount(s[OPEN + kind]) != choice:
                continue
            cards = rest & (SUIT << (NUMBERS * kind))
            while s[LEFT + kind] > 0:
                s[LEFT + kind] -= 1
                place = _place(s, r, kind, careful)
                if place == NONE:
                    return 0
                s[ROOM + place] -= 1
                if kind == KINDS - 1:
                    s[JOKERS + place] += 1
                    continue
                card = lowest(cards)
                cards ^= 1 << card
                if place == COVERED:
                    s[COVERED_CARDS] |= 1 << card
                else:
                    s[HAND + place] |= 1 << card
    return 1


@jit
def _prepare(s: Ints, rest: int) -> None:
    """How much room there is, how many cards of each kind, and where these may go."""
    seat = s[ACTOR]
    jokers = s[PACK_JOKERS] - s[JOKERS_SEEN] - s[JOKERS + seat]
    covered = 0
    for kind in range(KINDS):
        s[LEFT + kind] = popcount(rest & (SUIT << (NUMBERS * kind)))
        s[OPEN + kind] = 1 << COVERED
        s[ROOM + kind] = 0
    s[LEFT + KINDS - 1] = jokers
    s[OPEN + KINDS - 1] = 0
    for other in range(s[SEATS]):
        if other == seat:
            continue
        s[ROOM + other] = s[HELD + other]
        if s[HIDDEN + other] == UNKNOWN:
            covered += 1
        for kind in range(KINDS):
            if s[VOID + other] >> kind & 1 == 0:
                s[OPEN + kind] |= 1 << other
    # Of the turned cards one may be the seat's own.
    turned = s[TURNED]
    if s[HIDDEN + seat] >= 0 and s[TURNED_CARDS] >> s[HIDDEN + seat] & 1:
        turned -= 1
    s[ROOM + COVERED] = covered - turned


@jit
def _place(s: Ints, r: Ints, kind: int, careful: int) -> int:
    """A place for the next card of a kind; NONE if there is none."""
    may = s[OPEN + kind]
    whole = 0
    for place in range(COVERED + 1):
        room = s[ROOM + place]
        if may >> place & 1 and room > 0:
            if careful:
                s[ROOM + place] = room - 1
                if _comes_out(s) == 0:
                    may ^= 1 << place
                    room = 0
                s[ROOM + place] += 1
            whole += room
    if whole == 0:
        return NONE
    at = below(r, whole)
    place = NONE
    while at >= 0:
        place = lowest(may)
        may &= may - 1
        at -= s[ROOM + place]
    return place


@jit
def _comes_out(s: Ints) -> int:
    """1 if the cards that are left can be placed: no places have to take more than their room."""
    for places in range(1 << (COVERED + 1)):
        load = 0
        for kind in range(KINDS):
            if s[OPEN + kind] & ~places == 0:
                load += s[LEFT + kind]
        for place in range(COVERED + 1):
            if places >> place & 1:
                load -= s[ROOM + place]
        if load > 0:
            return 0
    return 1


@jit
def _hide(s: Ints, r: Ints) -> None:
    """Whose the hidden cards are, and in which order they are turned."""
    seat = s[ACTOR]
    seats = s[SEATS]
    turned_cards = s[TURNED_CARDS]
    first = s[TURNED]
    own = first + below(r, seats - first)
    if s[HIDDEN + seat] >= 0 and turned_cards >> s[HIDDEN + seat] & 1:
        turned_cards ^= 1 << s[HIDDEN + seat]
        own = 0
    for place in range(seats):
        s[REVEAL + place] = place
    s[REVEAL + seat] = seats - 1
    s[REVEAL + seats - 1] = seat
    for place in range(seats - 1):
        other = place + below(r, seats - 1 - place)
        kept = s[REVEAL + place]
        s[REVEAL + place] = s[REVEAL + other]
        s[REVEAL + other] = kept
    s[REVEAL + seats - 1] = s[REVEAL + own]
    s[REVEAL + own] = seat
    covered = s[COVERED_CARDS]
    for place in range(seats):
        other = s[REVEAL + place]
        if s[HIDDEN + other] == UNKNOWN:
            if place < first:
                s[HIDDEN + other] = any_of(turned_cards, r)
                turned_cards ^= 1 << s[HIDDEN + other]
            else:
                s[HIDDEN + other] = any_of(covered, r)
                covered ^= 1 << s[HIDDEN + other]
    for i in range(SCRATCH, SCRATCH + 18):
        s[i] = 0
