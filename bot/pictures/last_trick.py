"""The last trick on a board: small, in the order of play, with owners and winner.

It is not laid out around the table, so every card has the initials of its owner.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.pictures.decks import Colour, Deck
from bot.pictures.felt import Card, Put, Spot
from bot.pictures.pen import Pen, bend
from bot.pictures.pieces import LETTERS, Piece, little_card, numbered, shade_of, tick
from bot.pictures.scene import Lying, Scene
from bot.pictures.tiles import LIFT, Look, cell_of

CARD: Final = 62
"""How wide its cards are."""
_TAG: Final = 36
_SIGN: Final = 38
_COLUMNS: Final = 2
_AHEAD: Final = 60
"""Pixels across of the sign before a row of cards."""


@dataclass(frozen=True, slots=True)
class Before(Piece):
    """That what follows is over: an arrow back, and the cards of a trick where there is room."""

    trick: bool = True

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(0, 0, self.width, self.height, shade_of(deck), 10)
        x, y = self.width / 2, self.height / 2
        if not self.trick:
            back(pen.at(x, y, 15), deck.ground)
        elif self.width > 2 * self.height:
            back(pen.at(x - 22, y, 14), deck.ground)
            _little(pen, x + 24, y, deck)
        else:
            back(pen.at(x, y - 20, 15), deck.ground)
            _little(pen, x, y + 22, deck)


def _little(pen: Pen, x: float, y: float, deck: Deck) -> None:
    little_card(pen.at(x + 3, y - 2, 14), deck)
    little_card(pen.at(x - 3, y + 3, 14), deck)


def back(pen: Pen, ink: Colour) -> None:
    """An arrow that turns back to the left; it reaches one unit."""
    pen.line(
        [(-0.5, -0.4), *bend((0.2, -0.4), (1.15, -0.4), (1.15, 0.8), (0.2, 0.8)), (-0.4, 0.8)],
        ink,
        0.3,
    )
    pen.shape(((-1.1, -0.4), (-0.3, -1.05), (-0.3, 0.25)), ink)


@dataclass(frozen=True, slots=True)
class Tag(Piece):
    """Beside a card: when it was played, the initials of its owner, and whether it won."""

    order: int
    letters: str
    won: bool

    def paint(self, pen: Pen, deck: Deck) -> None:
        middle, top = self.width / 2, LIFT + 4
        numbered(pen.at(middle, top + 17, 1), self.order, deck)
        ink = deck.ground
        if self.won:
            pen.box(1, top + 36, self.width - 1, self.height, deck.gold, 8)
            tick(pen.at(middle, self.height - 14, 10), deck.ink)
            ink = deck.ink
        pen.text(middle, top + 52, self.letters, LETTERS, ink, self.width - 4)


def past_beside(scene: Scene, left: int, bottom: int) -> Iterator[Put]:
    """Up to four cards, two beside each other, below their sign."""
    if not scene.past:
        return
    across, down = cell_of(CARD)
    rows = -(-len(scene.past) // _COLUMNS)
    top = bottom - rows * down
    sign = Before(_COLUMNS * (across + _TAG), _SIGN)
    yield Put(Spot(left, top - _SIGN), sign)
    for number, one in enumerate(scene.past):
        row, column = divmod(number, _COLUMNS)
        yield from _tagged(scene, one, left + column * (across + _TAG), top + row * down)


def past_below(scene: Scene, left: int, top: int) -> Iterator[Put]:
    """All cards side by side, after their sign."""
    if not scene.past:
        return
    across, down = cell_of(CARD)
    yield Put(Spot(left, top + LIFT), Before(_AHEAD, down - LIFT))
    left += _AHEAD + LIFT
    for one in scene.past:
        yield from _tagged(scene, one, left, top)
        left += across + _TAG


def _tagged(scene: Scene, one: Lying, left: int, top: int) -> Iterator[Put]:
    across, down = cell_of(CARD)
    look = Look.WINNING if one.wins else Look.FLAT
    yield Put(Spot(left, top), Card(one.face, CARD, look))
    letters = scene.places[one.seat].initials
    yield Put(Spot(left + across, top), Tag(_TAG, down, one.order, letters, one.wins))
