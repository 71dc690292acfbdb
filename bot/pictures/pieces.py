"""Pieces on the felt beside cards: places of seats, marks and numbers.

No word stands on them but what people are called: symbols and numbers are read in every language.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, Literal, TypeAlias

from PIL import Image

from bot.pictures.decks import BLACK, WHITE, Colour, Deck, mix
from bot.pictures.faces import CORNER, HEIGHT, WIDTH
from bot.pictures.pen import FINER, Pen, bend, fitted, pen_on, width_of

LETTERS: Final = 25
"""Height of the figures of what is written, in pixels: 28 units on a grid of 640."""


LOW: Final = 18
"""The same of long names."""


Icon: TypeAlias = Literal["points", "cards", "tricks", ""]

ICON: Final = 29
"""Pixels across of a small picture before a number."""


_EDGE: Final = 16
"""Pixels across of the edge of a team, with the felt beside it."""
_UNDERLINE: Final = 7
"""Pixels of the same colour below a name: on a phone the edge alone is hardly seen."""
_ROOMY: Final = 150
"""Pixels across of a name that has room around it."""


class Mood(Enum):
    """How a seat stands."""

    PLAIN = "plain"
    TURN = "turn"
    """All wait for its card."""
    ASKED = "asked"
    """All wait for its word."""
    WON = "won"
    """It takes the trick, or theirs is the set that lies there."""
    OUT = "out"
    """It does not play on in this series."""


_SIGNS: Final = {Mood.TURN: 24, Mood.ASKED: 31, Mood.OUT: 25, Mood.WON: 26}
"""Pixels across of the sign before a name, with the gap after it."""


@dataclass(frozen=True, slots=True)
class Piece(ABC):
    """Something of a fixed size that is drawn on the felt."""

    width: int
    height: int

    def drawn(self, deck: Deck) -> Image.Image:
        """The piece on the felt in full colour."""
        ground = Image.new("RGB", (self.width * FINER, self.height * FINER), deck.felt)
        self.paint(pen_on(ground, 1), deck)
        return ground.reduce(FINER)

    def parts(self) -> tuple[tuple[int, Piece], ...]:
        """What is drawn and kept of it, each with how many pixels down it begins."""
        return ((0, self),)

    @abstractmethod
    def paint(self, pen: Pen, deck: Deck) -> None:
        """Draws it with a pen whose units are pixels."""


def shade_of(deck: Deck) -> Colour:
    """What is laid into the felt."""
    light = deck.felt == BLACK
    return mix(deck.felt, WHITE, 0.2) if light else mix(deck.felt, BLACK, 0.4)


def ground_of(mood: Mood, deck: Deck) -> Colour:
    """What a seat's name stands on."""
    match mood:
        case Mood.TURN | Mood.ASKED:
            return deck.ground
        case Mood.WON:
            return deck.gold
        case Mood.PLAIN | Mood.OUT:
            return shade_of(deck)


def ink_of(mood: Mood, deck: Deck) -> Colour:
    """What a seat's name is written in."""
    match mood:
        case Mood.TURN | Mood.ASKED | Mood.WON:
            return deck.ink
        case Mood.PLAIN:
            return deck.ground
        case Mood.OUT:
            return mix(deck.ground, shade_of(deck), 0.3)


@dataclass(frozen=True, slots=True)
class Plate(Piece):
    """Whose place it is: what they are called, and how they stand."""

    label: str
    mood: Mood
    team: int | None = None
    """Partners have the same edge on the left: whole for one team, in two for the other."""

    def paint(self, pen: Pen, deck: Deck) -> None:
        begin = 0 if self.team is None else _EDGE
        width, placed = self.width - begin, pen.at(begin, 0, 1)
        under(placed, width, self.height, self.mood, deck)
        name(placed, self.label, self.mood, deck, width, self.height / 2, middle=True)
        if self.team is not None:
            team_edge(pen, self.team, self.height, deck)
            low = self.height - 1 - _UNDERLINE
            placed.box(8, low, width - 8, self.height - 1, team_colour(self.team, deck), 3)


def team_edge(pen: Pen, team: int, height: float, deck: Deck) -> None:
    """What partners have in common: one piece for one team, two for the other."""
    half, colour = height / 2, team_colour(team, deck)
    if team:
        pen.box(0, 1, 13, half - 4, colour, 3)
        pen.box(0, half + 4, 13, height - 1, colour, 3)
    else:
        pen.box(0, 1, 13, height - 1, colour, 3)


