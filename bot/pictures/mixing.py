"""Colours as numbers, read from `#RRGGBB`, and mixing two of them."""

from __future__ import annotations

from typing import NamedTuple


class Colour(NamedTuple):
    """Red, green and blue, 0 to 255."""

    red: int
    green: int
    blue: int


def colour(code: str) -> Colour:
    """The colour that is written like this.

    >>> colour("#FF8000")
    Colour(red=255, green=128, blue=0)
    """
    red, green, blue = bytes.fromhex(code.removeprefix("#"))
    return Colour(red, green, blue)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """`one` with a share of `other` in it.

    >>> mix(colour("#000000"), colour("#FF8000"), 0.5)
    Colour(red=128, green=64, blue=0)
    """
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return Colour(red, green, blue)


BLACK = colour("#000000")
WHITE = colour("#FFFFFF")
