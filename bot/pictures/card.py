"""An empty card: its measures, and where numbers and shapes are drawn on it.

A card is 100 units wide and 140 high, whatever it shows and however large it is drawn.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.pictures.decks import Colour
from bot.pictures.pen import Pen

WIDTH: Final = 100
HEIGHT: Final = 140
CORNER: Final = 9


@dataclass(frozen=True, slots=True)
class Face:
    """What is to be seen of one card.

    Marks: `double`, `twice`, `change` (Auf und Ab), `special` (a trump), `unwanted`, `kaiser` and
    `mugg`.
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