def team_colour(team: int, deck: Deck) -> Colour:
    return mix(deck.high, WHITE, 0.5) if team else mix(deck.low, WHITE, 0.45)


def under(pen: Pen, width: float, height: float, mood: Mood, deck: Deck) -> None:
    """The ground of a seat; with a golden edge where all wait for it."""
    if mood in (Mood.TURN, Mood.ASKED):
        pen.box(1, 1, width - 1, height - 1, deck.gold, 10)
        pen.box(6, 6, width - 6, height - 6, ground_of(mood, deck), 6)
    else:
        pen.box(1, 1, width - 1, height - 1, ground_of(mood, deck), 10)


def name(
    pen: Pen, label: str, mood: Mood, deck: Deck, width: float, y: float, *, middle: bool = False
) -> None:
    """What a seat is called; before it an arrow for whoever is to act, or what is said, a tick or
    a cross."""
    # Where there is little room signs stand closer to the edge.
    edge = 14.0 if width >= _ROOMY else 8.0
    sign, ink = _SIGNS.get(mood, 0), ink_of(mood, deck)
    left = edge + sign
    match mood:
        case Mood.TURN:
            pen.shape(((edge, y - 11), (edge + 19, y), (edge, y + 11)), ink)
        case Mood.ASKED:
            bubble(pen.at(edge + 13, y, 13), ink)
        case Mood.OUT:
            cross(pen.at(edge + 10, y, 9), ink)
        case Mood.WON | Mood.PLAIN:
            pass
    shown, height = fitted(label, LETTERS, LOW, width - left - edge / 2 - 2)
    if middle and mood in (Mood.PLAIN, Mood.WON):
        left = max(left, sign + (width - sign - width_of(shown, height)) / 2)
    if mood is Mood.WON:
        tick(pen.at(left - 19, y, 11), ink)
    pen.left_text(left, y, shown, height, ink)


def bubble(pen: Pen, ink: Colour) -> None:
    """What somebody says: it reaches one unit."""
    pen.box(-1, -0.85, 1, 0.5, ink, 0.4)
    pen.shape(((-0.55, 0.3), (0.1, 0.3), (-0.6, 1.1)), ink)
    for x in (-0.5, 0, 0.5):
        pen.disc(x, -0.17, 0.15, WHITE)


def cross(pen: Pen, ink: Colour) -> None:
    for side in (-1, 1):
        pen.line(((-0.85, -0.85 * side), (0.85, 0.85 * side)), ink, 0.5)


@dataclass(frozen=True, slots=True)
class Out(Piece):
    """That nobody has what lies above it."""

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(1, 1, self.width - 1, self.height - 1, shade_of(deck), 10)
        cross(pen.at(self.width / 2, self.height / 2, 9), ink_of(Mood.OUT, deck))


def tick(pen: Pen, ink: Colour) -> None:
    """A check mark: whoever has it wins."""
    pen.line(((-0.9, 0.05), (-0.25, 0.7), (0.95, -0.75)), ink, 0.42)


@dataclass(frozen=True, slots=True)
class Order(Piece):
    """When a card was played: 1 was led, and stands on white; an eye where it was dealt openly."""

    number: int
    """0 for what was dealt openly."""

    def paint(self, pen: Pen, deck: Deck) -> None:
        middle = pen.at(self.width / 2, self.height / 2, 1)
        if self.number:
            numbered(middle, self.number, deck)
        else:
            _eye(middle, deck)


def numbered(pen: Pen, number: int, deck: Deck) -> None:
    """What `Order` shows, around the origin, 17 pixels in every direction."""
    led = number == 1
    pen.disc(0, 0, 17, mix(shade_of(deck), deck.ground, 0.5))
    pen.disc(0, 0, 15.5, deck.ground if led else shade_of(deck))
    pen.text(0, 0, str(number), LETTERS, deck.ink if led else deck.ground)


def _eye(pen: Pen, deck: Deck) -> None:
    """An open eye around the origin, as large as a number."""
    pen.disc(0, 0, 17, mix(shade_of(deck), deck.ground, 0.5))
    pen.disc(0, 0, 15.5, shade_of(deck))
    upper = bend((-11, 0), (-5, -9), (5, -9), (11, 0))
    lower = bend((11, 0), (5, 9), (-5, 9), (-11, 0))
    pen.shape([*upper, *lower], deck.ground)
    pen.disc(0, 0, 4.5, shade_of(deck))


