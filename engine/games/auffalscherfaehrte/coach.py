"""Auf falscher Fährte: what a decision is for, why a card is barred, what speaks for an action."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, assert_never

from engine.games.auffalscherfaehrte.cards import (
    HIGHEST,
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
    sum_of,
    without_jokers,
)
from engine.games.auffalscherfaehrte.cards import Suit as SuitIndex
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
        seen = view.jokers + (view.hand + view.round.aside).count(JOKER)
        others = view.round.match.jokers and seen < len(view.counts)
        return phrase("tip_lead_jokers" if others else "tip_lead")
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
    """What everybody plays for, once that is certain without its condition; to whoever knows more
    than the others by the card that they hid, what that makes certain."""
    if view.plus is None and view.sure is not None:
        return phrase("goal_plus_own" if view.sure else "goal_minus_own", goal=view.goal)
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

_FEW: Final = 2
"""Up to so many cards that beat one are few."""


def advice(view: View, action: Move) -> Iterator[Phrase]:
    """What speaks for an action of whoever is asked, or against it, from what they know."""
    match action:
        case Hide(card):
            yield from _to_hide(view, card)
        case NameTrump(suit):
            yield _to_name(view, suit)
        case card if card == JOKER:
            yield phrase("advice_joker_trump" if view.jokers < RIGHTS else "advice_joker")
        case card:
            yield from _to_play(view, card)
            yield from _of_its_suit(view, card)


def _to_hide(view: View, card: Card) -> Iterator[Phrase]:
    """Where it pulls the sum, and whether that suits the cards that are left."""
    seats = len(view.counts)
    pull = NUMBER_OF[card] * seats - view.goal
    if not pull:
        yield phrase("advice_middle")
        return
    yield phrase("advice_plus" if pull > 0 else "advice_minus")
    third = HIGHEST[seats] // 3
    numbers = [NUMBER_OF[one] for one in view.hand if one not in (JOKER, card)]
    high = sum(number > 2 * third for number in numbers)
    low = sum(number < third for number in numbers)
    if pull > 0 and high > low:
        yield phrase("advice_high_hand", count=high, number=2 * third + 1)
    elif pull < 0 and low > high:
        yield phrase("advice_low_hand", count=low, number=third - 1)


def _to_name(view: View, suit: SuitIndex | None) -> Phrase:
    if not view.hand:
        return phrase(f"advice_trump_{_counts_later(view)}")
    suit = view.round.trump if suit is None else suit
    held = [len(of_suit(view.hand, one)) for one in range(len(SUITS))]
    if not any(held):
        return phrase("advice_trump_jokers")
    return phrase(
        "advice_trump" if held[suit] == max(held) else "advice_trump_few", count=held[suit]
    )


def _to_play(view: View, card: Card) -> Iterator[Phrase]:
    """What becomes of the trick, and whether it is one to take."""
    if _is_beaten(view, card):
        if not view.leaning:
            yield from _leaning(view)
        yield _beaten(view, card)
        return
    beaters = [other for other in _unseen(view) if _beats(view, other, card)]
    to_come = len(view.counts) - len(view.trick) - 1
    if not to_come or not beaters:
        if view.leaning:
            yield from _leaning(view)
        yield phrase("advice_unbeatable" if to_come else "advice_takes")
        return
    if not view.leaning:  # a card that others beat is a good one then
        yield from _leaning(view)
        yield phrase("advice_others_beat", count=len(beaters))
        return
    yield from _leaning(view)
    suit, led = SUIT_OF[card], suit_led(view.trick)
    of_its_suit = sum(SUIT_OF[other] == suit for other in beaters)
    if not of_its_suit:
        yield phrase("advice_only_trump")
    elif led is None:
        yield _to_lead(view, card, of_its_suit)
    elif suit == view.round.trump != led:
        yield phrase("advice_only_higher")
    else:
        yield phrase("advice_wins_so_far", count=to_come)


def _leaning(view: View) -> Iterator[Phrase]:
    """Where the hidden cards that the seat knows point to, as long as that is open."""
    known = view.known
    if view.sure is None and sum_of(known) * len(view.counts) != view.goal * len(known):
        code = "advice_leaning_plus" if view.leaning else "advice_leaning_minus"
        yield phrase(code, count=len(known))


def _beaten(view: View, card: Card) -> Phrase:
    """What speaks for a card that does not take the trick."""
    if view.leaning:  # that it wins nothing is no reason
        others = [one for one in view.legal_actions if isinstance(one, int) and one != JOKER]
        able = any(not _is_beaten(view, one) for one in others)
        return phrase("advice_saves" if able else "advice_cannot")
    led = suit_led(view.trick)
    if led is None or SUIT_OF[card] != led:
        return phrase("advice_throws")
    return phrase("advice_low" if card == of_suit(view.hand, led)[0] else "advice_leaves")


def _to_lead(view: View, card: Card, beaters: int) -> Phrase:
    """What speaks for leading a card that so many others of its colour beat."""
    suit, trump = SUIT_OF[card], view.round.trump
    held = of_suit(view.hand, suit)
    if beaters > _FEW and held == bytes((card,)) and suit != trump and of_suit(view.hand, trump):
        return phrase("advice_then_trump")
    return phrase("advice_beaters_left", left=beaters)


def _of_its_suit(view: View, card: Card) -> Iterator[Phrase]:
    """What is kept of its colour, where that speaks for it."""
    held = of_suit(view.hand, SUIT_OF[card])
    if len(held) < 2:
        return
    beaten = _is_beaten(view, card)
    if card != held[-1]:
        if view.leaning:  # in Minus one would rather get rid of it
            yield phrase("advice_keeps_higher")
    elif view.leaning != beaten:  # in Plus it is to win, in Minus to be got rid of
        yield phrase("advice_highest")


def _is_beaten(view: View, card: Card) -> bool:
    """Whether a coloured card does not take the trick as it lies."""
    return any(_beats(view, other, card) for other in view.trick)


def _beats(view: View, other: Card, card: Card) -> bool:
    """Whether a coloured card is higher than this one, in the trick or led to it."""
    led = suit_led(view.trick)
    led = SUIT_OF[card] if led is None else led
    trump = view.round.trump
    return other != JOKER and strength(other, trump, led) > strength(card, trump, led)


def _unseen(view: View) -> bytes:
    """The coloured cards that may be in the hands of others, for all that the seat knows."""
    seen = view.hand + view.trick + view.round.aside + bytes(view.turned)
    seen += b"".join(trick.cards for trick in view.tricks)
    if view.own is not None:
        seen += bytes((view.own,))
    return pack_of(len(view.counts), jokers=False).translate(None, seen)
