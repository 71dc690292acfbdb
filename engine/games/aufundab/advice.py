"""Auf und Ab: reasons why an action is a good one, as codes."""

from __future__ import annotations

from typing import Final

from engine.games.aufundab.sets import (
    CARDS,
    DOUBLE,
    NUMBERS,
    PACK,
    PASS,
    Move,
    beats,
    number_of,
    quantity_of,
)
from engine.games.aufundab.state import View
from engine.layout import Phrase, phrase

_MANY: Final = 3
"""So many cards at once are worth saying."""


def advice(view: View, action: Move) -> Phrase | None:
    """What speaks for an action of whoever is asked, from what they know."""
    if action == PASS:
        return phrase("advice_lead_next" if view.alone else "advice_keep")
    if action.cards == view.hand:
        return phrase("advice_out")
    if view.alone:
        return phrase("advice_alone")
    played = number_of(view.mode, action.cards)
    if not _beatable(view, played, quantity_of(action)):
        return phrase("advice_unbeatable")
    if not any(
        view.hand & CARDS[view.mode][number]
        for number in NUMBERS
        if beats(view.mode, played, number)
    ):
        return phrase("advice_weakest")
    return phrase("advice_many") if action.cards.bit_count() >= _MANY else None


def _beatable(view: View, number: int, quantity: int) -> bool:
    """Whether others may hold equally many of a better number, for all that the seat knows."""
    unseen = PACK.all & ~(view.hand | view.pile | view.gone)
    for better in NUMBERS:
        if beats(view.mode, better, number):
            cards = unseen & CARDS[view.mode][better]
            if cards.bit_count() + bool(cards & DOUBLE[better]) >= quantity:
                return True
    return False
