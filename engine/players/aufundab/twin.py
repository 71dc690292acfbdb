"""Auf und Ab: the rules on a vector of integers: legal moves, random ones, playing.

A move is a mask of its cards, with the bit `TWICE` if their double counts two; 0 is a pass.
"""

from __future__ import annotations

from math import comb
from typing import Final

from engine.games.aufundab import cards as pack
from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest, popcount, table

SEATS: Final = 0
ACTOR: Final = 1
"""Slot of the seat to act; -1 once a hand is empty."""
MODE: Final = 2
NUMBER: Final = 3
"""Slot of the number to beat; -1 when leading."""
QUANTITY: Final = 4
"""Slot of the quantity to play; 0 when leading."""
OWNER: Final = 5
"""Slot of the seat that played last, or leads: in the end the winner; -1 before the first lead."""
OUT: Final = 6
"""Slot of the seats that have passed in this series, as a mask."""
CHANGES: Final = 7
"""Slot of the number of change cards played in this series."""
OPENING: Final = 8
"""Slot of the number of the double that the first lead must contain."""
PLAYED: Final = 9
"""Slot of the cards that were played in this round, as a mask."""
HANDS: Final = 10
"""First of the slots of the hands by seat, as masks."""
COUNTS: Final = 14
"""First of the slots of the numbers of cards by seat."""
SIZE: Final = 18

TWICE: Final = 1 << 55
ALL: Final = TWICE - 1
"""All cards, as a mask."""
DOUBLES: Final = pack.DOUBLES
CHANGE_CARDS: Final = pack.CHANGES
MOST: Final = 2048
"""Room for all moves of any hand."""

NUMBERED: Final = table([mask for mode in pack.MODES for mask in pack.CARDS[mode]])
"""NUMBERED[10 * mode + number]: all cards that show the number where it counts."""
SHOWN: Final = table([pair[mode] for mode in pack.MODES for pair in pack.PAIRS])
"""SHOWN[55 * mode + card]: the number that counts."""
DOUBLE: Final = table(pack.DOUBLE)
_WAYS: Final = table([comb(n, k) for n in range(10) for k in range(12)])
"""_WAYS[12 * n + k]: ways to choose k of n."""


@jit
def beats(mode: int, number: int, other: int) -> int:
    """1 if `number` beats `other`, else 0."""
    if mode == 0:
        return 1 if number > other else 0
    return 1 if number < other else 0


@jit
def legal(s: Ints, found: Ints) -> int:
    """Writes all moves of the seat to act, a pass first; returns how many there are."""
    hand, mode, quantity = s[HANDS + s[ACTOR]], s[MODE], s[QUANTITY]
    count = 0
    if quantity > 0:
        found[0] = 0
        count = 1
    for number in range(10):
        cards = hand & NUMBERED[10 * mode + number]
        if quantity > 0:
            if beats(mode, number, s[NUMBER]) == 0:
                continue
        elif s[OWNER] < 0 and number != s[OPENING]:
            continue
        subset = cards
        while subset > 0:
            double = subset & DOUBLES
            size = popcount(subset)
            if quantity > 0:
                if size == quantity:
                    found[count] = subset
                    count += 1
                elif size + 1 == quantity and double > 0:
                    found[count] = subset | TWICE
                    count += 1
            elif s[OWNER] >= 0 or double > 0:
                found[count] = subset
                count += 1
                if double > 0:
                    found[count] = subset | TWICE
                    count += 1
            subset = (subset - 1) & cards
    return count


