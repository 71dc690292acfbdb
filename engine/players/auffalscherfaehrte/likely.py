"""Auf falscher Fährte: likelihood of what a seat did, given the cards it might hold."""

from __future__ import annotations

from math import exp
from typing import Final

from engine.players.auffalscherfaehrte.policy import (
    HIDE,
    NAME,
    POWER,
    WEIGHTS,
    chance_of_plus,
    kind_of,
    strength_of_hand,
    trump_gain,
    worth_to_hide,
    worth_to_play,
)
from engine.players.auffalscherfaehrte.twin import (
    ACTOR,
    HAND,
    HIDDEN,
    HIDING,
    KEEP,
    NAMING,
    SEATS,
    STAGE,
    TRUMP,
    legal,
)
from engine.players.auffalscherfaehrte.worlds import unseen
from engine.players.compiled import Ints, jit, lowest, popcount

# How far apart what is worth more and what is worth less have to be to tell, by what is decided.
# Measured among `greedy` and among `guided`: softer says less, sharper trusts too much.
PLAYED: Final = 0.15
HID: Final = 0.05
NAMED: Final = 0.2
ANY: Final = 0.15
"""The share of moves that may be any move: others may think quite differently."""


@jit
def likelihood(s: Ints, move: int) -> float:
    """How likely the seat to act makes this move."""
    count = popcount(legal(s))
    if count == 1:
        return 1.0
    if s[STAGE] == HIDING:
        share = _hides(s, move)
    elif s[STAGE] == NAMING:
        share = _names(s, move)
    else:
        share = _plays(s, move)
    return (1.0 - ANY) * share + ANY / count


@jit
def _plays(s: Ints, played: int) -> float:
    seat = s[ACTOR]
    moves = legal(s)
    plus = chance_of_plus(s, seat, s[HIDDEN + seat], WEIGHTS[HIDE])
    at = kind_of(s, moves)
    whole = 0.0
    part = 0.0
    while moves:
        move = lowest(moves)
        moves &= moves - 1
        now = exp(worth_to_play(s, move, plus, WEIGHTS, at) / PLAYED)
        whole += now
        if move == played:
            part = now
    return part / whole


@jit
def _hides(s: Ints, hidden: int) -> float:
    hand = s[HAND + s[ACTOR]]
    out = unseen(s, s[ACTOR])
    many = strength_of_hand(hand, out, s[TRUMP], s[SEATS] - 1, WEIGHTS, POWER)
    few = strength_of_hand(hand, out, s[TRUMP], s[SEATS] - 1, WEIGHTS, POWER + 4)
    own = worth_to_hide(s, hidden, out, many, few, WEIGHTS)
    whole = 0.0
    while hand:
        worth = worth_to_hide(s, lowest(hand), out, many, few, WEIGHTS)
        hand &= hand - 1
        whole += exp((worth - own) / HID)
    return 1.0 / whole


@jit
def _names(s: Ints, named: int) -> float:
    seat = s[ACTOR]
    plus = chance_of_plus(s, seat, s[HIDDEN + seat], WEIGHTS[HIDE])
    whole = 0.0
    part = 0.0
    for suit in range(KEEP + 1):
        if suit != s[TRUMP]:
            worth = WEIGHTS[NAME]
            if suit != KEEP:
                worth = trump_gain(s, plus, suit, WEIGHTS)
            now = exp(worth / NAMED)
            whole += now
            if suit == named:
                part = now
    return part / whole
