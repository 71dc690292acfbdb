"""Auf falscher Fährte: why an action is refused."""

from __future__ import annotations

from engine.game import CHANCE, RuleError, Seat
from engine.games.auffalscherfaehrte.cards import (
    A_JOKER,
    JOKER,
    OTHERS,
    SUIT_OF,
    SUITS,
    TEXTS,
    TRUMP,
    USED,
    Move,
    card_of,
    code,
    codes,
    hands_from,
    is_hide,
    is_play,
)
from engine.games.auffalscherfaehrte.state import Action, Deal, Round, State
from engine.games.auffalscherfaehrte.turns import DEAL, HIDING, OFFER, OVER, UNKNOWN, Turn


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal."""
    turn, _, hands, _, _, round_ = state
    stage = turn.stage
    if stage == OVER:
        return RuleError("match_over")
    if stage == DEAL:
        if seat != CHANCE:
            return RuleError("deal_due")
        return None if _is_deal(len(hands), round_, action) else RuleError("bad_deal")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    if type(action) is not int or action not in TEXTS:
        return RuleError("not_an_action")
    if seat not in turn.actors:
        if stage == HIDING:
            return RuleError("already_chosen")
        return RuleError("not_your_turn", seat=turn.actors[0])
    if stage == HIDING:
        return _hide_refusal(hands[seat], action)
    if stage == OFFER:
        return _trump_refusal(round_.trump, action)
    return _play_refusal(turn, hands[seat], action)


def _is_deal(seats: int, last: Round, action: Action) -> bool:
    """Whether these are full hands, the rest of the pack and an order, by the right dealer."""
    jokers = last.match.jokers
    if not isinstance(action, Deal) or len(action.hands) != seats:
        return False
    cards, pack = b"".join((*action.hands, action.aside)), USED[seats, jokers]
    dealer = last.start if last.number else action.dealer
    return (
        len(cards) == len(pack)
        and cards.count(JOKER) == pack.count(JOKER)
        and not pack.translate(None, cards)
        and hands_from(cards, seats, jokers) == action.hands
        and sorted(action.reveal) == list(range(seats))
        and action.dealer == dealer
        and dealer in range(seats)
    )


def _hide_refusal(hand: bytes, move: Move) -> RuleError | None:
    if not is_hide(move):
        return RuleError("hide_first")
    card = card_of(move)
    if card == JOKER:
        return RuleError("joker_hidden")
    return None if card in hand else _not_in_hand(card)


def _trump_refusal(trump: int, move: Move) -> RuleError | None:
    if move < TRUMP:
        return RuleError("trump_first")
    return RuleError("same_trump", suit=SUITS[trump]) if move == TRUMP + trump else None


def _play_refusal(turn: Turn, hand: bytes, move: Move) -> RuleError | None:
    if is_hide(move):
        return RuleError("already_hidden")
    if not is_play(move):
        return RuleError("no_trump_offer")
    if move not in hand:
        return _not_in_hand(move)
    coloured = hand.rstrip(A_JOKER)
    if move == JOKER:
        return RuleError("second_joker") if turn.joker and coloured else None
    if turn.led == UNKNOWN or SUIT_OF[move] == turn.led:
        return None
    suit = coloured.strip(OTHERS[turn.led])
    if suit:
        may = suit if coloured == hand or turn.joker else suit + A_JOKER
        return RuleError("must_follow_suit", suit=SUITS[turn.led], cards=codes(may))
    return None


def _not_in_hand(card: int) -> RuleError:
    return RuleError("not_in_hand", cards=(code(card),))
