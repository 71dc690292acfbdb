"""Auf falscher Fährte: why an action is refused."""

from __future__ import annotations

from engine.game import CHANCE, RuleError, Seat
from engine.games._auffalscherfaehrte_cards import (
    COLOURS,
    HIDE,
    JOKER,
    JOKER_BIT,
    LED,
    NUMBERS,
    SUITS,
    TEXTS,
    TRUMP,
    WHOLE,
    Move,
    code,
    codes,
    size,
)
from engine.games._auffalscherfaehrte_state import DEAL, HIDING, OFFER, OVER, Action, Deal, State


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal."""
    if state.stage == OVER:
        return RuleError("match_over")
    if state.stage == DEAL:
        if seat != CHANCE:
            return RuleError("deal_due")
        return None if _is_deal(state, action) else RuleError("bad_deal")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    if not isinstance(action, Move) or action not in TEXTS:
        return RuleError("not_an_action")
    if seat not in state.actors:
        if state.stage == HIDING:
            return RuleError("already_chosen")
        return RuleError("not_your_turn", seat=state.actors[0])
    if state.stage == HIDING:
        return _hide_refusal(state.hands[seat], action)
    if state.stage == OFFER:
        return _trump_refusal(state.trump, action)
    return _play_refusal(state, state.hands[seat], action)


def _is_deal(state: State, action: Action) -> bool:
    """Whether these are full hands, the rest of the pack and an order, by the right dealer."""
    seats, jokers = len(state.hands), state.match.jokers
    if not isinstance(action, Deal) or len(action.hands) != seats:
        return False
    each = 14 if jokers else 13
    union = action.aside
    for hand in action.hands:
        if hand < 0 or size(hand) != each or hand & union & COLOURS:
            return False
        union += hand
    dealer = state.round.start if state.round.number else action.dealer
    return (
        union == WHOLE[seats, jokers]
        and action.aside >= 0
        and sorted(action.reveal) == list(range(seats))
        and action.dealer == dealer
        and dealer in range(seats)
    )


def _hide_refusal(hand: int, move: Move) -> RuleError | None:
    if move.kind != HIDE:
        return RuleError("hide_first")
    if move.value == JOKER:
        return RuleError("joker_hidden")
    return None if hand >> move.value & 1 else _not_in_hand(move)


def _trump_refusal(trump: int, move: Move) -> RuleError | None:
    if move.kind != TRUMP:
        return RuleError("trump_first")
    return RuleError("same_trump", suit=SUITS[trump]) if move.value == trump else None


def _play_refusal(state: State, hand: int, move: Move) -> RuleError | None:
    if move.kind == HIDE:
        return RuleError("already_hidden")
    if move.kind == TRUMP:
        return RuleError("no_trump_offer")
    if move.value == JOKER:
        if hand < JOKER_BIT:
            return _not_in_hand(move)
        forbidden = JOKER in state.trick and hand & COLOURS
        return RuleError("second_joker") if forbidden else None
    if not hand >> move.value & 1:
        return _not_in_hand(move)
    suit = hand & state.led
    if suit and not suit >> move.value & 1:
        led = next(at for at, letter in enumerate(SUITS) if LED[at * NUMBERS] == state.led)
        return RuleError("must_follow_suit", suit=SUITS[led], cards=codes(suit))
    return None


def _not_in_hand(move: Move) -> RuleError:
    return RuleError("not_in_hand", cards=(code(move.value),))
