"""Auf und Ab: cards, moves, and which sets there are.

There are only 3,059 moves that are a set in one mode (every non-empty choice of cards with a
common number, those with the double twice), so each exists once, in tables built at import;
what a hand can play is looked up by the slice of the hand that could play it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeAlias

from engine.cards import Pack, cards_in
from engine.game import NotationError
from engine.notation import canonical_words, excerpt, typed_words

UP: Final = 0
DOWN: Final = 1
MODES: Final = (UP, DOWN)
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


# Notation.

_CARD: Final = re.compile(r"([0-9])-([0-9])(x2)?")


@lru_cache(maxsize=8192)
def format_move(move: Move) -> str:
    """Canonical notation.

    >>> format_move(Move(PACK.mask(["4-5", "4-4"]), PACK.mask(["4-4"]))), format_move(PASS)
    ('play 4-4x2 4-5', 'pass')
    """
    if not move.cards:
        return "pass"
    names = PACK.names
    return "play " + " ".join(
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


# What a hand can play.


_Ranked: TypeAlias = tuple[int, int, Move]
"""A rank, the quantity and the move."""


def _by_cards(mode: int) -> dict[int, list[_Ranked]]:
    """The one or two moves of every choice of cards, ranked by number, quantity, notation."""
    order = sorted(
        (found.number, found.quantity, format_move(move), move)
        for move, found in SETS[mode].items()
    )
    ranked: dict[int, list[_Ranked]] = {}
    for rank, (_, quantity, _, move) in enumerate(order):
        ranked.setdefault(move.cards, []).append((rank, quantity, move))
    return ranked


_BY_CARDS: Final = tuple(_by_cards(mode) for mode in MODES)


class _Memo(dict[int, tuple[Move, ...]]):
    """All sets of one quantity (0: any) within a slice of a hand, by the slice.

    Slices come from `_chunks`, so there are at most a few thousand of them.
    """

    def __init__(self, mode: int, quantity: int) -> None:
        super().__init__()
        self._mode, self._quantity = mode, quantity

    def __missing__(self, cards: int) -> tuple[Move, ...]:
        by_cards, wanted = _BY_CARDS[self._mode], self._quantity
        ranked = [
            entry
            for number in CARDS[self._mode]
            for subset in subsets(cards & number)
            for entry in by_cards[subset]
            if not wanted or entry[1] == wanted
        ]
        ranked.sort()
        self[cards] = found = tuple([move for _, _, move in ranked])
        return found


class _OpeningMemo(dict[int, tuple[Move, ...]]):
    """All sets that contain the double, within the cards of its (low) number."""

    def __missing__(self, cards: int) -> tuple[Move, ...]:
        self[cards] = found = tuple([m for m in _LEADS[UP][cards] if m.cards & DOUBLES])
        return found


def _chunks(mode: int, numbers: Iterable[int]) -> tuple[int, ...]:
    """The cards of these (ascending) numbers in pieces of at most 11 cards, or one number.

    Few pieces make few look-ups, small ones make few different slices: at most 2,048.
    """
    pieces = [CARDS[mode][number] for number in numbers]
    if mode == UP:
        pieces.reverse()
    chunks: list[int] = []
    for piece in pieces:
        if chunks and (chunks[-1] | piece).bit_count() <= 11:
            chunks[-1] |= piece
        else:
            chunks.append(piece)
    if mode == UP:
        chunks.reverse()
    return tuple(chunks)


def beats(mode: int, number: int, other: int) -> bool:
    """Whether `number` beats `other`: strictly higher in UP, strictly lower in DOWN."""
    return number > other if mode == UP else number < other


def _answers(mode: int, number: int, quantity: int) -> Iterator[int]:
    """Numbers that beat `number` and have cards enough for `quantity`."""
    for other in NUMBERS:
        if beats(mode, other, number) and CARDS[mode][other].bit_count() + 1 >= quantity:
            yield other


_LEADS: Final = tuple(_Memo(mode, 0) for mode in MODES)
_OPENINGS: Final = _OpeningMemo()

_Look: TypeAlias = tuple[dict[int, tuple[Move, ...]], tuple[int, ...]]
"""How to look sets up: a memo, and the slices of the hand to look up in it."""

LEADS: Final[tuple[_Look, ...]] = tuple((_LEADS[mode], _chunks(mode, NUMBERS)) for mode in MODES)
"""LEADS[mode]: every set."""
OPENINGS: Final[tuple[_Look, ...]] = tuple((_OPENINGS, (CARDS[UP][n],)) for n in NUMBERS)
"""OPENINGS[number]: every set with the double of `number`, in mode UP."""


def _follows(mode: int) -> tuple[tuple[_Look, ...], ...]:
    memos = tuple(_Memo(mode, quantity) for quantity in QUANTITIES)
    return tuple(
        tuple(
            (memos[quantity], _chunks(mode, _answers(mode, number, quantity)))
            for quantity in QUANTITIES
        )
        for number in NUMBERS
    )


FOLLOWS: Final = tuple(_follows(mode) for mode in MODES)
"""FOLLOWS[mode][number][quantity]: every set that beats that one."""

_ONLY_PASS: Final[tuple[Move, ...]] = (PASS,)


def legal_moves(hand: int, mode: int, number: int, quantity: int, opening: int) -> tuple[Move, ...]:
    """What a hand may do: each move once, a pass first, sets by number, quantity and notation.

    `quantity` is 0 when leading; `opening` is the number of the double that the first lead of
    a round must contain, negative for any other lead.
    """
    moves: tuple[Move, ...] = ()
    if quantity:
        moves = _ONLY_PASS
        memo, slices = FOLLOWS[mode][number][quantity]
    elif opening < 0:
        memo, slices = LEADS[mode]
    else:
        memo, slices = OPENINGS[opening]
    for cards in slices:
        moves += memo[hand & cards]
    return moves
