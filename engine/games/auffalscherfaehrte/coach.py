"""Auf falscher Fährte: what a decision is for, why a card is barred, what speaks for an action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from engine.games.auffalscherfaehrte.cards import (
    JOKER,
    NUMBER_OF,
    SUIT_OF,
    SUITS,
    Card,
    Hide,
    Move,
    NameTrump,
    codes,
    of_suit,
    pack_of,
    strength,
    without_jokers,
)
from engine.games.auffalscherfaehrte.rules import CHANGE_AFTER, RIGHTS, suit_led
from engine.games.auffalscherfaehrte.view import View
from engine.layout import Barred, Cards, Phrase, Suit, phrase


def tip(view: View) -> Phrase | None:
    """What the decision of whoever is asked is for."""
    if not view.asked:
        return None
    match view.stage:
        case "hide":
            return phrase("tip_hide", goal=view.goal)
        case "trump":
            return phrase("tip_trump" if view.hand else f"tip_trump_{_counts_later(view)}")
        case "play":
            return _tip_to_play(view)
        case "deal" | "over":
            return None
        case _:
            assert_never(view.stage)


def _counts_later(view: View) -> str:
    """For what a trump counts that is named after the last trick of a round: part of a code."""
    return "next" if view.round.number < view.round.match.rounds else "end"


def _tip_to_play(view: View) -> Phrase:
    if not view.trick:
        jokers = view.round.match.jokers
        return phrase("tip_lead_jokers" if jokers else "tip_lead")
    led = suit_led(view.trick)
    if led is None:
        if not without_jokers(view.hand):
            return phrase("tip_only_jokers")
        return phrase("tip_after_all_jokers" if view.plays_last else "tip_after_joker")
    code, suit = "tip_follow" if of_suit(view.hand, led) else "tip_void", Suit(SUITS[led])
    if led == view.round.trump:
        return phrase(f"{code}_trump", suit=suit)
    if code == "tip_void" and not {*view.hand} <= {*view.legal_actions}:
        code = "tip_void_no_joker"
    return phrase(code, suit=suit, trump=Suit(SUITS[view.round.trump]))


def goal(view: View) -> Phrase:
    """What everybody plays for, once that is certain without its condition."""
    code = {None: "goal", True: "goal_plus", False: "goal_minus"}[view.plus]
    return phrase(code, goal=view.goal)


def words(view: View) -> tuple[Phrase, ...]:
    """What is to come that the screen does not show yet: when cards are turned up, how places
    count, when the trump may change."""
    seats = len(view.counts)
    match view.stage:
        case "hide":
            return (phrase(f"words_hide_{seats}"),)
        case "play" | "trump":
            early = len(view.tricks) < CHANGE_AFTER and not view.round.match.jokers
            change = (phrase("words_change"),) if early else ()
            return phrase(f"words_places_{seats}"), *change
        case "deal" | "over":
            return ()
        case _:
            assert_never(view.stage)


def barred(view: View, legal: Sequence[Move]) -> tuple[Barred, ...]:
    """The cards of whoever is asked that none of these actions, which are legal, plays or hides."""
    if not view.asked or not view.hand:
        return ()
    jokers = bytes(card for card in view.hand if card == JOKER)
    match view.stage:
        case "hide":
            return (Barred(codes(jokers), phrase("why_joker_hidden")),) if jokers else ()
        case "trump":
            return (Barred(codes(view.hand), phrase("why_trump"), idle=True),)
        case "play":
            return tuple(_why(view, jokers if JOKER not in legal else b"", legal))
        case "deal" | "over":
            return ()
        case _:
            assert_never(view.stage)


def _why(view: View, jokers: bytes, legal: Sequence[Move]) -> Iterator[Barred]:
    led = suit_led(view.trick)
    others = bytes(card for card in view.hand if card not in legal and card != JOKER)
    if others and led is not None:
        held = Cards(codes(of_suit(view.hand, led)))
        code = "why_follow_joker" if JOKER in legal else "why_follow"
        yield Barred(codes(others), phrase(code, suit=Suit(SUITS[led]), cards=held))
    if jokers:
        yield Barred(codes(jokers), phrase("why_second_joker"))


# What speaks for an action.


def advice(view: View, action: Move) -> Iterator[Phrase]:
    """What speaks for an action of whoever is asked, or against it, from what they know."""
    yield _advice(view, action)
    if isinstance(action, Hide | NameTrump) or action == JOKER:
        return
    of_its_suit = of_suit(view.hand, SUIT_OF[action])
    if len(of_its_suit) < 2:
        return
    if action != of_its_suit[-1]:
        if view.plus is not False:  # in Minus one would rather get rid of it
            yield phrase("advice_keeps_higher")
    elif not (view.plus and _is_beaten(view, action)):  # in Plus it is kept for a trick
        yield phrase("advice_highest")


def _advice(view: View, action: Move) -> Phrase:
    match action:
        case Hide(card):
            high = NUMBER_OF[card] * len(view.counts) >= view.goal
            return phrase("advice_plus" if high else "advice_minus")
        case NameTrump() if not view.hand:
            return phrase(f"advice_trump_{_counts_later(view)}")
        case NameTrump(suit):
            suit = view.round.trump if suit is None else suit
            held = [len(of_suit(view.hand, one)) for one in range(len(SUITS))]
            if not any(held):
                return phrase("advice_trump_jokers")
            most = held[suit] == max(held)
            return phrase("advice_trump" if most else "advice_trump_few", count=held[suit])
        case card:
            return _to_play(view, card)


def _to_play(view: View, card: Card) -> Phrase:
    if card == JOKER:
        return phrase("advice_joker_trump" if view.jokers < RIGHTS else "advice_joker")
    led = suit_led(view.trick)
    if led is None:
        led = SUIT_OF[card]
    own = strength(card, view.round.trump, led)

    def beaten_by(cards: bytes) -> bool:
        return any(strength(other, view.round.trump, led) > own for other in cards)

    if _is_beaten(view, card):
        if view.plus:  # that it wins nothing is no reason
            others = [one for one in view.legal_actions if isinstance(one, int) and one != JOKER]
            able = any(not _is_beaten(view, one) for one in others)
            return phrase("advice_saves" if able else "advice_cannot")
        if SUIT_OF[card] != led:
            return phrase("advice_throws")
        low = card == of_suit(view.hand, led)[0]
        return phrase("advice_low" if low else "advice_leaves")
    to_come = len(view.counts) - len(view.trick) - 1
    if not to_come:
        return phrase("advice_takes")
    unseen = _unseen(view)
    if not beaten_by(unseen):
        return phrase("advice_unbeatable")
    if not beaten_by(of_suit(unseen, led)):
        ruffs = SUIT_OF[card] == view.round.trump
        return phrase("advice_only_higher" if ruffs else "advice_only_trump")
    if view.trick:
        return phrase("advice_wins_so_far", count=to_come)
    return phrase("advice_lead_low" if card == of_suit(view.hand, led)[0] else "advice_lead")


def _is_beaten(view: View, card: Card) -> bool:
    """Whether a coloured card does not take the trick as it lies."""
    led = suit_led(view.trick)
    if led is None:
        return False
    own = strength(card, view.round.trump, led)
    return not own or any(strength(other, view.round.trump, led) > own for other in view.trick)


def _unseen(view: View) -> bytes:
    """The coloured cards that may be in the hands of others, for all that the seat knows."""
    seen = view.hand + view.trick + view.round.aside + bytes(view.turned)
    seen += b"".join(trick.cards for trick in view.tricks)
    if view.own is not None:
        seen += bytes((view.own,))
    return pack_of(len(view.counts), jokers=False).translate(None, seen)
