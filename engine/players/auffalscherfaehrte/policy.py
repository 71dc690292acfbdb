"""Auf falscher Fährte: rules of thumb for every decision, with the cards counted.

All of them weigh what a trick is worth: how likely the round is Plus.  They read of a state only
what the seat to act knows.
"""

from __future__ import annotations

from typing import Final

from engine.players.auffalscherfaehrte.twin import (
    ACTOR,
    DONE,
    HAND,
    HELD,
    HIDDEN,
    HIDING,
    JOKER,
    JOKERS,
    JOKERS_SEEN,
    KEEP,
    LED,
    NAMING,
    NONE,
    NUMBERS,
    PACK_JOKERS,
    PLACED,
    RIGHTS,
    SEATS,
    STAGE,
    STRENGTH,
    SUIT,
    TRICKS,
    TRUMP,
    TURNED,
    TURNED_CARDS,
    VOID,
    goal_of,
    legal,
    strength_of,
)
from engine.players.auffalscherfaehrte.worlds import unseen
from engine.players.compiled import Floats, Ints, floats, jit, lowest, popcount

MINUS: Final = 13
"""Where in the weights of a card to play those for a Minus round begin."""

# Where in the weights those of a kind of decision begin.
FOLLOW: Final = 0
DISCARD: Final = 26
LEAD: Final = 52
POWER: Final = 78
"""Four for Plus, then four for Minus."""
HIDE: Final = 86
NAME: Final = 94
WEIGHTS: Final = floats([
    # Follow, Plus: wins, power, trump, number, last of its suit, length, wins late, power late,
    # what it wins with; joker, its right, what the trump may gain, the more the fewer cards.
    1.12, -0.73, -0.13, -0.01, 0.28, -0.03, -0.03, 0.34, 0.07, -0.3, 0.11, 0.1, 0.19,
    # The same, Minus.
    -1.36, 0.83, 0.32, 0.4, 0.1, 0.3, 0.04, 0.01, -0.16, 0.4, -0.16, 0.11, 0.36,
    # Discard, Plus, Minus.
    1.1, -0.89, -0.04, -0.28, -0.25, -0.11, -0.33, 0.06, -0.07, -0.38, -0.21, 0.33, 0.48,
    -0.97, 0.56, -0.06, 0.56, 0.18, -0.09, 0.13, 0.12, -0.14, 0.26, 0.17, -0.12, 0.01,
    # Lead, Plus, Minus.
    0.9, -0.57, -0.63, -0.03, 0.35, -0.03, 0.19, 0.64, -0.23, -0.48, 0.05, 0.34, 0.43,
    -0.99, 0.66, 0.1, 0.17, 0.21, -0.17, -0.17, -0.33, -0.56, 0.36, 0.17, -0.3, 0.24,
    # Power in Plus, in Minus: higher cards, ruffs; whether others want to win, and to ruff.
    1.93, 0.76, 0.74, 0.5,
    1.83, 1.0, 0.34, 0.02,
    # Hide: what others hide, tricks in Plus and their price, tricks in Minus and their worth,
    # number, trump, last of its suit.
    0.51, 1.2, 3.38, 0.57, 2.93, -0.42, -0.05, -0.2,
    # Name a trump: tricks it has to gain at least; who is last may lose some for a change.
    -0.27,
])  # fmt: skip
"""What each feature of a decision counts."""


@jit
def choose(s: Ints, w: Floats) -> int:
    """The move of the seat to act, by what it knows."""
    if s[STAGE] == HIDING:
        return hide(s, w)
    if s[STAGE] == NAMING:
        return name(s, w)
    moves = legal(s)
    if moves & (moves - 1) == 0:
        return lowest(moves)
    return best_card(s, w, moves)


@jit
def chance_of_plus(s: Ints, seat: int, own: int, mean: float) -> float:
    """How likely the round is Plus for a seat that hid this card; others hide `mean` on average.

    `mean` is a share of the highest number.  The curve is a cubic: near enough to a normal one.
    """
    seats = s[SEATS]
    total = 0
    cards = s[TURNED_CARDS]
    covered = seats - s[TURNED]
    if own >= 0 and cards >> own & 1 == 0:
        covered -= 1
        total += own % NUMBERS
    while cards:
        total += lowest(cards) % NUMBERS
        cards &= cards - 1
    missing = goal_of(s) - total
    if missing <= 0:
        return 1.0
    highest = 3 * seats
    if covered * highest < missing:
        return 0.0
    spread = 0.75 * highest
    if covered == 2:
        spread = 1.05 * highest
    if covered > 2:
        spread = 1.3 * highest
    at = 0.5 + (covered * mean * highest - missing + 0.5) / (2.0 * spread)
    if at <= 0.0:
        return 0.0
    if at >= 1.0:
        return 1.0
    return at * at * (3.0 - 2.0 * at)


