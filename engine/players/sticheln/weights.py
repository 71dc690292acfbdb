"""Sticheln: weights of the rules of thumb.

They were fitted to what playouts by these very rules came to, twice, and then tried out (CMA-ES): a
seat of them among random play and among the rules before, each as much, at 3 to 6 seats.
"""

from __future__ import annotations

from typing import Final

from engine.players.compiled import floats

# The choice of a card for its colour: its number, and what one keeps of the colour; a third of the
# numbers is low, a third high, and the zero is a low one.

CHOOSE_NUMBER: Final = 0
CHOOSE_LOW: Final = 1
CHOOSE_MIDDLE: Final = 2
CHOOSE_HIGH: Final = 3
CHOOSE_ZERO: Final = 4
CHOICE: Final = 5

# A card that is played.  A row of weights for whoever leads, one for whoever follows, and one for
# whoever is the last.

TAKEN: Final = 0
"""What somebody still to come takes with it, as likely as they do, shared by the others."""
COMING: Final = 1
"""Cards that come after theirs, likewise."""
LEFT_TO: Final = 2
"""What whoever wins now takes, as likely as they do, shared by the others."""
WON: Final = 3
"""What one takes oneself, if one wins: these for each as likely as one does."""
WINS: Final = 4
"""That one wins."""
POISON: Final = 5
"""How much of one's colour may come, by cards to come."""
WINS_EARLY: Final = 6
"""That one wins, by the share of the tricks that are left."""
WINS_HIGH: Final = 7
"""By the number of the card, as a share of the highest."""
WINS_SURELY: Final = 8
"""By how likely it is."""
WINS_WEAPON: Final = 9
"""By the number, for each other that does not want its colour."""
OWN: Final = 10
"""The card is of one's own colour: as such, …"""
OWN_HELD: Final = 11
"""… for each of them that one holds, …"""
OWN_LOST: Final = 12
"""… as likely as another takes it, …"""
OWN_HIGH: Final = 13
"""… by its number as a share of the highest, …"""
OWN_SQUARE: Final = 14
"""… by the square of that, …"""
OWN_EARLY: Final = 15
"""… and by that in the first trick."""
RANK: Final = 16
"""The card is of another colour: by the share of the hidden cards with no higher number, …"""
RANK_DANGER: Final = 17
"""… by that and how much of one's own colour is hidden, …"""
WEAPON: Final = 18
"""… and for each other that does not want it."""
NEXT_WEAPON: Final = 19
"""By the number, if whose turn is next does not want its colour."""
EACH: Final = 20

WEIGHTS: Final = floats(
    [
        0.55, 2.24, 2.51, 1.45, -0.44,
        -3.01, -23.84, -0.18, 1.39, 7.33, -0.60, 2.55, 6.47, -12.43, -2.58, -6.08, 0.89, 0.33,
        22.75, 1.56, -33.01, -10.20, 4.16, 0.10, 0.12,
        1.17, 48.79, -1.14, 1.39, 6.79, -0.84, -7.60, -3.32, 0.38, -1.12, -0.61, 0.42, -2.36, 4.74,
        -0.68, -2.02, -0.04, -0.15, -0.29, 1.13,
        -0.10, -0.34, -0.96, 0.86, 0.12, -0.20, -0.90, 0.16, 0.22, -0.52, -3.53, 0.80, 0.38, -1.61,
        7.47, -4.81, -1.91, 1.25, -0.31, -0.55,
    ]
)  # fmt: skip

_CHOICE: Final = ("number", "low", "middle", "high", "zero")
_EACH: Final = (
    "taken", "coming", "left_to", "won", "wins", "poison", "wins_early", "wins_high",
    "wins_surely", "wins_weapon", "own", "own_held", "own_lost", "own_high", "own_square",
    "own_early", "rank", "rank_danger", "weapon", "next_weapon",
)  # fmt: skip

NAMES: Final = (
    *[f"choose.{name}" for name in _CHOICE],
    *[f"{place}.{name}" for place in ("lead", "follow", "last") for name in _EACH],
)
"""Of the weights, as a file of them says it."""
