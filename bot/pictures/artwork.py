"""The application's icon and banner, and cards of the games: fanned out, or in rows.

`stammtisch gallery` writes icon, banner and fans; those in `data/docs/` are uploaded in Discord's
developer portal.  Fans are also on the demo's page.  Rows of cards explain decks and rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from math import cos, radians, sin
from typing import Final, NamedTuple

from PIL import Image, ImageDraw, ImageFilter

from bot.pictures.decks import DECKS, STANDARD, WHITE, Colour, Deck, mix
from bot.pictures.faces import Face, drawn
from bot.pictures.felt import MARGIN, WIDTH, Card, Picture, Plan, Put, Spot
from bot.pictures.figures import king
from bot.pictures.pen import FINER, pen_on, width_of
from bot.pictures.suits import SHAPES
from bot.pictures.tiles import cell_of

# Fans of cards.

COLOURS: Final = 128
"""Number of colours of a picture: the edges of turned cards take most of them."""

_FINER: Final = 2
"""Cards are turned so many times as large: their edges are smooth afterwards."""
_REACH: Final = 5.0
"""How far below their middles the point lies around which cards are turned, in their widths."""
_SHADOW: Final = 110
"""How dark the shadow below a card is, of 255."""
_SPECIAL: Final = frozenset({"special"})
_CLEAR: Final = 24
"""What is less opaque, of 255, is transparent."""

FANNED: Final[Mapping[str, Sequence[Face]]] = {
    "aufundab": (
        Face("aufundab", "0-2"),
        Face("aufundab", "3-6", marks=frozenset({"change"})),
        Face("aufundab", "4-8"),
        Face("aufundab", "7-7", down=True, marks=frozenset({"double"})),
        Face("aufundab", "2-9", down=True),
    ),
    "auffalscherfaehrte": (
        Face("auffalscherfaehrte", "B3"),
        Face("auffalscherfaehrte", "G8"),
        Face("auffalscherfaehrte", "Y12"),
        Face("auffalscherfaehrte", "R7", marks=_SPECIAL),
        Face("auffalscherfaehrte", "J"),
    ),
    "sticheln": tuple(Face("sticheln", code) for code in ("R5", "Y9", "G0", "P14", "S7")),
    "kaiserspiel": (
        Face("kaiserspiel", "AK"),
        Face("kaiserspiel", "RO"),
        Face("kaiserspiel", "SU"),
        Face("kaiserspiel", "BB"),
        Face("kaiserspiel", "R5", marks=_SPECIAL),
    ),
}
"""By game: a few cards that show what it is like.  Nothing is shown of a game that is not here."""


def fan(faces: Sequence[Face], deck: Deck, card: int, turn: float = 8.0) -> Image.Image:
    """Cards so many pixels wide, each turned by so many degrees more than the one before it.

    Transparent around them, and as large as they need.
    """
    wide = card * _FINER
    side = 6 * wide
    ground = Image.new("RGBA", (side, side))
    for number, face in enumerate(faces):
        angle = (number - (len(faces) - 1) / 2) * turn
        _lay(ground, drawn(face, deck, wide), angle)
    return ground.crop(ground.getbbox()).reduce(_FINER)


def packed(picture: Image.Image, colours: int = COLOURS) -> bytes:
    """The picture as a PNG with a palette; what is transparent stays so."""
    if picture.mode == "RGBA":
        small = picture.quantize(colours, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE)
        small.putpalette(_cleared(small.getpalette("RGBA") or []), "RGBA")
    else:
        small = picture.quantize(colours, dither=Image.Dither.NONE)
    png = BytesIO()
    small.save(png, "PNG", optimize=True)
    return png.getvalue()


def _cleared(entries: Sequence[int]) -> bytes:
    """A palette in which what is all but transparent is so: else the ground would be a shade."""
    return bytes(
        0 if number % 4 == 3 and part < _CLEAR else part for number, part in enumerate(entries)
    )


def _lay(ground: Image.Image, card: Image.Image, angle: float) -> None:
    """A card on those before it, with a shadow that parts it from them."""
    margin = card.width // 8
    whole = Image.new("RGBA", (card.width + 2 * margin, card.height + 2 * margin))
    dark = Image.new("RGBA", card.size, (0, 0, 0, _SHADOW))
    whole.paste(dark, (margin, margin), card)
    whole = whole.filter(ImageFilter.GaussianBlur(margin / 3))
    whole.alpha_composite(card, (margin, margin))
    turned = whole.rotate(-angle, Image.Resampling.BICUBIC, expand=True)
    reach = _REACH * card.width
    x = ground.width / 2 + reach * sin(radians(angle))
    y = ground.height / 2 + reach * (1 - cos(radians(angle)))
    ground.alpha_composite(turned, (round(x - turned.width / 2), round(y - turned.height / 2)))


# Icon and banner.

ICON: Final = 1024
BANNER: Final = (680, 240)
"""Pixels, as Discord wants them."""
CARDS: Final = (840, 448)

_DECK: Final = DECKS[STANDARD]
_FELT: Final = mix(_DECK.felt, WHITE, 0.06)
_RIM: Final = 36
"""How wide the rim of the icon is: Discord cuts the corners off and shows a circle."""
_EDGE: Final = 8
_HELD: Final = (Face("aufundab", "2-9", down=True), Face("sticheln", "Y9"), Face("sticheln", "R7"))
_SHOWN: Final = (
    Face("aufundab", "7-7", down=True, marks=frozenset({"double"})),
    Face("auffalscherfaehrte", "J"),
    Face("sticheln", "P14"),
    Face("kaiserspiel", "BB"),
    Face("kaiserspiel", "RU", marks=frozenset({"special"})),
)
_ARTWORK_COLOURS: Final = 192


class Work(NamedTuple):
    """A picture that is made once for all."""

    name: str
    shows: str
    picture: Picture


def works(names: Mapping[str, str]) -> Iterator[Work]:
    """All there are; `names` are those of the games, by id."""
    for name, shows, picture in (
        ("icon", "A king with a crown and a beard behind three cards, in a ring of gold.", icon()),
        ("banner", "Stammtisch: the six suits, and a fan of cards of all four games.", banner()),
        ("cards", "Five cards of each of the four games, fanned, with its name.", cards(names)),
    ):
        yield Work(f"{name}.png", shows, Picture(packed(picture, _ARTWORK_COLOURS), *picture.size))


def icon() -> Image.Image:
    """A king behind his cards, at a table with a rim of gold; what counts is inside a circle."""
    table, rim = _empty(ICON, ICON, _FELT), _empty(ICON, ICON, _DECK.gold)
    king(pen_on(table, ICON / 100).at(50, 40, 14.8), _DECK.swiss["R"])
    held = fan(_HELD, _DECK, 236, 10.5)
    picture = table.reduce(FINER)
    picture.paste(held, ((ICON - held.width) // 2, 612), held)
    inside = Image.new("L", table.size)
    ImageDraw.Draw(inside).ellipse([part * FINER for part in (_RIM, _RIM, *[ICON - _RIM] * 2)], 255)
    whole = rim.reduce(FINER)
    whole.paste(picture, mask=inside.reduce(FINER))
    return whole


def banner() -> Image.Image:
    """The name, and cards of all games; the lower left is left to the icon."""
    across, down = BANNER
    large = _empty(across, down, _FELT)
    pen = pen_on(large, 1)
    pen.box(0, down - _EDGE, across, down, _DECK.gold)
    pen.left_text(36, 56, "Stammtisch", 38, _DECK.ground)
    for number, suit in enumerate("RYGBPS"):
        x = 56 + 45 * number
        pen.disc(x, 112, 19, _DECK.ground)
        SHAPES[suit](pen.at(x, 112, 12.5), _DECK.suits[suit])
    picture = large.reduce(FINER)
    shown = fan(_SHOWN, _DECK, 84, 8)
    picture.paste(shown, (across - shown.width - 8, 42), shown)
    return picture


def cards(names: Mapping[str, str]) -> Image.Image:
    """A fan of every game, two side by side, with the name below."""
    across, down = CARDS
    fans = {game: fan(faces, _DECK, 84) for game, faces in FANNED.items()}
    spots = [(across * column // 4, down * row // 2) for row in range(2) for column in (1, 3)]
    large = _empty(across, down, _FELT)
    pen = pen_on(large, 1)
    for game, (x, y) in zip(fans, spots, strict=True):
        name = names[game]
        pen.left_text(x - width_of(name, 20) / 2, y + 190, name, 20, _DECK.ground)
    picture = large.reduce(FINER)
    for shown, (x, y) in zip(fans.values(), spots, strict=True):
        picture.paste(shown, (x - shown.width // 2, y + 24), shown)
    return picture


def _empty(width: int, height: int, ground: Colour) -> Image.Image:
    """A picture to draw on with a pen."""
    return Image.new("RGB", (width * FINER, height * FINER), ground)


# Sheets: many cards of a game side by side, in rows.

_CARD: Final = 69
"""How wide a card is: ten stand side by side."""


def sheet_picture(game: str, rows: Sequence[Sequence[Face]], deck: Deck) -> Picture:
    """These cards; a row that is too long goes on below."""
    across, down = cell_of(_CARD)
    room = (WIDTH - 2 * MARGIN) // across
    lines = [row[at : at + room] for row in rows for at in range(0, len(row), room)]
    put = [
        Put(Spot(MARGIN + across * column, MARGIN + down * number), Card(face, _CARD))
        for number, line in enumerate(lines)
        for column, face in enumerate(line)
    ]
    return Plan(tuple(put), 2 * MARGIN + down * len(lines)).picture(game, deck)


SAMPLES: Final[Mapping[str, Sequence[Face]]] = {
    "aufundab": (
        Face("aufundab", "0-2"),
        Face("aufundab", "3-6", marks=frozenset({"change"})),
        Face("aufundab", "4-8"),
        Face("aufundab", "7-7", marks=frozenset({"double"})),
        Face("aufundab", "1-5", down=True),
        Face("aufundab", "2-9", down=True),
    ),
    "sticheln": tuple(Face("sticheln", code) for code in ("R5", "Y12", "G0", "B9", "P14", "S7")),
    "kaiserspiel": tuple(
        Face("kaiserspiel", code) for code in ("AK", "RO", "SU", "BB", "R7", "A5")
    ),
}
"""By game: a few cards that show what a deck is like."""
