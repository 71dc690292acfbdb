"""Fans of five cards in front of nothing, for pictures of what a game looks like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from io import BytesIO
from math import cos, radians, sin
from typing import Final

from PIL import Image, ImageFilter

from bot.pictures.card import Face
from bot.pictures.decks import Deck
from bot.pictures.faces import drawn

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
