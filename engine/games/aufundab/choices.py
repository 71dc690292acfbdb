"""Auf und Ab: the sets that a hand can play."""

from __future__ import annotations

from functools import cache

from engine.games.aufundab.notation import format_move
from engine.games.aufundab.sets import (
    CARDS,
    DOUBLES,
    NUMBERS,
    PASS,
    Move,
    beats,
    quantity_of,
    subsets,
)


@cache
def _sets_of(cards: int) -> tuple[Move, ...]:
    """All sets of cards that have a number in common, by quantity and notation.

    Hands have few cards of a number, so the same ones come again and again.
    """
    plain = [Move(some) for some in subsets(cards)]
    twice = [Move(move.cards, move.cards & DOUBLES) for move in plain if move.cards & DOUBLES]
    return tuple(sorted(plain + twice, key=lambda move: (quantity_of(move), format_move(move))))


def legal_moves(hand: int, mode: int, number: int, quantity: int, opening: int) -> tuple[Move, ...]:
    """What a hand may do: each move once, a pass first, sets by number, quantity and notation.

    `quantity` is 0 when leading; `opening` is the number of the double that the first lead of
    a round must contain, negative for any other lead.
    """
    if quantity:
        better = [each for each in NUMBERS if beats(mode, each, number)]
        answers = [move for each in better for move in _sets_of(hand & CARDS[mode][each])]
        return (PASS, *[move for move in answers if quantity_of(move) == quantity])
    if opening >= 0:
        first = _sets_of(hand & CARDS[mode][opening])
        return tuple([move for move in first if move.cards & DOUBLES])
    return tuple([move for cards in CARDS[mode] for move in _sets_of(hand & cards)])
