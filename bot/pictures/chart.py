"""Charts: lines on a sheet, of a match round by round, or of ratings match by match.

Lines are told apart by the shapes on them as well as by colours, and each is named where it ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import ceil, floor, log10
from typing import ClassVar, Final, NamedTuple

from bot.pictures.decks import BLACK, Colour, Deck, mix
from bot.pictures.felt import MARGIN, WIDTH, Picture, Plan, Put, Spot
from bot.pictures.pen import Pen, Point, cut_to, width_of
from bot.pictures.pieces import LETTERS, Piece
from bot.pictures.scene import label_of, signed
from bot.pictures.suits import SHAPES

SUITS: Final = "BRGPYS"
"""Colours and shapes of the lines, in their order."""
HIGH: Final = 360
"""Pixels down of the sheet."""
_TOP: Final = 34
"""Pixels above the lines."""
_SPREAD: Final = 40
"""Pixels from one label down to the next."""
_STEP: Final = 58
"""Pixels from one number of a round to the next, at least."""
_MARK: Final = 11


class Curve(NamedTuple):
    """A line, and what stands where it ends."""

    name: str
    """Drawn as far as our font has its letters."""
    values: tuple[float, ...]
    """From the left to the right; there are two at least."""
    figure: str
    """The last of them as people read it."""


@dataclass(frozen=True, slots=True)
class Chart(Piece):
    """A sheet with lines that end at the right, however long they are, each named there."""

    aside: ClassVar[int]
    """Pixels right of the lines."""
    below: ClassVar[int]
    """Pixels below them."""
    foot: ClassVar[int]
    """Pixels below the middle of the lowest label, at least."""

    curves: tuple[Curve, ...]

    @property
    def most(self) -> int:
        """Steps of the longest line."""
        return max(len(curve.values) for curve in self.curves) - 1

    @property
    def steps(self) -> tuple[int, ...]:
        """Numbers beside the lines, from below."""
        every = [value for curve in self.curves for value in curve.values]
        return ticks(floor(min(every)), ceil(max(every)))

    @property
    def left(self) -> float:
        """Where the longest line begins: right of the numbers."""
        return 22 + max(width_of(signed(step), LETTERS) for step in self.steps)

    def at(self, number: int, value: float) -> Point:
        """Where a line is so many steps from the left."""
        low, high = self.steps[0], self.steps[-1]
        right, bottom = self.width - self.aside, self.height - self.below
        x = self.left + (right - self.left) * number / self.most
        return x, bottom - (bottom - _TOP) * (value - low) / (high - low)

    def labels(self) -> tuple[float, ...]:
        """How far down each name stands: where its line ends, none on another one."""
        ends = [self.at(self.most, curve.values[-1])[1] for curve in self.curves]
        order = sorted(range(len(ends)), key=lambda side: (ends[side], side))
        placed = [0.0] * len(ends)
        room = 0.0
        for side in order:
            room = max(room + _SPREAD, ends[side], _TOP)
            placed[side] = room
        limit = float(self.height - self.foot + _SPREAD)
        for side in reversed(order):
            limit = min(limit - _SPREAD, placed[side])
            placed[side] = limit
        return tuple(placed)

    def draw_scale(self, pen: Pen, deck: Deck) -> None:
        """The sheet, and on it the numbers beside the lines."""
        pen.box(0, 0, self.width, self.height, deck.ground, 14)
        faint = mix(deck.ground, deck.ink, 0.2)
        for step in self.steps:
            (left, y), end = self.at(0, step), self.at(self.most, step)
            pen.line(((left, y), end), mix(faint, BLACK, 0.3) if step == 0 else faint,
                     3 if step == 0 else 2)  # fmt: skip
            text = signed(step)
            pen.left_text(left - 12 - width_of(text, LETTERS), y, text, LETTERS, deck.ink)

    def draw_line(self, pen: Pen, deck: Deck, side: int) -> None:
        """One line."""
        own, edge = colours_of(side, deck)
        values = self.curves[side].values
        begin = self.most + 1 - len(values)
        points = [self.at(number, value) for number, value in enumerate(values, begin)]
        pen.line(points, edge, 9)
        pen.line(points, own, 5)

    def draw_names(self, pen: Pen, deck: Deck) -> None:
        """What stands where the lines end."""
        left = self.width - self.aside + 14
        for side, (curve, y) in enumerate(zip(self.curves, self.labels(), strict=True)):
            own, edge = colours_of(side, deck)
            end = self.at(self.most, curve.values[-1])
            for ink, width in ((edge, 9), (own, 5)):
                pen.line((end, (left + 13, y)), ink, width)
            mark(pen, (left + 13, y), side, deck)
            wide = width_of(curve.figure, LETTERS)
            name = cut_to(label_of(curve.name, side), LETTERS, self.width - wide - left - 58)
            pen.left_text(left + 34, y, name, LETTERS, deck.ink)
            pen.left_text(self.width - 14 - wide, y, curve.figure, LETTERS, deck.ink)


@dataclass(frozen=True, slots=True)
class Course(Chart):
    """Sums after each round, from nothing on, by side."""

    aside, below, foot = 246, 64, 26

    taken: int | None = None
    """Round at which a golden line stands: in it the lead was taken for good."""

    def paint(self, pen: Pen, deck: Deck) -> None:
        self.draw_scale(pen, deck)
        for number in self.named():
            x, _ = self.at(number, 0)
            text = str(number)
            wide = width_of(text, LETTERS)
            pen.left_text(x - wide / 2, self.height - 28, text, LETTERS, deck.ink)
        if self.taken is not None:
            x, low = self.at(self.taken, self.steps[0])
            pen.line(((x, _TOP), (x, low)), deck.gold, 7)
        for side, curve in reversed([*enumerate(self.curves)]):
            self.draw_line(pen, deck, side)
            for number in self.named()[:-1]:
                mark(pen, self.at(number, curve.values[number]), side, deck)
        self.draw_names(pen, deck)

    def named(self) -> tuple[int, ...]:
        """Rounds whose number stands below the lines: the last, and others as there is room."""
        across = (self.width - self.aside - self.left) / self.most
        every = max(1, -(-_STEP // max(1, floor(across))))
        return tuple(range(self.most, 0, -every))[::-1]


def course_of(
    names: Sequence[str], rounds: Sequence[Sequence[int]], taken: int | None = None
) -> Course:
    """The sums of each side after each round.

    `names` are what the sides are called, `rounds` their points of each round, in the same order.
    """
    curves = []
    for side, name in enumerate(names):
        sums = tuple(accumulate((points[side] for points in rounds), initial=0))
        curves.append(Curve(name, sums, signed(sums[-1])))
    return Course(WIDTH - 2 * MARGIN, HIGH, tuple(curves), taken)


def colours_of(side: int, deck: Deck) -> tuple[Colour, Colour]:
    """Of a line, and of its edges, which are seen where the colour is pale."""
    own = deck.suits[SUITS[side]]
    return own, deck.ink if deck.solid else mix(own, BLACK, 0.4)


def ticks(low: int, high: int) -> tuple[int, ...]:
    """Two to six round numbers that reach from one value to the other.

    >>> ticks(0, 23), ticks(-7, 2), ticks(0, 0)
    ((0, 5, 10, 15, 20, 25), (-8, -6, -4, -2, 0, 2), (0, 1))
    """
    span = max(1, high - low)
    step = 10 ** floor(log10(span))
    size = next(
        max(1, round(step * share))
        for share in (0.1, 0.2, 0.5, 1, 2, 5)
        if -(-high // max(1, round(step * share))) - low // max(1, round(step * share)) <= 5
    )
    first, last = low // size, max(-(-high // size), low // size + 1)
    return tuple(size * number for number in range(first, last + 1))


def mark(pen: Pen, at: Point, side: int, deck: Deck) -> None:
    """The shape by which a line is told from others."""
    own, edge = colours_of(side, deck)
    pen.disc(*at, _MARK + 4, edge)
    pen.disc(*at, _MARK + 2, deck.ground)
    SHAPES[SUITS[side]](pen.at(*at, _MARK - 1), deck.ink if deck.solid else own)


# Ratings as curves.


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
