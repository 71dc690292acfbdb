"""Kaiserspiel: the rules on a vector of integers: legal moves, random ones, playing.

A team is the remainder of its seats by 2, and its captain the seat of that number.  Cards are those
of the game; sets of cards are masks.  A move is a whole number: a card that is played, face down
`DOWN` more; a Banner that is declared, `KAISER` more; a word; or two cards that are thrown out.
"""

from __future__ import annotations

from typing import Final

from engine.players.chance import below
from engine.players.compiled import Ints, jit, lowest, table

SEATS: Final = 4
DECK: Final = 40
BANNERS: Final = 1 << 3 | 1 << 13 | 1 << 23 | 1 << 33
MUGG: Final = 33

# Slots of the vector; where there are several, the first of them.

STEP: Final = 0
ACTOR: Final = 1
"""Who is asked; while cards are thrown out any of those that have not done it; -1 at the end."""
PAUSE: Final = 2
"""1 … 4, 5 for more Kaisers, else 0."""
QUEUE: Final = 3
"""Seats to be asked at this step: three bits each, one more than the seat, the next one lowest."""
BARRED: Final = 4
"""The captain who may not call again, or -1."""
DEALER: Final = 5
VALUE: Final = 6
MOST: Final = 7
"""What no offer may lift the value above: `UNBOUNDED` if there is no such bound."""
SPECIAL: Final = 8
"""The special suit, -1 as long as there is none."""
CUT: Final = 9
LAID_COUNT: Final = 10
UP: Final = 11
"""The cards played face up."""
OPEN_COUNT: Final = 12
STOCK_AT: Final = 13
"""How many cards of the stock have been dealt."""
WON: Final = 14
"""By team: its tricks."""
POINTS: Final = 16
"""By team."""
HANDS: Final = 18
KAISERS: Final = 22
DISCARDS: Final = 26
"""0 until a seat has discarded."""
DOWNS: Final = 30
"""What each seat has played face down."""
KAISERS_DOWN: Final = 34
"""How many Kaisers each seat has played face down: that is announced."""
OPENS: Final = 38
"""The cards dealt face up, in the order of dealing; `NO_CARD` for those that are to come."""
LEADERS: Final = 42
"""Who led each trick, after a trick its winner; 0 for those that are to come."""
LAID: Final = 48
"""Cards in the order of play, as they are laid; 0 for those that are to come."""
NEEDS: Final = 68
"""By team: the points that it needed as the round began to win the match."""
STOCK: Final = 70
"""What is dealt after the first two open cards, in the order of dealing; 0 once it is dealt."""
STOCK_SIZE: Final = 37
SIZE: Final = STOCK + STOCK_SIZE

NO_CARD: Final = -1
UNBOUNDED: Final = 1 << 40

# What is asked.

DECLARE: Final = 0
RAISE: Final = 1
RAISE_BY_1: Final = 2
MAY_LIFT: Final = 3
CALL: Final = 4
ANSWER_1: Final = 5
ANSWER_3: Final = 6
ANSWER_LIFT: Final = 7
ANSWER_CALL: Final = 8
DISCARD: Final = 9
PLAY: Final = 10
OVER: Final = 11

# Moves.

DOWN: Final = DECK
KAISER: Final = 2 * DECK
PASS: Final = 120
THREEUP: Final = 121
RAISE_1: Final = 122
RAISE_3: Final = 123
LIFT: Final = 124
STAY: Final = 125
ACCEPT: Final = 126
RESIGN: Final = 127
TWO: Final = 128
"""Added to 40 times the lower card that is thrown out and the higher one."""

MOVES: Final = 21
"""Maximum number of legal moves: any two of seven cards."""
BRAKE: Final = 31
"""In random playouts nobody calls from this value on: else they might never end."""

_OFFERED: Final = table([0, 0, 0, 0, 0, 1, 3, 2, 3, 0, 0, 0])
"""By step: how much is offered."""

