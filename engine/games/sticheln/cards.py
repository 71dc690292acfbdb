"""Sticheln: the cards, sets of them, and their values.

A card is its index in the largest pack, whoever plays.  A set of cards is `bytes`, one byte a
card: finding, taking out and translating cards is one call of C each, where a bitmask needs a
loop, and a hand is the sequence of its plays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from engine.tricks import coloured

Move: TypeAlias = int
"""What a seat does: a card to be played, or CHOOSE more than the card that is chosen."""

CHOOSE: Final = 128

SUITS: Final = "RYGBPS"
"""Red, yellow, green, blue, purple, and grey (slate), which six play with."""

HAND: Final = 15
"""Cards dealt to each, one of which is chosen."""
TRICKS: Final = HAND - 1

_NUMBERS: Final = 15
PACK: Final = coloured(SUITS, _NUMBERS)
"""All cards there are: those of six players."""
codes: Final = PACK.listed

SUIT: Final = tuple(card // _NUMBERS for card in range(len(PACK)))
NUMBER: Final = tuple(card % _NUMBERS for card in range(len(PACK)))

HIGHEST: Final[Mapping[int, int]] = {3: 8, 4: 11, 5: 14, 6: 14}
"""The highest number by the number of seats."""


def _used(seats: int) -> bytes:
    suits, highest = max(5, seats), HIGHEST[seats]
    return bytes(c for c in range(len(PACK)) if SUIT[c] < suits and NUMBER[c] <= highest)


USED: Final[Mapping[int, bytes]] = {seats: _used(seats) for seats in HIGHEST}
"""The cards that so many seats play with: 15 each."""

CHOICES: Final = bytes((card + CHOOSE) % 256 for card in range(256))
"""Translates a hand into the moves that choose from it."""
