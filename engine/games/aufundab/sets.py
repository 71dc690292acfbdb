"""Auf und Ab: cards, moves, and which sets there are.

There are only 3,059 moves that are a set in one mode (every non-empty choice of cards with a
common number, those with the double twice), so each exists once, in tables built at import.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.cards import Pack

UP: Final = 0
DOWN: Final = 1
MODES: Final = (UP, DOWN)
SYMBOLS: Final = ("▲", "▼")
"""By mode: what counts is going up, or down."""
NUMBERS: Final = range(10)
QUANTITIES: Final = range(12)
"""Ten cards with their double counted two make 11."""

PAIRS: Final = tuple((low, high) for low in NUMBERS for high in range(low, 10))
"""(low, high) of every card, by index."""
PACK: Final = Pack(f"{low}-{high}" for low, high in PAIRS)
CARDS: Final = tuple(
    tuple(
        sum(1 << card for card, pair in enumerate(PAIRS) if pair[mode] == number)
        for number in NUMBERS
    )
    for mode in MODES
)
"""CARDS[mode][number]: all cards that show the number where it counts."""
DOUBLE: Final = tuple(1 << PAIRS.index((number, number)) for number in NUMBERS)
DOUBLES: Final = sum(DOUBLE)
CHANGES: Final = sum(1 << card for card, pair in enumerate(PAIRS) if sum(pair) == 9)
"""The change cards: 0-9, 1-8, 2-7, 3-6, 4-5."""


class Move(NamedTuple):
    """What a seat does: the cards of a set, and those doubles among them that count two.

    Without cards it is a pass.  The number is not part of it: that depends on the mode.
    """

    cards: int
    doubled: int = 0


PASS: Final = Move(0)


class CardSet(NamedTuple):
    """What a move is in one mode."""

    number: int
    quantity: int
    cards: int
    changes: int
    """How many of the cards are change cards."""


def subsets(mask: int) -> Iterator[int]:
    """All non-empty subsets of `mask`."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask


def _card_sets(mode: int) -> Iterator[tuple[Move, CardSet]]:
    for number in NUMBERS:
        double = DOUBLE[number]
        for cards in subsets(CARDS[mode][number]):
            size, changes = cards.bit_count(), (cards & CHANGES).bit_count()
            yield Move(cards), CardSet(number, size, cards, changes)
            if cards & double:
                yield Move(cards, double), CardSet(number, size + 1, cards, changes)


SETS: Final = tuple(dict(_card_sets(mode)) for mode in MODES)
"""SETS[mode][move]: the set that a move is; a move that is none is missing."""


def beats(mode: int, number: int, other: int) -> bool:
    """Whether `number` beats `other`: strictly higher in UP, strictly lower in DOWN."""
    return number > other if mode == UP else number < other
