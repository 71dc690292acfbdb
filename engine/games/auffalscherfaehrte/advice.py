"""Auf falscher Fährte: reasons why an action is a good one, as codes."""

from __future__ import annotations

from engine.games.auffalscherfaehrte.cards import (
    JOKER,
    NUMBER_OF,
    SUIT_OF,
    SUITS,
    Card,
    of_suit,
    pack_of,
    strength,
)
from engine.games.auffalscherfaehrte.moves import Hide, Move, NameTrump
from engine.games.auffalscherfaehrte.rules import suit_led
from engine.games.auffalscherfaehrte.view import View
from engine.layout import Phrase, phrase


def advice(view: View, action: Move) -> Phrase | None:
    """What speaks for an action of whoever is asked, from what they know."""
    match action:
        case Hide(card):
            high = NUMBER_OF[card] * len(view.counts) >= view.goal
            return phrase("advice_plus" if high else "advice_minus")
        case NameTrump(None):
            return None
        case NameTrump(suit):
            held = [len(of_suit(view.hand, one)) for one in range(len(SUITS))]
            return phrase("advice_trump") if suit is not None and held[suit] == max(held) else None
        case card:
            return _to_play(view, card)


def _to_play(view: View, card: Card) -> Phrase | None:
    if card == JOKER:
        return phrase("advice_joker")
    led = suit_led(view.trick)
    if led is None:
        led = SUIT_OF[card]
    own = strength(card, view.round.trump, led)

    def beaten_by(cards: bytes) -> bool:
        return any(strength(other, view.round.trump, led) > own for other in cards)

    if beaten_by(view.trick) or not own:
        if SUIT_OF[card] != led:
            return phrase("advice_throws")
        low = card == of_suit(view.hand, led)[0]
        return phrase("advice_low" if low else "advice_leaves")
    if len(view.trick) + 1 == len(view.counts):
        return phrase("advice_takes")
    if not beaten_by(_unseen(view)):
        return phrase("advice_unbeatable")
    if view.trick:
        return phrase("advice_wins_so_far")
    return phrase("advice_lead_low") if card == of_suit(view.hand, led)[0] else None


def _unseen(view: View) -> bytes:
    """The coloured cards that may be in the hands of others, for all that the seat knows."""
    seen = view.hand + view.trick + view.round.aside + bytes(view.turned)
    seen += b"".join(trick.cards for trick in view.tricks)
    if view.own is not None:
        seen += bytes((view.own,))
    return pack_of(len(view.counts), jokers=False).translate(None, seen)
