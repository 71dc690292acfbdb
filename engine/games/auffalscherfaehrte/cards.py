"""Auf falscher Fährte: its cards, how strong they are, and the moves with their notation.

A coloured card is its index, 13 to a colour, with three players as well (who have no 10, 11 and
12); every joker is JOKER.  A set of cards is `bytes`, one byte a card, in canonical order: finding
a card, taking one out and finding a colour is one call of C each, and what may be played from a
hand is a part of it as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from engine.game import NotationError
from engine.notation import canonical_words, excerpt, typed_words
from engine.tricks import JOKER as JOKER_CODE
from engine.tricks import coloured

SUITS: Final = "RYGB"
"""Red, yellow, green, blue, in canonical order."""
NUMBERS: Final = 13

PACK: Final = coloured(SUITS, NUMBERS)
"""The coloured cards of four players."""

JOKER: Final = len(PACK)
"""Every joker; nobody can tell them apart."""
NAMES: Final = (*PACK.names, JOKER_CODE)

SUIT_OF: Final = tuple(card // NUMBERS for card in range(JOKER))
NUMBER_OF: Final = tuple(card % NUMBERS for card in range(JOKER))

SINGLE: Final = tuple(bytes((card,)) for card in range(JOKER + 1))
"""Every card as a set."""
A_JOKER: Final = SINGLE[JOKER]

COLOURS: Final = bytes(range(JOKER))
"""All coloured cards."""
OTHERS: Final = tuple(
    bytes(card for card in range(JOKER + 1) if card // NUMBERS != suit)
    for suit in range(len(SUITS))
)
"""By suit: the cards that are not of it.  Stripped off the ends of a hand they leave the suit,
since it stands in one piece."""

_NUMBERS_OF: Final = {3: 10, 4: NUMBERS}
"""Numbers in each colour, by seats."""


def _used(seats: int, jokers: bool) -> bytes:
    coloured_ones = bytes(card for card in COLOURS if NUMBER_OF[card] < _NUMBERS_OF[seats])
    return coloured_ones + A_JOKER * (seats * jokers)


USED: Final = {
    (seats, jokers): _used(seats, jokers) for seats in _NUMBERS_OF for jokers in (False, True)
}
"""By seats and whether there are jokers: all cards that are played with."""
HAND: Final = {False: 13, True: 14}
"""By whether there are jokers: the cards that each is dealt."""


def _strength(card: int, trump: int, led: int) -> int:
    if SUIT_OF[card] == trump:
        return NUMBERS + 1 + NUMBER_OF[card]
    return 1 + NUMBER_OF[card] if SUIT_OF[card] == led else 0


_REST: Final = bytes(256 - JOKER)


def _strengths(trump: int) -> tuple[bytes, ...]:
    by_suit = [
        bytes(_strength(card, trump, led) for card in range(JOKER)) + _REST
        for led in range(len(SUITS))
    ]
    return (*[by_suit[suit] for suit in SUIT_OF], bytes(256))


STRENGTH: Final = tuple(_strengths(trump) for trump in range(len(SUITS)))
"""By trump and card led (JOKER: there are only jokers): translates cards into how strong they are;
0 wins nothing."""

Move: TypeAlias = int
"""What a seat does: a card to be played, HIDE more than the card that is hidden, or TRUMP more
than the suit (or KEEP)."""

HIDE: Final = 64
TRUMP: Final = 128
KEEP: Final = len(SUITS)
"""In place of a suit: the trump stays."""

HIDES: Final = bytes((card + HIDE) % 256 for card in range(256))
"""Translates cards into the moves that hide them."""


def is_play(move: Move) -> bool:
    """Whether it plays a card."""
    return move < HIDE


def is_hide(move: Move) -> bool:
    """Whether it hides a card."""
    return HIDE <= move < TRUMP


def card_of(move: Move) -> int:
    """The card that is played or hidden."""
    return move % HIDE


OFFERED: Final = tuple(
    bytes(TRUMP + suit for suit in range(KEEP + 1) if suit != trump) for trump in range(len(SUITS))
)
"""By the trump: the moves of whoever may change it."""


def in_order(cards: Iterable[int]) -> bytes:
    """The set of these cards, in canonical order."""
    return bytes(sorted(cards))


def hands_from(cards: bytes, seats: int, jokers: bool) -> tuple[bytes, ...]:
    """The hands that so many seats are dealt if all the cards lie in this order."""
    each, colours = HAND[jokers], USED[seats, False]
    hands = []
    for at in range(0, seats * each, each):
        # A third of the time of sorting: of all colours take away what is not in this hand.
        hand = colours.translate(None, cards[:at] + cards[at + each :])
        hands.append(hand + A_JOKER * (each - len(hand)) if jokers else hand)
    return tuple(hands)


def hides(hand: bytes) -> bytes:
    """All coloured cards may be hidden."""
    return hand.rstrip(A_JOKER).translate(HIDES)


def lowest(moves: Sequence[Move]) -> Move:
    """The move with the lowest card: by number, then in canonical order, jokers last."""
    return min(moves, key=lambda move: (_rank(card_of(move)), move))


def _rank(card: int) -> int:
    return NUMBERS if card == JOKER else NUMBER_OF[card]


# Codes and notation.


def code(card: int) -> str:
    return NAMES[card]


def codes(cards: bytes) -> tuple[str, ...]:
    """Codes of the cards as they stand in the set, every joker named."""
    return tuple([NAMES[card] for card in cards])


def hand_of(names: Sequence[str]) -> bytes:
    """The hand with these cards.

    Raises NotationError `unknown_card`, and `card_twice` (card) for a coloured one.
    """
    PACK.mask([name for name in names if name != JOKER_CODE])
    return in_order(map(_card, names))


def _card(name: str) -> int:
    return JOKER if name == JOKER_CODE else PACK.index(name)


_VERBS: Final = {"hide": HIDE, "play": 0}
"""By word: how much more than the card the move is."""
_SUIT_WORDS: Final = (*SUITS, "keep")


def _texts() -> dict[Move, str]:
    found = {TRUMP + value: f"trump {word}" for value, word in enumerate(_SUIT_WORDS)}
    for verb, more in _VERBS.items():
        found |= {more + card: f"{verb} {name}" for card, name in enumerate(NAMES)}
    return found


TEXTS: Final = _texts()
"""The notation of every move there is; a number without one is none."""


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
    if len(words) == 1 and _is_card(words[0].upper()):
        words.insert(0, "hide" if hiding else "play")
    named = [word if word == "keep" else word.upper() for word in words[1:]]
    return _move(words[:1] + named, text)


def _is_card(name: str) -> bool:
    return name in NAMES


def _move(words: Sequence[str], text: str) -> Move:
    match words:
        case ["trump", suit]:
            if suit not in _SUIT_WORDS:
                raise NotationError("unknown_suit", text=excerpt(suit))
            return TRUMP + _SUIT_WORDS.index(suit)
        case ["hide" | "play" as verb, *cards]:
            return _VERBS[verb] + the_card(cards)
        case _:
            raise NotationError("unknown_action", text=excerpt(text))


def the_card(names: Sequence[str]) -> int:
    """The one card named.  Raises NotationError `no_cards`, `one_card`, `unknown_card` (card)."""
    if not names:
        raise NotationError("no_cards")
    if len(names) > 1:
        raise NotationError("one_card")
    return _card(names[0])
