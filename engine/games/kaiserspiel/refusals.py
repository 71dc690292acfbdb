"""Kaiserspiel: why an action is refused, as codes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from engine.game import CHANCE, RuleError, Seat
from engine.games.kaiserspiel.cards import BANNERS, PACK
from engine.games.kaiserspiel.moves import TEXTS, Move, laid
from engine.games.kaiserspiel.questions import ALL_SEATS, OFFERED, WORDS, Step, declarable
from engine.games.kaiserspiel.rules import may_lay, next_dealer
from engine.games.kaiserspiel.state import Action, Deal, State

UNANSWERED: Final[Mapping[Step, str]] = {
    "declare": "asked_kaiser",
    "raise": "asked_raise",
    "raise by 1": "asked_raise_by_1",
    "lift": "asked_lift",
    "call": "asked_threeup",
    **dict.fromkeys(OFFERED, "asked_answer"),
    "discard": "asked_discard",
    "play": "asked_play",
    "over": "deal_due",
}
"""The refusal of what does not answer what is asked."""


_WHOLE: Final = bytes(range(len(PACK)))


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal.

    Codes: `match_over`, `deal_due`, `no_deal_due`, `bad_deal`, `not_your_turn`,
    `already_discarded`, `not_an_action`, those of `UNANSWERED`, `not_in_hand` (cards),
    `not_a_banner` (cards), `already_kaiser` (cards), `was_open` (cards), `kaiser_stays` (cards),
    `lead_face_up`.
    """
    question = state.question
    step = question.step
    if seat not in question.seats:
        return _not_asked(state, seat)
    if step == "over":
        return None if _is_due(state, action) else RuleError("bad_deal")
    if not isinstance(action, Move) or action not in TEXTS:
        return RuleError("not_an_action")
    if action in WORDS[step]:
        return None
    verb, cards = action
    if step == "play" and verb in ("play", "down"):
        if may_lay(state, seat, laid(action)):
            return None
        held = cards & state.hands[seat]
        return RuleError("lead_face_up") if held else _not_in_hand(cards)
    if step == "discard" and verb == "discard":
        return _refused_discard(state, seat, cards)
    if step == "declare" and verb == "kaiser":
        return _refused_kaiser(state, seat, cards)
    return RuleError(UNANSWERED[step])


def _not_asked(state: State, seat: Seat) -> RuleError:
    if not state.question.seats:
        return RuleError("match_over")
    if state.step == "over":
        return RuleError("deal_due")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    waits = state.step == "discard" and seat in ALL_SEATS
    return RuleError("already_discarded" if waits else "not_your_turn")


def _not_in_hand(cards: int) -> RuleError:
    return RuleError("not_in_hand", cards=PACK.codes(cards))


def _is_due(state: State, action: Action) -> bool:
    """Whether this is the whole pack, no Banner cut, dealt by whoever has to."""
    # Forty cards, and nothing is left of the whole pack without them: each is there once.
    if not isinstance(action, Deal) or len(action.pack) != len(PACK):
        return False
    if _WHOLE.translate(None, action.pack):
        return False
    due = next_dealer(state.round)
    right = action.dealer in ALL_SEATS if due is None else action.dealer == due
    return right and not BANNERS >> action.pack[-1] & 1


def _refused_kaiser(state: State, seat: Seat, card: int) -> RuleError | None:
    hand, kaisers = state.hands[seat], state.cards.kaisers[seat]
    if card & declarable(state.question.pause, hand, state.cards.kaisers, state.round.opens):
        return None
    code = "was_open"
    if not card & BANNERS:
        code = "not_a_banner"
    elif not card & hand:
        code = "not_in_hand"
    elif card & kaisers:
        code = "already_kaiser"
    return RuleError(code, cards=PACK.codes(card))


def _refused_discard(state: State, seat: Seat, two: int) -> RuleError | None:
    """Cards that are not held, and Kaisers, may not be discarded."""
    if missing := two & ~state.hands[seat]:
        return _not_in_hand(missing)
    if kaisers := two & state.cards.kaisers[seat]:
        return RuleError("kaiser_stays", cards=PACK.codes(kaisers))
    return None
