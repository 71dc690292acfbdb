"""Kaiserspiel: what becomes of a state when somebody acts, as far as it takes cards or points.

The deal and its pauses, declared Kaisers, discards and tricks.  What is asked after each answer
stands in `_kaiserspiel_talk`.  Actions that are not legal are answered with None: `kaiserspiel`
says why.
"""

from __future__ import annotations

from typing import Final

from engine.game import Seat
from engine.games._kaiserspiel_cards import BANNERS, BITS, DOWN, PACK, RULES, special_suit
from engine.games._kaiserspiel_moves import Move
from engine.games._kaiserspiel_options import SEATS
from engine.games._kaiserspiel_state import (
    Deal,
    Round,
    State,
    Table,
    Tricks,
    declarable,
)
from engine.games._kaiserspiel_talk import (
    ALL_SEATS,
    DEAL_DUE,
    DISCARDS,
    LEADS,
    MATCH_OVER,
    MORE_KAISERS,
    PAUSES,
    QUESTIONS,
    RAISES,
    UNKNOWN,
    eldest_first,
)

VALUE: Final = 4
"""What a round is worth before anything is raised."""
NEEDED: Final = 3
"""Tricks that win a round."""

_NO_CARDS: Final = (0,) * SEATS
_NO_TRICKS: Final = tuple(Tricks((), ((dealer + 1) % SEATS,), (0, 0)) for dealer in ALL_SEATS)
"""By dealer: eldest leads first."""
_ORDER: Final = tuple(eldest_first(dealer) for dealer in ALL_SEATS)
_DEALT: Final = 39
"""All cards but the cut card."""
_CARDS: Final = frozenset(range(len(PACK)))
_OWNERS: Final = tuple(BANNERS >> card & 1 for card in range(len(PACK)))
_new = tuple.__new__
"""Makes a named tuple from a tuple: half the time of calling its class."""


def first_state(target: int) -> State:
    """Before the first deal."""
    round_ = Round(0, UNKNOWN, (), UNKNOWN, _NO_CARDS, None)
    tricks = Tricks((), (), (0, 0))
    table = Table(_NO_CARDS, _NO_CARDS, _NO_CARDS, tricks, (), round_, target)
    return State(DEAL_DUE, 0, 0, table)


# The deal.


def next_dealer(round_: Round) -> Seat | None:
    """Who deals next: the eldest of the round before, after a void one its dealer again.

    None before the first round, when chance decides.
    """
    if not round_.number:
        return None
    return round_.dealer if round_.void else (round_.dealer + 1) % SEATS


def is_deal(round_: Round, deal: Deal) -> bool:
    """Whether this is the whole pack, no Banner cut, and dealt by whoever has to."""
    pack, dealer = deal
    if len(pack) != len(PACK) or frozenset(pack) != _CARDS or BANNERS >> pack[_DEALT] & 1:
        return False
    due = next_dealer(round_)
    return dealer in ALL_SEATS if due is None else dealer == due


def deal(state: State, action: Deal) -> State:
    """The first state of a round: the two open cards of pause 1 lie there."""
    _, applied, _, table = state
    pack, dealer = action
    before = table[5]
    one, two = pack[:2]
    order = _ORDER[dealer]
    hands = [0, 0, 0, 0]
    hands[order[0]] = BITS[one]
    hands[order[1]] = BITS[two]
    round_ = _new(Round, (before[0] + 1, dealer, (one, two), pack[_DEALT], before[4], None))
    table = _new(Table, (tuple(hands), _NO_CARDS, _NO_CARDS, _NO_TRICKS[dealer], pack[2:_DEALT],
        round_, table[6]))  # fmt: skip
    at = PAUSES[dealer, 1, UNKNOWN, _OWNERS[one] + 2 * _OWNERS[two]]
    return _new(State, (at, applied + 1, VALUE, table))


