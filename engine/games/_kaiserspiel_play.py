"""Kaiserspiel: what becomes of a state when somebody acts, as far as it takes cards or points.

The deal and its pauses, declared Kaisers, discards and tricks.  What is asked after each answer
stands in `_kaiserspiel_talk`.  Actions that are not legal are answered with None: `kaiserspiel`
says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.game import Seat
from engine.games._kaiserspiel_cards import BANNER, DOWN, PACK, RULES, special_suit
from engine.games._kaiserspiel_moves import DISCARDED, LAID, PASS, RESIGN
from engine.games._kaiserspiel_options import SEATS
from engine.games._kaiserspiel_state import (
    CUT,
    NO_DEAL,
    Action,
    Deal,
    State,
    Table,
    Tricks,
    own_options,
    served,
)
from engine.games._kaiserspiel_talk import (
    ALL_SEATS,
    DEAL_DUE,
    DISCARDS,
    ENDS,
    LEADS,
    MORE,
    OFFERED,
    OPENING,
    QUESTIONS,
    RAISES,
    SERVED,
    Question,
    Step,
)

VALUE: Final = 4
"""What a round is worth before anything is raised."""
NEEDED: Final = 3
"""Tricks that win a round."""

_NO_CARDS: Final = (0,) * SEATS
_NO_TRICKS: Final = tuple(Tricks((), ((dealer + 1) % SEATS,), (0, 0)) for dealer in ALL_SEATS)
"""By dealer: eldest leads first."""
_CARDS: Final = bytes(range(len(PACK)))
_OWNERS: Final = tuple(banner != 0 for banner in BANNER)
_new = tuple.__new__
"""Makes a named tuple from a tuple: half the time of calling its class."""


def first_state(target: int) -> State:
    """Before the first deal."""
    tricks = Tricks((), (), (0, 0))
    table = Table(NO_DEAL, 0, _NO_CARDS, None, target, (), 0, _NO_CARDS, _NO_CARDS, tricks)
    return State(DEAL_DUE[0], 0, 0, table)


# The deal.


def next_dealer(table: Table) -> Seat | None:
    """Who deals next: the eldest of the round before, after a void one its dealer again.

    None before the first round, when chance decides.
    """
    if not table[1]:
        return None
    dealer = table[0][1]
    return dealer if table[3] == _NO_CARDS else (dealer + 1) % SEATS


def begin(state: State, seat: Seat, action: Action) -> State | None:
    """The first state of a round: the two open cards of pause 1 lie there.

    None unless this is the whole pack, no Banner cut, dealt by whoever has to.
    """
    if not isinstance(action, Deal):
        return None
    pack, dealer = action
    # Forty cards, and nothing is left of the whole pack without them: each is there once.
    if len(pack) != len(PACK) or _CARDS.translate(None, pack) or BANNER[pack[CUT]]:
        return None
    _, applied, _, table = state
    due = next_dealer(table)
    if dealer not in ALL_SEATS if due is None else dealer != due:
        return None
    _, number, scores, _, target, _, _, _, _, _ = table
    table = _new(Table, (action, number + 1, scores, None, target, (), 0, _NO_CARDS, _NO_CARDS,
        _NO_TRICKS[dealer]))  # fmt: skip
    at = OPENING[dealer][_OWNERS[pack[0]] + 2 * _OWNERS[pack[1]]]
    return _new(State, (at, applied + 1, VALUE, table))


def _after_two(state: State, seat: Seat, action: Action) -> State | None:
    """After the last `pass` at pause 1: two more cards are dealt open."""
    if action != PASS:
        return None
    at, applied, value, table = state
    pack = table[0][0]
    at = SERVED[at][_OWNERS[pack[2]] + 2 * _OWNERS[pack[3]]]
    return _new(State, (at, applied + 1, value, table))


def _after_four(state: State, seat: Seat, action: Action) -> State | None:
    """After the last `pass` at pause 2: two hidden cards each for two seats, or a void round."""
    if action != PASS:
        return None
    at, applied, value, table = state
    one, two, three, four = table[0][0][:SEATS]
    if BANNER[one] and BANNER[two] and BANNER[three] and BANNER[four]:
        return end(state, table, _NO_CARDS)
    return _new(State, (SERVED[at][0], applied + 1, value, table))


def _after_twelve(state: State, seat: Seat, action: Action) -> State | None:
    """After the last `pass` at pause 4: all the rest is dealt, and the discards are due."""
    if action != PASS:
        return None
    _, applied, value, table = state
    deal, number, scores, points, target, _, gone, kaisers, thrown, tricks = table
    table = _new(Table, (deal, number, scores, points, target, served(*deal), gone, kaisers,
        thrown, tricks))  # fmt: skip
    return _new(State, (DISCARDS[-1], applied + 1, value, table))


# Kaisers, discards and tricks.


def declare(state: State, seat: Seat, action: Action) -> State | None:
    """After `kaiser`, of the seat that is asked for one."""
    at, applied, value, table = state
    if action not in own_options(at, table, seat):
        return None
    deal, number, scores, points, target, got, gone, kaisers, thrown, tricks = table
    declared = list(kaisers)
    declared[seat] |= action[1]
    table = _new(Table, (deal, number, scores, points, target, got, gone, tuple(declared), thrown,
        tricks))  # fmt: skip
    return _new(State, (RAISES[at], applied + 1, value, table))


def discard(state: State, seat: Seat, action: Action) -> State | None:
    """After two cards have been thrown out; the last seat's begin *More Kaisers*."""
    at, applied, value, table = state
    deal, number, scores, points, target, got, gone, kaisers, thrown, tricks = table
    cards = DISCARDED.get(action)
    if cards is None or cards & ~got[seat] or cards & kaisers[seat]:
        return None
    done = list(thrown)
    done[seat] = cards
    table = _new(Table, (deal, number, scores, points, target, got, gone | cards, kaisers,
        tuple(done), tricks))  # fmt: skip
    pending = sum([1 << each for each in QUESTIONS[at].seats]) ^ 1 << seat
    at = DISCARDS[pending] if pending else MORE[deal[1]]
    return _new(State, (at, applied + 1, value, table))


