"""Sticheln: states that agree with a view."""

from __future__ import annotations

from random import Random

from engine.games.sticheln.cards import USED
from engine.games.sticheln.state import UNKNOWN, State, View
from engine.tricks import in_order


def determinize(view: View, rng: Random) -> State:
    """A state drawn uniformly from those that agree with the view."""
    hands = [b""] * view.seats
    chosen = list(view.round.chosen)
    if view.round.number:
        open_cards = bytes(card for card in chosen if card != UNKNOWN)
        seen = b"".join((view.hand, view.trick, *view.tricks.taken, view.tricks.aside, open_cards))
        pool = list(USED[view.seats].translate(None, seen))
        rng.shuffle(pool)
        for seat in range(view.seats):
            if seat == view.seat:
                hands[seat] = view.hand
                continue
            count = view.count(seat)
            hands[seat] = in_order(pool[:count])
            del pool[:count]
            if chosen[seat] == UNKNOWN and view.has_chosen(seat):
                chosen[seat] = pool.pop()
    return State(
        stage=view.stage,
        actors=view.actors,
        hands=tuple(hands),
        trick=view.trick,
        tricks=view.tricks,
        round=view.round._replace(chosen=tuple(chosen)),
    )
