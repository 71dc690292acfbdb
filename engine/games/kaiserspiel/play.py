"""Kaiserspiel: what becomes of a state when somebody acts, as far as it takes cards or points.

The deal and its pauses, declared Kaisers, discards and tricks.  What is asked after each answer
stands in `talk`.  Actions that are not legal are answered with None: `kaiserspiel`
says why.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from engine.game import Seat
from engine.games.kaiserspiel.cards import BANNER, DOWN, PACK, RULES, special_suit
from engine.games.kaiserspiel.moves import DISCARDED, LAID, PASS, RESIGN
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.state import (
    CUT,
    Action,
    Deal,
    Parts,
    State,
    Table,
    Tricks,
    own_options,
    served,
    state_of,
)
from engine.games.kaiserspiel.talk import (
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
    UNKNOWN,
    WAITING,
    Question,
    Step,
)

VALUE: Final = 4
"""What a round is worth before anything is raised."""
NEEDED: Final = 3
"""Tricks that win a round."""

_NO_CARDS: Final = (0,) * SEATS
_LEADERS: Final = tuple(((dealer + 1) % SEATS,) for dealer in ALL_SEATS)
"""By dealer: eldest leads first."""
_NO_TRICKS: Final = (0, 0)
_CARDS: Final = bytes(range(len(PACK)))
_OWNERS: Final = tuple(banner != 0 for banner in BANNER)


def first_state(target: int) -> State:
    """Before the first deal."""
    return state_of(
        Parts(
            at=DEAL_DUE[0],
            applied=0,
            value=0,
            pack=b"",
            dealer=UNKNOWN,
            number=0,
            scores=_NO_CARDS,
            points=None,
            target=target,
            got=(),
            gone=0,
            kaisers=_NO_CARDS,
            thrown=_NO_CARDS,
            tricks=Tricks((), (), _NO_TRICKS),
        )
    )


# The deal.


def next_dealer(table: Table) -> Seat | None:
    """Who deals next: the eldest of the round before, after a void one its dealer again.

    None before the first round, when chance decides.
    """
    _, dealer, number, _, points, _, _, _, _, _, _, _, _ = table
    if not number:
        return None
    return dealer if points == _NO_CARDS else (dealer + 1) % SEATS


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
    _, _, number, scores, _, target, _, _, _, _, _, _, _ = table
    table = (pack, dealer, number + 1, scores, None, target, (), 0, _NO_CARDS, _NO_CARDS,
        (), _LEADERS[dealer], _NO_TRICKS)  # fmt: skip
    return OPENING[dealer][_OWNERS[pack[0]] + 2 * _OWNERS[pack[1]]], applied + 1, VALUE, table


def _after_two(state: State, seat: Seat, action: Action) -> State | None:
    """After the last `pass` at pause 1: two more cards are dealt open."""
    if action != PASS:
        return None
    at, applied, value, table = state
    pack = table[0]
    return SERVED[at][_OWNERS[pack[2]] + 2 * _OWNERS[pack[3]]], applied + 1, value, table


def _after_four(state: State, seat: Seat, action: Action) -> State | None:
    """After the last `pass` at pause 2: two hidden cards each for two seats, or a void round."""
    if action != PASS:
        return None
    at, applied, value, table = state
    one, two, three, four = table[0][:SEATS]
    if BANNER[one] and BANNER[two] and BANNER[three] and BANNER[four]:
        return end(state, table, _NO_CARDS)
    return SERVED[at][0], applied + 1, value, table


def _after_twelve(state: State, seat: Seat, action: Action) -> State | None:
    """After the last `pass` at pause 4: all the rest is dealt, and the discards are due."""
    if action != PASS:
        return None
    _, applied, value, table = state
    pack, dealer, number, scores, points, target, _, gone, kaisers, thrown, laid, leaders, won = (
        table
    )
    table = (pack, dealer, number, scores, points, target, served(pack, dealer), gone, kaisers,
        thrown, laid, leaders, won)  # fmt: skip
    return DISCARDS[-1], applied + 1, value, table


# Kaisers, discards and tricks.


def declare(state: State, seat: Seat, action: Action) -> State | None:
    """After `kaiser`, of the seat that is asked for one."""
    at, applied, value, table = state
    if action not in own_options(at, table, seat):
        return None
    pack, dealer, number, scores, points, target, got, gone, kaisers, thrown, laid, leaders, won = (
        table
    )
    declared = list(kaisers)
    declared[seat] |= action[1]
    table = (pack, dealer, number, scores, points, target, got, gone, tuple(declared),
        thrown, laid, leaders, won)  # fmt: skip
    return RAISES[at], applied + 1, value, table


def discard(state: State, seat: Seat, action: Action) -> State | None:
    """After two cards have been thrown out; the last seat's begin *More Kaisers*."""
    at, applied, value, table = state
    pack, dealer, number, scores, points, target, got, gone, kaisers, thrown, laid, leaders, won = (
        table
    )
    cards = DISCARDED.get(action)
    if cards is None or cards & ~got[seat] or cards & kaisers[seat]:
        return None
    done = list(thrown)
    done[seat] = cards
    table = (pack, dealer, number, scores, points, target, got, gone | cards, kaisers,
        tuple(done), laid, leaders, won)  # fmt: skip
    left = WAITING[at][seat]
    return (MORE[dealer] if left is None else left), applied + 1, value, table


def play(state: State, seat: Seat, action: Action) -> State | None:
    """After a card was laid."""
    _, applied, value, table = state
    pack, dealer, number, scores, points, target, got, gone, kaisers, thrown, laid, leaders, won = (
        table
    )
    found = LAID.get(action)
    if found is None:
        return None
    bit, card = found
    if not got[seat] & ~gone & bit or (card >= DOWN and not len(laid) % SEATS):
        return None
    laid += (card,)
    gone |= bit
    if len(laid) % SEATS:
        return LEADS[(seat + 1) % SEATS], applied + 1, value, (pack, dealer, number, scores,
            points, target, got, gone, kaisers, thrown, laid, leaders, won)  # fmt: skip
    rules = RULES[special_suit(pack[:SEATS]) or 0][sum(kaisers)]
    winner = (leaders[-1] + rules.winner(laid[-SEATS:])) % SEATS
    leaders += (winner,)
    won = (won[0], won[1] + 1) if winner % 2 else (won[0] + 1, won[1])
    table = (pack, dealer, number, scores, points, target, got, gone, kaisers, thrown,
        laid, leaders, won)  # fmt: skip
    if NEEDED in won:
        return end(state, table, (value, 0, value, 0) if won[0] == NEEDED else (0, value, 0, value))
    return LEADS[winner], applied + 1, value, table


# The end of a round.


def resign(state: State, seat: Seat, action: Action) -> State | None:
    """After a captain's `resign`: the other team scores the value before the offer."""
    if action != RESIGN:
        return None
    value = state[2]
    return end(state, state[3], (value, 0, value, 0) if seat else (0, value, 0, value))


def end(state: State, table: Table, points: tuple[int, ...]) -> State:
    """The completed round: a deal is due, or the match has ended.  Counts the last action."""
    at, applied, value, _ = state
    pack, dealer, number, scores, _, target, got, gone, kaisers, thrown, laid, leaders, won = table
    a, b = scores[0] + points[0], scores[1] + points[1]
    table = (pack, dealer, number, (a, b, a, b), points, target, got, gone, kaisers, thrown,
        laid, leaders, won)  # fmt: skip
    return ENDS[at][a >= target or b >= target], applied + 1, value, table


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
