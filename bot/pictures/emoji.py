"""Emoji of cards, suits and marks: tiles that are read at twenty pixels.

A tile is white and fills its square, so that it stands out on a button of any colour; on it is a
shape, or a number as large as it can be.  Of a whole card nothing could be seen.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Callable, Mapping
from typing import Final

from PIL import Image

from bot.emojis import COLOURED, JOKER, MARK, SWISS
from bot.pictures.decks import DECKS as DRAWN
from bot.pictures.decks import WHITE, Colour, Deck
from bot.pictures.figures import above, crown, jester, triangle
from bot.pictures.pen import FINER, Pen, pen_on
from bot.pictures.pieces import tick
from bot.pictures.suits import EMBLEMS, SHAPES, Shape

SIDE: Final = 128
"""Pixels of a tile, as wide as high: what Discord asks for."""

_CORNER: Final = 20
_RIM: Final = 5
"""How wide the white around a filled tile is."""
_COLOURS: Final = 64
_STEEP: Final = 0.9
_TURNS: Final = 9
"""What the numbers of a card that turns the mode add up to."""
_PART: Final = 56
"""Where the half of the number that counts ends."""


def emoji_png(key: str, deck: str) -> bytes:
    """The emoji of a key in a deck, by id, as it is uploaded."""
    png = io.BytesIO()
    emoji_picture(key, DRAWN[deck]).save(png, "PNG")
    return png.getvalue()


def digest(png: bytes) -> str:
    """Digest of what is seen of a picture: of its pixels, however they are packed."""
    with Image.open(io.BytesIO(png)) as picture:
        return hashlib.sha256(picture.convert("RGBA").tobytes()).hexdigest()


def emoji_picture(key: str, deck: Deck) -> Image.Image:
    """The tile of a key, in a palette."""
    image = Image.new("RGBA", (SIDE * FINER, SIDE * FINER))
    pen = pen_on(image, SIDE / 100)
    family, code = key[0], key[1:]
    if family == MARK:
        _MARKS[code](pen, deck)
    elif family == COLOURED:
        _coloured(pen, code, deck)
    elif family == SWISS:
        _swiss(pen, code, deck)
    else:
        _two_numbers(pen, code, deck)
    return image.reduce(FINER).quantize(
        _COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE
    )


def _ground(pen: Pen, fill: Colour = WHITE) -> None:
    pen.box(0, 0, 100, 100, fill, _CORNER)


def _coloured(pen: Pen, code: str, deck: Deck) -> None:
    """A colour, or its shape above a number.  High contrast fills the tile with the colour."""
    if code == JOKER:
        _ground(pen)
        jester(pen.at(50, 53, 42), deck.low, deck.high)
        return
    suit, number = code[0], code[1:]
    own = deck.suits[suit]
    _ground(pen, own if deck.solid else WHITE)
    shown = deck.ink if deck.solid else own
    # Yellow numbers could not be read on white.
    written = deck.ink if deck.solid or suit == "Y" else own
    _shape_and_text(pen, SHAPES[suit], shown, number, written)


def _swiss(pen: Pen, code: str, deck: Deck) -> None:
    """A Swiss suit, or the same above a rank."""
    own = deck.swiss[code[0]]
    _ground(pen)
    _shape_and_text(pen, EMBLEMS[code[0]], own, code[1:], own)


def _shape_and_text(pen: Pen, shape: Shape, fill: Colour, text: str, ink: Colour) -> None:
    """One character is larger than two, which need the width."""
    match len(text):
        case 0:
            shape(pen.at(50, 50, 41), fill)
        case 1:
            shape(pen.at(25, 25, 21), fill)
            pen.text(61, 64, text, 60, ink, 80)
        case _:
            shape(pen.at(25, 23, 20), fill)
            pen.text(51, 70, text, 50, ink, 90)


def _two_numbers(pen: Pen, code: str, deck: Deck) -> None:
    """The number that counts beside the other one, which is smaller, in the colours of their modes.

    A double has a golden edge, a card that turns the mode a dark one.
    """
    left, right = code.split("_")
    low, high = sorted((left, right))
    turned = left > right
    _ground(pen)
    edge = deck.gold if low == high else deck.ink if int(low) + int(high) == _TURNS else None
    width = _RIM
    if edge is not None:
        pen.box(_RIM, _RIM, 100 - _RIM, 100 - _RIM, edge, _CORNER - _RIM)
        width += 5
    corner = _CORNER - width
    colours = (deck.high, deck.low) if turned else (deck.low, deck.high)
    pen.box(width, width, _PART, 100 - width, colours[0], corner, (True, False, False, True))
    pen.box(_PART, width, 100 - width, 100 - width, colours[1], corner, (False, True, True, False))
    pen.text((width + _PART) / 2, 50, left, 64, WHITE, 44)
    pen.text((_PART + 100 - width) / 2, 55, right, 50, WHITE, 36)


def _mode(pen: Pen, deck: Deck, *, down: bool) -> None:
    _ground(pen)
    triangle(pen.at(50, 50, 38), deck.high if down else deck.low, down=down, steep=_STEEP)


def _golden(pen: Pen, deck: Deck, text: str, height: float) -> None:
    _ground(pen, deck.gold)
    pen.text(50, 50, text, height, deck.ink, 84)


def _change(pen: Pen, deck: Deck) -> None:
    _ground(pen)
    triangle(pen.at(30, 32, 25), deck.low, down=False, steep=_STEEP)
    triangle(pen.at(70, 68, 25), deck.high, down=True, steep=_STEEP)


def _kaiser(pen: Pen, deck: Deck) -> None:
    """The ribbon of a declared Kaiser."""
    _ground(pen, deck.gold)
    pen.box(0, 76, 100, 86, deck.ink)
    crown(pen.at(50, 40, 33), deck.ink)


def _trump(pen: Pen, deck: Deck) -> None:
    """The badge of a trump: it beats the other colours."""
    _ground(pen)
    pen.disc(50, 50, 46, deck.ink)
    above(pen.at(50, 50, 28), deck.ground)


def _wins(pen: Pen, deck: Deck) -> None:
    """As beside the name of whoever wins in a picture; a crown would be a Kaiser."""
    _ground(pen)
    tick(pen.at(50, 52, 38), deck.ink)


_MARKS: Final[Mapping[str, Callable[[Pen, Deck], None]]] = {
    "double": lambda pen, deck: _golden(pen, deck, "1|2", 56),
    "twice": lambda pen, deck: _golden(pen, deck, "×2", 62),
    "change": _change,
    "kaiser": _kaiser,
    "up": lambda pen, deck: _mode(pen, deck, down=False),
    "down": lambda pen, deck: _mode(pen, deck, down=True),
    "trump": _trump,
    "wins": _wins,
}
"""By name."""