@jit
def power(out: int, card: int, trump: int, rivals: int, w: Floats, at: int) -> float:
    """How likely a card takes a trick some day, from 0 to 1; `out` are the unseen cards."""
    base = card // NUMBERS * NUMBERS
    suit = (out >> base) & SUIT
    higher = popcount(suit >> (card - base))
    lower = popcount(suit) - higher
    best = (1.0 + lower) / (1.0 + lower + w[at] * higher)
    if card // NUMBERS != trump and (out >> (NUMBERS * trump)) & SUIT:
        # The fewer of a suit are out, the sooner somebody ruffs it.
        some = popcount(suit)
        return best * (some + 0.1) / (some + 0.1 + w[at + 1] * rivals)
    return best


@jit
def strength_of_hand(hand: int, out: int, trump: int, rivals: int, w: Floats, at: int) -> float:
    """The power of a hand's coloured cards."""
    whole = 0.0
    while hand:
        whole += power(out, lowest(hand), trump, rivals, w, at)
        hand &= hand - 1
    return whole


@jit
def hide(s: Ints, w: Floats) -> int:
    """The card to hide: it steers the round towards what the rest of the hand is good for."""
    out = unseen(s, s[ACTOR])
    many = strength_of_hand(s[HAND + s[ACTOR]], out, s[TRUMP], s[SEATS] - 1, w, POWER)
    few = strength_of_hand(s[HAND + s[ACTOR]], out, s[TRUMP], s[SEATS] - 1, w, POWER + 4)
    best = NONE
    bound = 0.0
    cards = s[HAND + s[ACTOR]]
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        worth = worth_to_hide(s, card, out, many, few, w)
        if best == NONE or worth > bound:
            best = card
            bound = worth
    return best


