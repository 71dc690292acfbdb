"""Auf falscher Fährte: its cards, what beats what, and the moves with their notation.

A coloured card is its index, 13 to a colour, with three players as well (who have no 10, 11 and
12).  A hand is a mask of such cards; its jokers, which nobody can tell apart, are counted in the
bits above: `hand = cards + jokers * JOKER_BIT`.  So taking a card from a hand is a subtraction,
whatever the card is.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from engine.game import NotationError
from engine.notation import canonical_words, excerpt, typed_words
from engine.tricks import JOKER as JOKER_CODE
from engine.tricks import coloured, suit_masks

SUITS: Final = "RYGB"
"""Red, yellow, green, blue, in canonical order."""
NUMBERS: Final = 13

PACK: Final = coloured(SUITS, NUMBERS)
"""The coloured cards of four players."""
SUIT_MASKS: Final = suit_masks(len(SUITS), NUMBERS)
COLOURS: Final = PACK.all
"""The mask of all coloured cards."""

JOKER: Final = len(PACK)
"""The index of every joker; as the best card of a trick: there is none yet."""
JOKER_BIT: Final = 1 << JOKER

_NUMBERS_OF: Final = {3: 10, 4: NUMBERS}
"""Numbers in each colour, by seats."""


def _single_cards(seats: int, jokers: bool) -> tuple[int, ...]:
    numbers = range(_NUMBERS_OF[seats])
    cards = [1 << suit * NUMBERS + number for suit in range(len(SUITS)) for number in numbers]
    return (*cards, *(JOKER_BIT,) * seats * jokers)


PACKS: Final = {
    (seats, jokers): _single_cards(seats, jokers)
    for seats in _NUMBERS_OF
    for jokers in (False, True)
}
"""By seats and whether there are jokers: all cards in canonical order, as hands of one card."""
WHOLE: Final = {key: sum(cards) for key, cards in PACKS.items()}
"""The same as one hand."""

SUIT_OF: Final = tuple(card // NUMBERS for card in range(JOKER))
NUMBER_OF: Final = tuple(card % NUMBERS for card in range(JOKER))
LED: Final = tuple(SUIT_MASKS[suit] for suit in SUIT_OF)
"""The cards that may follow a lead of this one, as a mask."""


def _beating(trump: int, card: int) -> int:
    """The cards that beat `card`: higher ones of its colour, and trumps if it is none."""
    if card == JOKER:
        return COLOURS
    suit = SUIT_MASKS[SUIT_OF[card]]
    higher = suit & -(2 << card)
    return higher if SUIT_OF[card] == trump else higher | SUIT_MASKS[trump]


BEATING: Final = tuple(
    tuple(_beating(trump, card) for card in range(JOKER + 1)) for trump in range(len(SUITS))
)
"""BEATING[trump][best]: the cards that win over the best card so far.

