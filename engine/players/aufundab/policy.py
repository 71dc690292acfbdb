"""Auf und Ab: rules of thumb for every decision, with the cards counted.

What is weighed: how many leads the rest of the hand takes and how many of them somebody may beat
(in the mode that is likely next, and in the other), whether the set itself stands, and how soon
others may be rid of their cards.  `WEIGHTS` says how much each counts.

The weights were found by playing: an evolution strategy against random players and against earlier
weights.  The program that found them is not part of this one.
"""

from __future__ import annotations

from math import comb
from typing import Final

from engine.games.aufundab import cards as pack
from engine.players.aufundab.twin import (
    ACTOR,
    ALL,
    CHANGE_CARDS,
    CHANGES,
    COUNTS,
    DOUBLES,
    HANDS,
    MODE,
    NUMBER,
    NUMBERED,
    OPENING,
    OUT,
    OWNER,
    PLAYED,
    QUANTITY,
    SEATS,
    SHOWN,
    TWICE,
    beats,
)
from engine.players.chance import unit
from engine.players.compiled import Floats, Ints, floats, jit, lowest, popcount, table

# How likely opponents beat a set.
#
# Every card that was not seen is held to be in the hand of each opponent as likely as the others.

# These slots are in the room of the rules of thumb (below), a vector of floats.
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


# Weights.

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


# Rules of thumb.

LOOKED_AT: Final = 256
"""Room for all sets that are weighed at once."""

# The room that the rules of thumb work in is a vector of floats: the weights, `NOISE`, what
# `look_around` fills in (above), what is kept after the set that is weighed, the scores.
NOISE: Final = 48
"""Slot of how far a weighing may be off at random."""
_KEPT_GROUPS: Final = END
"""First slot of [mode]: of how many numbers there are cards kept."""
_KEPT_LOST: Final = END + 2
"""First slot of [mode]: how many of them are beaten, on average."""
_KEPT_LOSING: Final = END + 4
"""Slot of how likely the cards kept of the number that is played are beaten."""
SCORES: Final = END + 5
ROOM: Final = SCORES + LOOKED_AT

_ORDER: Final = table(
    [
        card
        for mode in pack.MODES
        for number in pack.NUMBERS
        for card in [
            *sorted(
                (i for i, pair in enumerate(pack.PAIRS) if pair[mode] == number),
                reverse=mode == pack.UP,
            ),
            *[0] * 10,
        ][:10]
    ]
)
"""_ORDER[100 * mode + 10 * number + place]: the cards that show it, the best to be rid of first."""


def new_room(noise: float) -> Floats:
    """A new room for the rules of thumb."""
    made = floats(ROOM)
    for i, weight in enumerate(WEIGHTS):
        made[i] = weight
    made[NOISE] = noise
    return made


@jit
def _keep(s: Ints, room: Floats, cards: int, number: int) -> None:
    """Fills the room with what the rest of the hand is, in both modes, after a set or a pass."""
    mode = s[MODE]
    other = 1 - mode
    hand = s[HANDS + s[ACTOR]]
    groups = room[GROUPS + mode]
    lost = room[LOST + mode]
    other_groups = room[GROUPS + other]
    other_lost = room[LOST + other]
    own_lost = 0.0
    if number >= 0:
        rest = hand & NUMBERED[10 * mode + number] & ~cards
        lost -= room[LOSING + 10 * mode + number]
        if rest == 0:
            groups -= 1.0
        else:
            own_lost = 1.0 - room[UNBEATEN + 120 * mode + 12 * number + worth(rest)]
            lost += own_lost
        gone = cards
        while gone > 0:
            card = lowest(gone)
            gone &= gone - 1
            shown = SHOWN[55 * other + card]
            after = hand & NUMBERED[10 * other + shown] & ~cards
            other_lost -= room[LOSING + 10 * other + shown]
            if after == 0:
                other_groups -= 1.0
            else:
                other_lost += 1.0 - room[UNBEATEN + 120 * other + 12 * shown + worth(after)]
    room[_KEPT_GROUPS + mode] = groups
    room[_KEPT_LOST + mode] = lost
    room[_KEPT_GROUPS + other] = other_groups
    room[_KEPT_LOST + other] = other_lost
    room[_KEPT_LOSING] = own_lost


@jit
def _finish(room: Floats, mode: int, now: int, number: int) -> float:
    """How likely all leads of the rest but the worst stand, in mode `now`; 0 if that is far."""
    lost = room[_KEPT_LOST + now]
    finish = 0.0
    if lost < 2.0:
        most = room[_KEPT_LOSING] if now == mode else 0.0
        for i in range(10):
            if (now != mode or i != number) and room[LOSING + 10 * now + i] > most:
                most = room[LOSING + 10 * now + i]
        if most > lost:
            most = lost
        if lost - most < 1.0:
            finish = 1.0 - (lost - most)
    return finish


@jit
def _last_cards(s: Ints, quantity: int) -> float:
    """1 if somebody still in may end the round with a set of that quantity, else 0."""
    found = 0.0
    for seat in range(s[SEATS]):
        more = quantity - s[COUNTS + seat]
        if seat != s[ACTOR] and (s[OUT] >> seat) & 1 == 0 and more >= 0 and more < 2:
            found = 1.0
    return found


@jit
def _with_pass(s: Ints, room: Floats, score: float, stands: float) -> float:
    """A score with what a pass counts besides."""
    score += room[PASSING]
    score += room[PASSING + 1] * room[HURRY]
    if stands > 0.0:
        score += room[PASSING + 2]
    else:
        score += room[PASSING + 3] / s[COUNTS + s[OWNER]]
        score += room[PASSING + 4] * room[STANDS + s[NUMBER]]
        score += room[PASSING + 5] * (s[SEATS] - popcount(s[OUT]) - 1)
    return score


