"""Auf und Ab: cards, moves (a double may count twice), and all sets that exist.

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
    code: bytes
    """The move as it stands in a history (`moves_in`)."""


WIDTH: Final = 7
"""Bytes of a move in a history: its cards as a mask, the highest bit if their double counts two."""
_TWICE: Final = 1 << 8 * WIDTH - 1
PASSED: Final = bytes(WIDTH)
"""A pass in a history."""


def moves_in(history: bytes) -> Iterator[Move]:
    """The moves of a history, in their order."""
    for at in range(0, len(history), WIDTH):
        code = int.from_bytes(history[at : at + WIDTH], "big")
        cards = code & ~_TWICE
        yield Move(cards, cards & DOUBLES if code & _TWICE else 0)


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
            code = cards.to_bytes(WIDTH, "big")
            yield Move(cards), CardSet(number, size, cards, changes, code)
            if cards & double:
                code = (cards | _TWICE).to_bytes(WIDTH, "big")
                yield Move(cards, double), CardSet(number, size + 1, cards, changes, code)


SETS: Final = tuple(dict(_card_sets(mode)) for mode in MODES)
"""SETS[mode][move]: the set that a move is; a move that is none is missing."""


def counted_two(cards: int, quantity: int) -> int:
    """The double of a set that counts two, which is that of its cards; 0 if none does."""
    return cards & DOUBLES if quantity > cards.bit_count() else 0


def beats(mode: int, number: int, other: int) -> bool:
    """Whether `number` beats `other`: strictly higher in UP, strictly lower in DOWN."""
    return number > other if mode == UP else number < other
