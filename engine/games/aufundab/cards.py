"""Auf und Ab: cards, moves (a double may count twice), what a set is, and how all are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.cards import Pack, cards_in
from engine.game import NotationError
from engine.notation import canonical_words, excerpt, typed_words

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


def counted(cards: int, mode: int, number: int) -> int:
    """How many cards of a number there are among these, where a double may count as two."""
    found = cards & CARDS[mode][number]
    return found.bit_count() + bool(found & DOUBLE[number])


# Notation.

_CARD: Final = re.compile(r"([0-9])-([0-9])(x2)?")


@lru_cache(maxsize=8192)
def format_move(move: Move) -> str:
    """Canonical notation.

    >>> format_move(Move(PACK.mask(["4-5", "4-4"]), PACK.mask(["4-4"]))), format_move(PASS)
    ('play 4-4x2 4-5', 'pass')
    """
    return "play " + " ".join(set_codes(move)) if move.cards else "pass"


def set_codes(move: Move) -> tuple[str, ...]:
    """The cards of a set as they are written everywhere; a double that counts two has its `x2`."""
    names = PACK.names
    return tuple(
        [names[c] + "x2" if move.doubled >> c & 1 else names[c] for c in cards_in(move.cards)]
    )


def parse_move(text: str) -> Move:
    """The move that a canonical text names.  Raises NotationError for any other text."""
    move = _read(canonical_words(text))
    if format_move(move) != text:
        raise NotationError("not_canonical", text=excerpt(text))
    return move


def parse_typed(text: str) -> Move:
    """The move that a person meant: case, spaces, order and a missing `play` are forgiven."""
    words = [word.replace("×", "x") for word in typed_words(text)]
    if words and _CARD.fullmatch(words[0]):
        words.insert(0, "play")
    return _read([_low_first(word) for word in words])


def count_double(move: Move, quantity: int) -> Move:
    """`move` with its double counted as following a set of that `quantity` requires.

    What was written stands, if anything was: a wrong `x2` is refused, not mended.
    """
    double = move.cards & DOUBLES
    one_more = move.cards.bit_count() + 1 == quantity
    if move.doubled or not one_more or double.bit_count() != 1:
        return move
    return Move(move.cards, double)


def _low_first(word: str) -> str:
    """`6-3` is read as `3-6`."""
    if _CARD.fullmatch(word) and word[0] > word[2]:
        return f"{word[2]}-{word[0]}{word[3:]}"
    return word


def _read(words: Sequence[str]) -> Move:
    match words:
        case ["pass"]:
            return PASS
        case ["play"]:
            raise NotationError("no_cards")
        case ["play", *cards]:
            return _read_cards(cards)
        case _:
            raise NotationError("unknown_action", text=excerpt(" ".join(words)))


def _read_cards(words: Iterable[str]) -> Move:
    cards = doubled = 0
    for word in words:
        found = _CARD.fullmatch(word)
        if found is None:
            raise NotationError("unknown_card", card=excerpt(word))
        code = word[:3]
        bit = 1 << PACK.index(code)
        if cards & bit:
            raise NotationError("card_twice", card=code)
        cards |= bit
        if found[3]:
            if not bit & DOUBLES:
                raise NotationError("not_a_double", card=code)
            doubled |= bit
    return Move(cards, doubled)