@jit
def random_move(s: Ints, r: Ints) -> int:
    """A move of the seat to act, each as likely as the others."""
    hand, quantity, at = s[HANDS + s[ACTOR]], s[QUANTITY], 10 * s[MODE]
    first, last = 0, 10
    passes = 0
    if quantity > 0:
        passes = 1
        if at == 0:
            first = s[NUMBER] + 1
        else:
            last = s[NUMBER]
    elif s[OWNER] < 0:
        first = s[OPENING]
        last = first + 1
    # The sets of each number are counted, not listed, first for all numbers and then up to one.
    opens = s[OWNER] < 0
    whole = passes
    for number in range(first, last):
        cards = hand & NUMBERED[at + number]
        if cards > 0:
            whole += _ways(cards, quantity, opens)
    wanted = below(r, whole) - passes
    if wanted < 0:
        return 0
    for number in range(first, last):
        cards = hand & NUMBERED[at + number]
        if cards > 0:
            ways = _ways(cards, quantity, opens)
            if wanted < ways:
                return _chosen(cards, quantity, opens, wanted, r)
            wanted -= ways
    return 0


@jit
def _ways(cards: int, quantity: int, opens: bool) -> int:
    """How many sets of that quantity (0: of any) cards of one number make."""
    double = cards & DOUBLES
    n = popcount(cards ^ double)
    if quantity == 0:
        # By what the double counts: nothing (it is not played), one or two.
        ways = 0 if opens else (1 << n) - 1
        return ways + (2 << n) if double > 0 else ways
    ways = _WAYS[12 * n + quantity]
    if double > 0:
        ways += _WAYS[12 * n + quantity - 1]
        if quantity > 1:
            ways += _WAYS[12 * n + quantity - 2]
    return ways


@jit
def _chosen(cards: int, quantity: int, opens: bool, wanted: int, r: Ints) -> int:
    """One of these sets: by `wanted` what the double counts, and in a lead which set it is."""
    double = cards & DOUBLES
    others = cards ^ double
    n = popcount(others)
    worth = 1 if quantity == 0 and opens else 0
    left = wanted
    while True:
        if quantity == 0:
            ways = (1 << n) - (1 if worth == 0 else 0)
        else:
            ways = _WAYS[12 * n + quantity - worth]
        if left < ways:
            break
        left -= ways
        worth += 1
    move = double if worth > 0 else 0
    if worth == 2:
        move |= TWICE
    if quantity > 0:
        return move | _some(others, n, quantity - worth, r)
    return move | _spread(others, left + (1 if worth == 0 else 0))


@jit
def _some(cards: int, n: int, wanted: int, r: Ints) -> int:
    """So many of the n cards, each choice as likely as the others."""
    chosen = 0
    left = wanted
    for i in range(n):
        if left == 0:
            break
        card = cards & -cards
        cards ^= card
        if below(r, n - i) < left:
            chosen |= card
            left -= 1
    return chosen


@jit
def _spread(cards: int, index: int) -> int:
    """The cards whose place is a bit of `index`."""
    chosen = 0
    while index > 0:
        card = cards & -cards
        cards ^= card
        if index & 1 == 1:
            chosen |= card
        index >>= 1
    return chosen


@jit
def play(s: Ints, move: int) -> None:
    """What becomes of a legal move."""
    seat = s[ACTOR]
    cards = move & ALL
    if cards > 0:
        s[NUMBER] = SHOWN[55 * s[MODE] + lowest(cards)]
        size = popcount(cards)
        s[QUANTITY] = size + (move >> 55)
        s[OWNER] = seat
        s[HANDS + seat] ^= cards
        s[COUNTS + seat] -= size
        s[PLAYED] |= cards
        s[CHANGES] += popcount(cards & CHANGE_CARDS)
        if s[COUNTS + seat] == 0:
            s[ACTOR] = -1
            return
    else:
        s[OUT] |= 1 << seat
    following = seat
    for _ in range(s[SEATS]):
        following += 1
        if following == s[SEATS]:
            following = 0
        if (s[OUT] >> following) & 1 == 0:
            s[ACTOR] = following
            return
    # Everybody has passed, the last player in at last: who leads the next series.
    s[MODE] ^= s[CHANGES] & 1
    s[NUMBER] = -1
    s[QUANTITY] = 0
    s[OUT] = 0
    s[CHANGES] = 0


@jit
def points(s: Ints) -> int:
    """What the winner of a round that is over scores, the seat of `OWNER`; all others score 0."""
    left = 0
    for seat in range(s[SEATS]):
        left += s[COUNTS + seat]
    return left
