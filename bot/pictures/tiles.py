"""Tiles: cards with their shadows on felt, drawn once for each palette of 256 colours."""

from __future__ import annotations

import zlib
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache, lru_cache
from itertools import chain, product
from threading import Lock
from typing import Final, cast

from cachetools import LRUCache, cached
from PIL import Image, ImageDraw, ImageFilter

from bot.pictures.decks import BLACK, Colour, Deck, mix
from bot.pictures.faces import CORNER, WIDTH, Face, drawn, height_of
from bot.pictures.marks import samples
from bot.pictures.pen import FINER, pen_on
from bot.pictures.pieces import Piece

# Palettes: 256 colours for all cards of a game in a deck, so that pictures are small and quick.
#
# A picture is put together in the palette itself: nothing is counted or looked up while it is
# drawn, and the same colour is the same number in every picture.

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


# Tiles.

READY: Final = 16_000_000
"""Bytes of cards and pieces that are kept as they are: drawing one takes some milliseconds."""
PACKED: Final = 20_000_000
"""Bytes of those that have not been used for a while."""

_EACH: Final = 600
"""Bytes that go with every one of them: its key, its place, what Pillow notes of it."""


class _Drawn(LRUCache[Hashable, Image.Image]):
    """Cards and pieces that were drawn.

    What has not been used for a while is packed, and takes a fraction of its room; to unpack it
    takes a twentieth of the time of drawing it.
    """

    def __init__(self) -> None:
        super().__init__(READY, lambda picture: picture.width * picture.height + _EACH)
        self.packed: LRUCache[Hashable, tuple[tuple[int, int], bytes]] = LRUCache(
            PACKED, lambda parcel: len(parcel[1]) + _EACH
        )

    def __missing__(self, key: Hashable) -> Image.Image:
        size, points = self.packed[key]
        self[key] = unpacked = Image.frombytes("L", size, zlib.decompress(points))
        return unpacked

    def popitem(self) -> tuple[Hashable, Image.Image]:
        key, picture = super().popitem()
        if key not in self.packed:
            self.packed[key] = picture.size, zlib.compress(picture.tobytes(), 1)
        return key, picture


DRAWN: Final = _Drawn()
_LOCK: Final = Lock()

PALETTES: Final = 32
"""So many are kept: those of all games in all decks.  Pillow keeps half a megabyte for each."""

GAP: Final = 8
"""Pixels between two cards that lie side by side."""
LIFT: Final = 10
"""Pixels by which a card is lifted."""

_SMALL: Final = 90
"""Narrower cards have large figures in every deck."""
_GOLDEN: Final = 10
"""Pixels of gold around a card that wins."""
_DEEP: Final = 7
"""Pixels by which the shadow of a lifted card lies below it."""
_FADED: Final = 0.35
"""How much of its colour a card loses that may not be played."""

_SAMPLE: Final = 48
"""How wide the cards are that a palette is chosen by."""


class Look(Enum):
    """How a card lies there."""

    FLAT = "flat"
    LIFTED = "lifted"
    """It may be played, others may not."""
    SHADED = "shaded"
    """It may not be played, or is over."""
    WINNING = "winning"
    """It takes the trick: it lies on gold."""


def cell_of(width: int) -> tuple[int, int]:
    """Width and height of the tile of a card so wide."""
    return width + GAP, height_of(width) + GAP + LIFT


def tile(face: Face, deck: Deck, width: int, look: Look) -> Image.Image:
    """The card in the colours of its palette, in the middle of its cell; higher if lifted."""
    if look is Look.SHADED:
        # In a palette the colours of all points are changed at once: nothing is drawn for that.
        return tile(face, deck, width, Look.FLAT).point(_shades(face.game, deck))
    if look is Look.LIFTED:
        return _lifted(tile(face, deck, width, Look.FLAT), face.game, deck, width)
    return _bright(face, deck, width, look)


@cached(DRAWN, lock=_LOCK)
def _bright(face: Face, deck: Deck, width: int, look: Look) -> Image.Image:
    shown = deck if width >= _SMALL else _in_small(deck)
    return palette(face.game, deck).matched(_laid(face, shown, width, look))


@cached(DRAWN, lock=_LOCK)
def piece(one: Piece, game: str, deck: Deck) -> Image.Image:
    """What is no card, in the colours of the palette."""
    return palette(game, deck).matched(one.drawn(deck))


def _lifted(flat: Image.Image, game: str, deck: Deck, width: int) -> Image.Image:
    """The same card higher, above a deeper shadow."""
    left, top = GAP // 2, GAP // 2 + LIFT
    box = (left, top, left + width, top + height_of(width))
    raised = _air(game, deck, width).copy()
    raised.paste(flat.crop(box), (left, top - LIFT), _outline(width))
    return raised


