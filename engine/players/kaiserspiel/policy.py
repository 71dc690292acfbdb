"""Kaiserspiel: rules of thumb for every decision, with the cards counted.

Of the vector only public slots and the own cards are read, so that it may be a whole state or what
a seat knows.  A card's worth is about how many hundredths of a trick it takes; what a team's hopes
are (`hopes`) is a hundred times the logarithm of its odds.
"""

from __future__ import annotations

from math import log
from typing import Final

from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest, popcount, table
from engine.players.kaiserspiel.twin import (
    ACCEPT,
    ACTOR,
    ANSWER_1,
    ANSWER_LIFT,
    BANNERS,
    CALL,
    CUT,
    DEALER,
    DECK,
    DECLARE,
    DISCARD,
    DISCARDS,
    DOWN,
    DOWNS,
    HANDS,
    KAISER,
    KAISERS,
    KAISERS_DOWN,
    LAID,
    LAID_COUNT,
    LIFT,
    MAY_LIFT,
    MUGG,
    NEEDS,
    OPENS,
    PASS,
    PLAY,
    RAISE,
    RAISE_1,
    RAISE_3,
    RESIGN,
    SEATS,
    SEVEN_LED,
    SPECIAL,
    STAY,
    STEP,
    THREEUP,
    TWO,
    UP,
    VALUE,
    WON,
    all_kaisers,
    free_banners,
    legal,
    strength,
    trump_strength,
    winner,
)

CALLED_OUT: Final = 22
"""From this value on nobody calls: else two sure captains might never end."""

_ALL: Final = (1 << DECK) - 1
_PLAIN_WORTH: Final = table([9, 6, 5, 5, 4, 4, 3, 2, 1, 0])
"""By plain rank, of any suit but the special one."""
_SPECIAL_WORTH: Final = table([10, 7, 92, 8, 55, 38, 95, 10, 16, 30])
"""By plain rank, of the special suit."""
_KAISER_WORTH: Final = 60
_MUGG_WORTH: Final = 98


@jit
def worth(card: int, special: int, kaisers: int) -> int:
    """About how many hundredths of a trick a card takes."""
    if kaisers >> card & 1:
        return _MUGG_WORTH if card == MUGG else _KAISER_WORTH
    return _SPECIAL_WORTH[card % 10] if card // 10 == special else _PLAIN_WORTH[card % 10]


@jit
def worst(cards: int, special: int, kaisers: int) -> int:
    """The card that is worth least; there is one."""
    best = lowest(cards)
    least = 1000
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        now = worth(card, special, kaisers)
        if now < least:
            best = card
            least = now
    return best


@jit
def held_by(beaters: int, unseen: int, cards: int) -> float:
    """The probability that so many hidden cards of somebody hold one of the beaters."""
    none = 1.0
    for i in range(cards):
        if unseen - beaters - i <= 0:
            return 1.0
        none *= (unseen - beaters - i) / (unseen - i)
    return 1.0 - none


@jit
def _beats(s: Ints, seat: int, high: int, led: int, unseen: int) -> float:
    """The probability that a seat that is still to play can beat that strength."""
    special = s[SPECIAL]
    hidden = 5 - s[LAID_COUNT] // SEATS
    if high == SEVEN_LED:
        tamer = unseen >> (special * 10 + 2) & 1
        return held_by(tamer, popcount(unseen), hidden)
    kaisers = all_kaisers(s)
    declared = s[KAISERS + seat] & ~s[UP]
    kept = popcount(declared) - s[KAISERS_DOWN + seat]
    if kept > 0:
        while declared:
            if strength(lowest(declared), led, special, kaisers) > high:
                return 0.95
            declared &= declared - 1
    beaters = 0
    rest = unseen
    while rest:
        if strength(lowest(rest), led, special, kaisers) > high:
            beaters += 1
        rest &= rest - 1
    return held_by(beaters, popcount(unseen), hidden - kept)


