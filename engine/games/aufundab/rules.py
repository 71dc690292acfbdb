"""Auf und Ab: the rules, paragraph by paragraph as they are printed."""

from __future__ import annotations

from typing import Final

from engine.deal import shuffle
from engine.game import CHANCE, Draw, RuleError, Seat
from engine.games.aufundab.cards import (
    DOUBLE,
    DOUBLES,
    PACK,
    PASS,
    SYMBOLS,
    UP,
    Move,
    beats,
    changes_in,
    counted_two,
    is_set,
    number_of,
    quantity_of,
)
from engine.games.aufundab.state import (
    OVER,
    UNKNOWN,
    Action,
    Deal,
    Match,
    Past,
    Round,
    Series,
    State,
    next_in,
)

# Cards and deal.

# All dealt evenly: 18 each and 1 aside with three, 13 each and 3 aside with four.

_HAND_SIZE: Final = {3: 18, 4: 13}
_PACK_BITS: Final = tuple(1 << card for card in range(len(PACK)))


def deal(seats: int, draw: Draw) -> Deal:
    """Blocks of the shuffled pack by seat, the rest aside (`data/docs/notation.md`, 5 and 6)."""
    size = _HAND_SIZE[seats]
    pack = shuffle(_PACK_BITS, draw)
    hands = [sum(pack[seat * size : (seat + 1) * size]) for seat in range(seats)]
    return Deal(tuple(hands), sum(pack[seats * size :]))


def _is_deal(seats: int, action: Action) -> bool:
    """Whether these are `seats` full hands and the rest of the pack."""
    if not isinstance(action, Deal) or len(action.hands) != seats:
        return False
    size, union = _HAND_SIZE[seats], action.aside
    for hand in action.hands:
        if hand < 0 or hand.bit_count() != size or hand & union:
            return False
        union |= hand
    return union == PACK.all


# Play.


def _begin_round(state: State, deal: Deal) -> State:
    """UP at the start of every round; the seat with the lowest double in a hand begins."""
    doubles = sum(deal.hands) & DOUBLES
    lowest = doubles & -doubles
    start = next(seat for seat, hand in enumerate(deal.hands) if hand & lowest)
    round_ = Round(
        number=state.round.number + 1,
        start=start,
        opening=DOUBLE.index(lowest),
        aside=deal.aside,
        scores=state.round.scores,
    )
    return _begin_series(state._replace(hands=deal.hands, round=round_), start, UP)