# The rules.


@jit
def free_banners(s: Ints, seat: int) -> int:
    """The Banners that a seat which is asked may declare."""
    banners = s[HANDS + seat] & BANNERS
    if s[PAUSE] > 2:
        banners &= ~all_kaisers(s)
        for i in range(SEATS):
            banners &= ~(1 << s[OPENS + i])
    return banners


@jit
def legal(s: Ints, out: Ints) -> int:
    """Writes the legal moves of the seat that is asked into `out`; how many there are."""
    step = s[STEP]
    seat = s[ACTOR]
    hand = s[HANDS + seat] if seat >= 0 else 0
    count = 0
    if step == PLAY:
        while hand:
            card = lowest(hand)
            hand &= hand - 1
            out[count] = card
            count += 1
            if s[LAID_COUNT] % SEATS:
                out[count] = card + DOWN
                count += 1
    elif step == DISCARD:
        hand &= ~all_kaisers(s)
        while hand:
            card = lowest(hand)
            hand &= hand - 1
            rest = hand
            while rest:
                out[count] = TWO + card * DECK + lowest(rest)
                rest &= rest - 1
                count += 1
    elif step == DECLARE:
        banners = free_banners(s, seat)
        while banners:
            out[count] = KAISER + lowest(banners)
            banners &= banners - 1
            count += 1
        out[count] = PASS
        count += 1
    elif step == RAISE_BY_1:
        out[0] = RAISE_1
        count = 1
    elif step != OVER:
        out[0] = ACCEPT
        out[1] = RESIGN
        if step == RAISE:
            out[0] = RAISE_1
            out[1] = RAISE_3
        elif step == MAY_LIFT:
            out[0] = LIFT
            out[1] = STAY
        elif step == CALL:
            out[0] = PASS
            out[1] = THREEUP
        count = 2
    return count


@jit
def random_move(s: Ints, room: Ints, r: Ints) -> int:
    """A legal move, each as likely as the others; but nobody calls from `BRAKE` on."""
    count = legal(s, room)
    if s[STEP] == CALL and s[VALUE] >= BRAKE:
        return PASS
    return room[below(r, count)]


# What is asked next.


@jit
def _end(s: Ints, which: int) -> None:
    """A team scores the value; nobody, if it is -1."""
    if which >= 0:
        s[POINTS + which] = s[VALUE]
    s[STEP] = OVER
    s[ACTOR] = -1
    s[PAUSE] = 0
    s[QUEUE] = 0
    s[BARRED] = -1


@jit
def _able(s: Ints, captain: int) -> int:
    """The captain as it stands in `QUEUE`, if it may call; else 0."""
    return captain + 1 if captain != s[BARRED] and s[MOST] - s[VALUE] >= 3 else 0


@jit
def _serve(s: Ints, first: int, cards: int) -> None:
    """So many cards to the seat `first` places after the dealer, and to the next one."""
    for seat in range(s[DEALER] + first, s[DEALER] + first + 2):
        for _ in range(cards):
            s[HANDS + seat % SEATS] |= 1 << s[STOCK + s[STOCK_AT]]
            s[STOCK + s[STOCK_AT]] = 0
            s[STOCK_AT] += 1


@jit
def _open_suit(s: Ints) -> int:
    """The suit of the lowest open card, of equal ones the first; -1 if all are Banners."""
    suit = -1
    low = -1
    for i in range(SEATS):
        card = s[OPENS + i]
        if card % 10 != 3 and card % 10 > low:
            low = card % 10
            suit = card // 10
    return suit