@jit
def _takes(s: Ints, seat: int, laid: int, unseen: int) -> float:
    """The probability that the seat's team takes the trick if it lays this card."""
    count = s[LAID_COUNT]
    pos = count % SEATS
    first = count - pos
    s[LAID + count] = laid
    place = winner(s, first, pos + 1)
    led = s[LAID + first]
    high = strength(s[LAID + first + place], led, s[SPECIAL], all_kaisers(s))
    s[LAID + count] = 0
    if place == 0 and led == s[SPECIAL] * 10 + 4:
        high = SEVEN_LED
    stands = 1.0
    for i in range(1, SEATS - pos, 2):
        stands *= 1.0 - _beats(s, (seat + i) % SEATS, high, led, unseen)
    partner = 0.0
    if pos < 2:
        partner = _beats(s, (seat + 2) % SEATS, high, led, unseen)
    if (pos - place) % 2 == 0:
        return stands + (1.0 - stands) * partner * 0.15
    return partner * 0.8


@jit
def _lay(s: Ints, seat: int) -> int:
    """The card that brings most for what it is worth.

    What would take a trick that is the partner's without making it safer lies face down.
    """
    kaisers = all_kaisers(s)
    special = s[SPECIAL]
    count = s[LAID_COUNT]
    pos = count % SEATS
    mine = s[HANDS + seat] | s[DISCARDS + seat] | s[DOWNS + seat]
    unseen = _ALL & ~(s[UP] | mine | kaisers | 1 << s[CUT])
    theirs = s[WON + 1 - seat % 2]
    share = 0.003 if theirs == 2 else 0.01
    if s[WON + seat % 2] == 2:
        share = 0.0001  # nothing is kept for later where this trick wins the round
    partners = 0
    if pos >= 2 and winner(s, count - pos, pos) == pos - 2:
        partners = 1
    hand = s[HANDS + seat]
    best = lowest(hand)
    most = -1000.0
    while hand:
        card = lowest(hand)
        hand &= hand - 1
        price = share * worth(card, special, kaisers)
        if pos == 0 and trump_strength(card, special, kaisers) == 0:
            # It will hardly take another trick than one to which it is led.
            price = 0.0
        now = _takes(s, seat, card, unseen) - price
        if partners:
            s[LAID + count] = card
            if winner(s, count - pos, pos + 1) == pos:
                now -= 0.02
            s[LAID + count] = 0
            down = _takes(s, seat, card + DOWN, unseen) - price - 0.01
            if down > most:
                best = card + DOWN
                most = down
        if now > most:
            best = card
            most = now
    return best


@jit
def _thrown_out(cards: int, special: int, kaisers: int) -> int:
    """The two cards that are worth least."""
    one = worst(cards, special, kaisers)
    two = worst(cards & ~(1 << one), special, kaisers)
    return min(one, two) * DECK + max(one, two)


@jit
def _kaisers_to_be(s: Ints, seat: int) -> int:
    """All Kaisers, and the Banners that the seat may declare still."""
    banners = s[HANDS + seat] & BANNERS
    for i in range(SEATS):
        if s[OPENS + i] >= 0:
            banners &= ~(1 << s[OPENS + i])
    return all_kaisers(s) | banners


@jit
def _worths(cards: int, special: int, kaisers: int) -> int:
    found = 0
    while cards:
        found += worth(lowest(cards), special, kaisers)
        cards &= cards - 1
    return found


@jit
def phase(s: Ints) -> int:
    """How much of the deal is known: 0 without a special suit, 1 one card, 2 three, 3 all."""
    if s[SPECIAL] < 0:
        return 0
    held = popcount(s[HANDS + s[ACTOR]])
    return 1 if held == 1 else 2 if held == 3 else 3


@jit
def seen(s: Ints, seat: int, whose: int) -> int:
    """What the cards of somebody that `seat` knows of are worth together."""
    special = s[SPECIAL]
    if whose == seat:
        return _worths(s[HANDS + seat], special, _kaisers_to_be(s, seat))
    cards = s[KAISERS + whose]
    for i in range(SEATS):
        if s[OPENS + i] >= 0 and (s[DEALER] + 1 + i) % SEATS == whose:
            cards |= 1 << s[OPENS + i]
    return _worths(cards, special, all_kaisers(s))


# Fitted to how rounds between such players end, by `phase`.
_BASE: Final = table([0, -2, -42, -173])
_FIRST: Final = table([-14, -18, -20, -33])
"""Who leads first is worse off: nobody has to follow."""
_OWN: Final = table([69, 98, 113, 162])
_PARTNER: Final = table([75, 97, 107, 141])
_OTHERS: Final = table([73, 100, 96, 108])