def _begin_series(
    state: State,
    leader: Seat,
    mode: int,
    *,
    owner: Seat = UNKNOWN,
    turned: bool = False,
    last: Past | None = None,
    history: tuple[Move, ...] = (),
) -> State:
    """Nothing lies on the table, nobody has passed, and no change cards have been played."""
    applied = state.applied + 1
    return State(
        hands=state.hands,
        round=state.round,
        match=state.match,
        actor=leader,
        mode=mode,
        owner=owner,
        applied=applied,
        history=history,
        series=Series(leader, applied, turned, last),
    )


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal.

    Codes: `match_over`, `deal_due`, `no_deal_due`, `not_your_turn` (seat), `not_an_action`,
    `bad_deal`, `must_lead`, `not_in_hand` (cards), `mixed_numbers` (cards, symbol),
    `first_lead_needs_double` (card), `wrong_quantity` (count, wanted), `must_beat` (number, wanted,
    symbol).
    """
    actor = state.actor
    if actor == OVER:
        return RuleError("match_over")
    if actor == CHANCE:
        if seat != CHANCE:
            return RuleError("deal_due")
        return None if _is_deal(len(state.hands), action) else RuleError("bad_deal")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    if seat != actor:
        return RuleError("not_your_turn", seat=actor)
    if not isinstance(action, Move):
        return RuleError("not_an_action")
    if action == PASS:  # a player may always pass, except when leading
        return None if state.quantity else RuleError("must_lead")
    return _set_refusal(state, state.hands[seat], action)


def _is_move(move: Move) -> bool:
    """Whether its parts fit together: a move made by hand may hold anything."""
    return 0 <= move.cards <= PACK.all and not move.doubled & ~(move.cards & DOUBLES)


def _set_refusal(state: State, hand: int, move: Move) -> RuleError | None:
    mode, cards = state.mode, move.cards
    # A set is any number of cards with the same active number.
    right = is_set(mode, move)
    if not right and not _is_move(move):
        return RuleError("not_an_action")
    if cards & ~hand:
        return RuleError("not_in_hand", cards=PACK.codes(cards & ~hand))
    if not right:
        return RuleError("mixed_numbers", cards=PACK.codes(cards), symbol=SYMBOLS[mode])
    if not state.quantity:
        # Leading: any set, any quantity; but the first play must contain the lowest double.
        opening = DOUBLE[state.round.opening]
        if state.owner == UNKNOWN and not cards & opening:
            return RuleError("first_lead_needs_double", card=PACK.codes(opening)[0])
        return None
    # Following: the quantity must equal the lead's quantity, the number must beat.
    quantity, number = quantity_of(move), number_of(mode, cards)
    if quantity != state.quantity:
        return RuleError("wrong_quantity", count=quantity, wanted=state.quantity)
    if not beats(mode, number, state.number):
        return RuleError("must_beat", number=number, wanted=state.number, symbol=SYMBOLS[mode])
    return None


def after(state: State, seat: Seat, action: Action) -> State:
    """The state after a legal action."""
    if isinstance(action, Deal):
        return _begin_round(state, action)
    return _play(state, seat, action) if action.cards else _pass(state, seat)


def _play(state: State, seat: Seat, move: Move) -> State:
    """The set is the one to beat; the round ends the moment a hand is empty."""
    rest = list(state.hands)
    rest[seat] ^= move.cards
    hands = tuple(rest)
    round_, actor = state.round, next_in(len(hands), state.out, seat)
    if not hands[seat]:
        round_, actor = _score(hands, seat, round_, state.match)
    return state._replace(
        hands=hands,
        actor=actor,
        number=number_of(state.mode, move.cards),
        quantity=quantity_of(move),
        top=move.cards,
        owner=seat,
        changes=state.changes + changes_in(move.cards),
        pile=state.pile | move.cards,
        applied=state.applied + 1,
        history=(*state.history, move),
        round=round_,
    )


def _pass(state: State, seat: Seat) -> State:
    """Whoever has passed is out until the series ends, which is when everybody has passed."""
    out = state.out | 1 << seat
    actor = next_in(len(state.hands), out, seat)
    if actor == UNKNOWN:
        return _end_series(state, seat)
    return state._replace(
        actor=actor,
        out=out,
        applied=state.applied + 1,
        history=(*state.history, PASS),
    )


def _end_series(state: State, winner: Seat) -> State:
    """The last player in leads the next series; an odd number of change cards flips its mode.

    That player is also the last to pass: their turn came only because all others had passed.
    """
    flips = state.changes & 1
    mode = state.mode ^ flips
    last = Past(winner, state.top, state.mode, counted_two(state.top, state.quantity))
    history = (*state.history, PASS)
    return _begin_series(
        state, winner, mode, owner=winner, turned=flips == 1, last=last, history=history
    )


# Score and match.


def _score(hands: tuple[int, ...], winner: Seat, before: Round, match: Match) -> tuple[Round, Seat]:
    """The completed round, and who acts next: CHANCE, or OVER.

    The winner scores the number of cards left in all other hands (a double is one card).  A match
    is an agreed number of rounds, or until someone has reached a target after a round.
    """
    points = [0] * len(hands)
    points[winner] = sum(hands).bit_count()  # disjoint, so the sum is the union
    scores = tuple([a + b for a, b in zip(before.scores, points, strict=True)])
    over = max(scores) >= match.target if match.target else before.number >= match.hands
    return before._replace(scores=scores, points=tuple(points)), OVER if over else CHANCE
