"""Auf falscher Fährte: the cards, one by one and in a hand.

A coloured card is its index, 13 to a colour, with three players as well (who have no 10, 11 and
12); every joker is JOKER.  Cards that belong together are `bytes`, one byte a card: a hand in
canonical order, a trick in the order of play.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, TypeAlias

from engine.cards import Pack
from engine.game import NotationError
from engine.tricks import JOKER as JOKER_CODE
from engine.tricks import coloured, in_order

Card: TypeAlias = int
Suit: TypeAlias = int

SUITS: Final = "RYGB"
"""Red, yellow, green, blue, in canonical order."""
NUMBERS: Final = 13

PACK: Final = coloured(SUITS, NUMBERS)
"""The coloured cards of four players."""

JOKER: Final[Card] = len(PACK)
"""Every joker; nobody can tell them apart."""
A_JOKER: Final = bytes((JOKER,))
WITH_JOKER: Final = Pack((*PACK.names, JOKER_CODE))
"""The same and, as the last, the joker."""
NAMES: Final = WITH_JOKER.names
codes: Final = WITH_JOKER.listed
card_named: Final = WITH_JOKER.index

SUIT_OF: Final = tuple(card // NUMBERS for card in range(JOKER))
NUMBER_OF: Final = tuple(card % NUMBERS for card in range(JOKER))
HIGHEST: Final = {3: 9, 4: 12}
"""By seats: the highest number of a colour."""

COLOURS: Final = bytes(range(JOKER))
"""All coloured cards."""


@cache
def pack_of(seats: int, *, jokers: bool) -> bytes:
    """All cards that so many seats play with."""
    coloured_cards = bytes(card for card in COLOURS if NUMBER_OF[card] <= HIGHEST[seats])
    return coloured_cards + A_JOKER * (seats if jokers else 0)


def of_suit(cards: bytes, suit: Suit) -> bytes:
    """Those of the cards that are of this suit."""
    return bytes([card for card in cards if card // NUMBERS == suit])


def strength(card: Card, trump: Suit, led: Suit | None) -> int:
    """What a card counts in a trick: trumps most, then the suit led, others and jokers nothing."""
    suit, number = divmod(card, NUMBERS)
    if suit == trump:
        return 1 + NUMBERS + number
    return 1 + number if suit == led else 0


def without_jokers(cards: bytes) -> bytes:
    return cards.replace(A_JOKER, b"")


def sum_of(cards: Iterable[Card]) -> int:
    """The sum of the numbers of coloured cards."""
    return sum([NUMBER_OF[card] for card in cards])


def lowest(cards: Iterable[Card]) -> Card:
    """The lowest card: by number, then in canonical order, jokers last."""
    return min(cards, key=lambda card: (NUMBERS if card == JOKER else NUMBER_OF[card], card))


def code(card: Card) -> str:
    return NAMES[card]


def hand_of(names: Sequence[str]) -> bytes:
    """The hand with these cards.

    Raises NotationError `unknown_card`, and `card_twice` (card) for a coloured one.
    """
    PACK.mask([name for name in names if name != JOKER_CODE])
    return in_order(map(card_named, names))


def the_card(names: Sequence[str]) -> Card:
    """The one card named.  Raises NotationError `no_cards`, `one_card`, `unknown_card` (card)."""
    if not names:
        raise NotationError("no_cards")
    if len(names) > 1:
        raise NotationError("one_card")
    return card_named(names[0])