@cached(DRAWN, lock=_LOCK)
def _air(game: str, deck: Deck, width: int) -> Image.Image:
    """The felt below a lifted card, with its shadow."""
    ground = Image.new("RGB", cell_of(width), deck.felt)
    ground.paste(mix(deck.felt, BLACK, 0.55), mask=_shadow(width, GAP // 2, GAP // 2, _DEEP))
    return palette(game, deck).matched(ground)


@lru_cache(maxsize=16)
def _outline(width: int) -> Image.Image:
    """Where a card so wide is more than nothing."""
    mask = Image.new("1", (width, height_of(width)))
    box = (0, 0, width - 1, height_of(width) - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, width * CORNER / WIDTH, 1)
    return mask


@lru_cache(maxsize=PALETTES)
def _shades(game: str, deck: Deck) -> list[int]:
    """By entry of a palette: the one of the same colour where it may not be played."""
    found = palette(game, deck)
    strip = Image.frombytes("RGB", (len(found.entries) // 3, 1), found.entries)
    shaded = [*found.matched(_shaded(strip, deck)).tobytes()]
    return [*range(FELT + 1), *shaded[FELT + 1 :]]


@lru_cache(maxsize=PALETTES)
def palette(game: str, deck: Deck) -> Palette:
    """The colours of all cards of a game in a deck."""
    cards = (_laid(face, deck, _SAMPLE, look) for face in _samples(game) for look in Look)
    return palette_of(deck.felt, chain(cards, samples(game, deck)))


@lru_cache(maxsize=16)
def corner(reach: int) -> tuple[Image.Image, Image.Image]:
    """The upper left corner of a picture, from nothing to the felt, and a mask of its outside."""
    finer = reach * FINER
    mask = Image.new("L", (finer, finer))
    ImageDraw.Draw(mask).ellipse((0, 0, 2 * finer, 2 * finer), 255)
    steps = [round(one * FELT / 255) for one in range(256)]
    piece = mask.reduce(FINER).point(steps)
    return piece, piece.point([255 if one < FELT else 0 for one in range(256)])


def _laid(face: Face, deck: Deck, width: int, look: Look) -> Image.Image:
    """The card on the felt in full colour."""
    across, down = cell_of(width)
    ground = Image.new("RGB", (across, down), deck.felt)
    if look is Look.WINNING:
        _on_gold(ground, drawn(face, deck, width - 2 * (_GOLDEN - GAP // 2)), deck)
        return ground
    card = drawn(face, deck, width)
    top = GAP // 2 + (0 if look is Look.LIFTED else LIFT)
    left = GAP // 2
    if look is Look.SHADED:
        ground.paste(_shaded(card.convert("RGB"), deck), (left, top), card)
        return ground
    deep = _DEEP if look is Look.LIFTED else 2
    ground.paste(mix(deck.felt, BLACK, 0.55), mask=_shadow(width, left, top, deep))
    ground.paste(card, (left, top), card)
    return ground


def _shaded(picture: Image.Image, deck: Deck) -> Image.Image:
    grey = Image.blend(picture, picture.convert("L").convert("RGB"), _FADED)
    veil = Image.new("RGB", picture.size, mix(deck.felt, BLACK, 0.35))
    return Image.blend(grey, veil, deck.shade)


def _on_gold(ground: Image.Image, card: Image.Image, deck: Deck) -> None:
    """The card in the middle of a plate of gold, as large as it would be without."""
    finer = Image.new("RGB", (ground.width * FINER, (ground.height - LIFT) * FINER), deck.felt)
    pen = pen_on(finer, 1)
    across, down = ground.width - 2, ground.height - LIFT - 2
    pen.box(1.4, 1.4, across, down, mix(deck.felt, BLACK, 0.55), 12)
    pen.box(2.4, 2.4, across - 1, down - 1, deck.gold, 11)
    ground.paste(finer.reduce(FINER), (0, LIFT))
    left, top = (ground.width - card.width) // 2, LIFT + (down + 2 - card.height) // 2
    ground.paste(card, (left, top), card)


@cache
def _in_small(deck: Deck) -> Deck:
    """The deck with what can be read on small cards."""
    return replace(deck, large=True, small=True)


@lru_cache(maxsize=16)
def _shadow(width: int, left: int, top: int, deep: int) -> Image.Image:
    across, down = cell_of(width)
    mask = Image.new("L", (across, down))
    box = (left, top + deep, left + width - 1, top + deep + height_of(width) - 1)
    ImageDraw.Draw(mask).rounded_rectangle(box, width * CORNER / WIDTH, 255)
    soft = mask.filter(ImageFilter.GaussianBlur(2.5))
    # Tiles lie side by side: at their edges there must be felt alone.
    frame = Image.new("L", mask.size)
    frame.paste(soft.crop((1, 1, across - 1, down - 1)), (1, 1))
    return frame


def _samples(game: str) -> Iterator[Face]:
    """Cards that have every colour of their game."""
    yield Face(game, "")
    match game:
        case "aufundab":
            codes = [("3-9", ""), ("6-6", "double"), ("3-6", "change")]
            for code, mark in codes:
                for down in (False, True):
                    yield Face(game, code, down, frozenset({mark} - {""}))
        case "auffalscherfaehrte" | "sticheln":
            suits = "RYGB" if game == "auffalscherfaehrte" else "RYGBPS"
            mark = "special" if game == "auffalscherfaehrte" else "unwanted"
            yield Face(game, "J")
            for suit in suits:
                yield Face(game, f"{suit}8")
                yield Face(game, f"{suit}8", marks=frozenset({mark}))
        case "kaiserspiel":
            for suit, rank in zip("ARSBARSB", "KOUB7BKU", strict=True):
                yield Face(game, suit + rank)
            yield Face(game, "RU", marks=frozenset({"special"}))
            yield Face(game, "BB", marks=frozenset({"kaiser", "mugg", "special"}))
        case _:
            yield Face(game, "8")
