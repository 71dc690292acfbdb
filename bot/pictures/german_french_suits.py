"""German and French suits as shapes, for decks of Kaiserspiel that are not Swiss.

Acorns, roses, shields and bells are acorns, hearts, leaves and bells in Germany, and clubs,
hearts, spades and diamonds in France.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.pictures.colour_shapes import Shape, heart
from bot.pictures.mixing import WHITE, Colour, mix
from bot.pictures.pen import Pen, around, bend, mirrored
from bot.pictures.swiss_suits import EMBLEMS, acorn, bell


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
