"""Auf falscher Fährte: a Metropolis walk through worlds, by how likely others acted so.

A step swaps two cards of the others that their owner does not show; it is taken by the ratio of
how likely they did with the one cards and with the other what they did in this round.
"""

from __future__ import annotations

from math import exp
from typing import Final

from engine.players.auffalscherfaehrte.policy import (
    HIDE,
    NAME,
    POWER,
    WEIGHTS,
    chance_of_plus,
    kind_of,
    strength_of_hand,
    trump_gain,
    worth_to_hide,
    worth_to_play,
)
from engine.players.auffalscherfaehrte.twin import (
    ACTOR,
    BEST,
    CARD,
    HAND,
    HELD,
    HIDDEN,
    HIDING,
    JOKER,
    JOKERS,
    KEEP,
    LEADER,
    LED,
    NAMING,
    NONE,
    NUMBERS,
    OFFERS,
    PACK_JOKERS,
    PLAYING,
    REVEAL,
    SCRATCH,
    SEATS,
    SEEN,
    SIZE,
    STAGE,
    TRICKS,
    TRUMP,
    TURNED_CARDS,
    VOID,
    legal,
    play,
)
from engine.players.auffalscherfaehrte.worlds import unseen, world
from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest, popcount
from engine.players.kit import BURN, is_taken, logarithm

# Likelihood of what a seat did.

# How far apart what is worth more and what is worth less have to be to tell, by what is decided.
# Measured among `greedy` and among `guided`: softer says less, sharper trusts too much.
PLAYED: Final = 0.15
HID: Final = 0.05
NAMED: Final = 0.2
ANY: Final = 0.15
"""The share of moves that may be any move: others may think quite differently."""


@jit
def likelihood(s: Ints, move: int) -> float:
    """How likely the seat to act makes this move."""
    count = popcount(legal(s))
    if count == 1:
        return 1.0
    if s[STAGE] == HIDING:
        share = _hides(s, move)
    elif s[STAGE] == NAMING:
        share = _names(s, move)
    else:
        share = _plays(s, move)
    return (1.0 - ANY) * share + ANY / count


@jit
def _plays(s: Ints, played: int) -> float:
    seat = s[ACTOR]
    moves = legal(s)
    plus = chance_of_plus(s, seat, s[HIDDEN + seat], WEIGHTS[HIDE])
    at = kind_of(s, moves)
    whole = 0.0
    part = 0.0
    while moves:
        move = lowest(moves)
        moves &= moves - 1
        now = exp(worth_to_play(s, move, plus, WEIGHTS, at) / PLAYED)
        whole += now
        if move == played:
            part = now
    return part / whole


@jit
def _hides(s: Ints, hidden: int) -> float:
    hand = s[HAND + s[ACTOR]]
    out = unseen(s, s[ACTOR])
    many = strength_of_hand(hand, out, s[TRUMP], s[SEATS] - 1, WEIGHTS, POWER)
    few = strength_of_hand(hand, out, s[TRUMP], s[SEATS] - 1, WEIGHTS, POWER + 4)
    own = worth_to_hide(s, hidden, out, many, few, WEIGHTS)
    whole = 0.0
    while hand:
        worth = worth_to_hide(s, lowest(hand), out, many, few, WEIGHTS)
        hand &= hand - 1
        whole += exp((worth - own) / HID)
    return 1.0 / whole


@jit
def _names(s: Ints, named: int) -> float:
    seat = s[ACTOR]
    plus = chance_of_plus(s, seat, s[HIDDEN + seat], WEIGHTS[HIDE])
    whole = 0.0
    part = 0.0
    for suit in range(KEEP + 1):
        if suit != s[TRUMP]:
            worth = WEIGHTS[NAME]
            if suit != KEEP:
                worth = trump_gain(s, plus, suit, WEIGHTS)
            now = exp(worth / NAMED)
            whole += now
            if suit == named:
                part = now
    return part / whole


# The walk.

# Where in a history what stands.
ASIDE: Final = 0
"""The coloured card left over, as a mask."""
OPENING: Final = 1
"""The trump at the start."""
STARTER: Final = 2
OPENED: Final = 3
"""Four slots: the turned cards in their order, then NONE."""
PLAYS: Final = 7
"""From here on, for every trick that was begun: its trump, who led, then a card for each seat in
the order of play; NONE where it did not play yet."""

