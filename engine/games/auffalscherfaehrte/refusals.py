"""Auf falscher Fährte: why an action is refused, as codes."""

from __future__ import annotations

from engine.game import CHANCE, RuleError, Seat
from engine.games.auffalscherfaehrte.cards import (
    JOKER,
    SUITS,
    Card,
    Suit,
    code,
    codes,
    pack_of,
)
from engine.games.auffalscherfaehrte.moves import TEXTS, Action, Deal, Hide, Move, NameTrump
from engine.games.auffalscherfaehrte.rules import may_play, next_dealer, suit_led
from engine.games.auffalscherfaehrte.state import State
from engine.tricks import in_order


def refusal(state: State, seat: Seat, action: Action) -> RuleError | None:
    """What is wrong with an action; None if it is legal.

    Codes: `match_over`, `deal_due`, `no_deal_due`, `not_your_turn` (seat), `not_an_action`,
    `bad_deal`, `hide_first`, `already_chosen`, `joker_hidden`, `already_hidden`, `trump_first`,
    `no_trump_offer`, `same_trump` (suit), `not_in_hand` (cards), `must_follow_suit` (suit, cards),
    `second_joker`.
    """
    stage = state.stage
    if stage == "over":
        return RuleError("match_over")
    if stage == "deal":
        if seat != CHANCE:
            return RuleError("deal_due")
        return None if _is_deal(state, action) else RuleError("bad_deal")
    if seat == CHANCE:
        return RuleError("no_deal_due")
    # An action may come from anywhere: it need not be what its type says.
    kinds = (int, Hide, NameTrump)
    if not isinstance(action, kinds) or isinstance(action, bool) or action not in TEXTS:
        return RuleError("not_an_action")
    if seat not in state.actors:
        if stage == "hide":
            return RuleError("already_chosen")
        return RuleError("not_your_turn", seat=state.actors[0])
    if stage == "play":
        return _play_refusal(state.hands[seat], state.trick, action)
    if stage == "hide":
        return _hide_refusal(state.hands[seat], action)
    return _trump_refusal(state.round.trump, action)


def _is_deal(state: State, action: Action) -> bool:
    """Whether these are full hands, the rest of the pack and an order, by the right dealer."""
    if not isinstance(action, Deal) or len(action.hands) != state.seats:
        return False
    seats, match, dealer = state.seats, state.round.match, next_dealer(state.round)
    dealt, pack = b"".join((*action.hands, action.aside)), pack_of(seats, jokers=match.jokers)
    return (
        # No card of the pack is missing, and there are no more cards or jokers than it has.
        not pack.translate(None, dealt)
        and len(dealt) == len(pack)
        and dealt.count(JOKER) == pack.count(JOKER)
        and [*map(len, action.hands)] == [match.hand] * seats
        and [*map(in_order, action.hands)] == [*action.hands]
        and sorted(action.reveal) == [*range(seats)]
        and action.dealer in range(seats)
        and dealer in (None, action.dealer)
    )


def _hide_refusal(hand: bytes, move: Move) -> RuleError | None:
    if not isinstance(move, Hide):
        return RuleError("hide_first")
    if move.card == JOKER:
        return RuleError("joker_hidden")
    return None if move.card in hand else _not_in_hand(move.card)


def _play_refusal(hand: bytes, trick: bytes, move: Move) -> RuleError | None:
    if isinstance(move, Hide):
        return RuleError("already_hidden")
    if isinstance(move, NameTrump):
        return RuleError("no_trump_offer")
    if move not in hand:
        return _not_in_hand(move)
    may, led = may_play(hand, trick), suit_led(trick)
    if move in may:
        return None
    if move == JOKER or led is None:
        return RuleError("second_joker")
    return RuleError("must_follow_suit", suit=SUITS[led], cards=codes(may))


def _trump_refusal(trump: Suit, move: Move) -> RuleError | None:
    if not isinstance(move, NameTrump):
        return RuleError("trump_first")
    return RuleError("same_trump", suit=SUITS[trump]) if move.suit == trump else None


def _not_in_hand(card: Card) -> RuleError:
    return RuleError("not_in_hand", cards=(code(card),))