def serve(state: State) -> State:
    """The next cards, after the last captain's `pass` at a pause."""
    at, applied, value, table = state
    _, _, pause, _, barred, dealer = QUESTIONS[at]
    hands, kaisers, thrown, tricks, stock, round_, target = table
    order = _ORDER[dealer]
    new = list(hands)
    owners = 0
    if pause == 1:
        one, two = stock[:2]
        new[order[2]] = BITS[one]
        new[order[3]] = BITS[two]
        stock = stock[2:]
        number, _, opens, cut, scores, points = round_
        round_ = _new(Round, (number, dealer, (*opens, one, two), cut, scores, points))
        owners = _OWNERS[one] + 2 * _OWNERS[two]
    elif pause == 4:
        for _ in range(2):
            for turn, seat in enumerate(order):
                new[seat] |= BITS[stock[2 * turn]] | BITS[stock[2 * turn + 1]]
            stock = stock[2 * SEATS :]
    else:
        if pause == 2 and special_suit(round_[2]) is None:
            return end(state, _NO_CARDS)
        first, second = order[:2] if pause == 2 else order[2:]
        new[first] |= BITS[stock[0]] | BITS[stock[1]]
        new[second] |= BITS[stock[2]] | BITS[stock[3]]
        stock = stock[4:]
    table = _new(Table, (tuple(new), kaisers, thrown, tricks, stock, round_, target))
    at = DISCARDS[-1] if pause == 4 else PAUSES[dealer, pause + 1, barred, owners]
    return _new(State, (at, applied + 1, value, table))


# Kaisers, discards and tricks.


def declare(state: State, seat: Seat, move: Move) -> State | None:
    """After `kaiser`, of the seat that is asked for one."""
    at, applied, value, table = state
    hands, kaisers, thrown, tricks, stock, round_, target = table
    if not move.cards & declarable(QUESTIONS[at].pause, hands[seat], kaisers, round_):
        return None
    declared = list(kaisers)
    declared[seat] |= move.cards
    table = _new(Table, (hands, tuple(declared), thrown, tricks, stock, round_, target))
    return _new(State, (RAISES[at], applied + 1, value, table))


def discard(state: State, seat: Seat, cards: int) -> State | None:
    """After two cards have been thrown out; the last seat's begin *More Kaisers*."""
    at, applied, value, table = state
    hands, kaisers, thrown, tricks, stock, round_, target = table
    if cards & ~hands[seat] or cards & kaisers[seat]:
        return None
    rest, done = list(hands), list(thrown)
    rest[seat] ^= cards
    done[seat] = cards
    table = _new(Table, (tuple(rest), kaisers, tuple(done), tricks, stock, round_, target))
    pending = sum([1 << each for each in QUESTIONS[at].seats]) ^ 1 << seat
    at = DISCARDS[pending] if pending else PAUSES[round_.dealer, MORE_KAISERS, UNKNOWN, 0]
    return _new(State, (at, applied + 1, value, table))


def play(state: State, seat: Seat, move: Move) -> State | None:
    """After a card was laid."""
    _, applied, value, table = state
    hands, kaisers, thrown, tricks, stock, round_, target = table
    verb, bit = move
    if not hands[seat] & bit:
        return None
    laid, leaders, won = tricks
    if verb == "play":
        laid += (bit.bit_length() - 1,)
    elif verb == "down" and len(laid) % SEATS:
        laid += (bit.bit_length() - 1 + DOWN,)
    else:
        return None
    rest = list(hands)
    rest[seat] ^= bit
    following = (seat + 1) % SEATS
    if not len(laid) % SEATS:
        rules = RULES[special_suit(round_[2]) or 0][sum(kaisers)]
        following = (leaders[-1] + rules.winner(laid[-SEATS:])) % SEATS
        leaders += (following,)
        won = (won[0], won[1] + 1) if following % 2 else (won[0] + 1, won[1])
    tricks = _new(Tricks, (laid, leaders, won))
    table = _new(Table, (tuple(rest), kaisers, thrown, tricks, stock, round_, target))
    if NEEDED in won:
        points = (value, 0, value, 0) if won[0] == NEEDED else (0, value, 0, value)
        return end(_new(State, (state[0], applied, value, table)), points)
    return _new(State, (LEADS[following], applied + 1, value, table))


# The end of a round.


def resign(state: State, seat: Seat) -> State:
    """After a captain's `resign`: the other team scores the value before the offer."""
    value = state[2]
    return end(state, (0, value, 0, value) if seat == 0 else (value, 0, value, 0))


def end(state: State, points: tuple[int, ...]) -> State:
    """The completed round: a deal is due, or the match has ended.  Counts the last action."""
    _, applied, value, table = state
    hands, kaisers, thrown, tricks, stock, round_, target = table
    number, dealer, opens, cut, (a, b, _, _), _ = round_
    a += points[0]
    b += points[1]
    round_ = _new(Round, (number, dealer, opens, cut, (a, b, a, b), points))
    table = _new(Table, (hands, kaisers, thrown, tricks, stock, round_, target))
    at = MATCH_OVER if a >= target or b >= target else DEAL_DUE
    return _new(State, (at, applied + 1, value, table))
