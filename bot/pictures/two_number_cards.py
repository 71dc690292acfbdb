"""The cards of Auf und Ab: two numbers, of which the one that counts now stands on top.

Its half is filled with the colour of the mode, so that a turned hand is seen at a glance.
"""

from __future__ import annotations

from typing import Final

from bot.pictures.card import CORNER, HEIGHT, WIDTH, Face, sheet
from bot.pictures.decks import Deck
from bot.pictures.figures import triangle
from bot.pictures.mixing import WHITE, mix
from bot.pictures.pen import Pen

_SEAM: Final = 82
"""Where the two halves meet."""


def two_numbers(pen: Pen, face: Face, deck: Deck) -> None:
    low, high = face.code.split("-")
    upper, lower = (high, low) if face.down else (low, high)
    above, below = (deck.high, deck.low) if face.down else (deck.low, deck.high)
    width = 1.6
    sheet(pen, deck.ground, mix(deck.ground, deck.ink, 0.3), width)
    corner = CORNER - width / 2
    pen.box(width, width, WIDTH - width, _SEAM, above, corner, (True, True, False, False))
    if deck.large:
        pen.text(44, 37, upper, 59, WHITE, 76)
        pen.text(44, 114.5, lower, 36, below, 60)
    else:
        pen.text(46, 37, upper, 52, WHITE, 76)
        pen.text(46, 115, lower, 32, below, 60)
    triangle(pen.at(83, 17, 8), WHITE, down=face.down)
    triangle(pen.at(83, HEIGHT - 17, 8), below, down=not face.down)
    if "twice" in face.marks:
        _pill(pen, "×2", deck)
    elif "double" in face.marks:
        _pill(pen, "1|2", deck)
    if "change" in face.marks:
        _turn(pen, deck)


def _pill(pen: Pen, text: str, deck: Deck) -> None:
    """Across the seam: that this card may count as one or two."""
    pen.box(22, _SEAM - 13, 78, _SEAM + 13, deck.ground, 13)
    pen.box(24, _SEAM - 11, 76, _SEAM + 11, deck.gold, 11)
    pen.text(50, _SEAM, text, 15, deck.ink, 46)


def _turn(pen: Pen, deck: Deck) -> None:
    """Across the seam: that this card turns the mode."""
    pen.box(25, _SEAM - 13, 75, _SEAM + 13, deck.ground, 13)
    pen.box(27, _SEAM - 11, 73, _SEAM + 11, deck.ink, 11)
    triangle(pen.at(40, _SEAM, 7.6), mix(deck.low, WHITE, 0.45), down=False)
    triangle(pen.at(60, _SEAM, 7.6), mix(deck.high, WHITE, 0.5), down=True)
