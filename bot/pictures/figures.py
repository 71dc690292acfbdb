"""King, Ober, Unter and Banner of the Swiss cards, and the joker, as figures.

A bust is drawn around the middle of its face, which reaches one unit; it is three units wide and
reaches from 1.9 above (its hat) to 2.9 below.
"""

from __future__ import annotations

from bot.pictures.decks import BLACK, WHITE, Colour, colour, mix
from bot.pictures.pen import Pen, bend, mirrored
from bot.pictures.suits import Shape, star

_SKIN = colour("#F3C9A0")
_GOLD = colour("#EDB720")
_GREY = colour("#8C8F98")
_FUR = colour("#EFEBE0")
_WOOD = colour("#6B4423")
_LINE = colour("#2A2320")


def king(pen: Pen, robe: Colour) -> None:
    """A crown and a beard."""
    _shoulders(pen, robe, mix(robe, BLACK, 0.4))
    _ermine(pen)
    beard = [*bend((0, -0.6), (1.2, -0.6), (1.25, 0.2), (1.0, 0.9)),
             *bend((1.0, 0.9), (0.8, 1.5), (0.3, 1.7), (0, 1.75))]  # fmt: skip
    pen.shape(mirrored(beard), _GREY)
    _face(pen.at(0, -0.18, 0.86))
    for side in (-1, 1):
        pen.line(bend((0, 0.32), (0.25 * side, 0.22), (0.5 * side, 0.3), (0.66 * side, 0.52)),
                 mix(_GREY, WHITE, 0.5), 0.24)  # fmt: skip
    pen.shape(mirrored([(0, 0.6), (0.5, 0.62), (0.62, 1.0), (0, 1.3)]), _GREY)
    crown = [(-1.15, -0.55), (-1.35, -1.75), (-0.68, -1.2), (0, -1.95), (0.68, -1.2),
             (1.35, -1.75), (1.15, -0.55)]  # fmt: skip
    pen.shape(crown, _GOLD, mix(_GOLD, BLACK, 0.45), 0.12)
    for x, y in ((-1.35, -1.75), (0, -1.95), (1.35, -1.75)):
        pen.disc(x, y, 0.2, mix(_GOLD, WHITE, 0.4), mix(_GOLD, BLACK, 0.45), 0.08)
    pen.disc(0, -0.95, 0.2, robe)
    pen.disc(-0.68, -0.85, 0.14, robe)
    pen.disc(0.68, -0.85, 0.14, robe)


def ober(pen: Pen, robe: Colour) -> None:
    """A broad hat with a feather, and a moustache."""
    _shoulders(pen, robe, mix(robe, WHITE, 0.75))
    hair = mix(_WOOD, BLACK, 0.2)
    pen.oval(0, 0.12, 1.1, 1.05, hair)
    _face(pen)
    pen.line(bend((-0.62, 0.62), (-0.35, 0.4), (-0.15, 0.42), (0, 0.5)), hair, 0.24)
    pen.line(bend((0.62, 0.62), (0.35, 0.4), (0.15, 0.42), (0, 0.5)), hair, 0.24)
    dark = mix(robe, BLACK, 0.3)
    brim = [*bend((-1.75, -0.35), (-1, -0.95), (1, -0.95), (1.75, -0.35)),
            *bend((1.75, -0.35), (1, -0.6), (-1, -0.6), (-1.75, -0.35))]  # fmt: skip
    top = [*bend((-1.05, -0.62), (-1.1, -1.75), (1.1, -1.75), (1.05, -0.62))]
    pen.shape(top, robe)
    pen.shape(brim, dark, dark, 0.12)
    feather = [*bend((0.7, -0.75), (1.3, -1.2), (1.7, -1.7), (1.55, -2.15)),
               *bend((1.55, -2.15), (0.9, -1.9), (0.6, -1.4), (0.7, -0.75))]  # fmt: skip
    pen.shape(feather, mix(_GOLD, WHITE, 0.25), mix(_GOLD, BLACK, 0.4), 0.07)


def unter(pen: Pen, robe: Colour) -> None:
    """A cap and long hair: a young page."""
    _shoulders(pen, robe, mix(robe, BLACK, 0.35))
    hair = colour("#C98B36")
    pen.box(-1.12, -0.6, 1.12, 1.12, hair, 0.55)
    _face(pen)
    pen.line(bend((-0.3, 0.52), (-0.1, 0.66), (0.1, 0.66), (0.3, 0.52)), _LINE, 0.11)
    cap = [*bend((-1.2, -0.42), (-1.5, -1.75), (1.1, -2.0), (1.25, -0.42))]
    pen.shape(cap, robe)
    pen.box(-1.28, -0.72, 1.28, -0.36, mix(robe, WHITE, 0.75), 0.16)
    pen.disc(-0.55, -1.5, 0.22, _GOLD)


