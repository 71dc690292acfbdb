"""Sticheln: what a decision is for, as a code; any card may be played, so no *Why not?*."""

from __future__ import annotations

from engine.games.sticheln.cards import SUIT, SUITS
from engine.games.sticheln.state import View
from engine.layout import Phrase, Suit, phrase


def tip(view: View) -> Phrase | None:
    """What the decision of whoever is asked is for."""
    if not view.asked:
        return None
    if view.choosing:
        return phrase("tip_choose")
    if not view.trick:
        return phrase("tip_lead")
    return phrase("tip_follow", suit=Suit(SUITS[SUIT[view.trick[0]]]))