def play(state: State, seat: Seat, action: Action) -> State | None:
    """After a card was laid."""
    at, applied, value, table = state
    deal, number, scores, points, target, got, gone, kaisers, thrown, tricks = table
    laid, leaders, won = tricks
    found = LAID.get(action)
    if found is None:
        return None
    bit, card = found
    if not got[seat] & ~gone & bit or (card >= DOWN and not len(laid) % SEATS):
        return None
    laid += (card,)
    at = LEADS[(seat + 1) % SEATS]
    if not len(laid) % SEATS:
        rules = RULES[special_suit(deal[0][:SEATS]) or 0][sum(kaisers)]
        winner = (leaders[-1] + rules.winner(laid[-SEATS:])) % SEATS
        leaders += (winner,)
        won = (won[0], won[1] + 1) if winner % 2 else (won[0] + 1, won[1])
        at = LEADS[winner]
    table = _new(Table, (deal, number, scores, points, target, got, gone | bit, kaisers, thrown,
        _new(Tricks, (laid, leaders, won))))  # fmt: skip
    if NEEDED in won:
        return end(state, table, (value, 0, value, 0) if won[0] == NEEDED else (0, value, 0, value))
    return _new(State, (at, applied + 1, value, table))


# The end of a round.


def resign(state: State, seat: Seat, action: Action) -> State | None:
    """After a captain's `resign`: the other team scores the value before the offer."""
    if action != RESIGN:
        return None
    _, _, value, table = state
    return end(state, table, (value, 0, value, 0) if seat else (0, value, 0, value))


def end(state: State, table: Table, points: tuple[int, ...]) -> State:
    """The completed round: a deal is due, or the match has ended.  Counts the last action."""
    at, applied, value, _ = state
    deal, number, (a, b, _, _), _, target, got, gone, kaisers, thrown, tricks = table
    a += points[0]
    b += points[1]
    table = _new(Table, (deal, number, (a, b, a, b), points, target, got, gone, kaisers, thrown,
        tricks))  # fmt: skip
    return _new(State, (ENDS[at][a >= target or b >= target], applied + 1, value, table))


# Which of these an answer takes.

Turn: TypeAlias = Callable[[State, Seat, Action], State | None]
"""The state after an action of the seat that is asked; None if it is not legal."""


def _nothing(state: State, seat: Seat, action: Action) -> State | None:
    """Where all that may be said is looked up."""
    return None


_PAUSES: Final[Mapping[int, Turn]] = {1: _after_two, 2: _after_four, 4: _after_twelve}
_STEPS: Final[Mapping[Step, Turn]] = {
    Step.DECLARE: declare,
    **dict.fromkeys(OFFERED, resign),
    Step.DISCARD: discard,
    Step.PLAY: play,
    Step.OVER: begin,
}


def _turn(question: Question) -> Turn:
    if question.step is Step.CALL:
        return _PAUSES.get(question.pause, _nothing)
    return _STEPS.get(question.step, _nothing)


TURNS: Final = tuple(_turn(question) for question in QUESTIONS)
"""By question: what becomes of the state if the answer is not in `NEXT`."""