@jit
def hopes(s: Ints, seat: int) -> float:
    """A hundred times the logarithm of the odds that the seat's team wins the round's tricks."""
    now = phase(s)
    found = _OWN[now] * seen(s, seat, seat) + _PARTNER[now] * seen(s, seat, (seat + 2) % SEATS)
    others = seen(s, seat, (seat + 1) % SEATS) + seen(s, seat, (seat + 3) % SEATS)
    first = _FIRST[now] if (s[DEALER] + 1) % 2 == seat % 2 else -_FIRST[now]
    return _BASE[now] + first + (found - _OTHERS[now] * others) / 100.0


_CURIOSITY: Final = 20.0
"""An offer is believed a little less than it would deserve of players like these."""


@jit
def _wins_match(s: Ints, team: int) -> bool:
    """Whether the value as it is is all that a team needs."""
    return s[VALUE] >= s[NEEDS + team]


@jit
def _answer(s: Ints, seat: int, offered: int) -> int:
    """Playing on for so much more has to lose less than the value as it is."""
    if _wins_match(s, 1 - seat % 2):
        return ACCEPT
    needed = 100.0 * log(offered / (2.0 * s[VALUE] + offered))
    return ACCEPT if hopes(s, seat) > needed - _CURIOSITY else RESIGN


@jit
def _offer(s: Ints, seat: int, r: Ints) -> int:
    """Whether to play for more."""
    step = s[STEP]
    more, less = RAISE_3, RAISE_1
    if step == CALL:
        more, less = THREEUP, PASS
    elif step == MAY_LIFT:
        more, less = LIFT, STAY
    if _wins_match(s, seat % 2):
        return less
    if _wins_match(s, 1 - seat % 2):
        return more  # the round costs the match, whatever it is worth
    if step == CALL:
        # The right to call goes to the others by it: even odds are not enough.
        return more if s[VALUE] < CALLED_OUT and hopes(s, seat) > 12.0 else less
    if step == MAY_LIFT:
        return more if hopes(s, seat) > 0.0 else less
    # A raise by 1 and a lift bring as much as 3 at once, and may be refused at a higher value; but
    # a 1 shall not tell that a lift will come.
    return more if hopes(s, seat) > 60.0 and below(r, 4) == 0 else less


@jit
def choose(s: Ints, seat: int, r: Ints) -> int:
    """The move of the seat that is asked, which is always legal."""
    step = s[STEP]
    if step == PLAY:
        return _lay(s, seat)
    if step == DISCARD:
        free = s[HANDS + seat] & ~all_kaisers(s)
        return TWO + _thrown_out(free, s[SPECIAL], _kaisers_to_be(s, seat))
    if step == DECLARE:
        banners = free_banners(s, seat)
        return KAISER + lowest(banners) if banners else PASS
    if step in (CALL, MAY_LIFT, RAISE):
        return _offer(s, seat, r)
    if step >= ANSWER_1:
        offered = 3
        if step == ANSWER_1:
            offered = 1
        elif step == ANSWER_LIFT:
            offered = 2
        return _answer(s, seat, offered)
    return RAISE_1


@jit
def candidates(s: Ints, out: Ints) -> int:
    """The legal moves that are worth a look, among them that of `choose`; how many there are.

    A card that would not win the trick as it lies is as good face up as face down, unless it takes
    the trick from the partner (the special Unter does, from the special Seven), and nobody throws
    out the best.
    """
    count = legal(s, out)
    laid = s[LAID_COUNT]
    pos = laid % SEATS
    keepers = s[HANDS + s[ACTOR]] & ~all_kaisers(s)
    if s[STEP] == DISCARD:
        hopeful = _kaisers_to_be(s, s[ACTOR])
        for _ in range(5):
            if keepers:
                keepers &= ~(1 << worst(keepers, s[SPECIAL], hopeful))
    partners = pos >= 2 and winner(s, laid - pos, pos) == pos - 2
    kept = 0
    for i in range(count):
        move = out[i]
        good = 1
        if move >= TWO:
            two = 1 << (move - TWO) // DECK | 1 << (move - TWO) % DECK
            good = 0 if two & keepers else 1
        elif DOWN <= move < KAISER:
            s[LAID + laid] = move - DOWN
            place = winner(s, laid - pos, pos + 1)
            good = 1 if place == pos or (partners and place != pos - 2) else 0
            s[LAID + laid] = 0
        if good:
            out[kept] = move
            kept += 1
    return kept
