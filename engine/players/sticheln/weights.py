"""Sticheln: weights of the rules of thumb.

They were fitted to what playouts by these very rules came to, twice, and then tried out (CMA-ES): a
seat of them among random play and among the rules before, each as much, at 3 to 6 seats.
The programs that did so are not part of this one.
"""

from __future__ import annotations

from typing import Final

from engine.players.compiled import floats

# The choice of a card for its colour: its number, and what one keeps of the colour; a third of the
# numbers is low, a third high, and the zero is a low one.

CHOOSE_NUMBER, CHOOSE_LOW, CHOOSE_MIDDLE, CHOOSE_HIGH, CHOOSE_ZERO = range(5)
CHOICE: Final = 5

# A card that is played.  A row of weights for whoever leads, one for whoever follows, and one for
# whoever is the last.

(
    TAKEN,  # what somebody still to come takes with it, by how likely; shared by the others
    COMING,  # cards that come after theirs, likewise
    LEFT_TO,  # what whoever wins now takes, by how likely; shared by the others
    WON,  # what one takes oneself, if one wins: these for each as likely as one does
    WINS,  # that one wins
    POISON,  # how much of one's colour may come, by cards to come
    WINS_EARLY,  # that one wins, by the share of the tricks that are left
    WINS_HIGH,  # by the number of the card, as a share of the highest
    WINS_SURELY,  # by how likely it is
    WINS_WEAPON,  # by the number, for each other that does not want its colour
    OWN,  # the card is of one's own colour: as such, …
    OWN_HELD,  # … for each of them that one holds, …
    OWN_LOST,  # … as likely as another takes it, …
    OWN_HIGH,  # … by its number as a share of the highest, …
    OWN_SQUARE,  # … by the square of that, …
    OWN_EARLY,  # … and by that in the first trick
    RANK,  # it is of another colour: by the share of the hidden cards with no higher number, …
    RANK_DANGER,  # … by that and how much of one's own colour is hidden, …
    WEAPON,  # … and for each other that does not want it
    NEXT_WEAPON,  # by the number, if whose turn is next does not want its colour
) = range(20)
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
