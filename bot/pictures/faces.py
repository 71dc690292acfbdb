"""Faces of cards: how each game's are drawn, backs, and plain codes for games without art.

A card is 100 units wide and 140 high, whatever it shows and however large it is drawn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from PIL import Image

from bot.pictures.decks import BLACK, WHITE, Colour, Deck, mix
from bot.pictures.figures import above, banner, crown, jester, king, ober, triangle, unter
from bot.pictures.pen import FINER, Pen, Point, pen_on
from bot.pictures.suits import SHAPES, TRADITIONS

# An empty card.

WIDTH: Final = 100
HEIGHT: Final = 140
CORNER: Final = 9


@dataclass(frozen=True, slots=True)
class Face:
    """What is to be seen of one card.

    Marks: `double`, `twice`, `change` (Auf und Ab), `special` (a trump), `unwanted`, `kaiser` and
    `mugg`; in a row of trumps `gone`, of what cannot come any more.
    """

    game: str
    code: str
    """As the notation writes it; empty: its back."""
    down: bool = False
    """Of cards with two numbers: whether the higher one counts."""
    marks: frozenset[str] = frozenset()


def height_of(width: int) -> int:
    """How high a card so wide is, in pixels."""
    return round(width * HEIGHT / WIDTH)


def sheet(pen: Pen, ground: Colour, edge: Colour, width: float) -> None:
    """An empty card with an edge."""
    pen.box(0, 0, WIDTH, HEIGHT, edge, CORNER)
    pen.box(width, width, WIDTH - width, HEIGHT - width, ground, CORNER - width / 2)


# Kaiserspiel.
#
# An Ober carries its suit above, an Unter below, as on the printed cards.

_PIPS: Final[Mapping[str, Sequence[Point]]] = {
    "2": ((64, 46), (36, 104)),
    "3": ((72, 36), (50, 74), (28, 112)),
    "4": ((29, 66), (71, 66), (29, 112), (71, 112)),
    "5": ((29, 60), (71, 60), (50, 87), (29, 114), (71, 114)),
    "6": ((29, 61), (71, 61), (29, 90), (71, 90), (29, 119), (71, 119)),
    "7": ((71, 31), (29, 61), (71, 61), (29, 90), (71, 90), (29, 119), (71, 119)),
}
"""Where the suit stands on the numbers, as often as they say."""
_SIZES: Final = {"2": 20, "3": 18, "4": 17, "5": 15.5, "6": 13.5, "7": 13.5}


def swiss_card(pen: Pen, face: Face, deck: Deck) -> None:
    suit, rank = face.code[0], face.code[1:]
    emblem, own = TRADITIONS[deck.tradition][suit], deck.swiss[suit]
    special = "special" in face.marks
    if special:
        # Two thin lines on a cool ground: gold is for who wins.
        line = mix(own, deck.ink, 0.35)
        sheet(pen, deck.swiss_special, line, 2.2)
        pen.box(4, 4, WIDTH - 4, HEIGHT - 4, line, 6)
        pen.box(5.8, 5.8, WIDTH - 5.8, HEIGHT - 5.8, deck.swiss_special, 4.5)
    else:
        sheet(pen, deck.ground, mix(deck.ground, deck.ink, 0.3), 1.6)
    if deck.small:
        pen.text(50, 36, rank, 56, own, 80)
        emblem(pen.at(50, 87, 23) if "kaiser" in face.marks else pen.at(50, 99, 30), own)
    elif deck.large:
        pen.text(30, 33, rank, 40, own, 40)
        emblem(pen.at(74, 32, 17), own)
    else:
        pen.text(22, 27, rank, 29, own, 30)
    match rank:
        case _ if deck.small:
            pass
        case "K":
            king(pen.at(50, 93, 13.5) if deck.large else pen.at(50, 85, 16.5), own)
            if not deck.large:
                emblem(pen.at(79, 25, 14), own)
        case "O":
            if not deck.large:
                emblem(pen.at(66, 30, 22), own)
            ober(pen.at(50, 91, 14.5), own)
        case "U":
            unter(pen.at(50, 90, 15) if deck.large else pen.at(60, 47, 14.5), own)
            if not deck.large:
                emblem(pen.at(50, 110, 23), own)
        case "B":
            banner(pen.at(54, 95, 31) if deck.large else pen.at(52, 88, 38), own, emblem)
        case _ if deck.large:
            emblem(pen.at(50, 98, 30), own)
        case _:
            for x, y in _PIPS[rank]:
                emblem(pen.at(x, y, _SIZES[rank]), own)
    if "kaiser" in face.marks:
        ribbon(pen, deck, crowns=2 if "mugg" in face.marks else 1)


def ribbon(pen: Pen, deck: Deck, crowns: int) -> None:
    """Across the foot of a declared Kaiser: a crown, and two for the highest."""
    pen.box(0, HEIGHT - 26, WIDTH, HEIGHT, deck.gold, 9, (False, False, True, True))
    pen.box(0, HEIGHT - 28, WIDTH, HEIGHT - 25, deck.ink)
    for number in range(crowns):
        x = 50 + 26 * (number - (crowns - 1) / 2)
        crown(pen.at(x, HEIGHT - 12.5, 9.5), deck.ink)


# Auf und Ab.
#
# The number that counts now stands on top; its half is filled with the colour of the mode, so that
# a turned hand is seen at a glance.

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
    if "twice" in face.marks:  # what is between the numbers then covers none of them
        pen.text(46, 32, upper, 46, WHITE, 76)
        pen.text(46, 119, lower, 28, below, 60)
    elif deck.large:
        pen.text(44, 37, upper, 59, WHITE, 76)
        pen.text(44, 114.5, lower, 36, below, 60)
    else:
        pen.text(46, 37, upper, 52, WHITE, 76)
        pen.text(46, 115, lower, 32, below, 60)
    triangle(pen.at(83, 17, 8), WHITE, down=face.down)
    triangle(pen.at(83, HEIGHT - 17, 8), below, down=not face.down)
    if "twice" in face.marks:
        _pill(pen, "×2", deck, 17)  # larger: it is read off small cards on the table as well
    elif "double" in face.marks:
        _pill(pen, "1|2", deck, 13)
    if "change" in face.marks:
        _turn(pen, deck)


def _pill(pen: Pen, text: str, deck: Deck, high: float) -> None:
    """Across the seam, so `high` to both sides: that this card may count as one or two, or does."""
    wide = high + 15
    pen.box(50 - wide, _SEAM - high, 50 + wide, _SEAM + high, deck.ground, high)
    pen.box(52 - wide, _SEAM + 2 - high, 48 + wide, _SEAM - 2 + high, deck.gold, high - 2)
    pen.text(50, _SEAM, text, 2 * high - 11, deck.ink, 2 * wide - 10)


def _turn(pen: Pen, deck: Deck) -> None:
    """Across the seam: that this card turns the mode."""
    pen.box(25, _SEAM - 13, 75, _SEAM + 13, deck.ground, 13)
    pen.box(27, _SEAM - 11, 73, _SEAM + 11, deck.ink, 11)
    triangle(pen.at(40, _SEAM, 7.6), mix(deck.low, WHITE, 0.45), down=False)
    triangle(pen.at(60, _SEAM, 7.6), mix(deck.high, WHITE, 0.5), down=True)


# Auf falscher Fährte and Sticheln.


def coloured(pen: Pen, face: Face, deck: Deck) -> None:
    if face.code[0] not in SHAPES:
        _joker(pen, deck)
        return
    suit, number = face.code[0], face.code[1:]
    own = deck.suits[suit]
    special = "special" in face.marks
    # Yellow numbers could not be read on a light ground.
    written = deck.ink if deck.solid or suit == "Y" else own
    shown = deck.ink if deck.solid else own
    ground = own if deck.solid else deck.ground
    if special:
        # Two thin lines: gold is for who wins.
        line, inner = (deck.ink, own) if deck.solid else (own, deck.special_ground)
        sheet(pen, inner, line, 3)
        pen.box(5.5, 5.5, 94.5, 134.5, line, 6)
        pen.box(8, 8, 92, 132, inner, 4)
    else:
        sheet(pen, ground, mix(own, BLACK, 0.55) if deck.solid else own, 5)
    if deck.small:
        pen.text(50, 43, number, 58, written, 78 if special else 86)
        SHAPES[suit](pen.at(50, 103, 25), shown)
    elif deck.large:
        pen.text(50, 50, number, 66, written, 78 if special else 86)
        SHAPES[suit](pen.at(50, 111, 17), shown)
    else:
        pen.text(50, 41, number, 47, written, 80)
        SHAPES[suit](pen.at(50, 99, 27), shown)
    if deck.letters:
        pen.text(18, 121, suit, 17, deck.ink, 18)
    if special:
        _badge(pen, deck.ink, WHITE)
        above(pen.at(83, 122, 7), WHITE)
    elif "unwanted" in face.marks:
        _badge(pen, deck.ink, WHITE)
        pen.box(76, 119.5, 90, 124.5, WHITE)


def _badge(pen: Pen, fill: Colour, edge: Colour) -> None:
    """Where a mark stands: in the lower right corner."""
    pen.disc(83, 122, 14, edge)
    pen.disc(83, 122, 12, fill)


def _joker(pen: Pen, deck: Deck) -> None:
    sheet(pen, deck.ground, deck.ink, 5)
    jester(pen.at(50, 56, 37), deck.suits["R"], deck.suits["B"])
    pen.text(50, 118, "Joker", 18, deck.ink, 82)


# All games.

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
