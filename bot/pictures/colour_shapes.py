"""Shapes of the colours of Auf falscher Fährte and Sticheln, told apart by outline.

Each is drawn around the origin and reaches one unit in every direction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin
from typing import Final, TypeAlias

from bot.pictures.decks import BLACK, WHITE, Colour, mix
from bot.pictures.pen import Pen, Point, around, bend, mirrored

Shape: TypeAlias = Callable[[Pen, Colour], None]
"""Draws a suit in a colour."""


def _heart_line() -> Iterator[Point]:
    for step in range(60):
        t = 2 * pi * step / 60
        yield (
            sin(t) ** 3,
            -(13 * cos(t) - 5 * cos(2 * t) - 2 * cos(3 * t) - cos(4 * t)) / 16.5 - 0.1,
        )


def heart(pen: Pen, colour: Colour) -> None:
    pen.shape(_heart_line(), colour)


def star(pen: Pen, colour: Colour) -> None:
    outer, inner = list(around(5, 1)), list(around(5, 0.47, -0.15))
    points = [point for pair in zip(outer, inner, strict=True) for point in pair]
    pen.at(0, 0.06, 0.97).shape(points, colour, colour, 0.14)


def clover(pen: Pen, colour: Colour) -> None:
    """Four hearts that meet, and a stalk."""
    pen.line(bend((0, 0.05), (0.05, 0.5), (0.2, 0.75), (0.42, 0.98)), colour, 0.15)
    for turn in range(4):
        angle = pi / 2 * turn
        leaf = [
            (
                x * cos(angle) - y * sin(angle),
                x * sin(angle) + y * cos(angle) - 0.08,
            )
            for x, y in ((0.47 * a, 0.47 * b - 0.5) for a, b in _heart_line())
        ]
        pen.shape(leaf, colour)


def drop(pen: Pen, colour: Colour) -> None:
    right = [
        *bend((0, -1), (0.1, -0.62), (0.74, -0.1), (0.74, 0.3)),
        *bend((0.74, 0.3), (0.74, 0.74), (0.4, 1), (0, 1)),
    ]
    pen.shape(mirrored(right), colour)
    light = [
        *bend((-0.42, 0.3), (-0.42, 0.52), (-0.28, 0.68), (-0.08, 0.72)),
    ]
    pen.line(light, mix(colour, WHITE, 0.65), 0.11)


def grapes(pen: Pen, colour: Colour) -> None:
    """A bunch of six under a stalk."""
    dark = mix(colour, BLACK, 0.35)
    pen.line(bend((0, -0.55), (0, -0.75), (0.1, -0.9), (0.28, -0.98)), dark, 0.13)
    for row, (count, y) in enumerate(((3, -0.38), (2, 0.15), (1, 0.66))):
        for number in range(count):
            x = (number - (count - 1) / 2) * 0.62
            pen.disc(x, y, 0.34, colour)
            pen.disc(x - 0.1, y - 0.11, 0.09, mix(colour, WHITE, 0.6 - row * 0.1))


def stone(pen: Pen, colour: Colour) -> None:
    """A cut stone: its facets are lighter and darker."""
    rim = list(around(6, 1, 0))
    pen.shape(rim, colour)
    inner = [(x * 0.52, y * 0.52) for x, y in rim]
    for number, share in enumerate((0.0, 0.2, 0.35, 0.5, 0.3, 0.12)):
        after = (number + 1) % 6
        facet = (rim[number], rim[after], inner[after], inner[number])
        pen.shape(facet, mix(colour, WHITE if 1 < number < 5 else BLACK, share * 0.7))
    pen.shape(inner, mix(colour, WHITE, 0.15))


SHAPES: Final[Mapping[str, Shape]] = {
    "R": heart, "Y": star, "G": clover, "B": drop, "P": grapes, "S": stone,
}  # fmt: skip
"""By code of the colour."""
