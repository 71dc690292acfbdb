"""Kaiserspiel: strength of a card and winner of a trick, for the twin."""

from __future__ import annotations

from typing import Final

from engine.players.compiled import Ints, jit, table
from engine.players.kaiserspiel.slots import DOWN, KAISERS, LAID, MUGG, SPECIAL

_TRUMPS: Final = table([0, 0, 96, 0, 0, 94, 97, 73, 83, 93])
"""By plain rank: strength of a card of the special suit as a trump, or 0 if it is none.

Plain cards of the suit led have 9 for each rank from the 2 up: 90 the King, 81 the Ober, 72 the
Unter.
"""
KAISER_STRENGTH: Final = 95
MUGG_STRENGTH: Final = 98
SEVEN_LED: Final = 99
"""Nothing beats the special Seven that was led, unless the special Unter lies in the trick."""


@jit
def trump_strength(card: int, special: int, kaisers: int) -> int:
    """How strong a card that lies face up is as a trump; 0 if it is none."""
    if kaisers >> card & 1:
        return MUGG_STRENGTH if card == MUGG else KAISER_STRENGTH
    return _TRUMPS[card % 10] if card // 10 == special else 0


@jit
def strength(card: int, led: int, special: int, kaisers: int) -> int:
    """How strong a card (face down too) is in a trick to which `led` was led; 0 never wins.

    The special Seven that was led has none here: see `winner`.
    """
    if card >= DOWN:
        return 0
    found = trump_strength(card, special, kaisers)
    if found:
        return found
    if card // 10 != led // 10 or (card // 10 == special and card % 10 == 4):
        return 0
    if trump_strength(led, special, kaisers) or (led // 10 == special and led % 10 == 4):
        return 0
    return (10 - card % 10) * 9


@jit
def all_kaisers(s: Ints) -> int:
    """The declared Kaisers of all seats."""
    return s[KAISERS] | s[KAISERS + 1] | s[KAISERS + 2] | s[KAISERS + 3]


@jit
def winner(s: Ints, first: int, count: int) -> int:
    """The place (from 0) of the winning one of `count` cards of `LAID`, from `first` on."""
    special = s[SPECIAL]
    kaisers = all_kaisers(s)
    led = s[LAID + first]
    best = 0
    high = 0
    tamed = 0
    for i in range(count):
        card = s[LAID + first + i]
        now = strength(card, led, special, kaisers)
        if now > high:
            best = i
            high = now
        if card == special * 10 + 2:
            tamed = 1
    return best if tamed or led != special * 10 + 4 else 0
