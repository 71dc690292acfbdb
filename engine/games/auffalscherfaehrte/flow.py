"""Auf falscher Fährte: what follows a deal, a hidden card and a trick."""

from __future__ import annotations

from operator import add
from typing import Final

from engine.game import Seat
from engine.games.auffalscherfaehrte.cards import JOKER, NUMBER_OF, SINGLE
from engine.games.auffalscherfaehrte.state import (
    GOAL,
    OFFER_AFTER,
    Deal,
    Past,
    Round,
    State,
    last_alone,
    points_for,
    rights,
    state_at,
    strengths,
    taken,
)
from engine.games.auffalscherfaehrte.turns import (
    DEAL_DUE,
    LEAD,
    LEAD_AFTER,
    MATCH_OVER,
    NOBODY,
    UNKNOWN,
    hiding,
    offering,
)
from engine.tricks import seats_from

_new = tuple.__new__
"""Makes a named tuple from a tuple: half the time of calling its class."""


def dealt(state: State, deal: Deal) -> State:
    """The first state of a round: all hide a card."""
    hands, aside, reveal, dealer = deal
    _, _, _, _, history, last = state
    seats = len(hands)
    start, trump = (dealer + 1) % seats, last.trump
    before = last.before + len(history) * seats + 1
    round_ = Round(last.number + 1, dealer, start, trump, trump, aside, reveal, (UNKNOWN,) * seats,
        before, last.scores, None, last.match)  # fmt: skip
    return hiding(tuple(range(seats))), b"", hands, b"", (), round_


def hidden(state: State, seat: Seat, card: int) -> State:
    """`seat` has hidden a card; the last to do so starts the play."""
    turn, _, hands, trick, history, round_ = state
    (number, dealer, start, opening, trump, aside, reveal, hid, before, scores, points,
     match) = round_  # fmt: skip
    rest, cards = [*hands], [*hid]
    rest[seat] = rest[seat].replace(SINGLE[card], b"")
    cards[seat] = card
    round_ = _new(Round, (number, dealer, start, opening, trump, aside, reveal, tuple(cards),
        before + 1, scores, points, match))  # fmt: skip
    place = turn.actors.index(seat)
    waiting = turn.actors[:place] + turn.actors[place + 1 :]
    if waiting:
        return hiding(waiting), b"", tuple(rest), trick, history, round_
    return state_at(LEAD[len(hands)][start], tuple(rest), trick, history, round_)


_BETWEEN: Final = b"\xff"
"""Stands between hands; it is no card."""


def complete(
    last: Seat, hands: tuple[bytes, ...], trick: bytes, history: tuple[Past, ...], round_: Round
) -> State:
    """The state after a trick whose last card was played by `last`."""
    if JOKER in trick:
        return _complete_with_jokers(last, hands, trick, history, round_)
    lead_after = LEAD_AFTER[len(hands)][last]
    power = strengths(trick, round_.trump)
    turn = lead_after[power.index(max(power))]
    winner = turn.player
    history += ((lead_after[0].player, trick, winner),)
    # The cards leave all hands in one go.
    hands = tuple(_BETWEEN.join(hands).translate(None, trick).split(_BETWEEN))
    hand = hands[winner]
    if not hand or len(history) == OFFER_AFTER:
        return _after_trick(_offers_without_jokers(history, round_), hands, history, round_)
    plays = turn.plays(hand) if hand[-1] == JOKER else hand
    return turn, plays, hands, b"", history, round_


def _complete_with_jokers(
    last: Seat, hands: tuple[bytes, ...], trick: bytes, history: tuple[Past, ...], round_: Round
) -> State:
    """The same if there are jokers in the trick: each takes but one of them from its hand."""
    order = seats_from(last + 1, len(hands))
    rest = [*hands]
    for seat, card in zip(order, trick, strict=True):
        rest[seat] = rest[seat].replace(SINGLE[card], b"", 1)
    power = strengths(trick, round_.trump)
    best = max(power)
    # All jokers, which happens in the last trick only, are nobody's.
    winner = order[power.index(best)] if best else NOBODY
    history += ((order[0], trick, winner),)
    return _after_trick(rights(history), tuple(rest), history, round_)


def _offers_without_jokers(history: tuple[Past, ...], round_: Round) -> tuple[Seat, ...]:
    """Who may change the trump after a trick without jokers."""
    if round_.match.jokers or len(history) != OFFER_AFTER:
        return ()
    return last_alone(taken(history, len(round_.scores)), is_plus_round(round_))


def decided(state: State, trump: int) -> State:
    """A seat has said what the trump is to be; UNKNOWN: it stays."""
    turn, _, hands, _, history, round_ = state
    trump = round_.trump if trump == UNKNOWN else trump
    round_ = round_._replace(trump=trump, before=round_.before + 1)
    return _after_trick(turn.later, hands, history, round_)


def _after_trick(
    offers: tuple[Seat, ...],
    hands: tuple[bytes, ...],
    history: tuple[Past, ...],
    round_: Round,
) -> State:
    """What is due after a trick: an offer of the trump, else the next trick or the next round."""
    if offers:
        return offering(offers), b"", hands, b"", history, round_
    if any(hands):
        return state_at(LEAD[len(hands)][history[-1][2]], hands, b"", history, round_)

    # The round is completed: a deal is due, or the match is over.
    points = points_for(taken(history, len(hands)), is_plus_round(round_))
    scores = tuple(map(add, round_.scores, points))
    turn = MATCH_OVER if round_.number >= round_.match.rounds else DEAL_DUE
    round_ = round_._replace(scores=scores, points=points)
    return turn, b"", hands, b"", history, round_


def is_plus_round(round_: Round) -> bool:
    """The kind of a round in which all cards are hidden."""
    return sum([NUMBER_OF[card] for card in round_.hidden]) >= GOAL[len(round_.hidden)]
