"""Kaiserspiel: moves that a partner would not understand, left out of the search.

The rules of thumb never lay one of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from engine.cards import cards_in
from engine.players.compiled import Ints
from engine.players.kaiserspiel.slots import (
    ACTOR,
    DECK,
    DOWN,
    HANDS,
    LAID,
    LAID_COUNT,
    PLAY,
    SEATS,
    SPECIAL,
    STEP,
    WON,
)
from engine.players.kaiserspiel.tricks import KAISER_STRENGTH, all_kaisers, trump_strength, winner


def silly(known: Ints, moves: Sequence[int]) -> frozenset[int]:
    """Of the moves those that spoil or waste; never all of them."""
    pos = known[LAID_COUNT] % SEATS
    if known[STEP] != PLAY:
        return frozenset()
    spare = any(not _is_best(known, card) for card in cards_in(int(known[HANDS + known[ACTOR]])))
    partners = pos >= 2 and winner(known, known[LAID_COUNT] - pos, pos) == pos - 2
    found = []
    for move in moves:
        spoils = partners and _is_lost(known, move)
        wastes = spare and _is_best(known, move % DECK) and _is_in_vain(known, move, partners)
        if spoils or wastes or _gives_away(known, move, moves):
            found.append(move)
    return frozenset(found)


def _is_best(known: Ints, card: int) -> bool:
    """Whether it is the Mugg, the special Five or the special Unter."""
    return trump_strength(card, known[SPECIAL], all_kaisers(known)) > KAISER_STRENGTH


def _is_lost(known: Ints, move: int) -> bool:
    """Whether the trick is the others' as it lies after a move."""
    laid = known[LAID_COUNT]
    pos = laid % SEATS
    known[LAID + laid] = move
    place = winner(known, laid - pos, pos + 1)
    known[LAID + laid] = 0
    return place % 2 != pos % 2


def _is_in_vain(known: Ints, move: int, partners: bool) -> bool:
    """Whether a high card takes no trick that would not be had without it."""
    last = known[LAID_COUNT] % SEATS == SEATS - 1
    return move >= DOWN or (last and (partners or _is_lost(known, move)))


def _gives_away(known: Ints, move: int, moves: Sequence[int]) -> bool:
    """Whether the last one leaves a trick that decides the round, and could have it."""
    last = known[LAID_COUNT] % SEATS == SEATS - 1
    decides = last and max(known[WON], known[WON + 1]) == 2
    return decides and _is_lost(known, move) and not all(_is_lost(known, one) for one in moves)