They decide tricks because a colour that was neither led nor is trump never becomes the best.
"""

HIDE: Final = 0
PLAY: Final = 1
TRUMP: Final = 2
KEEP: Final = len(SUITS)
"""In place of a suit: the trump stays."""


class Move(NamedTuple):
    """What a seat does."""

    kind: int
    """HIDE, PLAY or TRUMP."""
    value: int
    """The card; for TRUMP the suit, or KEEP."""


HIDES: Final = tuple(Move(HIDE, card) for card in range(JOKER + 1))
PLAYS: Final = tuple(Move(PLAY, card) for card in range(JOKER + 1))
TRUMPS: Final = tuple(Move(TRUMP, suit) for suit in range(KEEP + 1))

CARD_BITS: Final = tuple(1 << card for card in range(JOKER + 1))
"""What a play of a card takes from its hand."""


def _trump_moves(trump: int) -> tuple[Move, ...]:
    return tuple(move for move in TRUMPS if move.value != trump)


OFFERED: Final = tuple(_trump_moves(trump) for trump in range(len(SUITS)))
"""By the trump: the moves of whoever may change it."""


def _lists(suit: int) -> list[tuple[Move, ...]]:
    """The plays of each set of cards of one colour; the index is that set as a mask."""
    found: list[tuple[Move, ...]] = [()]
    for play in PLAYS[suit * NUMBERS : (suit + 1) * NUMBERS]:
        found += [(*fewer, play) for fewer in found]
    return found


_RED, _YELLOW, _GREEN, _BLUE = (_lists(suit) for suit in range(len(SUITS)))
FOLLOWING: Final = {
    mask: (suit * NUMBERS, lists)
    for suit, (mask, lists) in enumerate(
        zip(SUIT_MASKS, (_RED, _YELLOW, _GREEN, _BLUE), strict=True)
    )
}
"""By the mask of a colour: its first card, and the plays of each set of its cards."""
_SUIT: Final = (1 << NUMBERS) - 1
_PLAY_JOKER: Final = (PLAYS[JOKER],)


def plays(hand: int, led: int, trick: tuple[int, ...]) -> tuple[Move, ...]:
    """What may be played to `trick`; `led` is the mask of the colour to follow, 0 if none is.

    The colour led if the hand has it, else anything; a joker besides, but no second one in a
    trick unless the hand holds nothing else.
    """
    cards = hand & led or hand
    found = (
        _RED[cards & _SUIT]
        + _YELLOW[cards >> 13 & _SUIT]
        + _GREEN[cards >> 26 & _SUIT]
        + _BLUE[cards >> 39 & _SUIT]
    )
    if hand >= JOKER_BIT and (JOKER not in trick or not hand & COLOURS):
        return found + _PLAY_JOKER
    return found


def hides(hand: int) -> tuple[Move, ...]:
    """All coloured cards may be hidden."""
    return tuple([HIDES[card] for _, card in plays(hand & COLOURS, 0, ())])


def size(hand: int) -> int:
    """The number of cards in a hand, jokers included."""
    return (hand & COLOURS).bit_count() + (hand >> JOKER)


def lowest(moves: Sequence[Move]) -> Move:
    """The move with the lowest card: by number, then in canonical order, jokers last."""
    return min(moves, key=lambda move: (_rank(move.value), move.value))


def _rank(card: int) -> int:
    return NUMBERS if card == JOKER else NUMBER_OF[card]


# Codes and notation.


def code(card: int) -> str:
    return JOKER_CODE if card == JOKER else PACK.names[card]


def codes(hand: int) -> tuple[str, ...]:
    """Codes of a hand in canonical order, every joker named."""
    return PACK.codes(hand & COLOURS) + (JOKER_CODE,) * (hand >> JOKER)


def hand_of(names: Sequence[str]) -> int:
    """The hand with these cards.

    Raises NotationError `unknown_card`, and `card_twice` (card) for a coloured one.
    """
    coloured_ones = [name for name in names if name != JOKER_CODE]
    return PACK.mask(coloured_ones) + (len(names) - len(coloured_ones)) * JOKER_BIT


def _card(name: str) -> int:
    return JOKER if name == JOKER_CODE else PACK.index(name)


_VERBS: Final = {"hide": HIDES, "play": PLAYS}
_SUIT_WORDS: Final = (*SUITS, "keep")


def _texts() -> dict[Move, str]:
    found = {TRUMPS[value]: f"trump {word}" for value, word in enumerate(_SUIT_WORDS)}
    for verb, moves in _VERBS.items():
        found |= {move: f"{verb} {code(move.value)}" for move in moves}
    return found


TEXTS: Final = _texts()
"""The notation of every move there is; a move without one is malformed."""


def parse_move(text: str) -> Move:
    """The move that a record's text names; NotationErrors as in `parse_typed`.

    Raises `not_canonical` (text) besides.
    """
    return _move(canonical_words(text), text)


def parse_typed(text: str) -> Move:
    """The move that a person typed: case and spaces are forgiven.

    Raises NotationError: `too_long` (limit), `unknown_action` (text), `no_cards`, `one_card`,
    `unknown_card` (card), `unknown_suit` (text).
    """
    words = typed_words(text)
    named = [word if word == "keep" else word.upper() for word in words[1:]]
    return _move(words[:1] + named, text)


def _move(words: Sequence[str], text: str) -> Move:
    match words:
        case ["trump", suit]:
            if suit not in _SUIT_WORDS:
                raise NotationError("unknown_suit", text=excerpt(suit))
            return TRUMPS[_SUIT_WORDS.index(suit)]
        case ["hide" | "play" as verb, *cards]:
            return _VERBS[verb][the_card(cards)]
        case _:
            raise NotationError("unknown_action", text=excerpt(text))


def the_card(names: Sequence[str]) -> int:
    """The one card named.  Raises NotationError `no_cards`, `one_card`, `unknown_card` (card)."""
    if not names:
        raise NotationError("no_cards")
    if len(names) > 1:
        raise NotationError("one_card")
    return _card(names[0])
