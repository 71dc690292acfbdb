"""Auf falscher Fährte: the cards, one by one and in a hand; all moves, and how they are written.

A coloured card is its index, 13 to a colour, with three players as well (who have no 10, 11 and
12); every joker is JOKER.  Cards that belong together are `bytes`, one byte a card: a hand in
canonical order, a trick in the order of play.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.cards import Pack
from engine.game import NotationError
from engine.notation import canonical_words, excerpt, typed_words
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


# Moves.


class Hide(NamedTuple):
    """Lays a card of the hand face down."""

    card: Card
    verb: Literal["hide"] = "hide"
    """Tells moves of different kinds apart, which are compared as tuples."""


class NameTrump(NamedTuple):
    """Says what is trump from now on; None declines."""

    suit: Suit | None
    verb: Literal["trump"] = "trump"


Play: TypeAlias = Card
"""Plays this card to the trick: a hand is the sequence of its plays as it is."""
Move: TypeAlias = Hide | Play | NameTrump
"""What a seat does."""

DECLINE: Final = NameTrump(None)
_TRUMPS: Final = {**{word: NameTrump(suit) for suit, word in enumerate(SUITS)}, "keep": DECLINE}
"""By the word for it."""

TEXTS: Final[dict[Move, str]] = {
    **{Hide(card): f"hide {name}" for card, name in enumerate(NAMES)},
    **{card: f"play {name}" for card, name in enumerate(NAMES)},
    **{move: f"trump {word}" for word, move in _TRUMPS.items()},
}
"""The notation of every move there is."""

# Notation.


def parse_move(text: str) -> Move:
    """The move that a record's text names; NotationErrors as in `parse_typed`.

    Raises `not_canonical` (text) besides.
    """
    return _move(canonical_words(text), text)


def parse_typed(text: str, *, hiding: bool) -> Move:
    """The move that a person typed: case and spaces are forgiven.

    A card alone is hidden or played, as the situation asks.

    Raises NotationError: `too_long` (limit), `unknown_action` (text), `no_cards`, `one_card`,
    `unknown_card` (card), `unknown_suit` (text).
    """
    words = typed_words(text)
    if len(words) == 1 and words[0].upper() in NAMES:
        words.insert(0, "hide" if hiding else "play")
    named = [word if word == "keep" else word.upper() for word in words[1:]]
    return _move(words[:1] + named, text)


def _move(words: Sequence[str], text: str) -> Move:
    match words:
        case ["trump", word]:
            if word not in _TRUMPS:
                raise NotationError("unknown_suit", text=excerpt(word))
            return _TRUMPS[word]
        case ["hide", *names]:
            return Hide(the_card(names))
        case ["play", *names]:
            return the_card(names)
        case _:
            raise NotationError("unknown_action", text=excerpt(text))