@jit
def _weigh_one(s: Ints, room: Floats, move: int, number: int) -> float:
    """How good a set is, or (number -1) a pass."""
    mode, wanted = s[MODE], s[QUANTITY]
    cards = move & ALL
    left = s[COUNTS + s[ACTOR]] - popcount(cards)
    if left == 0:
        return 1000000.0
    stands = 0.0
    leaves = 0.0
    if number >= 0:
        quantity = popcount(cards) + (move >> 55)
        if wanted > 0:
            stands = room[STANDS + number]
        else:
            stands = room[UNBEATEN + 120 * mode + 12 * number + quantity]
        if stands < 1.0:
            leaves = _last_cards(s, quantity)
    elif popcount(s[OUT]) == s[SEATS] - 1:
        stands = 1.0
    _keep(s, room, cards, number)
    changed = popcount(cards & CHANGE_CARDS)
    now = mode ^ ((s[CHANGES] + changed) & 1)
    groups = room[_KEPT_GROUPS + now]
    lost = room[_KEPT_LOST + now]
    finish = _finish(room, mode, now, number)
    w = FOLLOW if wanted > 0 else LEAD
    score = (
        room[w] * left
        + room[w + 1] * groups
        + room[w + 2] * lost
        + room[w + 3] * room[_KEPT_GROUPS + 1 - now]
        + room[w + 4] * room[_KEPT_LOST + 1 - now]
        + room[w + 5] * stands
        + room[w + 6] * stands * lost
        + room[w + 7] * (1.0 - stands) * leaves
        + room[w + 8] * (1.0 - stands) * room[HURRY]
        + room[w + 9] * stands * finish
        + room[w + 10] * stands * room[HURRY]
        + room[w + 11] * changed
        + room[w + 12] / left
        + room[w + 13] * (move >> 55)
        + room[w + 14] * finish
        + room[w + 15] * stands / groups
        + room[w + 16] * room[HURRY] * lost
        + room[w + 17] * room[HURRY] * left
        + room[w + 18] * lost / groups
        + room[w + 19] * stands * left
    )
    return score if number >= 0 else _with_pass(s, room, score, stands)


@jit
def _can_follow(s: Ints) -> int:
    """1 if the seat to act can beat what lies there, else 0."""
    hand, mode = s[HANDS + s[ACTOR]], s[MODE]
    for number in range(10):
        if (
            worth(hand & NUMBERED[10 * mode + number]) >= s[QUANTITY]
            and beats(mode, number, s[NUMBER]) == 1
        ):
            return 1
    return 0


@jit
def _add(
    s: Ints, room: Floats, found: Ints, count: int, number: int, chosen: int, value: int
) -> int:
    """Adds sets of a number: those chosen, then card by card with more that are neither kind.

    The cards chosen count `value`.  Returns how many moves there are by then.
    """
    mode, wanted = s[MODE], s[QUANTITY]
    others = s[HANDS + s[ACTOR]] & NUMBERED[10 * mode + number] & ~(DOUBLES | CHANGE_CARDS)
    place = 0
    while True:
        if value > 0 and (wanted == 0 or wanted == value):
            found[count] = chosen
            room[SCORES + count] = _weigh_one(s, room, chosen, number)
            count += 1
        # The next of the other cards joins.
        while place < 10 and (others >> _ORDER[100 * mode + 10 * number + place]) & 1 == 0:
            place += 1
        if place == 10 or (wanted > 0 and value >= wanted):
            break
        chosen |= 1 << _ORDER[100 * mode + 10 * number + place]
        place += 1
        value += 1
    return count


@jit
def weigh(s: Ints, room: Floats, found: Ints) -> int:
    """Writes the moves of the seat to act that are worth a look, and how good they are.

    Of several sets of the same number, quantity and change cards it takes the one whose cards are
    the worst in the other mode.  Returns how many there are; scores stand from `SCORES` on.
    """
    mode, wanted = s[MODE], s[QUANTITY]
    count = 0
    if wanted > 0:
        found[0] = 0
        room[SCORES] = 0.0
        count = 1
        # Whoever can only pass is not kept waiting: most plies are such.
        if _can_follow(s) == 0:
            return 1
    look_around(s, room)
    if wanted > 0:
        room[SCORES] = _weigh_one(s, room, 0, -1)
    for number in range(10):
        cards = s[HANDS + s[ACTOR]] & NUMBERED[10 * mode + number]
        if cards == 0 or (wanted > 0 and beats(mode, number, s[NUMBER]) == 0):
            continue
        least = 0
        if s[OWNER] < 0:
            # The first lead of a round shows its double.
            if number != s[OPENING]:
                continue
            least = 1
        double = cards & DOUBLES
        change = cards & CHANGE_CARDS
        for counts in range(least, 3 if double > 0 else 1):
            chosen = double if counts > 0 else 0
            if counts == 2:
                chosen |= TWICE
            count = _add(s, room, found, count, number, chosen, counts)
            if change > 0:
                count = _add(s, room, found, count, number, chosen | change, counts + 1)
    return count


@jit
def choose(s: Ints, room: Floats, found: Ints, r: Ints) -> int:
    """The move that weighs most, from what the seat to act knows."""
    count = weigh(s, room, found)
    best = 0
    most = 0.0
    for i in range(count):
        score = room[SCORES + i]
        if room[NOISE] > 0.0:
            score += room[NOISE] * unit(r)
        if i == 0 or score > most:
            best = i
            most = score
    return found[best]
