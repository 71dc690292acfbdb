"""Auf und Ab: probability that opponents beat a set, by the cards not seen.

Every card that was not seen is held to be in the hand of each opponent as likely as the others.
"""

from __future__ import annotations

from math import comb
from typing import Final

from engine.players.aufundab.twin import (
    ACTOR,
    ALL,
    COUNTS,
    DOUBLES,
    HANDS,
    MODE,
    NUMBERED,
    OUT,
    PLAYED,
    QUANTITY,
    SEATS,
)
from engine.players.compiled import Floats, Ints, floats, jit, popcount

# These stand in the room of the rules of thumb, a vector of floats, between what `policy` has.
LOSING: Final = 50
"""First slot of [mode][number]: how likely the cards of that number in hand are beaten."""
GROUPS: Final = 70
"""First slot of [mode]: of how many numbers there are cards in hand."""
LOST: Final = 72
"""First slot of [mode]: how many of them are beaten, on average."""
HURRY: Final = 74
"""Slot of 1 / the fewest cards of an opponent."""
STANDS: Final = 75
"""First slot of [number]: how likely those still in cannot beat it in this series."""
UNBEATEN: Final = 86
"""First slot of [mode][number][quantity]: how likely no opponent can beat such a lead."""
END: Final = 326


def _likely() -> list[float]:
    """[share of 32][double unseen][number unseen][quantity]: how likely one hand can play that."""
    found = []
    for share in range(33):
        p = share / 32

        def at_least(n: int, k: int, p: float = p) -> float:
            return sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in range(max(k, 0), n + 1))

        for double in range(2):
            for n in range(11):
                for k in range(12):
                    if double and n:
                        found.append(p * at_least(n - 1, k - 2) + (1 - p) * at_least(n - 1, k))
                    else:
                        found.append(at_least(n, k))
    return found


_LIKELY: Final = floats(_likely())


@jit
def worth(cards: int) -> int:
    """The most that cards of one number count."""
    return popcount(cards) + (1 if cards & DOUBLES > 0 else 0)


@jit
def look_around(s: Ints, room: Floats) -> None:
    """Fills the room with what all weighings have in common."""
    hand = s[HANDS + s[ACTOR]]
    unseen = ALL & ~(hand | s[PLAYED])
    room[HURRY] = 1.0 / _fewest(s)
    others = s[SEATS] - 1
    share = _share(s, unseen, 0, others)
    for now in range(2):
        _lead(room, hand, unseen, now, share, others)
        _count(room, hand, now)
    if s[QUANTITY] > 0:
        others = s[SEATS] - popcount(s[OUT]) - 1
        share = _share(s, unseen, s[OUT], others)
        _stand(room, STANDS, 1, unseen, s[MODE], s[QUANTITY], share, others)


@jit
def _fewest(s: Ints) -> int:
    """The fewest cards of an opponent of the seat to act."""
    fewest = 18
    for other in range(s[SEATS]):
        if other != s[ACTOR] and s[COUNTS + other] < fewest:
            fewest = s[COUNTS + other]
    return fewest


@jit
def _share(s: Ints, unseen: int, out: int, others: int) -> int:
    """The share of the cards unseen that one opponent holds who is not `out`, in 32nds."""
    if others == 0:
        return 0
    held = 0
    for other in range(s[SEATS]):
        if other != s[ACTOR] and (out >> other) & 1 == 0:
            held += s[COUNTS + other]
    size = popcount(unseen)
    return (held * 64 + others * size) // (2 * others * size)


@jit
def _cannot(cards: int, quantity: int, share: int) -> float:
    """How likely one opponent cannot play so many of these cards, which are unseen."""
    row = (2 * share + (1 if cards & DOUBLES > 0 else 0)) * 132
    return 1.0 - _LIKELY[row + 12 * popcount(cards) + quantity]


@jit
def _lead(room: Floats, hand: int, unseen: int, mode: int, share: int, others: int) -> None:
    """How likely no opponent beats a lead, by number and quantity, up to the most of this hand."""
    most = 1
    for number in range(10):
        value = worth(hand & NUMBERED[10 * mode + number])
        if value > most:
            most = value
    for quantity in range(1, most + 1):
        _stand(room, UNBEATEN + 120 * mode + quantity, 12, unseen, mode, quantity, share, others)


@jit
def _stand(
    room: Floats, at: int, step: int, unseen: int, mode: int, quantity: int, share: int, others: int
) -> None:
    """How likely so many others do not beat a set of that quantity: by number, from slot `at`."""
    stands = 1.0
    for place in range(10):
        number = 9 - place if mode == 0 else place
        cards = unseen & NUMBERED[10 * mode + number]
        room[at + step * number] = stands
        if worth(cards) >= quantity:
            one = _cannot(cards, quantity, share)
            for _ in range(others):
                stands *= one


@jit
def _count(room: Floats, hand: int, mode: int) -> None:
    """The numbers in a hand, and how many of them are beaten when each is led as a whole."""
    groups = 0.0
    lost = 0.0
    for number in range(10):
        value = worth(hand & NUMBERED[10 * mode + number])
        losing = 0.0
        if value > 0:
            groups += 1.0
            losing = 1.0 - room[UNBEATEN + 120 * mode + 12 * number + value]
            lost += losing
        room[LOSING + 10 * mode + number] = losing
    room[GROUPS + mode] = groups
    room[LOST + mode] = lost
