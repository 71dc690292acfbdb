"""Sticheln: the cards, sets of them, and their values; all moves, and how they are written.

A card is its index in the largest pack, whoever plays.  A set of cards is `bytes`, one byte a
card: finding, taking out and translating cards is one call of C each, where a bitmask needs a
loop, and a hand is the sequence of its plays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from engine.game import NotationError
from engine.notation import canonical_words, excerpt, typed_words
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

# Notation.

TEXTS: Final[Mapping[Move, str]] = {
    **{card: f"play {name}" for card, name in enumerate(PACK.names)},
    **{card + CHOOSE: f"choose {name}" for card, name in enumerate(PACK.names)},
}
"""The notation of every move.

>>> TEXTS[55], TEXTS[22 + CHOOSE]
('play B10', 'choose Y7')
"""


def parse_move(text: str) -> Move:
    """The move that canonical text names; errors as `GAME.parse_action` says."""
    return _move(text, canonical_words(text))


def parse_typed(text: str, *, choosing: bool) -> Move:
    """The move that a person typed: case and spaces are forgiven.

    A card alone is chosen or played, as the situation asks.
    """
    verb, *cards = typed_words(text) or [""]
    if not cards and verb.upper() in PACK.names:
        verb, cards = "choose" if choosing else "play", [verb]
    return _move(text, [verb, *map(str.upper, cards)])


def _move(text: str, words: Sequence[str]) -> Move:
    if words[0] not in ("choose", "play"):
        raise NotationError("unknown_action", text=excerpt(text))
    if len(words) != 2:
        raise NotationError("one_card")
    card = PACK.index(words[1])
    return card + CHOOSE if words[0] == "choose" else card
