"""Auf und Ab: cards, moves (a double may count twice), and what a set is."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from engine.cards import Pack, cards_in

UP: Final = 0
DOWN: Final = 1
MODES: Final = (UP, DOWN)
SYMBOLS: Final = ("▲", "▼")
"""By mode: what counts is going up, or down."""
NUMBERS: Final = range(10)

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


def subsets(mask: int) -> Iterator[int]:
    """All non-empty subsets of `mask`."""
    subset = mask
    while subset:
        yield subset
        subset = (subset - 1) & mask


def is_set(mode: int, move: Move) -> bool:
    """Any number of cards with the same active number; their double may count two."""
    same = any(not move.cards & ~cards for cards in CARDS[mode])
    return same and move.cards > 0 and move.doubled in (0, move.cards & DOUBLES)


def number_of(mode: int, cards: int) -> int:
    """The active number of a set."""
    return PAIRS[next(cards_in(cards))][mode]


def quantity_of(move: Move) -> int:
    """How many cards a set counts as."""
    return move.cards.bit_count() + (move.doubled > 0)


def changes_in(cards: int) -> int:
    """How many of them are change cards."""
    return (cards & CHANGES).bit_count()


def counted_two(cards: int, quantity: int) -> int:
    """The double of a set that counts two, which is that of its cards; 0 if none does."""
    return cards & DOUBLES if quantity > cards.bit_count() else 0


def beats(mode: int, number: int, other: int) -> bool:
    """Whether `number` beats `other`: strictly higher in UP, strictly lower in DOWN."""
    return number > other if mode == UP else number < other
