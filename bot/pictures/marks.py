"""Drawing suits, declared colours, the trail, mode and value beside the cards of a board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Final, Literal

from PIL import Image

from bot.pictures.decks import BLACK, WHITE, Colour, Deck, colour, mix
from bot.pictures.faces import Face
from bot.pictures.figures import above, crown, triangle
from bot.pictures.pen import Pen, around
from bot.pictures.pieces import (
    LETTERS,
    Chip,
    Mood,
    Piece,
    Plate,
    Slot,
    coin,
    little_card,
    shade_of,
    team_colour,
    team_edge,
)
from bot.pictures.suits import SHAPES, TRADITIONS, Shape
from engine.layout import Tally

MEDALS: Final = {1: colour("#E9B11E"), 2: colour("#C3CAD3"), 3: colour("#D08A4E")}
"""Gold, silver and bronze, by place."""


def suit_of(game: str, code: str, deck: Deck) -> tuple[Shape, Colour] | None:
    """The shape and the colour of a suit; None of what is none."""
    if game == "kaiserspiel":
        shape = TRADITIONS[deck.tradition].get(code)
        return None if shape is None else (shape, deck.swiss[code])
    shape = SHAPES.get(code)
    return None if shape is None else (shape, deck.suits[code])


_LOW: Final = 110
"""Pixels down below which a trail is drawn closer together."""


@dataclass(frozen=True, slots=True)
class SuitSign(Piece):
    """A suit on white, as on a card; a trump has the sign of one before it."""

    game: str
    code: str
    trump: bool

    def paint(self, pen: Pen, deck: Deck) -> None:
        found = suit_of(self.game, self.code, deck)
        if found is None:
            return
        shape, own = found
        ground = own if deck.solid and self.game != "kaiserspiel" else deck.ground
        edge = deck.ink if self.trump else mix(own, BLACK, 0.3)
        pen.box(1, 1, self.width - 1, self.height - 1, edge, 12)
        pen.box(6, 6, self.width - 6, self.height - 6, ground, 8)
        ink = deck.ink if ground is own else own
        reach, middle = self.height * 0.34, self.width / 2
        if self.trump:
            above(pen.at(self.width * 0.3, self.height / 2, reach * 0.9), deck.ink)
            middle = self.width * 0.68
        shape(pen.at(middle, self.height / 2, reach), ink)


@dataclass(frozen=True, slots=True)
class Unwanted(Piece):
    """The card that a seat has put before it: its colour is what that seat does not want."""

    game: str
    code: str
    number: int

    def paint(self, pen: Pen, deck: Deck) -> None:
        found = suit_of(self.game, self.code, deck)
        if found is None:
            return
        shape, own = found
        edge = mix(own, BLACK, 0.55) if deck.solid else own
        pen.box(0, 0, self.width, self.height, edge, 9)
        pen.box(4, 4, self.width - 4, self.height - 4, own if deck.solid else deck.ground, 6)
        pen.text(self.width / 2, 23, str(self.number), 25, deck.ink, self.width - 14)
        reach = min(14.0, self.width * 0.21)
        shape(pen.at(self.width * 0.32, self.height - 22, reach), deck.ink if deck.solid else own)
        # The mark that its colour has in hands as well: what the number costs is no score.
        mark = pen.at(self.width - 6 - 0.93 * reach, self.height - 20, 0.93 * reach)
        mark.disc(0, 0, 1, WHITE)
        mark.disc(0, 0, 0.88, deck.ink)
        mark.box(-0.54, -0.19, 0.54, 0.19, WHITE)


def spread(width: int, count: int) -> tuple[float, float]:
    """Radius of so many discs side by side, none on another, and from one middle to the next."""
    radius = min(18.0, width / 2 / count)
    return radius, min(38.0, (width - 2 * radius) / max(1, count - 1))


@dataclass(frozen=True, slots=True)
class Crowned(Piece):
    """The Kaisers that a seat has declared: their suits under a crown, the highest under two."""

    game: str
    codes: tuple[str, ...]
    highest: tuple[str, ...]

    def paint(self, pen: Pen, deck: Deck) -> None:
        every = [*self.highest, *self.codes]
        radius, step = spread(self.width, len(every))
        for number, code in enumerate(every):
            found = suit_of(self.game, code[:1], deck)
            if found is None:
                continue
            shape, own = found
            x, y = radius + step * number, self.height - radius
            pen.disc(x, y, radius, deck.ground)
            shape(pen.at(x, y, radius * 0.72), own)
            if code in self.highest:
                # Narrow ones: both are above this suit, and the next suit has its own.
                crown(pen.at(x - radius / 2, y - radius - 13, radius * 0.39), deck.gold)
                crown(pen.at(x + radius / 2, y - radius - 13, radius * 0.39), deck.gold)
            else:
                crown(pen.at(x, y - radius - 13, radius / 2), deck.gold)


@dataclass(frozen=True, slots=True)
class Rung(Piece):
    """A rank of trumps: its card's rank and suit, as pale as the card; or a crown, two for the
    highest, and the suits under it.  What is gone is faded.  Behind it, unless it is the last, that
    it beats the next."""

    faces: tuple[Face, ...]
    last: bool = False

    def paint(self, pen: Pen, deck: Deck) -> None:
        right, y = self.width - (2 if self.last else _BEATS), self.height / 2
        crowns = _crowns(self.faces)
        whole = all("gone" in face.marks for face in self.faces)
        ground = deck.gold if crowns else deck.swiss_special
        pen.box(1, 1, right, self.height - 1, _faded(ground, deck) if whole else ground, 8)
        step = min(28.0, (right - 8) / _signs(self.faces))
        x = (right - step * (_signs(self.faces) - 1)) / 2
        for _ in range(crowns):
            crown(pen.at(x, y, 11.5), _faded(deck.ink, deck) if whole else deck.ink)
            x += step
        for face in self.faces:
            if (found := suit_of(face.game, face.code[:1], deck)) is None:
                continue
            shape, own = found
            gone = "gone" in face.marks
            own = _faded(own, deck) if gone else own
            if crowns:
                pen.disc(x, y, 14, _faded(deck.ground, deck) if gone else deck.ground)
            else:
                pen.text(x, y, face.code[1:], LETTERS, own, step)
                x += step
            shape(pen.at(x, y, 11), own)
            x += step
        if not self.last:
            tip = self.width - 3
            pen.line(((right + 4, y - 8), (tip, y), (right + 4, y + 8)), deck.ground, 4)


def _faded(colour: Colour, deck: Deck) -> Colour:
    """The colour of what is out of play, laid into the felt."""
    return mix(colour, deck.felt, 0.7)


_BEATS: Final = 16
"""Pixels across of the sign for that."""
_MORE: Final = 28
"""Pixels across of each sign in a rung beyond the second."""


def _crowns(faces: Sequence[Face]) -> int:
    marks = faces[0].marks
    return 2 if "mugg" in marks else 1 if "kaiser" in marks else 0


def _signs(faces: Sequence[Face]) -> int:
    """Crowns, or a rank, and suits."""
    return (_crowns(faces) or 1) + sum(bool(face.code) for face in faces)


def rungs(ladder: Sequence[Sequence[Face]], width: int, height: int) -> Iterator[tuple[int, Rung]]:
    """The rungs side by side, each with where it begins; those with more signs are wider."""
    more = [_MORE * max(0, _signs(faces) - 2) for faces in ladder]
    each, left = (width - sum(more)) / len(ladder), 0.0
    for number, faces in enumerate(ladder):
        wide = round(left + each + more[number]) - round(left)
        yield round(left), Rung(wide, height, tuple(faces), number == len(ladder) - 1)
        left += each + more[number]


@dataclass(frozen=True, slots=True)
class Role(Piece):
    """What a seat does besides playing: a star speaks for its team, a few cards deal."""

    role: Literal["speaks", "deals"]

    def paint(self, pen: Pen, deck: Deck) -> None:
        middle = pen.at(self.width / 2, self.height / 2, 1)
        middle.disc(0, 0, 17, mix(shade_of(deck), deck.ground, 0.5))
        middle.disc(0, 0, 15.5, shade_of(deck))
        if self.role == "speaks":
            rim = [*around(5, 13), *around(5, 5.5, -0.15)]
            star = [point for pair in zip(rim[:5], rim[5:], strict=True) for point in pair]
            middle.shape(star, deck.gold)
        else:
            little_card(middle.at(3, -2, 10), deck)
            little_card(middle.at(-3, 2, 10), deck)


@dataclass(frozen=True, slots=True)
class Value(Piece):
    """What a round is worth: a coin, and how many points are to be added."""

    text: str

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(1, 1, self.width - 1, self.height - 1, shade_of(deck), 12)
        reach = self.height * 0.26
        coin(pen.at(12 + reach, self.height / 2, reach), deck)
        left = 18 + 2 * reach
        room = self.width - left - 8
        pen.text(left + room / 2, self.height / 2, f"+{self.text}", 30, deck.ground, room)


@dataclass(frozen=True, slots=True)
class Won(Piece):
    """How many tricks each of two teams has, behind the edge that its members have."""

    tricks: tuple[int, int]

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(1, 1, self.width - 1, self.height - 1, shade_of(deck), 10)
        middle = self.height / 2
        little_card(pen.at(23, middle - 3, 14), deck)
        little_card(pen.at(17, middle + 3, 15), deck, won=True)
        step = (self.width - 38) / 2
        for team, count in enumerate(self.tricks):
            left = 38 + team * step
            team_edge(pen.at(left, 6, 1), team, self.height - 12, deck)
            ink = team_colour(team, deck)
            pen.text(left + 13 + (step - 17) / 2, middle, str(count), LETTERS, ink)


@dataclass(frozen=True, slots=True)
class Trail(Piece):
    """Numbers on the way to a goal: those that lie open, their sum, and what it decides.

    A gauge with the line of the goal in its middle: what is less ends left of it.
    """

    tally: Tally
    mode: str
    """`+` or `−` once it is certain."""

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(1, 1, self.width - 1, self.height - 1, shade_of(deck), 12)
        low = self.height < _LOW
        bar = self.height - (43 if low else 55)
        step = (self.width - 16) / len(self.tally.terms)
        for number, term in enumerate(self.tally.terms):
            left = 8 + step * number + 3
            self._term(pen, left, left + step - 6, bar - (13 if low else 21), term, deck)
        tip = self._bar(pen, deck, bar)
        for sign, x in (("\N{MINUS SIGN}", 24), ("+", self.width - 24)):
            ink = deck.gold if sign == self.mode else deck.ground
            self._sign(pen, x, bar, ink, 10 if low else 12, plus=sign == "+")
        # The goal stands below its line, the sum below the tip of the bar as far as there is room.
        y, middle = self.height - (18 if low else 22), self.width / 2
        high = LETTERS - 4 if low else LETTERS
        pen.text(middle, y, str(self.tally.goal), high, deck.ground, 42)
        aside = max(56.0, min(middle - 28, abs(tip - middle)))
        under = middle + (aside if self.tally.total >= self.tally.goal else -aside)
        pen.text(under, y, str(self.tally.total), high, deck.gold, 42)

    def _term(
        self, pen: Pen, left: float, right: float, bottom: float, term: int | None, deck: Deck
    ) -> None:
        top = 5 if self.height < _LOW else 8
        pen.box(left, top, right, bottom, deck.ground, 6)
        if term is None:
            pen.box(left + 4, top + 4, right - 4, bottom - 4, deck.high, 4)
            return
        middle, high = (top + bottom) / 2, min(28, bottom - top - 10)
        pen.text((left + right) / 2, middle, str(term), high, deck.ink, right - left - 4)

    def _bar(self, pen: Pen, deck: Deck, y: float) -> float:
        """Of twice the goal, which is in its middle; says where it ends."""
        left, right, top, bottom = 46, self.width - 46, y - 8, y + 8
        pen.box(left, top, right, bottom, mix(shade_of(deck), BLACK, 0.6), 8)
        share = min(1.0, self.tally.total / (2 * self.tally.goal))
        tip = left + share * (right - left)
        if share:
            pen.box(left, top, max(left + 16, tip), bottom, deck.gold, 8)
        middle = (left + right) / 2
        pen.box(
            middle - 3,
            top - 5,
            middle + 3,
            bottom + (2 if self.height < _LOW else 8),
            deck.ground,
            2,
        )
        return tip

    def _sign(self, pen: Pen, x: float, y: float, ink: Colour, arm: int, *, plus: bool) -> None:
        pen.box(x - arm, y - 3, x + arm, y + 3, ink)
        if plus:
            pen.box(x - 3, y - arm, x + 3, y + arm, ink)


@dataclass(frozen=True, slots=True)
class Mode(Piece):
    """Which of two numbers counts, as a large arrow; below it which will, if that changes."""

    mode: str
    """`▲` or `▼`."""
    coming: str = ""

    def paint(self, pen: Pen, deck: Deck) -> None:
        down, turns = self.mode == "▼", self.coming not in ("", self.mode)
        pen.box(0, 0, self.width, self.height, deck.high if down else deck.low, 16)
        low = self.height < 160
        room = self.height - (72 if turns else 0)
        reach = min(self.width * 0.36, room * 0.38)
        if low and turns:
            self._beside(pen, deck)
            return
        arrow(pen.at(self.width / 2, room / 2, reach), WHITE, down=down)
        if turns:
            top = self.height - 70
            pen.box(10, top, self.width - 10, self.height - 10, deck.ground, 12)
            other = self.coming == "▼"
            y = top + 30
            pen.line(((24, y), (56, y)), deck.ink, 7)
            pen.shape(((52, y - 14), (74, y), (52, y + 14)), deck.ink)
            own = deck.high if other else deck.low
            triangle(pen.at(self.width - 46, y, 21), own, down=other)

    def _beside(self, pen: Pen, deck: Deck) -> None:
        """Where there is no room below: the arrow left, and what comes right of it."""
        middle = self.height / 2
        reach = min(self.width * 0.2, self.height * 0.38)
        arrow(pen.at(self.width * 0.27, middle, reach), WHITE, down=self.mode == "▼")
        left, other = self.width * 0.54, self.coming == "▼"
        pen.box(left, 8, self.width - 6, self.height - 8, deck.ground, 10)
        x = (left + self.width - 6) / 2
        pen.shape(((x - 8, 22), (x + 10, 34), (x - 8, 46)), deck.ink)
        triangle(pen.at(x, middle + 16, 15), deck.high if other else deck.low, down=other)


def arrow(pen: Pen, ink: Colour, *, down: bool) -> None:
    """With a shaft: it reaches one unit."""
    turn = -1 if down else 1
    head = ((-1, 0.05), (0, -1), (1, 0.05), (0.42, 0.05), (0.42, 1), (-0.42, 1), (-0.42, 0.05))
    pen.shape([(x, y * turn) for x, y in head], ink)


def samples(game: str, deck: Deck) -> Iterator[Image.Image]:
    """Pieces that have every colour of any of them that a board of the game may show."""
    for mood in Mood:
        yield Chip(120, 100, "W8", mood, "8", "8").drawn(deck)
        yield Slot(60, 84, 50, mood).drawn(deck)
    match game:
        case "aufundab":
            for mode, coming in permutations("▲▼"):
                yield Mode(120, 200, mode, coming).drawn(deck)
        case "auffalscherfaehrte":
            yield Trail(200, 140, Tally((8, None), 8, 10), "+").drawn(deck)
            for code in "RYGB":
                yield SuitSign(90, 60, game, code, trump=True).drawn(deck)
        case "kaiserspiel":
            for team in range(2):
                yield Plate(120, 46, "W8", Mood.PLAIN, team).drawn(deck)
            for code in "ARSB":
                yield SuitSign(90, 60, game, code, trump=True).drawn(deck)
        case "sticheln":
            for code in deck.suits:
                yield Unwanted(60, 84, game, code, 8).drawn(deck)
        case _:
            for code in deck.suits:
                yield SuitSign(60, 60, game, code, trump=False).drawn(deck)
            for medal in MEDALS.values():
                yield Image.new("RGB", (8, 8), medal)
