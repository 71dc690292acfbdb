"""Auf und Ab: what has happened since whoever is asked did something last."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from engine.game import Seat
from engine.games.aufundab.sets import PASS, Move
from engine.games.aufundab.state import UNKNOWN, View, next_in


def down_to_one(view: View) -> Sequence[Seat]:
    """Who has come down to one card since then; nobody, to whoever is not asked."""
    if not view.asked or 1 not in view.counts:
        return ()
    played = set[Seat]()
    for seat, move in _acts(view):
        if seat == view.seat:
            played.clear()
        elif move != PASS:
            played.add(seat)
    return [seat for seat in sorted(played) if view.counts[seat] == 1]


def _acts(view: View) -> Iterator[tuple[Seat, Move]]:
    """What was done in this round, and by whom."""
    seat, out = view.round.start, 0
    for move in view.history:
        yield seat, move
        if move == PASS:
            out |= 1 << seat
        following = next_in(len(view.counts), out, seat)
        if following == UNKNOWN:  # whoever ends a series leads the next one
            out = 0
        else:
            seat = following
