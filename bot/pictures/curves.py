"""Ratings as curves: a line for each game, match by match; all end now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from bot.pictures.chart import HIGH, SUITS, Chart, Curve
from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH, Picture, Spot
from bot.pictures.pen import Pen
from bot.pictures.spots import Plan, Put


@dataclass(frozen=True, slots=True)
class Curves(Chart):
    """Ratings match by match, by game."""

    aside, below, foot = 316, 34, 34

    def paint(self, pen: Pen, deck: Deck) -> None:
        self.draw_scale(pen, deck)
        for number in range(len(self.curves)):
            self.draw_line(pen, deck, number)
        self.draw_names(pen, deck)


def curves_picture(deck: Deck, curves: Sequence[Curve]) -> Picture | None:
    """The curves of some games; None of none, and of more than there are colours for."""
    if not 0 < len(curves) <= len(SUITS):
        return None
    return curves_plan(curves).picture("", deck)


def curves_plan(curves: Sequence[Curve]) -> Plan:
    """Where everything lies."""
    put = Put(Spot(MARGIN, MARGIN), Curves(WIDTH - 2 * MARGIN, HIGH, tuple(curves)))
    return Plan((put,), HIGH + 2 * MARGIN)
