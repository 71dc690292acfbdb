"""Suits as shapes: colours told apart by outline, and Swiss, German and French suits.

Each is drawn around the origin and reaches one unit in every direction.  Acorns, roses, shields
and bells are acorns, hearts, leaves and bells in Germany, and clubs, hearts, spades and diamonds
in France.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import cos, pi, sin
from typing import Final, TypeAlias

from bot.pictures.decks import BLACK, WHITE, Colour, colour, mix
from bot.pictures.pen import Pen, Point, around, bend, mirrored

Shape: TypeAlias = Callable[[Pen, Colour], None]
"""Draws a suit in a colour."""

# Colours of Auf falscher Fährte and Sticheln.


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


# Swiss suits, with which Kaiserspiel is played.

_LEAF: Final = colour("#3E8A43")
_YOLK: Final = colour("#F4C430")


def acorn(pen: Pen, dark: Colour) -> None:
    nut = mix(dark, colour("#F2B45A"), 0.6)
    right = [
        *bend((0, -0.35), (0.5, -0.35), (0.62, -0.2), (0.6, 0.05)),
        *bend((0.6, 0.05), (0.55, 0.55), (0.25, 0.78), (0, 1)),
    ]
    pen.shape(mirrored(right), nut)
    pen.line(
        bend((-0.3, 0.1), (-0.28, 0.35), (-0.2, 0.5), (-0.1, 0.62)), mix(nut, WHITE, 0.5), 0.12
    )
    pen.line(bend((0, -0.6), (0, -0.8), (0.06, -0.9), (0.16, -0.96)), dark, 0.17)
    cup = [
        *bend((0, -0.78), (0.5, -0.8), (0.8, -0.5), (0.74, -0.18)),
        *bend((0.74, -0.18), (0.5, -0.06), (0.2, -0.02), (0, -0.02)),
    ]
    pen.shape(mirrored(cup), dark)
    for x, y in ((-0.45, -0.33), (-0.15, -0.27), (0.15, -0.27), (0.45, -0.33), (-0.3, -0.52),
                 (0, -0.5), (0.3, -0.52)):  # fmt: skip
        pen.disc(x, y, 0.075, mix(dark, nut, 0.7))


def rose(pen: Pen, petal: Colour) -> None:
    """Five petals around a golden middle, and leaves between them."""
    for x, y in around(5, 0.83, 0.25):
        length = 1.15
        pen.line(((x * 0.5, y * 0.5), (x * length, y * length)), _LEAF, 0.24)
    for x, y in around(5, 0.56):
        pen.disc(x, y, 0.43, mix(petal, BLACK, 0.35))
        pen.disc(x, y, 0.385, petal)
        pen.disc(x * 1.12, y * 1.12, 0.17, mix(petal, WHITE, 0.28))
    pen.disc(0, 0, 0.31, _YOLK, mix(petal, BLACK, 0.45), 0.07)


def shield(pen: Pen, field: Colour) -> None:
    dark = mix(field, BLACK, 0.4)
    right = [
        (0, -0.92), (0.8, -0.92),
        *bend((0.8, -0.92), (0.86, 0.1), (0.74, 0.6), (0, 1)),
    ]  # fmt: skip
    pen.shape(mirrored(right), dark)
    inner = [(x * 0.86, (y - 0.02) * 0.87 + 0.02) for x, y in mirrored(right)]
    pen.shape(inner, WHITE)
    lower = [
        (0.68, -0.05), *bend((0.68, -0.05), (0.64, 0.4), (0.45, 0.64), (0, 0.87)),
        *bend((0, 0.87), (-0.45, 0.64), (-0.64, 0.4), (-0.68, -0.05)),
    ]  # fmt: skip
    pen.shape(lower, field)
    pen.shape(((-0.69, -0.79), (0.69, -0.79), (0.69, -0.42), (-0.69, -0.42)), field)


def bell(pen: Pen, dark: Colour) -> None:
    brass = mix(dark, colour("#FFD02E"), 0.72)
    pen.disc(0, -0.78, 0.2, dark)
    pen.disc(0, -0.78, 0.09, mix(brass, WHITE, 0.6))
    pen.disc(0, 0.12, 0.86, dark)
    pen.disc(0, 0.12, 0.75, brass)
    pen.box(-0.8, 0.03, 0.8, 0.26, dark)
    pen.box(-0.72, 0.09, 0.72, 0.2, mix(brass, WHITE, 0.35))
    pen.disc(0, 0.5, 0.14, dark)
    pen.line(((0, 0.5), (0, 0.85)), dark, 0.13)
    pen.line(bend((-0.46, -0.1), (-0.4, -0.28), (-0.25, -0.4), (-0.08, -0.44)),
             mix(brass, WHITE, 0.7), 0.12)  # fmt: skip


EMBLEMS: Final[Mapping[str, Shape]] = {"A": acorn, "R": rose, "S": shield, "B": bell}
"""By code of the suit."""


# German and French suits, for other decks.


def leaf(pen: Pen, green: Colour) -> None:
    """A leaf with its ribs."""
    pen.line(bend((0, 0.4), (0, 0.7), (0.1, 0.85), (0.3, 0.97)), green, 0.15)
    right = [
        *bend((0, -1), (0.35, -0.6), (0.95, -0.35), (0.9, 0.2)),
        *bend((0.9, 0.2), (0.85, 0.65), (0.25, 0.75), (0, 0.42)),
    ]
    pen.shape(mirrored(right), green)
    pale = mix(green, WHITE, 0.55)
    pen.line(((0, -0.62), (0, 0.36)), pale, 0.08)
    for side in (-1, 1):
        pen.line(((0, 0.02), (0.42 * side, -0.24)), pale, 0.07)
        pen.line(((0, 0.3), (0.5 * side, 0.12)), pale, 0.07)


def spade(pen: Pen, fill: Colour) -> None:
    right = [
        *bend((0, -1), (0.3, -0.55), (0.95, -0.3), (0.92, 0.22)),
        *bend((0.92, 0.22), (0.88, 0.68), (0.3, 0.72), (0.1, 0.4)),
        *bend((0.1, 0.4), (0.12, 0.7), (0.2, 0.85), (0.4, 0.97)),
        (0, 0.97),
    ]
    pen.shape(mirrored(right), fill)


def club(pen: Pen, fill: Colour) -> None:
    for x, y in around(3, 0.52):
        pen.disc(x, y - 0.02, 0.44, fill)
    pen.disc(0, 0.02, 0.25, fill)
    foot = [(0.05, 0.1), *bend((0.1, 0.3), (0.12, 0.7), (0.2, 0.85), (0.4, 0.97)), (0, 0.97)]
    pen.shape(mirrored(foot), fill)


def diamond(pen: Pen, fill: Colour) -> None:
    right = [
        *bend((0, -1), (0.2, -0.6), (0.45, -0.25), (0.76, 0)),
        *bend((0.76, 0), (0.45, 0.25), (0.2, 0.6), (0, 1)),
    ]
    pen.shape(mirrored(right), fill)


TRADITIONS: Final[Mapping[str, Mapping[str, Shape]]] = {
    "swiss": EMBLEMS,
    "german": {"A": acorn, "R": heart, "S": leaf, "B": bell},
    "french": {"A": club, "R": heart, "S": spade, "B": diamond},
}
"""The shapes of the suits by code, for each tradition."""
