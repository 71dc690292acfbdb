"""Auf und Ab: likelihood of what a seat did, given the cards it might hold.

Nobody knows who the others are: somebody may play by the rules of thumb to the letter, about as
they say, or quite otherwise.  What a seat did tells that along with its cards.
"""

from __future__ import annotations

from math import exp, log
from typing import Final

from engine.players.aufundab.policy import SCORES, weigh
from engine.players.aufundab.twin import ACTOR, ALL, HANDS, MODE, SHOWN, SIZE, play
from engine.players.compiled import Floats, Ints, jit, lowest, popcount

KINDS: Final = 3
"""So many kinds of player there are: to the letter, about as the rules of thumb say, otherwise."""
NEVER: Final = -1e9
"""Below every logarithm of a likelihood that occurs."""

# To the letter, and about.
_SHARP: Final = 0.15
_WARM: Final = 1.0
"""How much worse than the best a move weighs that is chosen e times as seldom."""
_SLIP: Final = 0.02
_DOUBT: Final = 0.3
"""How often any move is chosen, whatever it weighs."""
_LOOSE: Final = 0.3
"""How often about only number and quantity are chosen, and any of the cards for them."""


@jit
def _kind(s: Ints, move: int) -> int:
    """Number and quantity of a set in one; -1 for a pass."""
    cards = move & ALL
    if cards == 0:
        return -1
    return 12 * SHOWN[55 * s[MODE] + lowest(cards)] + popcount(cards) + (move >> 55)


@jit
def _said(s: Ints, move: int, room: Floats, found: Ints, by: Floats) -> None:
    """Adds the log of how likely the seat to act does this to `by`, for each kind of player."""
    count = weigh(s, room, found)
    if count == 1:
        return
    most = room[SCORES]
    for i in range(1, count):
        if room[SCORES + i] > most:
            most = room[SCORES + i]
    kind = _kind(s, move)
    sharp_whole = 0.0
    sharp_same = 0.0
    whole = 0.0
    same = 0.0
    alike = 0.0
    kinds = 0
    for i in range(count):
        likely = exp((room[SCORES + i] - most) / _WARM)
        sharp = exp((room[SCORES + i] - most) / _SHARP)
        whole += likely
        sharp_whole += sharp
        if found[i] == move:
            same += likely
            sharp_same += sharp
        if _kind(s, found[i]) == kind:
            alike += likely
            kinds += 1
    if kinds > 0:
        alike /= kinds
    by[0] += log((1.0 - _SLIP) * sharp_same / sharp_whole + _SLIP / count)
    chosen = ((1.0 - _LOOSE) * same + _LOOSE * alike) / whole
    by[1] += log((1.0 - _DOUBT) * chosen + _DOUBT / count)
    by[2] -= log(count)


@jit
def _mixed(by: Floats) -> float:
    """Log of how likely all was, each kind of player as frequent as the others."""
    most = max(by[0], max(by[1], by[2]))
    return most + log((exp(by[0] - most) + exp(by[1] - most) + exp(by[2] - most)) / 3.0)


@jit
def likelihood(
    history: Ints,
    seat: int,
    hand: int,
    least: float,
    s: Ints,
    room: Floats,
    found: Ints,
    by: Floats,
) -> float:
    """Log of how likely a seat that holds this hand now did all that it did in this round.

    What is below `least` is not told exactly.
    """
    for i in range(SIZE):
        s[i] = history[i]
    s[HANDS + seat] |= hand
    for i in range(KINDS):
        by[i] = 0.0
    for i in range(SIZE, len(history)):
        if s[ACTOR] == seat:
            _said(s, history[i], room, found, by)
            if by[0] < least and by[1] < least and by[2] < least:
                return least - 1.0
        play(s, history[i])
    return _mixed(by)
