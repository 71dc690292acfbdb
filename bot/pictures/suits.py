"""Suits of Kaiserspiel as shapes: Swiss ones, and German and French ones for other decks.

Acorns, roses, shields and bells are acorns, hearts, leaves and bells in Germany, and clubs,
hearts, spades and diamonds in France.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.pictures.colour_shapes import Shape, heart
from bot.pictures.decks import BLACK, WHITE, Colour, colour, mix
from bot.pictures.pen import Pen, around, bend, mirrored

# Swiss suits.
#
# Each is drawn around the origin and reaches one unit in every direction.

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


# German and French suits.


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
