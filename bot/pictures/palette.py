"""Palettes: 256 colours for all cards of a game in a deck, so that pictures are small and quick.

A picture is put together in the palette itself: nothing is counted or looked up while it is drawn,
and the same colour is the same number in every picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, cast

from PIL import Image

from bot.pictures.mixing import Colour

FELT: Final = 4
"""The entry of the felt; those below it are the same, more and more transparent."""

OPACITY: Final = bytes((0, 64, 128, 192, 255))
"""Of the first entries, for the round corners of a picture; all others are opaque."""

_COLOURS: Final = 256
_OPAQUE: Final = [*(FELT,) * FELT, *range(FELT, _COLOURS)]
"""By entry: the same, but never one of the transparent ones."""
_PLAIN: Final = 0.012
"""What fills this share of a card is no mixture, but a colour that it was drawn in."""
_STEP: Final = 8
"""Colours that differ by less are one colour when the palette is chosen."""


@dataclass(frozen=True, slots=True, eq=False)
class Palette:
    """Colours by number, and a picture that Pillow matches others with."""

    entries: bytes
    """Red, green, blue of every colour."""
    matcher: Image.Image
    numbers: Sequence[int]
    """By entry that is matched: the one that is meant.  Never one that is transparent."""

    def matched(self, picture: Image.Image) -> Image.Image:
        """The picture in these colours: their numbers alone, without the palette."""
        return _matches(picture, self.matcher).point(self.numbers, "L")


def palette_of(felt: Colour, samples: Iterable[Image.Image]) -> Palette:
    """A palette with the felt, the plain colours of the samples, and what else they need.

    All that is not plain counts the same, however much of it there is: a thin edge keeps its own.
    """
    kept, found = {felt: None}, set[Colour]()
    for sample in samples:
        size = sample.width * sample.height
        for count, one in sample.getcolors(size) or ():
            exact = Colour(*cast("tuple[int, int, int]", one))
            if count >= size * _PLAIN:
                kept[exact] = None
            found.add(Colour(*(min(255, round(part / _STEP) * _STEP) for part in exact)))
    for one in kept:
        found.difference_update(_beside(one))
    strip = Image.new("RGB", (len(found), 1))
    strip.putdata(sorted(found))
    room = _COLOURS - FELT - len(kept)
    chosen = strip.quantize(room, Image.Quantize.MAXCOVERAGE).getpalette() or []
    entries = bytes([*felt * FELT, *(part for one in kept for part in one), *chosen])
    entries = entries[: 3 * _COLOURS].ljust(3 * _COLOURS, b"\0")
    matcher = Image.new("P", (1, 1))
    matcher.putpalette(entries)
    numbers = [*_OPAQUE]
    # Pillow matches roughly: the felt may be taken for a colour beside it.
    (found_felt,) = _matches(Image.new("RGB", (1, 1), felt), matcher).tobytes()
    numbers[found_felt] = FELT
    return Palette(entries, matcher, numbers)


def _matches(picture: Image.Image, matcher: Image.Image) -> Image.Image:
    return picture.quantize(palette=matcher, dither=Image.Dither.NONE)


def _beside(one: Colour) -> Iterator[Colour]:
    """The counted colours around one: Pillow might take them for it."""
    reds, greens, blues = (
        {part // _STEP * _STEP, min(255, -(-part // _STEP) * _STEP)} for part in one
    )
    return (Colour(*parts) for parts in product(reds, greens, blues))
