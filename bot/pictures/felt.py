"""The green felt under cards, places on it, and the PNG file that is made of both."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from PIL import Image

from bot.pictures.decks import Deck
from bot.pictures.faces import Face
from bot.pictures.pieces import Piece
from bot.pictures.tiles import FELT, OPACITY, Look, cell_of, corner, palette, piece, tile

# PNG files, packed by zlib, which lets other threads run.
#
# Format: https://www.w3.org/TR/png-3/, sections 5 and 11.

_SIGNATURE: Final = b"\x89PNG\r\n\x1a\n"
_BITS: Final = 8
_INDEXED: Final = 3
"""The kind of picture whose points are entries of a palette."""

_QUICK: Final = 3
_HARD: Final = 5
"""How hard it is packed: the latter takes almost twice as long for a tenth less."""
_LARGE: Final = 28_000
"""Bytes that are worth that: what is sent to everybody who looks."""

_UNFILTERED: Final = 0
"""Stands before the points of every row: they are what they are, no differences."""


def _png(rows: bytes, size: tuple[int, int], entries: bytes, opacity: bytes) -> bytes:
    """A picture of `size`, width and height.

    `rows` are its points, a byte each, every row after a byte `_UNFILTERED`; `entries` red, green
    and blue of each colour; `opacity` that of the first ones, all others are opaque.
    """
    head = struct.pack(">IIBBBBB", *size, _BITS, _INDEXED, 0, 0, 0)
    packed = zlib.compress(rows, _QUICK)
    if len(packed) > _LARGE:
        packed = zlib.compress(rows, _HARD)
    parts = (
        (b"IHDR", head),
        (b"PLTE", entries),
        (b"tRNS", opacity),
        (b"IDAT", packed),
        (b"IEND", b""),
    )
    return _SIGNATURE + b"".join(part for kind, data in parts for part in _chunk(kind, data))


def _chunk(kind: bytes, data: bytes) -> Iterator[bytes]:
    yield struct.pack(">I", len(data))
    yield kind
    yield data
    yield struct.pack(">I", zlib.crc32(data, zlib.crc32(kind)))


# The felt.

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
    for drawn, (left, top) in tiles:
        picture.paste(drawn, (1 + left, top))
    _round(picture)
    picture.paste(_UNFILTERED, (0, 0, 1, height))
    packed = _png(picture.tobytes(), (WIDTH, height), palette(game, deck).entries, OPACITY)
    return Picture(packed, WIDTH, height)


def _round(picture: Image.Image) -> None:
    """Round corners: outside them the picture is transparent; cards stay as they are."""
    upper_left, outside = corner(CORNER)
    flip, mirror = Image.Transpose.FLIP_TOP_BOTTOM, Image.Transpose.FLIP_LEFT_RIGHT
    right, low = picture.width - CORNER, picture.height - CORNER
    for place, turns in (
        ((1, 0), ()), ((right, 0), (mirror,)), ((1, low), (flip,)), ((right, low), (flip, mirror)),
    ):  # fmt: skip
        part, mask = upper_left, outside
        for turn in turns:
            part, mask = part.transpose(turn), mask.transpose(turn)
        picture.paste(part, place, mask)


# Places on it.


class Card(NamedTuple):
    """A card that lies somewhere."""

    face: Face
    width: int
    look: Look = Look.FLAT


class Put(NamedTuple):
    """Something and where it lies."""

    spot: Spot
    what: Card | Piece

    @property
    def size(self) -> tuple[int, int]:
        """Pixels across and down."""
        if isinstance(self.what, Piece):
            return self.what.width, self.what.height
        return cell_of(self.what.width)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that lies on a picture."""

    put: tuple[Put, ...]
    height: int

    def picture(self, game: str, deck: Deck) -> Picture:
        """It drawn on the felt."""
        laid = []
        for spot, what in self.put:
            if isinstance(what, Piece):
                for down, part in what.parts():
                    laid.append((piece(part, game, deck), Spot(spot.left, spot.top + down)))
            else:
                laid.append((tile(what.face, deck, what.width, what.look), spot))
        return felt_picture(game, deck, laid, self.height)
