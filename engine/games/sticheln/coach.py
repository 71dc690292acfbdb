"""Sticheln: what a decision is for, and what speaks for an action, as codes.

Any card may be played, so there is no *Why not?*.
"""

from __future__ import annotations

from typing import Final

from engine.games.sticheln.cards import CHOOSE, NUMBER, SUIT, SUITS
from engine.games.sticheln.rules import winning
from engine.games.sticheln.state import UNKNOWN, View
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


# What speaks for an action.

_LOW: Final = 2
"""A card up to this number costs little, and wins little."""


def advice(view: View, action: int) -> Phrase:
    """What speaks for an action of whoever is asked, or against it, from what they know."""
    if action >= CHOOSE:
        return _to_choose(view, action - CHOOSE)
    (seat,) = view.actors
    trick = view.trick + bytes((action,))
    place, last = winning(trick, zeros_taken=view.round.zeros_taken), len(trick) == view.seats
    own = SUIT[view.round.chosen[seat]]
    if place == len(trick) - 1 and NUMBER[action]:
        if last:
            gained = sum(-NUMBER[card] if SUIT[card] == own else 1 for card in trick)
            if gained >= 0:
                return phrase("advice_takes", count=gained)
            return phrase("advice_costs", count=-gained)
        if view.trick:
            return phrase("advice_wins_so_far")
        return phrase("advice_lead_low" if NUMBER[action] <= _LOW else "advice_lead")
    if not NUMBER[action]:
        zeros_win = view.round.zeros_taken and not view.trick
        return phrase("advice_zero_led" if zeros_win else "advice_zero")
    if place is not None and _hurts(view, action, place):
        return phrase("advice_hurts")
    return phrase("advice_rid" if SUIT[action] == own else "advice_leaves")


def _to_choose(view: View, card: int) -> Phrase:
    if NUMBER[card] <= _LOW:
        return phrase("advice_chosen_low")
    held = [SUIT[one] for one in view.hand]
    most = max(map(held.count, held))
    if held.count(SUIT[card]) == most:
        return phrase("advice_chosen_many")
    return phrase("advice_chosen_few", count=held.count(SUIT[card]))


def _hurts(view: View, card: int, place: int) -> bool:
    """Whether it costs whoever wins the trick now."""
    chosen = view.round.chosen[(view.tricks.leader + place) % view.seats]
    return chosen != UNKNOWN and SUIT[chosen] == SUIT[card]
