"""Ratings as curves: a line for each game, match by match; all end now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor
from typing import Final, NamedTuple

from bot.pictures.chart import SUITS, colours_of, mark, ticks
from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH, Picture, Spot
from bot.pictures.mixing import BLACK, mix
from bot.pictures.pen import Pen, Point, cut_to, width_of
from bot.pictures.pieces import LETTERS, Piece
from bot.pictures.scene import label_of, signed
from bot.pictures.spots import Plan, Put

_HIGH: Final = 360
_EDGE: Final = 34
"""Pixels above and below the lines."""
_LABELS: Final = 316
"""Pixels right of them."""
_SPREAD: Final = 40
"""Pixels from one label down to the next."""


class Curve(NamedTuple):
    """What is drawn of one game."""

    name: str
    values: tuple[float, ...]
    """Match by match; there are two at least."""
    figure: str
    """The last of them as people read it."""


@dataclass(frozen=True, slots=True)
class Curves(Piece):
    """Lines that end at the right, however long they are, and what each is called."""

    curves: tuple[Curve, ...]

    @property
    def steps(self) -> tuple[int, ...]:
        """Numbers beside the lines, from below."""
        every = [value for curve in self.curves for value in curve.values]
        return ticks(floor(min(every)), ceil(max(every)))

    @property
    def left(self) -> float:
        """Where the longest line begins: right of the numbers."""
        return 22 + max(width_of(signed(step), LETTERS) for step in self.steps)

    def at(self, back: int, value: float) -> Point:
        """Where a line is so many matches ago."""
        low, high = self.steps[0], self.steps[-1]
        right, bottom = self.width - _LABELS, self.height - _EDGE
        most = max(len(curve.values) for curve in self.curves) - 1
        x = right - (right - self.left) * back / most
        return x, bottom - (bottom - _EDGE) * (value - low) / (high - low)

    def labels(self) -> tuple[float, ...]:
        """How far down each name stands: in the order of the lines' ends, none on another one."""
        ends = [self.at(0, curve.values[-1])[1] for curve in self.curves]
        order = sorted(range(len(ends)), key=lambda one: (ends[one], one))
        placed = [0.0] * len(ends)
        room = 0.0
        for one in order:
            room = max(room + _SPREAD, ends[one], _EDGE)
            placed[one] = room
        limit = float(self.height - _EDGE + _SPREAD)
        for one in reversed(order):
            limit = min(limit - _SPREAD, placed[one])
            placed[one] = limit
        return tuple(placed)

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(0, 0, self.width, self.height, deck.ground, 14)
        faint = mix(deck.ground, deck.ink, 0.2)
        for step in self.steps:
            _, y = self.at(0, step)
            ends = ((self.left, y), (self.width - _LABELS, y))
            pen.line(ends, mix(faint, BLACK, 0.3) if step == 0 else faint, 3 if step == 0 else 2)
            wide = width_of(signed(step), LETTERS)
            pen.left_text(self.left - 12 - wide, y, signed(step), LETTERS, deck.ink)
        for number, curve in enumerate(self.curves):
            own, edge = colours_of(number, deck)
            last = len(curve.values) - 1
            points = [self.at(last - one, value) for one, value in enumerate(curve.values)]
            pen.line(points, edge, 9)
            pen.line(points, own, 5)
        for number, y in enumerate(self.labels()):
            self._label(pen, deck, number, y)

    def _label(self, pen: Pen, deck: Deck, number: int, y: float) -> None:
        curve, left = self.curves[number], self.width - _LABELS + 14
        own, edge = colours_of(number, deck)
        for ink, width in ((edge, 9), (own, 5)):
            pen.line((self.at(0, curve.values[-1]), (left + 13, y)), ink, width)
        mark(pen, (left + 13, y), number, deck)
        wide = width_of(curve.figure, LETTERS)
        name = cut_to(label_of(curve.name, number), LETTERS, self.width - wide - left - 58)
        pen.left_text(left + 34, y, name, LETTERS, deck.ink)
        pen.left_text(self.width - 14 - wide, y, curve.figure, LETTERS, deck.ink)


def curves_picture(deck: Deck, curves: Sequence[Curve]) -> Picture | None:
    """The curves of some games; None of none, and of more than there are colours for."""
    if not 0 < len(curves) <= len(SUITS):
        return None
    return curves_plan(curves).picture("", deck)


def curves_plan(curves: Sequence[Curve]) -> Plan:
    """Where everything lies."""
    put = Put(Spot(MARGIN, MARGIN), Curves(WIDTH - 2 * MARGIN, _HIGH, tuple(curves)))
    return Plan((put,), _HIGH + 2 * MARGIN)
