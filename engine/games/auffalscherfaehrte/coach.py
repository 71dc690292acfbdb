"""Auf falscher Fährte: what a decision is for, and why a card cannot be played, as codes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from engine.games.auffalscherfaehrte.cards import JOKER, SUITS, codes, of_suit, without_jokers
from engine.games.auffalscherfaehrte.moves import Move
from engine.games.auffalscherfaehrte.rules import suit_led
from engine.games.auffalscherfaehrte.view import View
from engine.layout import Barred, Cards, Phrase, Suit, phrase


def tip(view: View) -> Phrase | None:
    """What the decision of whoever is asked is for."""
    if view.seat is None or view.seat not in view.actors:
        return None
    match view.stage:
        case "hide":
            return phrase("tip_hide", goal=view.goal)
        case "trump":
            return phrase("tip_trump", suit=Suit(SUITS[view.round.trump]))
        case "play":
            return _tip_to_play(view)
        case "deal" | "over":
            return None
        case _:
            assert_never(view.stage)


def _tip_to_play(view: View) -> Phrase:
    if not view.trick:
        return phrase("tip_lead")
    led = suit_led(view.trick)
    if led is None:
        coloured = without_jokers(view.hand)
        return phrase("tip_after_joker" if coloured else "tip_only_jokers")
    code, suit = "tip_follow" if of_suit(view.hand, led) else "tip_void", Suit(SUITS[led])
    if led == view.round.trump:
        return phrase(f"{code}_trump", suit=suit)
    return phrase(code, suit=suit, trump=Suit(SUITS[view.round.trump]))


def barred(view: View, legal: Sequence[Move]) -> tuple[Barred, ...]:
    """The cards of whoever is asked that none of these actions, which are legal, plays or hides."""
    if view.seat is None or view.seat not in view.actors or not view.hand:
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
        yield Barred(codes(others), phrase("why_follow", suit=Suit(SUITS[led]), cards=held))
    if jokers:
        yield Barred(codes(jokers), phrase("why_second_joker"))
