"""Auf und Ab: rules of thumb for every decision, with the cards counted.

What is weighed: how many leads the rest of the hand takes and how many of them somebody may beat
(in the mode that is likely next, and in the other), whether the set itself stands, and how soon
others may be rid of their cards.  `weights` says how much each counts.
"""

from __future__ import annotations

from typing import Final

from engine.games.aufundab import sets
from engine.players.aufundab.beaten import (
    END,
    GROUPS,
    HURRY,
    LOSING,
    LOST,
    STANDS,
    UNBEATEN,
    look_around,
    worth,
)
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
    QUANTITY,
    SEATS,
    SHOWN,
    TWICE,
    beats,
)
from engine.players.aufundab.weights import FOLLOW, LEAD, PASSING, WEIGHTS
from engine.players.chance import unit
from engine.players.compiled import Floats, Ints, floats, jit, lowest, popcount, table

LOOKED_AT: Final = 256
"""Room for all sets that are weighed at once."""

# The room that the rules of thumb work in is a vector of floats: the weights, `NOISE`, what is in
# `beaten`, what is kept after the set that is weighed, the scores.
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
        for mode in sets.MODES
        for number in sets.NUMBERS
        for card in [
            *sorted(
                (i for i, pair in enumerate(sets.PAIRS) if pair[mode] == number),
                reverse=mode == sets.UP,
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
