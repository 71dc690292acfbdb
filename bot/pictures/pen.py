"""`Pen`: shapes and text on a picture, in units that do not depend on its size.

Pillow draws without smoothing, so everything is drawn `FINER` times as large and reduced once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from math import cos, pi, sin
from pathlib import Path
from typing import Final, TypeAlias

from PIL import Image, ImageDraw, ImageFont

from bot.pictures.decks import Colour
from bot.plain_text import without_number

FINER: Final = 3

Point: TypeAlias = tuple[float, float]

_FONT: Final = "Tischkarte-Black.ttf"


@cache
def _font_file() -> str:
    folders = (Path(part, "fonts") for part in import_module("data").__path__)
    return str(next(folder / _FONT for folder in folders if (folder / _FONT).is_file()))


@cache
def font(size: int) -> ImageFont.FreeTypeFont:
    """Our font, so many pixels large."""
    return ImageFont.truetype(_font_file(), size, layout_engine=ImageFont.Layout.BASIC)


_CAPITAL: Final = 0.72
"""Height of a figure, as a share of the size of the font."""
_EXACT: Final = 100
"""Size at which text is measured."""
_NOT_THERE: Final = "\uffff"


@dataclass(frozen=True, slots=True)
class Pen:
    """Draws at a place in a picture; its units are `unit` pixels."""

    draw: ImageDraw.ImageDraw
    unit: float
    x: float = 0
    y: float = 0

    def at(self, x: float, y: float, size: float) -> Pen:
        """A pen whose origin lies there and whose unit is `size` of ours."""
        return Pen(self.draw, self.unit * size, self.x + x * self.unit, self.y + y * self.unit)

    def _on(self, point: Point) -> Point:
        return self.x + point[0] * self.unit, self.y + point[1] * self.unit

    def shape(
        self, points: Iterable[Point], fill: Colour, edge: Colour | None = None, width: float = 0
    ) -> None:
        """A closed shape through these points."""
        placed = [self._on(point) for point in points]
        self.draw.polygon(placed, fill)
        if edge is not None:
            self._stroke([*placed, placed[0], placed[1]], edge, width)

    def line(self, points: Iterable[Point], fill: Colour, width: float) -> None:
        """A line through these points, round at its ends."""
        placed = [self._on(point) for point in points]
        self._stroke(placed, fill, width)
        reach = width * self.unit / 2
        for x, y in (placed[0], placed[-1]):
            self.draw.ellipse((x - reach, y - reach, x + reach, y + reach), fill)

    def _stroke(self, placed: Sequence[Point], fill: Colour, width: float) -> None:
        self.draw.line(placed, fill, max(1, round(width * self.unit)), joint="curve")

    def oval(
        self, x: float, y: float, across: float, down: float, fill: Colour,
        edge: Colour | None = None, width: float = 0,
    ) -> None:  # fmt: skip
        """An ellipse around a point, with its two radii."""
        (left, top), (right, bottom) = (
            self._on((x - across, y - down)),
            self._on((x + across, y + down)),
        )
        self.draw.ellipse(
            (left, top, right, bottom), fill, edge, max(1, round(width * self.unit)) if edge else 1
        )

    def disc(
        self, x: float, y: float, reach: float, fill: Colour, edge: Colour | None = None,
        width: float = 0,
    ) -> None:  # fmt: skip
        """A circle around a point."""
        self.oval(x, y, reach, reach, fill, edge, width)

    def box(
        self, left: float, top: float, right: float, bottom: float, fill: Colour,
        corner: float = 0, corners: tuple[bool, bool, bool, bool] = (True, True, True, True),
    ) -> None:  # fmt: skip
        """A rectangle with round corners: which of them, clockwise from the upper left."""
        self.draw.rounded_rectangle(
            (*self._on((left, top)), *self._on((right, bottom))),
            corner * self.unit, fill, corners=corners,
        )  # fmt: skip

    def left_text(self, x: float, y: float, text: str, height: float, fill: Colour) -> None:
        """Text that begins at a point, its figures so high and in their middle there."""
        chosen = font(max(1, round(height * self.unit / _CAPITAL)))
        across, down = self._on((x, y + height / 2))
        self.draw.text((across, down), text, fill, chosen, anchor="ls")

    def text(
        self, x: float, y: float, text: str, height: float, fill: Colour, room: float = 1000
    ) -> None:
        """Text centred on a point, its figures so high, but never wider than its room."""
        size = height * self.unit / _CAPITAL
        wide = font(max(1, round(size))).getlength(text)
        size *= min(1.0, room * self.unit / wide) if wide else 1.0
        chosen = font(max(1, round(size)))
        left, top, right, bottom = chosen.getbbox(text, anchor="ls")
        across, down = self._on((x, y))
        place = (across - (left + right) / 2, down - (top + bottom) / 2)
        self.draw.text(place, text, fill, chosen, anchor="ls")


def width_of(text: str, height: float) -> float:
    """How wide a text is, its figures so high."""
    return font(_EXACT).getlength(text) * height / _CAPITAL / _EXACT


def cut_to(text: str, height: float, room: float) -> str:
    """As much of a text as fits into a room, its figures so high; a number at its end stays."""
    text, end = _numbered(text)
    while text and width_of(text + end, height) > room:
        text = text[:-1].rstrip(" .")
    return (text + end).strip()


def _numbered(text: str) -> tuple[str, str]:
    """A text, and the number at its end: of a seat (`Ann (3)`) or a computer player."""
    base, number = without_number(text)
    if number:
        return base, number
    word, _, last = text.rpartition(" ")
    return (word, f" {last}") if word and last.isdigit() else (text, "")


def fitted(text: str, height: float, least: float, room: float) -> tuple[str, float]:
    """A text and how high its figures are to fit into a room: lower down to `least`, then cut."""
    wide = width_of(text, height)
    if wide <= room:
        return text, height
    lower = max(least, height * room / wide)
    return cut_to(text, lower, room), lower


@cache
def known(letter: str) -> bool:
    """Whether our font has a letter: what it has not is an empty box."""
    plain = font(_EXACT)
    return bytes(plain.getmask(letter)) != bytes(plain.getmask(_NOT_THERE))


def pen_on(image: Image.Image, unit: float) -> Pen:
    """A pen on a picture that is drawn `FINER` times as large as it will be."""
    return Pen(ImageDraw.Draw(image), unit * FINER)


def bend(start: Point, one: Point, other: Point, end: Point, steps: int = 14) -> Iterator[Point]:
    """The points of a Bézier curve."""
    for step in range(steps + 1):
        t = step / steps
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        yield (
            a * start[0] + b * one[0] + c * other[0] + d * end[0],
            a * start[1] + b * one[1] + c * other[1] + d * end[1],
        )


def around(count: int, reach: float, begin: float = -0.25) -> Iterator[Point]:
    """So many points on a circle, from `begin` (in turns, 0 is right, -1/4 above) clockwise."""
    for number in range(count):
        angle = 2 * pi * (begin + number / count)
        yield reach * cos(angle), reach * sin(angle)


def mirrored(points: Sequence[Point]) -> list[Point]:
    """A right half from top to bottom, and its left half back to the top."""
    return [*points, *((-x, y) for x, y in reversed(points))]