# Where in a walk what stands.
BEGUN: Final = 0
COUNT: Final = 1
"""Decisions of the others."""
SCORE: Final = 2
"""By seat: how likely its decisions are, as a logarithm times `FINE` of `engine.players.kit`."""
HERE: Final = 6
"""The world where the walk is."""
FRAMES: Final = HERE + SIZE
"""For every decision of another the state that all see, with the cards that its seat went on to
play, and with the move."""
DID: Final = SCRATCH
"""Where in a frame the move is."""


@jit
def walk_on(known: Ints, history: Ints, walk: Ints, steps: int, r: Ints, s: Ints) -> None:
    """Goes so many steps on, at first as many times as it takes to get anywhere.

    Makes `s` the world that is reached.
    """
    if walk[BEGUN] == 0:
        walk[BEGUN] = 1
        _tell(known, history, walk, s)
        world(known, r, s)
        for i in range(SIZE):
            walk[HERE + i] = s[i]
        for seat in range(known[SEATS]):
            if seat != known[ACTOR]:
                walk[SCORE + seat] = score(walk, seat, s)
        steps *= BURN
    for _ in range(steps):
        _step(walk, known[ACTOR], r, s)
    for i in range(SIZE):
        s[i] = walk[HERE + i]
    _turn(s, r)


@jit
def _tell(known: Ints, history: Ints, walk: Ints, s: Ints) -> None:
    """Replays the round as all saw it."""
    seats = known[SEATS]
    me = known[ACTOR]
    for i in range(SIZE):
        s[i] = 0
    s[SEATS] = seats
    s[PACK_JOKERS] = known[PACK_JOKERS]
    s[TRICKS] = known[TRICKS]
    s[TRUMP] = history[OPENING]
    s[LEADER] = history[STARTER]
    s[SEEN] = history[ASIDE]
    s[LED] = NONE
    s[BEST] = NONE
    s[OFFERS] = NONE
    s[OFFERS + 1] = NONE
    _hold(known, history, s)
    s[STAGE] = HIDING
    for seat in range(seats):
        s[HELD + seat] += 1
        s[CARD + seat] = NONE
        s[HIDDEN + seat] = NONE
        if seat != me and known[HIDDEN + seat] != NONE:
            s[ACTOR] = seat
            _keep(walk, s, NONE)
    s[STAGE] = PLAYING
    s[ACTOR] = s[LEADER]
    for seat in range(seats):
        s[HELD + seat] -= 1
        s[REVEAL + seat] = seat
        s[HIDDEN + seat] = max(history[OPENED + seat], 0)
    for at in range(PLAYS, len(history), 2 + seats):
        _settle(walk, s, history[at], me)
        for i in range(at + 2, at + 2 + seats):
            if history[i] != NONE:
                if s[ACTOR] != me:
                    _keep(walk, s, history[i])
                play(s, history[i])


@jit
def _hold(known: Ints, history: Ints, s: Ints) -> None:
    """Gives every seat the cards that it is seen to play."""
    seats = known[SEATS]
    for seat in range(seats):
        s[HELD + seat] = known[HELD + seat]
    for at in range(PLAYS, len(history), 2 + seats):
        for step in range(seats):
            card = history[at + 2 + step]
            if card == NONE:
                continue
            seat = (history[at + 1] + step) % seats
            s[HELD + seat] += 1
            if card == JOKER:
                s[JOKERS + seat] += 1
            else:
                s[HAND + seat] |= 1 << card


@jit
def _settle(walk: Ints, s: Ints, trump: int, me: int) -> None:
    """The trump becomes what it was in the next trick.

    Who of two changed it is not known any more: that tells nothing.
    """
    alone = s[OFFERS + 1] == NONE
    while s[STAGE] == NAMING:
        move = KEEP
        if s[OFFERS + 1] == NONE and s[TRUMP] != trump:
            move = trump
        if alone and s[ACTOR] != me:
            _keep(walk, s, move)
        play(s, move)


@jit
def _keep(walk: Ints, s: Ints, move: int) -> None:
    """Notes a decision."""
    at = FRAMES + SIZE * walk[COUNT]
    walk[COUNT] += 1
    for i in range(SIZE):
        walk[at + i] = s[i]
    walk[at + DID] = move