@jit
def worth_to_hide(s: Ints, card: int, out: int, many: float, few: float, w: Floats) -> float:
    """What hiding this is worth to a hand of this strength in Plus and in Minus."""
    seat = s[ACTOR]
    rivals = s[SEATS] - 1
    trump = s[TRUMP]
    fair = s[TRICKS] / (12.0 * s[SEATS])
    plus = chance_of_plus(s, seat, card, w[HIDE])
    good = many - power(out, card, trump, rivals, w, POWER)
    bad = few - power(out, card, trump, rivals, w, POWER + 4)
    good = w[HIDE + 1] * good - 4.0 * w[HIDE + 2] * fair
    bad = 4.0 * w[HIDE + 4] * fair - w[HIDE + 3] * bad
    worth = plus * good + (1.0 - plus) * bad
    worth += w[HIDE + 5] * (card % NUMBERS) / 12.0
    if card // NUMBERS == trump:
        worth += w[HIDE + 6]
    if popcount((s[HAND + seat] >> (card // NUMBERS * NUMBERS)) & SUIT) == 1:
        worth += w[HIDE + 7]
    return worth


@jit
def trump_gain(s: Ints, plus: float, suit: int, w: Floats) -> float:
    """Tricks that the hand would take more (in Minus: less) with this suit as trump."""
    seat = s[ACTOR]
    hand = s[HAND + seat]
    rivals = s[SEATS] - 1
    out = unseen(s, seat)
    more = strength_of_hand(hand, out, suit, rivals, w, POWER)
    more -= strength_of_hand(hand, out, s[TRUMP], rivals, w, POWER)
    less = strength_of_hand(hand, out, s[TRUMP], rivals, w, POWER + 4)
    less -= strength_of_hand(hand, out, suit, rivals, w, POWER + 4)
    return plus * more + (1.0 - plus) * less


@jit
def name(s: Ints, w: Floats) -> int:
    """The trump under which the hand is worth most; KEEP where any change costs too much."""
    seat = s[ACTOR]
    best = KEEP
    if s[DONE] < s[TRICKS]:
        plus = chance_of_plus(s, seat, s[HIDDEN + seat], w[HIDE])
        bound = w[NAME]
        for suit in range(4):
            if suit != s[TRUMP]:
                gain = trump_gain(s, plus, suit, w)
                if gain > bound:
                    best = suit
                    bound = gain
    return best


@jit
def best_card(s: Ints, w: Floats, moves: int) -> int:
    """The card to play."""
    seat = s[ACTOR]
    plus = chance_of_plus(s, seat, s[HIDDEN + seat], w[HIDE])
    at = kind_of(s, moves)
    best = NONE
    bound = 0.0
    while moves:
        move = lowest(moves)
        moves &= moves - 1
        worth = worth_to_play(s, move, plus, w, at)
        if best == NONE or worth > bound:
            best = move
            bound = worth
    return best


@jit
def kind_of(s: Ints, moves: int) -> int:
    """Where in the weights those for such a card begin."""
    if s[LED] == NONE:
        return LEAD
    if moves & (SUIT << (NUMBERS * s[LED])):
        return FOLLOW
    return DISCARD


@jit
def worth_to_play(s: Ints, move: int, plus: float, w: Floats, at: int) -> float:
    """What playing this is worth, by the weights from `at` on, if Plus is so likely."""
    worth = 0.0
    if plus > 0.0:
        worth += plus * worth_of(s, move, plus, w, at, POWER)
    if plus < 1.0:
        worth += (1.0 - plus) * worth_of(s, move, plus, w, at + MINUS, POWER + 4)
    return worth


@jit
def worth_of(s: Ints, move: int, plus: float, w: Floats, at: int, kind: int) -> float:
    """What playing this is worth, by the weights from `at` and `kind` on."""
    seat = s[ACTOR]
    if move == JOKER:
        worth = w[at + 9] + w[at + 12] * s[JOKERS + seat] / s[HELD + seat]
        if s[JOKERS_SEEN] < RIGHTS:
            gain = 0.0
            for suit in range(4):
                gain = max(gain, trump_gain(s, plus, suit, w))
            worth += w[at + 10] + w[at + 11] * gain
        return worth
    out = unseen(s, seat)
    suit = move // NUMBERS
    wins = chance_to_win(s, out, move, w[kind + 2], w[kind + 3])
    later = power(out, move, s[TRUMP], s[SEATS] - 1, w, kind)
    length = popcount((s[HAND + seat] >> (NUMBERS * suit)) & SUIT)
    late = s[DONE] / s[TRICKS]
    worth = w[at] * wins + w[at + 1] * later + w[at + 3] * (move - NUMBERS * suit) / 12.0
    worth += w[at + 5] * length + (w[at + 6] * wins + w[at + 7] * later) * late
    worth += w[at + 8] * wins * later
    if suit == s[TRUMP]:
        worth += w[at + 2]
    elif length == 1:
        worth += w[at + 4]
    return worth


@jit
def chance_to_win(s: Ints, out: int, card: int, want: float, ruff: float) -> float:
    """How likely a coloured card wins the present trick.

    A seat that can follow low or high beats it with probability `want`, one that is void ruffs
    with probability `ruff`.
    """
    strength = strength_of(s, card)
    if strength <= s[STRENGTH]:
        return 0.0
    seats = s[SEATS]
    suit = card // NUMBERS
    trump = s[TRUMP]
    led = s[LED]
    if led == NONE:
        led = suit
    higher = popcount((out >> card) & (SUIT >> (card - NUMBERS * suit)))
    follow = popcount((out >> (NUMBERS * led)) & SUIT)
    trumps = popcount((out >> (NUMBERS * trump)) & SUIT)
    seat = s[ACTOR]
    cards = popcount(out) + s[PACK_JOKERS] - s[JOKERS_SEEN] - s[JOKERS + seat]
    wins = 1.0
    for step in range(1, seats - s[PLACED]):
        other = (seat + step) % seats
        lacks = 1.0 - s[HELD + other] / cards
        void = 1.0
        beaten = 0.0
        if s[VOID + other] >> led & 1 == 0:
            void = power_of(lacks, follow)
            if suit == led:
                forced = power_of(lacks, follow - higher)
                beaten = (1.0 - power_of(lacks, higher)) * (want + (1.0 - want) * forced)
        if led != trump and s[VOID + other] >> trump & 1 == 0:
            above = trumps
            if suit == trump:
                above = higher
            beaten += void * (1.0 - power_of(lacks, above)) * ruff
        if beaten > 1.0:
            beaten = 1.0
        wins *= 1.0 - beaten
    return wins


@jit
def power_of(base: float, exponent: int) -> float:
    """`base ** exponent`, the same to the last bit wherever it runs."""
    found = 1.0
    while exponent > 0:
        if exponent & 1:
            found *= base
        base *= base
        exponent >>= 1
    return found