@dataclass(frozen=True, slots=True)
class Slot(Piece):
    """Where a card will lie."""

    card: int
    """How wide that is."""
    mood: Mood

    def paint(self, pen: Pen, deck: Deck) -> None:
        turn = self.mood is Mood.TURN
        line = deck.gold if turn else mix(deck.felt, deck.ground, 0.35)
        thick, high = 6 if turn else 3, self.card * HEIGHT / WIDTH
        left, top = (self.width - self.card) / 2, self.height - high - 4
        round_off = self.card * CORNER / WIDTH
        pen.box(left, top, left + self.card, top + high, line, round_off)
        inner = mix(deck.felt, BLACK, 0.2)
        pen.box(left + thick, top + thick, left + self.card - thick, top + high - thick, inner,
                round_off - thick / 2)  # fmt: skip
        if turn:
            pen.text(self.width / 2, top + high / 2, "?", self.card * 0.45, deck.gold)


@dataclass(frozen=True, slots=True)
class Count(Piece):
    """A small picture and a number; where there is no room for both the number alone."""

    icon: Icon
    text: str

    def paint(self, pen: Pen, deck: Deck) -> None:
        counted(pen, self.icon, self.text, 0, self.height / 2, self.width, deck.ground, deck)


def counted(
    pen: Pen, icon: Icon, text: str, left: float, y: float, room: float, ink: Colour, deck: Deck
) -> None:
    """What `Count` shows, on whatever ground."""
    shown, height = fitted(text, LETTERS, LOW, room - ICON)
    if icon and shown == text:
        match icon:
            case "points":
                coin(pen.at(left + 12, y, 12), deck)
            case "cards":
                little_card(pen.at(left + 11, y, 15), deck)
            case "tricks":
                little_card(pen.at(left + 16, y - 3, 14), deck)
                little_card(pen.at(left + 10, y + 3, 15), deck, won=True)
        pen.left_text(left + ICON, y, text, height, ink)
    else:
        pen.text(left + room / 2, y, text, LETTERS, ink, room)


def coin(pen: Pen, deck: Deck) -> None:
    """A point."""
    pen.disc(0, 0, 1, mix(deck.gold, BLACK, 0.45))
    pen.disc(0, 0, 0.84, deck.gold)
    pen.disc(0, 0, 0.45, mix(deck.gold, WHITE, 0.55))


def little_card(pen: Pen, deck: Deck, *, won: bool = False) -> None:
    """The back of a card; that of a trick that was won has a tick."""
    pen.box(-0.66, -0.95, 0.66, 0.95, deck.ground, 0.2)
    if won:
        tick(pen.at(0, 0.02, 0.6), deck.ink)
    else:
        pen.box(-0.5, -0.79, 0.5, 0.79, deck.high, 0.12)


@dataclass(frozen=True, slots=True)
class Chip(Piece):
    """A seat that has a number of cards: what it is called, how many, and its points."""

    label: str
    mood: Mood
    cards: str
    points: str

    def parts(self) -> tuple[tuple[int, Piece], ...]:
        """Its name, which is its own, and its numbers, which others have as well."""
        named, counted = replace(self, cards="", points=""), replace(self, label="")
        half = self.height // 2
        return (
            (0, Part(self.width, half, named, 0)),
            (half, Part(self.width, self.height - half, counted, half)),
        )

    def paint(self, pen: Pen, deck: Deck) -> None:
        under(pen, self.width, self.height, self.mood, deck)
        name(pen, self.label, self.mood, deck, self.width, 31)
        ink, y = ink_of(self.mood, deck), self.height - 29
        if self.cards:
            counted(pen, "cards", self.cards, 14, y, self.width, ink, deck)
        if self.points:
            wide = ICON + width_of(self.points, LETTERS)
            counted(pen, "points", self.points, self.width - 14 - wide, y, self.width, ink, deck)


@dataclass(frozen=True, slots=True)
class Part(Piece):
    """A strip of another piece, so many pixels below its upper edge."""

    whole: Piece
    top: int

    def paint(self, pen: Pen, deck: Deck) -> None:
        self.whole.paint(pen.at(0, -self.top, 1), deck)