@jit
def score(walk: Ints, seat: int, s: Ints) -> int:
    """How likely all that the seat did is with the cards that it has now."""
    whole = 0
    hidden = walk[HERE + HIDDEN + seat]
    for k in range(walk[COUNT]):
        at = FRAMES + SIZE * k
        if walk[at + ACTOR] != seat:
            continue
        for i in range(SCRATCH):
            s[i] = walk[at + i]
        s[HAND + seat] |= walk[HERE + HAND + seat]
        s[JOKERS + seat] += walk[HERE + JOKERS + seat]
        move = walk[at + DID]
        if s[STAGE] == HIDING:
            s[HAND + seat] |= 1 << hidden
            move = hidden
        else:
            s[HIDDEN + seat] = hidden
        whole += logarithm(likelihood(s, move))
    return whole


@jit
def _step(walk: Ints, me: int, r: Ints, s: Ints) -> None:
    """Proposes a swap, and takes it or leaves it."""
    seats = walk[HERE + SEATS]
    one = (me + 1 + below(r, seats - 1)) % seats
    two = (me + 1 + below(r, seats - 1)) % seats
    first = _slot(walk, one, r)
    second = _slot(walk, two, r)
    if one == two:
        # The hidden card for one of the hand.
        first = walk[HERE + HELD + one]
        if first == 0:
            return
        second = below(r, first)
    a = _card(walk, one, first)
    b = _card(walk, two, second)
    if a == b or not (_may(walk, two, second, a) and _may(walk, one, first, b)):
        return
    _swap(walk, one, first, two, second, a, b)
    old = walk[SCORE + one]
    new = score(walk, one, s)
    kept = walk[SCORE + two]
    other = kept
    if two != one:
        old += kept
        other = score(walk, two, s)
        new += other
    if is_taken(old, new, r):
        walk[SCORE + one] = new
        if two != one:
            walk[SCORE + one] -= other
            walk[SCORE + two] = other
        return
    _swap(walk, one, first, two, second, b, a)


@jit
def _slot(walk: Ints, seat: int, r: Ints) -> int:
    """Any card of a seat; the hidden one is the last."""
    count = walk[HERE + HELD + seat]
    if walk[HERE + HIDDEN + seat] >= 0:
        count += 1
    return below(r, count)


@jit
def _card(walk: Ints, seat: int, slot: int) -> int:
    """The card there; NONE where there is no card at all."""
    held = walk[HERE + HELD + seat]
    if slot == held:
        return max(walk[HERE + HIDDEN + seat], NONE)
    hand = walk[HERE + HAND + seat]
    if slot >= popcount(hand):
        return JOKER
    for _ in range(slot):
        hand &= hand - 1
    return lowest(hand)


@jit
def _may(walk: Ints, seat: int, slot: int, card: int) -> bool:
    """Whether a card may be there after what all saw."""
    if card == NONE:
        return False
    if slot == walk[HERE + HELD + seat]:
        return card != JOKER
    if card == JOKER:
        return True
    if walk[HERE + TURNED_CARDS] >> card & 1:
        return False
    return walk[HERE + VOID + seat] >> (card // NUMBERS) & 1 == 0


@jit
def _swap(walk: Ints, one: int, first: int, two: int, second: int, a: int, b: int) -> None:
    """`a` goes from `one` to `two`, `b` the other way."""
    _give(walk, one, first, a, -1)
    _give(walk, two, second, b, -1)
    _give(walk, one, first, b, 1)
    _give(walk, two, second, a, 1)


@jit
def _give(walk: Ints, seat: int, slot: int, card: int, sign: int) -> None:
    """The card comes there (1) or goes away (-1)."""
    if slot == walk[HERE + HELD + seat]:
        walk[HERE + HIDDEN + seat] = card
    elif card == JOKER:
        walk[HERE + JOKERS + seat] += sign
    else:
        walk[HERE + HAND + seat] ^= 1 << card


@jit
def _turn(s: Ints, r: Ints) -> None:
    """In which order hidden cards are turned: those that were are the first."""
    seats = s[SEATS]
    for place in range(seats):
        s[REVEAL + place] = place
    for place in range(seats - 1):
        other = place + below(r, seats - place)
        kept = s[REVEAL + place]
        s[REVEAL + place] = s[REVEAL + other]
        s[REVEAL + other] = kept
    at = 0
    for place in range(seats):
        seat = s[REVEAL + place]
        if s[HIDDEN + seat] >= 0 and s[TURNED_CARDS] >> s[HIDDEN + seat] & 1:
            s[REVEAL + place] = s[REVEAL + at]
            s[REVEAL + at] = seat
            at += 1
