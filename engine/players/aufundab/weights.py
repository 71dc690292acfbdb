"""Auf und Ab: weights of the rules of thumb.

Found by playing: an evolution strategy against random players and against earlier weights.  The
program that found them is not part of this one.
"""

from __future__ import annotations

from typing import Final

_SETS: Final = (
    # A set that leads, one that follows (a pass counts as one that follows).
    (-1.29, -0.35),  # cards left
    (4.14, 4.35),  # numbers of which there are cards left, in the mode that is next by now
    (-5.50, -5.39),  # of those so many are beaten, on average
    (1.87, 1.00),  # numbers left in the other mode
    (-2.32, -1.67),  # of those so many are beaten
    (3.12, 6.30),  # how likely the set stands in this series
    (-2.15, -2.18),  # that, times those beaten
    (-1.66, -2.57),  # how likely it is beaten while somebody may end the round with what beats it
    (0.69, -0.30),  # how likely it is beaten / the fewest cards of an opponent
    (8.47, 10.21),  # how likely it stands, and of the rest all but one number
    (-0.19, 2.33),  # how likely it stands / the fewest cards of an opponent
    (1.84, 1.89),  # change cards played
    (0.52, -0.92),  # 1 / cards left
    (0.16, -0.28),  # a double counted two
    (2.37, 0.87),  # how likely all but one number of the rest stand
    (3.10, -4.20),  # how likely the set stands / numbers left
    (0.67, -0.25),  # those beaten / the fewest cards of an opponent
    (0.52, -0.20),  # cards left / the fewest cards of an opponent
    (-0.46, 0.35),  # those beaten / numbers left
    (-0.22, 0.32),  # cards left times how likely the set stands
)

_PASSES: Final = (
    # What a pass counts besides.
    -0.35,  # any
    -2.43,  # / the fewest cards of an opponent
    1.72,  # by the last one in, who leads next
    -7.47,  # / the cards of the seat that is beating the others
    -2.85,  # how likely the set there stands
    0.16,  # so many others are still in
)

LEAD: Final = 0
"""Place of the first weight of a set that leads."""
FOLLOW: Final = len(_SETS)
"""Place of the first weight of a set that follows."""
PASSING: Final = 2 * len(_SETS)
"""Place of the first weight of a pass."""
WEIGHTS: Final = (*[lead for lead, _ in _SETS], *[follow for _, follow in _SETS], *_PASSES)
"""All weights in a row."""