def banner(pen: Pen, cloth: Colour, emblem: Shape) -> None:
    """A flag with the suit on it, in a square of one unit around the origin."""
    pen.line(((-0.82, -0.95), (-0.82, 1.25)), _WOOD, 0.13)
    pen.disc(-0.82, -1.02, 0.14, _GOLD, mix(_GOLD, BLACK, 0.45), 0.05)
    flag = [
        *bend((-0.76, -0.85), (-0.2, -1.05), (0.4, -0.65), (0.98, -0.85)),
        (0.72, -0.15), (0.98, 0.55),
        *bend((0.98, 0.55), (0.4, 0.75), (-0.2, 0.35), (-0.76, 0.55)),
    ]  # fmt: skip
    pen.shape(flag, mix(cloth, WHITE, 0.72), cloth, 0.1)
    emblem(pen.at(-0.03, -0.14, 0.47), cloth)


def jester(pen: Pen, bright: Colour, dark: Colour) -> None:
    """A fool's cap with three bells, in a square of one unit around the origin."""
    left = [(-0.5, 0.42), *bend((-0.5, 0.42), (-0.6, -0.5), (-0.75, -0.62), (-1, -0.1)),
            *bend((-1, -0.1), (-0.95, -1.1), (-0.2, -0.9), (0, 0.42))]  # fmt: skip
    pen.shape(left, bright)
    pen.shape([(-x, y) for x, y in left], dark)
    middle = [*bend((-0.42, 0.42), (-0.35, -0.3), (-0.2, -0.6), (0.06, -1)),
              *bend((0.06, -1), (0.25, -0.5), (0.36, -0.2), (0.42, 0.42))]  # fmt: skip
    pen.shape(middle, _GOLD)
    pen.box(-0.6, 0.36, 0.6, 0.62, mix(bright, WHITE, 0.8), 0.13)
    for number in range(4):
        x = -0.45 + 0.3 * number
        pen.shape(((x - 0.15, 0.62), (x + 0.15, 0.62), (x, 0.92)), (bright, dark)[number % 2])
    for x, y in ((-1, -0.06), (1, -0.06), (0.06, -1.02)):
        pen.disc(x, y, 0.17, _GOLD, mix(_GOLD, BLACK, 0.5), 0.06)
    star(pen.at(0, 0.06, 0.2), mix(dark, BLACK, 0.2))


def crown(pen: Pen, fill: Colour) -> None:
    """A small crown, which reaches one unit."""
    points = [(-0.85, 0.7), (-1, -0.55), (-0.45, 0), (0, -0.8), (0.45, 0), (1, -0.55), (0.85, 0.7)]
    pen.shape(points, fill)


def above(pen: Pen, fill: Colour) -> None:
    """The sign of a trump, which beats all others: two angles upwards; it reaches one unit."""
    for y in (-0.75, 0.1):
        low, high = y + 0.75, y
        pen.line(((-0.78, low), (0, high), (0.78, low)), fill, 0.36)


def triangle(pen: Pen, fill: Colour, *, down: bool, steep: float = 0.85) -> None:
    """The sign of a mode, upwards or downwards; it reaches one unit to both sides."""
    turn = -steep if down else steep
    pen.shape(((-1, turn), (1, turn), (0, -turn)), fill)


def _face(pen: Pen) -> None:
    pen.disc(0, 0, 1, _SKIN)
    for side in (-1, 1):
        pen.disc(0.37 * side, -0.06, 0.13, _LINE)
        pen.disc(0.62 * side, 0.32, 0.17, mix(_SKIN, colour("#E2654A"), 0.45))


def _shoulders(pen: Pen, robe: Colour, collar: Colour) -> None:
    right = [*bend((0, 0.75), (0.9, 0.8), (1.75, 1.2), (1.95, 2.9)), (0, 2.9)]
    pen.shape(mirrored(right), robe)
    pen.shape(((-0.72, 0.8), (0.72, 0.8), (0.55, 1.35), (0, 1.9), (-0.55, 1.35)), collar)
    for y in (2.2, 2.62):
        pen.disc(0, y, 0.12, _GOLD)


def _ermine(pen: Pen) -> None:
    """The white fur on a king's shoulders."""
    fur = [
        *bend((0, 0.9), (1.0, 0.8), (1.6, 1.2), (1.75, 1.9)),
        *bend((1.75, 1.9), (1.2, 2.2), (0.5, 2.3), (0, 2.3)),
    ]
    pen.shape(mirrored(fur), _FUR, mix(_FUR, BLACK, 0.35), 0.07)
    for x, y in ((-1.3, 1.72), (1.3, 1.72), (-0.75, 1.95), (0.75, 1.95)):
        pen.line(((x, y - 0.12), (x, y + 0.12)), _LINE, 0.13)
