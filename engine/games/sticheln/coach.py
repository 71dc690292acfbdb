"""Sticheln: what a decision is for, and what speaks for an action, as codes.

Any card may be played, so there is no *Why dimmed?*.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine.games.sticheln.cards import CHOOSE, NUMBER, SUIT, SUITS, USED
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


def words(view: View) -> tuple[Phrase, ...]:
    """Who takes a trick, which the first screen has no picture for, and what choosing does."""
    return (phrase("words_choose"), phrase("words_chosen")) if view.choosing else ()


# What speaks for an action.

_LOW: Final = 2
"""A card up to this number costs little, and wins little."""


def advice(view: View, action: int) -> Iterator[Phrase]:
    """What speaks for an action of whoever is asked, or against it, from what they know."""
    if action >= CHOOSE:
        yield from _to_choose(view, action - CHOOSE)
        return
    yield from _to_play(view, action)
    beside = [NUMBER[card] for card in view.hand if SUIT[card] == SUIT[action] and card != action]
    if beside and max(beside) < NUMBER[action]:
        yield phrase("advice_highest")
    elif beside and SUIT[action] != _unwanted(view):  # of that one would rather keep low ones
        yield phrase("advice_keeps_higher")


def _to_play(view: View, action: int) -> Iterator[Phrase]:
    """What becomes of the trick."""
    trick = view.trick + bytes((action,))
    place, last = winning(trick, zeros_taken=view.round.zeros_taken), len(trick) == view.seats
    own = _unwanted(view)
    if place == len(trick) - 1 and NUMBER[action]:
        if last:
            gained = sum(-NUMBER[card] if SUIT[card] == own else 1 for card in trick)
            if gained >= 0:
                yield phrase("advice_takes", count=gained)
            else:
                yield phrase("advice_costs", left=-gained)
        else:
            beaters = [winning(trick + bytes((card,))) for card in _unseen(view)].count(len(trick))
            if not beaters:
                yield phrase("advice_unbeatable")
            elif view.trick and SUIT[action] != SUIT[trick[0]]:
                # As often as the trick is taken with it, one or the other is a reason.
                yield phrase("advice_wins_so_far", left=beaters)
                yield phrase("advice_others_beat", count=beaters)
            elif SUIT[action] == own:
                yield phrase("advice_colour_own")
            elif view.trick or NUMBER[action] > _LOW:
                yield phrase("advice_colour_led")
            else:
                yield phrase("advice_lead_low")
        return
    if not NUMBER[action]:
        zeros_win = view.round.zeros_taken and not view.trick
        yield phrase("advice_zero_led" if zeros_win else "advice_zero")
        return
    if place is not None and _hurts(view, action, place):
        yield phrase("advice_hurts")
    yield phrase("advice_rid" if SUIT[action] == own else "advice_leaves")


def _unwanted(view: View) -> int:
    """The suit that costs whoever is asked."""
    (seat,) = view.actors
    return SUIT[view.round.chosen[seat]]


def _unseen(view: View) -> bytes:
    """The cards that may be in the hands of others, for all that the seat knows."""
    chosen = bytes(card for card in view.round.chosen if card != UNKNOWN)
    seen = view.hand + view.trick + view.tricks.played + chosen
    return USED[view.seats].translate(None, seen)


def _to_choose(view: View, card: int) -> Iterator[Phrase]:
    if NUMBER[card] <= _LOW:
        yield phrase("advice_chosen_low")
    held = [SUIT[one] for one in view.hand]
    many = held.count(SUIT[card]) == max(map(held.count, held))
    if many:
        yield phrase("advice_chosen_many")
    else:
        yield phrase("advice_chosen_few", count=held.count(SUIT[card]))


def _hurts(view: View, card: int, place: int) -> bool:
    """Whether it costs whoever wins the trick now."""
    chosen = view.round.chosen[(view.tricks.leader + place) % view.seats]
    return chosen != UNKNOWN and SUIT[chosen] == SUIT[card]
