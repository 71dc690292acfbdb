"""Faces of cards: which module draws which game, backs, and plain codes for games without art."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures.card import WIDTH, Face, height_of, sheet
from bot.pictures.coloured_cards import coloured
from bot.pictures.decks import Deck
from bot.pictures.mixing import WHITE, Colour, mix
from bot.pictures.pen import FINER, Pen, pen_on
from bot.pictures.swiss_cards import ribbon, swiss_card
from bot.pictures.two_number_cards import two_numbers

Painter: TypeAlias = Callable[[Pen, Face, Deck], None]
"""Draws a face with a pen whose units are those of a card."""

_PAINTERS: Final[Mapping[str, Painter]] = {
    "aufundab": two_numbers,
    "auffalscherfaehrte": coloured,
    "sticheln": coloured,
    "kaiserspiel": swiss_card,
}
"""By game."""


def drawn(face: Face, deck: Deck, width: int) -> Image.Image:
    """The card so many pixels wide; it is transparent outside its round corners."""
    card = Image.new("RGBA", (width * FINER, height_of(width) * FINER))
    paint = _PAINTERS.get(face.game, _plain) if face.code else _back
    paint(pen_on(card, width / WIDTH), face, deck)
    return card.reduce(FINER)


def _plain(pen: Pen, face: Face, deck: Deck) -> None:
    """A card of a game that has no cards of its own here: its code, large."""
    special = "special" in face.marks
    sheet(pen, deck.special_ground if special else deck.ground, deck.gold if special else deck.ink,
          5 if special else 2.5)  # fmt: skip
    pen.text(50, 70, face.code, 46, deck.ink, 84)


def _back(pen: Pen, face: Face, deck: Deck) -> None:
    """A trellis, and the colours of all our cards in the middle; a Kaiser is announced."""
    dark = deck.high
    sheet(pen, dark, deck.ground, 6)
    light = mix(dark, WHITE, 0.22)
    for row in range(9):
        for column in range(7):
            _diamond(pen, 14 + 12 * column, 14 + 14 * row, 4.6, light)
    pen.disc(50, 70, 22, deck.ground)
    pen.disc(50, 70, 19, mix(dark, WHITE, 0.06))
    for x, y, fill in ((50, 58, deck.low), (62, 70, deck.gold), (50, 82, deck.low),
                       (38, 70, deck.gold)):  # fmt: skip
        _diamond(pen, x, y, 9, fill)
    if "kaiser" in face.marks:
        ribbon(pen, deck, crowns=1)


def _diamond(pen: Pen, x: float, y: float, reach: float, fill: Colour) -> None:
    pen.shape(((x, y - reach), (x + reach, y), (x, y + reach), (x - reach, y)), fill)