@jit
def _deal_on(s: Ints) -> None:
    """A pause is over: cards are dealt, and the seats of the next one queue."""
    pause = s[PAUSE]
    dealer = s[DEALER]
    if pause == 2 and s[SPECIAL] < 0:
        _end(s, -1)
        return
    if pause == 4:
        for _ in range(2):
            _serve(s, 1, 2)
            _serve(s, 3, 2)
        s[STEP] = DISCARD
        s[ACTOR] = 0
        s[PAUSE] = 0
        s[BARRED] = -1
        return
    if pause == 1:
        s[OPENS + 2] = s[STOCK]
        s[OPENS + 3] = s[STOCK + 1]
        s[OPEN_COUNT] = 4
        _serve(s, 3, 1)
        s[SPECIAL] = _open_suit(s)
    else:
        _serve(s, 1 if pause == 2 else 3, 2)
    s[PAUSE] = pause + 1
    s[STEP] = DECLARE
    queue = 0
    at = dealer + (3 if pause % 2 else 1)
    for seat in range(at + 1, at - 1, -1):
        if pause > 1 or s[HANDS + seat % SEATS] & BANNERS:
            queue = queue << 3 | (seat % SEATS + 1)
    s[QUEUE] = queue


@jit
def ask(s: Ints) -> None:
    """The next in the queue is asked; when all have been, the round goes on."""
    while s[QUEUE] == 0 and (s[STEP] == DECLARE or s[STEP] == CALL):
        if s[STEP] == CALL:
            _deal_on(s)
        elif s[PAUSE] == 5:
            s[STEP] = PLAY
            s[ACTOR] = s[LEADERS]
            s[PAUSE] = 0
        else:
            captain = s[LEADERS] % 2
            first = _able(s, captain)
            second = _able(s, 1 - captain)
            s[QUEUE] = first | second << 3 if first else second
            s[STEP] = CALL
    if s[STEP] == DECLARE or s[STEP] == CALL:
        s[ACTOR] = (s[QUEUE] & 7) - 1


@jit
def _after_raise(s: Ints) -> None:
    """After the raise the Kaiser's owner is asked again; at pauses 1 and 2 it has no other."""
    if s[PAUSE] <= 2:
        s[QUEUE] >>= 3
    s[STEP] = DECLARE
    ask(s)


@jit
def _accepted(s: Ints) -> None:
    step = s[STEP]
    captain = s[ACTOR]
    s[VALUE] += _OFFERED[step]
    if step == ANSWER_CALL:
        s[BARRED] = 1 - captain
        s[QUEUE] = _able(s, captain)
        s[STEP] = CALL
        ask(s)
    elif step == ANSWER_1 and s[MOST] - s[VALUE] >= 2:
        s[STEP] = MAY_LIFT
        s[ACTOR] = 1 - captain
    else:
        _after_raise(s)


@jit
def _say(s: Ints, word: int) -> None:
    if word == PASS:
        s[QUEUE] >>= 3
        ask(s)
    elif word == ACCEPT:
        _accepted(s)
    elif word == RESIGN:
        _end(s, 1 - s[ACTOR])
    elif word == STAY:
        _after_raise(s)
    else:
        if word == THREEUP:
            s[STEP] = ANSWER_CALL
        elif word == RAISE_1:
            s[STEP] = ANSWER_1
        elif word == RAISE_3:
            s[STEP] = ANSWER_3
        else:
            s[STEP] = ANSWER_LIFT
        s[ACTOR] = 1 - s[ACTOR]


@jit
def _declare(s: Ints, seat: int, banner: int) -> None:
    """A Kaiser brings a raise, as far as there is room."""
    s[KAISERS + seat] |= 1 << banner
    room = s[MOST] - s[VALUE]
    if room < 1:
        _after_raise(s)
    else:
        s[STEP] = RAISE if room >= 3 else RAISE_BY_1
        s[ACTOR] = seat % 2


@jit
def _throw_out(s: Ints, seat: int, two: int) -> None:
    """Who has not discarded yet is asked; then everybody for more Kaisers."""
    s[DISCARDS + seat] = two
    s[HANDS + seat] &= ~two
    for other in range(SEATS):
        if s[DISCARDS + other] == 0:
            s[ACTOR] = other
            return
    queue = 0
    for place in range(SEATS):
        queue = queue << 3 | ((s[DEALER] + SEATS - place) % SEATS + 1)
    s[QUEUE] = queue
    s[STEP] = DECLARE
    s[PAUSE] = 5
    ask(s)


