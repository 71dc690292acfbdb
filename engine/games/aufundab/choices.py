"""Auf und Ab: the sets that a hand can play, looked up by slices of the hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from engine.games.aufundab.notation import format_move
from engine.games.aufundab.sets import (
    CARDS,
    DOUBLES,
    MODES,
    NUMBERS,
    PASS,
    QUANTITIES,
    SETS,
    UP,
    Move,
    beats,
    subsets,
)


class _Ranked(NamedTuple):
    """A move with its place among all sets of a mode: by number, quantity and notation."""

    rank: int
    quantity: int
    move: Move


def _by_cards(mode: int) -> dict[int, list[_Ranked]]:
    """The one or two moves of every choice of cards."""
    order = sorted(
        (found.number, found.quantity, format_move(move), move)
        for move, found in SETS[mode].items()
    )
    ranked: dict[int, list[_Ranked]] = {}
    for rank, (_, quantity, _, move) in enumerate(order):
        ranked.setdefault(move.cards, []).append(_Ranked(rank, quantity, move))
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
            if not wanted or entry.quantity == wanted
        ]
        ranked.sort()
        self[cards] = found = tuple([entry.move for entry in ranked])
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


def _answers(mode: int, number: int, quantity: int) -> Iterator[int]:
    """Numbers that beat `number` and have cards enough for `quantity`."""
    for other in NUMBERS:
        if beats(mode, other, number) and CARDS[mode][other].bit_count() + 1 >= quantity:
            yield other


_LEADS: Final = tuple(_Memo(mode, 0) for mode in MODES)
_OPENINGS: Final = _OpeningMemo()


class Look(NamedTuple):
    """How to look sets up: the hand is cut into slices, and each is looked up."""

    memo: dict[int, tuple[Move, ...]]
    slices: tuple[int, ...]


LEADS: Final = tuple(Look(_LEADS[mode], _chunks(mode, NUMBERS)) for mode in MODES)
"""LEADS[mode]: every set."""
OPENINGS: Final = tuple(Look(_OPENINGS, (CARDS[UP][number],)) for number in NUMBERS)
"""OPENINGS[number]: every set with the double of `number`, in mode UP."""


def _follows(mode: int) -> tuple[tuple[Look, ...], ...]:
    memos = tuple(_Memo(mode, quantity) for quantity in QUANTITIES)
    return tuple(
        tuple(
            Look(memos[quantity], _chunks(mode, _answers(mode, number, quantity)))
            for quantity in QUANTITIES
        )
        for number in NUMBERS
    )


FOLLOWS: Final = tuple(_follows(mode) for mode in MODES)
"""FOLLOWS[mode][number][quantity]: every set that beats that one."""


def legal_moves(hand: int, mode: int, number: int, quantity: int, opening: int) -> tuple[Move, ...]:
    """What a hand may do: each move once, a pass first, sets by number, quantity and notation.

    `quantity` is 0 when leading; `opening` is the number of the double that the first lead of
    a round must contain, negative for any other lead.
    """
    moves: tuple[Move, ...] = ()
    if quantity:
        moves = (PASS,)
        look = FOLLOWS[mode][number][quantity]
    elif opening < 0:
        look = LEADS[mode]
    else:
        look = OPENINGS[opening]
    memo = look.memo
    for cards in look.slices:
        moves += memo[hand & cards]
    return moves
