"""Auf falscher Fährte: what follows a deal, a hidden card and a trick."""

from __future__ import annotations

from typing import Final

from engine.game import CHANCE, Seat
from engine.games._auffalscherfaehrte_cards import JOKER, NUMBER_OF
from engine.games._auffalscherfaehrte_state import (
    DEAL,
    GOAL,
    HIDING,
    OFFER,
    OVER,
    PLAYING,
    TURNED,
    UNKNOWN,
    Deal,
    Done,
    Round,
    State,
    points_for,
)

ALONE: Final[tuple[tuple[Seat, ...], ...]] = ((0,), (1,), (2,), (3,))
"""By seat: the actors while this one is asked."""

_new = tuple.__new__


def dealt(state: State, deal: Deal) -> State:
    """The first state of a round: all hide a card."""
    seats, applied, trump = len(state.hands), state.applied + 1, state.trump
    start = (deal.dealer + 1) % seats
    number, scores, unknown = state.round.number + 1, state.round.scores, (UNKNOWN,) * seats
    round_ = Round(
        number, deal.dealer, start, trump, deal.aside, unknown, deal.reveal, applied, scores, None
    )
    done = Done((0,) * seats, (), 0, 0, ())
    return State(tuple(range(seats)), HIDING, deal.hands, 0, JOKER, (), start, trump, applied,
        done, round_, state.match)  # fmt: skip


def hidden(state: State, seat: Seat, card: int) -> State:
    """`seat` has hidden a card; the last to do so starts the play."""
    (actors, _, hands, led, best, trick, leader, trump, applied, done, round_, match) = state
    rest, cards = [*hands], [*round_.hidden]
    rest[seat] -= 1 << card
    cards[seat] = card
    waiting = tuple([each for each in actors if each != seat])
    now, stage = (waiting, HIDING) if waiting else (ALONE[leader], PLAYING)
    round_ = _new(Round, (*round_[:5], tuple(cards), *round_[6:]))
    return _new(State, (now, stage, tuple(rest), led, best, trick, leader, trump, applied + 1,
        done, round_, match))  # fmt: skip


def after_trick(state: State) -> State:
    """What is due after a trick: an offer of the trump, then a turned card, then what follows."""
    done, seats = state.done, len(state.hands)
    if done.offers:
        return state._replace(actors=ALONE[done.offers[0]], stage=OFFER)
    turned = TURNED[seats][len(done.history)]
    if turned != done.turned:
        done = done._replace(turned=turned)
    if any(state.hands):
        return state._replace(actors=ALONE[state.leader], stage=PLAYING, done=done)

    # The round is completed: a deal is due, or the match is over.
    round_ = state.round
    points = points_for(done.taken, is_plus_round(round_))
    scores = tuple([a + b for a, b in zip(round_.scores, points, strict=True)])
    over = round_.number >= state.match.rounds
    actors, stage = ((), OVER) if over else ((CHANCE,), DEAL)
    round_ = _new(Round, (*round_[:8], scores, points))
    return _new(State, (actors, stage, *state[2:9], done, round_, state.match))


def is_plus_round(round_: Round) -> bool:
    """The kind of a round in which all cards are hidden."""
    return sum([NUMBER_OF[card] for card in round_.hidden]) >= GOAL[len(round_.hidden)]