@jit
def _lay(s: Ints, seat: int, laid: int) -> None:
    """The winner of a trick leads the next one; three tricks end the round."""
    card = 1 << laid % DECK
    s[HANDS + seat] &= ~card
    if laid < DOWN:
        s[UP] |= card
    else:
        s[DOWNS + seat] |= card
        if s[KAISERS + seat] & card:
            s[KAISERS_DOWN + seat] += 1
    count = s[LAID_COUNT]
    s[LAID + count] = laid
    s[LAID_COUNT] = count + 1
    if count % SEATS < SEATS - 1:
        s[ACTOR] = (seat + 1) % SEATS
        return
    trick = count // SEATS
    leader = (s[LEADERS + trick] + winner(s, count - 3, SEATS)) % SEATS
    s[LEADERS + trick + 1] = leader
    s[ACTOR] = leader
    s[WON + leader % 2] += 1
    if s[WON + leader % 2] == 3:
        _end(s, leader % 2)


@jit
def play(s: Ints, move: int) -> None:
    """The seat that is asked does this, which is legal."""
    seat = s[ACTOR]
    if move < KAISER:
        _lay(s, seat, move)
    elif move < PASS:
        _declare(s, seat, move - KAISER)
    elif move < TWO:
        _say(s, move)
    else:
        _throw_out(s, seat, 1 << (move - TWO) // DECK | 1 << (move - TWO) % DECK)


# Strength of a card, and winner of a trick.

_TRUMPS: Final = table([0, 0, 96, 0, 0, 94, 97, 73, 83, 93])
"""By plain rank: strength of a card of the special suit as a trump, or 0 if it is none.

Plain cards of the suit led have 9 for each rank from the 2 up: 90 the King, 81 the Ober, 72 the
Unter.
"""
KAISER_STRENGTH: Final = 95
MUGG_STRENGTH: Final = 98
SEVEN_LED: Final = 99
"""Nothing beats the special Seven that was led, unless the special Unter lies in the trick."""


@jit
def trump_strength(card: int, special: int, kaisers: int) -> int:
    """How strong a card that lies face up is as a trump; 0 if it is none."""
    if kaisers >> card & 1:
        return MUGG_STRENGTH if card == MUGG else KAISER_STRENGTH
    return _TRUMPS[card % 10] if card // 10 == special else 0


@jit
def strength(card: int, led: int, special: int, kaisers: int) -> int:
    """How strong a card (face down too) is in a trick to which `led` was led; 0 never wins.

    The special Seven that was led has none here: see `winner`.
    """
    if card >= DOWN:
        return 0
    found = trump_strength(card, special, kaisers)
    if found:
        return found
    if card // 10 != led // 10 or (card // 10 == special and card % 10 == 4):
        return 0
    if trump_strength(led, special, kaisers) or (led // 10 == special and led % 10 == 4):
        return 0
    return (10 - card % 10) * 9


@jit
def all_kaisers(s: Ints) -> int:
    """The declared Kaisers of all seats."""
    return s[KAISERS] | s[KAISERS + 1] | s[KAISERS + 2] | s[KAISERS + 3]


@jit
def winner(s: Ints, first: int, count: int) -> int:
    """The place (from 0) of the winning one of `count` cards of `LAID`, from `first` on."""
    special = s[SPECIAL]
    kaisers = all_kaisers(s)
    led = s[LAID + first]
    best = 0
    high = 0
    tamed = 0
    for i in range(count):
        card = s[LAID + first + i]
        now = strength(card, led, special, kaisers)
        if now > high:
            best = i
            high = now
        if card == special * 10 + 2:
            tamed = 1
    return best if tamed or led != special * 10 + 4 else 0
