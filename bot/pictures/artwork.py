"""The application's icon and banner, and the cards of all games on one picture.

`stammtisch gallery` writes them; those in `data/docs/` are uploaded in Discord's developer portal.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from PIL import Image, ImageDraw

from bot.pictures.card import Face
from bot.pictures.colour_shapes import SHAPES
from bot.pictures.decks import DECKS, STANDARD
from bot.pictures.fan import FANNED, fan, packed
from bot.pictures.felt import Picture
from bot.pictures.figures import king
from bot.pictures.mixing import WHITE, Colour, mix
from bot.pictures.pen import FINER, pen_on, width_of

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
_COLOURS: Final = 192


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
        yield Work(f"{name}.png", shows, Picture(packed(picture, _COLOURS), *picture.size))


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
