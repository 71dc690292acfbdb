"""The green felt under cards, and the picture that is made of both."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures.decks import Deck
from bot.pictures.palette import FELT, OPACITY
from bot.pictures.png import UNFILTERED, png
from bot.pictures.tiles import corner, palette

WIDTH: Final = 800
"""Pixels of every picture: sharp on a phone of triple density, and on a desktop."""

MARGIN: Final = 12
CORNER: Final = 26


class Picture(NamedTuple):
    """A picture as it is sent."""

    png: bytes
    width: int
    height: int


class Spot(NamedTuple):
    """Where the tile of a card lies."""

    left: int
    top: int


def felt_picture(
    game: str, deck: Deck, tiles: Iterable[tuple[Image.Image, Spot]], height: int
) -> Picture:
    """Tiles of a game on the felt."""
    # One column more: what stands there is no point, but how the row after it is to be read.
    picture = Image.new("L", (1 + WIDTH, height), FELT)
    for tile, (left, top) in tiles:
        picture.paste(tile, (1 + left, top))
    _round(picture)
    picture.paste(UNFILTERED, (0, 0, 1, height))
    packed = png(picture.tobytes(), (WIDTH, height), palette(game, deck).entries, OPACITY)
    return Picture(packed, WIDTH, height)


def _round(picture: Image.Image) -> None:
    """Round corners: outside them the picture is transparent; cards stay as they are."""
    upper_left, outside = corner(CORNER)
    flip, mirror = Image.Transpose.FLIP_TOP_BOTTOM, Image.Transpose.FLIP_LEFT_RIGHT
    right, low = picture.width - CORNER, picture.height - CORNER
    for place, turns in (
        ((1, 0), ()), ((right, 0), (mirror,)), ((1, low), (flip,)), ((right, low), (flip, mirror)),
    ):  # fmt: skip
        piece, mask = upper_left, outside
        for turn in turns:
            piece, mask = piece.transpose(turn), mask.transpose(turn)
        picture.paste(piece, place, mask)
