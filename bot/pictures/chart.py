"""Chart of a match: a line for each side, round by round.

Sides are told apart by the shapes on their lines as well as by colours, and each is named where its
line ends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import floor, log10
from typing import Final

from bot.pictures.colour_shapes import SHAPES
from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH
from bot.pictures.mixing import BLACK, Colour, mix
from bot.pictures.pen import Pen, Point, cut_to, width_of
from bot.pictures.pieces import LETTERS, Piece
from bot.pictures.scene import label_of, signed

SUITS: Final = "BRGPYS"
"""Colours and shapes of the lines, in the order of the sides."""
_HIGH: Final = 360
"""Pixels down of the sheet."""
_TOP: Final = 34
_LOW: Final = 64
"""Pixels above and below the lines."""
_LABELS: Final = 246
"""Pixels right of them."""
_SPREAD: Final = 40
"""Pixels from one label down to the next."""
_STEP: Final = 58
"""Pixels from one number of a round to the next, at least."""
_MARK: Final = 11


@dataclass(frozen=True, slots=True)
class Course(Piece):
    """Sums after each round, from nothing on, by side."""

    names: tuple[str, ...]
    sums: tuple[tuple[int, ...], ...]
    taken: int | None = None
    """Round at which a golden line stands: in it the lead was taken for good."""

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.sums[0]) - 1

    @property
    def steps(self) -> tuple[int, ...]:
        """Numbers beside the lines, from below."""
        every = [one for row in self.sums for one in row]
        return ticks(min(every), max(every))

    @property
    def left(self) -> float:
        """Where the lines begin: right of the numbers."""
        return 22 + max(width_of(signed(step), LETTERS) for step in self.steps)

    def at(self, number: int, value: int) -> Point:
        """Where a line is after so many rounds with so many points."""
        low, high = self.steps[0], self.steps[-1]
        right, bottom = self.width - _LABELS, self.height - _LOW
        x = self.left + (right - self.left) * number / self.rounds
        return x, bottom - (bottom - _TOP) * (value - low) / (high - low)

    def labels(self) -> tuple[float, ...]:
        """How far down the name of each side stands: where its line ends, none on another one."""
        ends = [self.at(self.rounds, row[-1])[1] for row in self.sums]
        order = sorted(range(len(ends)), key=lambda side: (ends[side], side))
        placed = [0.0] * len(ends)
        room = 0.0
        for side in order:
            room = max(room + _SPREAD, ends[side], _TOP)
            placed[side] = room
        limit = self.height - 26.0 + _SPREAD
        for side in reversed(order):
            limit = min(limit - _SPREAD, placed[side])
            placed[side] = limit
        return tuple(placed)

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(0, 0, self.width, self.height, deck.ground, 14)
        self._grid(pen, deck)
        for side in reversed(range(len(self.sums))):
            self._line(pen, deck, side)
        for side, y in enumerate(self.labels()):
            self._label(pen, deck, side, y)

    def _grid(self, pen: Pen, deck: Deck) -> None:
        faint = mix(deck.ground, deck.ink, 0.2)
        for step in self.steps:
            (left, y), (right, _) = self.at(0, step), self.at(self.rounds, step)
            pen.line(((left, y), (right, y)), mix(faint, BLACK, 0.3) if step == 0 else faint,
                     3 if step == 0 else 2)  # fmt: skip
            text = signed(step)
            wide = width_of(text, LETTERS)
            pen.left_text(left - 12 - wide, y, text, LETTERS, deck.ink)
        for number in self.named():
            x, _ = self.at(number, self.steps[0])
            text = str(number)
            wide = width_of(text, LETTERS)
            pen.left_text(x - wide / 2, self.height - 28, text, LETTERS, deck.ink)
        if self.taken is not None:
            x, low = self.at(self.taken, self.steps[0])
            pen.line(((x, _TOP), (x, low)), deck.gold, 7)

    def named(self) -> tuple[int, ...]:
        """Rounds whose number stands below the lines: the last, and others as there is room."""
        across = (self.width - _LABELS - self.left) / self.rounds
        every = max(1, -(-_STEP // max(1, floor(across))))
        return tuple(range(self.rounds, 0, -every))[::-1]

    def _line(self, pen: Pen, deck: Deck, side: int) -> None:
        own, edge = colours_of(side, deck)
        points = [self.at(number, value) for number, value in enumerate(self.sums[side])]
        pen.line(points, edge, 9)
        pen.line(points, own, 5)
        for number in self.named()[:-1]:
            mark(pen, points[number], side, deck)

    def _label(self, pen: Pen, deck: Deck, side: int, y: float) -> None:
        left = self.width - _LABELS + 14
        own, edge = colours_of(side, deck)
        end = self.at(self.rounds, self.sums[side][-1])
        for ink, width in ((edge, 9), (own, 5)):
            pen.line((end, (left + 13, y)), ink, width)
        mark(pen, (left + 13, y), side, deck)
        total = signed(self.sums[side][-1])
        wide = width_of(total, LETTERS)
        room = self.width - 14 - wide - 10 - (left + 34)
        pen.left_text(left + 34, y, cut_to(self.names[side], LETTERS, room), LETTERS, deck.ink)
        pen.left_text(self.width - 14 - wide, y, total, LETTERS, deck.ink)


def course_of(
    names: Sequence[str], rounds: Sequence[Sequence[int]], taken: int | None = None
) -> Course:
    """The sums of each side after each round, and names as far as our font has their letters.

    `names` are what the sides are called, `rounds` their points of each round, in the same order.
    """
    sums = tuple(
        tuple(accumulate((points[side] for points in rounds), initial=0))
        for side in range(len(names))
    )
    labels = tuple(label_of(name, side) for side, name in enumerate(names))
    return Course(WIDTH - 2 * MARGIN, _HIGH, labels, sums, taken)


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
