"""Sticheln: rules of thumb for every decision, with the cards counted.

Each move is given a number, the highest is played.  Of a card that is played it tells what the
trick may bring to whom, and what the card would have been good for later (`WEIGHTS`).

The weights were fitted to what playouts by these very rules came to, twice, and then tried out
(CMA-ES): a seat of them among random play and among the rules before, each as much, at 3 to 6
seats.  The programs that did so are not part of this one.
"""

from __future__ import annotations

from typing import Final

from engine.players.chance import below
from engine.players.compiled import Floats, Ints, floats, jit, lowest, popcount
from engine.players.sticheln.twin import (
    BEST,
    CHOOSE,
    CHOSEN,
    COLOURS,
    COUNT,
    HAND,
    HANDS,
    HELD,
    HIGHEST,
    LAID,
    LEAD,
    LEADER,
    LEFT,
    MOST,
    NONE,
    NUMBERS,
    OPEN,
    POWER,
    SEATS,
    SEEN,
    TRICKS,
    WORTH,
    ZEROS,
    strength,
)

# Weights.

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


# Rules of thumb.

EAGER: Final = -2.0
"""How readily somebody is thought to take a trick that is worth nothing; 0: every other time."""
GREEDY: Final = 0.1
"""How much more readily for each point that it is worth to them."""


@jit
def choose(state: Ints, seat: int, r: Ints) -> int:
    """The move of `seat`, whose turn it is; of others it looks at nothing that is hidden."""
    hidden = hidden_cards(state, seat)
    threat = threat_to(state, seat)
    best = NONE
    most = 0.0
    for i in range(state[COUNT + seat]):
        card = state[HANDS + seat * HAND + i]
        value = value_of(state, seat, card, hidden, threat, WEIGHTS)
        if best == NONE or value > most or (value == most and below(r, 2)):
            best = card
            most = value
    return best + CHOOSE if state[OPEN] else best


@jit
def hidden_cards(state: Ints, seat: int) -> int:
    """How many cards the others hold."""
    hidden = 0
    for each in range(state[SEATS]):
        if each != seat:
            hidden += state[COUNT + each]
    return hidden


@jit
def threat_to(state: Ints, seat: int) -> int:
    """The numbers of the seat's colour that it has not seen, together; 0 while cards are chosen."""
    threat = 0
    if not state[OPEN]:
        rest = unseen(state, seat, state[CHOSEN + seat] // NUMBERS)
        while rest:
            threat += lowest(rest)
            rest &= rest - 1
    return threat


@jit
def value_of(state: Ints, seat: int, card: int, hidden: int, threat: int, weights: Floats) -> float:
    """How good it is to choose or to play a card, by what `hidden_cards` and `threat_to` say."""
    if state[OPEN]:
        return choice(state, seat, card, weights)
    return played(state, seat, card, hidden, threat, weights)


@jit
def unseen(state: Ints, seat: int, colour: int) -> int:
    """The numbers of a colour that the seat has not seen, as bits."""
    whole = (2 << state[HIGHEST]) - 1
    return whole & ~(state[SEEN + colour] | state[HELD + seat * COLOURS + colour])


@jit
def choice(state: Ints, seat: int, card: int, weights: Floats) -> float:
    """How good it is to choose a card."""
    number = card % NUMBERS
    third = (state[HIGHEST] + 1) // 3
    kept = state[HELD + seat * COLOURS + card // NUMBERS] ^ (1 << number)
    low = popcount(kept & ((1 << third) - 1))
    high = popcount(kept >> (2 * third))
    middle = popcount(kept) - low - high
    value = weights[CHOOSE_LOW] * low + weights[CHOOSE_MIDDLE] * middle
    value += weights[CHOOSE_HIGH] * high + weights[CHOOSE_ZERO] * (kept & 1)
    return value - weights[CHOOSE_NUMBER] * number


@jit
def played(state: Ints, seat: int, card: int, hidden: int, threat: int, weights: Floats) -> float:
    """How good it is to play a card, of so many hidden ones and their numbers in one's colour."""
    seats = state[SEATS]
    colour = card // NUMBERS
    number = card % NUMBERS
    lead = state[LEAD] if state[LAID] else colour
    power = strength(card, lead)
    holder = seat
    if power <= state[POWER]:
        power = state[POWER]
        holder = state[BEST]
    if power == 0:
        holder = state[LEADER] if state[ZEROS] else NONE
    beating = beaters(state, seat, lead, power)
    coming = seats - state[LAID] - 1
    row = CHOICE
    if coming == 0:
        row += 2 * EACH
    elif state[LAID]:
        row += EACH
    value = 0.0
    stays = 1.0
    each = seat
    for i in range(coming):
        each = each + 1 if each + 1 < seats else 0
        worth = brings(state, each, colour, number)
        # Likely to hold one that beats it: the more there are, the closer to certain.
        has = state[COUNT + each] * beating / hidden
        has = 1.0 - 1.0 / (1.0 + has + has * has * 0.5)
        wants = EAGER + GREEDY * worth
        wants = 0.5 + 0.5 * wants / (1.0 + abs(wants))
        takes = has * wants * stays / (seats - 1)
        value += takes * (weights[row + TAKEN] * worth + weights[row + COMING] * (coming - 1 - i))
        stays -= takes * (seats - 1)
    if holder != seat and holder != NONE:
        worth = brings(state, holder, colour, number)
        value += weights[row + LEFT_TO] * stays * worth / (seats - 1)
    if holder != seat:
        stays = 0.0
    # From here on `stays` is how likely the trick is one's own.
    unwanted = 0
    for each in range(seats):
        if each != seat and state[CHOSEN + each] // NUMBERS == colour:
            unwanted += 1
    size = number / state[HIGHEST]
    danger = threat / hidden if hidden else 0.0
    early = state[LEFT] / TRICKS
    mine = weights[row + WON] * brings(state, seat, colour, number) + weights[row + WINS]
    mine += weights[row + POISON] * coming * danger + weights[row + WINS_EARLY] * early
    mine += weights[row + WINS_HIGH] * size + weights[row + WINS_SURELY] * stays
    mine += weights[row + WINS_WEAPON] * unwanted * size
    value += stays * mine
    return value + afterwards(state, seat, card, hidden, danger, stays, unwanted, row, weights)


@jit
def beaters(state: Ints, seat: int, lead: int, power: int) -> int:
    """How many hidden cards beat one of that strength."""
    found = 0
    for colour in range(5 if state[SEATS] < MOST else COLOURS):
        rest = unseen(state, seat, colour)
        if colour != lead:
            found += popcount(rest >> (power - NUMBERS + 1 if power > NUMBERS else 1))
        elif power < NUMBERS:
            found += popcount(rest >> (power + 1))
    return found


@jit
def afterwards(
    state: Ints,
    seat: int,
    card: int,
    hidden: int,
    danger: float,
    stays: float,
    unwanted: int,
    row: int,
    weights: Floats,
) -> float:
    """How good it is to get rid of a card; `stays` is how likely one takes it oneself."""
    colour = card // NUMBERS
    size = card % NUMBERS / state[HIGHEST]
    value = 0.0
    if state[CHOSEN + seat] // NUMBERS == colour:
        held = popcount(state[HELD + seat * COLOURS + colour])
        early = state[LEFT] / TRICKS
        value += weights[row + OWN] + weights[row + OWN_HELD] * held
        value += weights[row + OWN_LOST] * (1.0 - stays) + weights[row + OWN_HIGH] * size
        value += (weights[row + OWN_SQUARE] + weights[row + OWN_EARLY] * early) * size * size
    else:
        above = 0
        for each in range(5 if state[SEATS] < MOST else COLOURS):
            above += popcount(unseen(state, seat, each) >> (card % NUMBERS + 1))
        rank = 1.0 - above / hidden if hidden else 1.0
        value += (weights[row + RANK] + weights[row + RANK_DANGER] * danger) * rank
        value += weights[row + WEAPON] * unwanted
    following = seat + 1 if seat + 1 < state[SEATS] else 0
    if state[CHOSEN + following] // NUMBERS == colour:
        value += weights[row + NEXT_WEAPON] * size
    return value


@jit
def brings(state: Ints, seat: int, colour: int, number: int) -> int:
    """What the present trick would bring a seat with one more card."""
    if state[CHOSEN + seat] // NUMBERS == colour:
        return state[WORTH + seat] - number
    return state[WORTH + seat] + 1
