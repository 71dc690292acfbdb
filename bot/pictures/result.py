"""A result as a picture: places, names and points, the rounds, and the cards it ended with.

A few rounds stand beside the names, as a table; more are a curve below them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

from bot.pictures.chart import SUITS, course_of
from bot.pictures.decks import Deck, mix
from bot.pictures.faces import Face
from bot.pictures.felt import MARGIN, WIDTH, Card, Picture, Plan, Put, Spot
from bot.pictures.pen import Pen, fitted, width_of
from bot.pictures.pieces import LETTERS, LOW, Piece, coin, shade_of
from bot.pictures.scene import face_of, label_of, signed
from bot.pictures.tiles import GAP, Look, cell_of
from engine import layout as ui

BESIDE: Final = 5
"""Maximum number of rounds in the table."""

_ACROSS: Final = WIDTH - 2 * MARGIN
_ROW: Final = 58
_LOW_ROW: Final = 48
"""Pixels down of a row of more than `_FEW`, or above a curve: all is to be seen at once."""
_FEW: Final = 4
_GAP: Final = 6
_NUMBERS: Final = 34
"""Pixels down of the numbers of the rounds."""
_LARGE: Final = 30
"""Height of the figures of names and sums."""
_NAME: Final = 76
_SUM: Final = 116
_CELL: Final = 84
"""Pixels across of a sum and of a round."""
_CARD: Final = 108
_SMALL_CARD: Final = 92
_OWNER: Final = 42
_SET: Final = 320
"""Pixels across of the plate of whoever played a set."""


class Ranked(NamedTuple):
    """One side of the match."""

    place: int
    name: str
    total: int
    points: tuple[int, ...]
    """Of each round."""


class Finish(NamedTuple):
    """What lay there at the end."""

    cards: tuple[tuple[Face, bool], ...]
    """Each with whether it took the trick."""
    owners: tuple[str, ...]
    """Of each card of a trick; of a set whoever played it, alone."""


class Result(NamedTuple):
    """All that is drawn."""

    rows: tuple[Ranked, ...]
    """The best first."""
    taken: int | None = None
    """Number of the round in which the winners took the lead for good."""
    finish: Finish | None = None

    @property
    def rounds(self) -> int:
        """How many rounds were played."""
        return len(self.rows[0].points)


def finish_of(game: str, layout: ui.Layout, names: Sequence[str]) -> Finish | None:
    """The last trick or set of a layout; None where it shows none.  `names` are by seat."""
    for block in layout.blocks:
        match block:
            case ui.Trick(role="last", cards=cards) if cards:
                faces = tuple((_face(game, one), "winning" in one.marks) for one in cards)
                return Finish(faces, tuple(label_of(names[one.seat], one.seat) for one in cards))
            case ui.LastSet(seat, views, _):
                faces = tuple((face_of(game, one.code, one.marks), False) for one in views)
                return Finish(faces, (label_of(names[seat], seat),))
            case _:
                pass
    return None


def _face(game: str, laid: ui.Laid) -> Face:
    """What its owner alone still sees lies face down."""
    down = "down" in laid.marks
    return face_of(game, "" if down else laid.card, () if down else laid.marks)


def result_picture(game: str, result: Result, deck: Deck) -> Picture:
    """The picture; there are as many sides as a game has seats."""
    # A curve has the colours of all suits, which the palettes of some games do not have.
    return result_plan(result).picture("" if result.rounds > BESIDE else game, deck)


def result_plan(result: Result) -> Plan:
    """Where everything lies."""
    put, top = [], MARGIN
    table = result.rounds if 1 < result.rounds <= BESIDE else 0
    if table:
        put.append(Put(Spot(MARGIN, top), Numbers(_ACROSS, _NUMBERS, table)))
        top += _NUMBERS
    for ranked in result.rows:
        row = ranked if table else ranked._replace(points=())
        high = _ROW if len(result.rows) <= _FEW and result.rounds <= BESIDE else _LOW_ROW
        put.append(Put(Spot(MARGIN, top), Row(_ACROSS, high, row, result.taken)))
        top += high + _GAP
    if result.rounds > BESIDE and len(result.rows) <= len(SUITS):
        points = list(zip(*(ranked.points for ranked in result.rows), strict=True))
        course = course_of([ranked.name for ranked in result.rows], points, result.taken)
        put.append(Put(Spot(MARGIN, top + _GAP), course))
        top += _GAP + course.height + _GAP
    elif result.finish is not None:
        put += _finish(result.finish, top)
        top = max(one.spot.top + one.size[1] for one in put) + _GAP
    return Plan(tuple(put), top - _GAP + MARGIN)


def _finish(finish: Finish, top: int) -> Iterator[Put]:
    """Cards side by side, below each whose it was; below a set once."""
    count = len(finish.cards)
    card = min(_CARD if count <= _FEW else _SMALL_CARD, _ACROSS // count - GAP)
    across, down = cell_of(card)
    left = (WIDTH - count * across) // 2
    for number, (face, wins) in enumerate(finish.cards):
        look = Look.WINNING if wins else Look.FLAT
        yield Put(Spot(left + number * across, top), Card(face, card, look))
    below = top + down + _GAP
    if len(finish.owners) < count or count == 1:
        yield Put(Spot((WIDTH - _SET) // 2, below), Owner(_SET, _OWNER, finish.owners[0], won=True))
        return
    for number, owner in enumerate(finish.owners):
        spot = Spot(left + number * across + 2, below)
        yield Put(spot, Owner(across - 4, _OWNER, owner, finish.cards[number][1]))


@dataclass(frozen=True, slots=True)
class Numbers(Piece):
    """Above the table: the numbers of the rounds, and a coin above the sums."""

    rounds: int

    def paint(self, pen: Pen, deck: Deck) -> None:
        for number in range(self.rounds):
            x = column(self.width, self.rounds, number)
            pen.text(x, self.height / 2 - 2, str(number + 1), LOW, deck.ground, _CELL)
        coin(pen.at(self.width - _SUM / 2, self.height / 2 - 2, 12), deck)


def column(width: int, rounds: int, number: int) -> float:
    """The middle of the column of a round, from 0."""
    return width - _SUM - _CELL * (rounds - number - 0.5)


@dataclass(frozen=True, slots=True)
class Row(Piece):
    """A side: place, name, points of each round and their sum; whoever won on gold."""

    ranked: Ranked
    taken: int | None

    @property
    def room(self) -> int:
        """Pixels across that the name has."""
        return self.width - _SUM - _CELL * len(self.ranked.points) - _NAME - 8

    def paint(self, pen: Pen, deck: Deck) -> None:
        won, middle, shade = self.ranked.place == 1, self.height / 2, shade_of(deck)
        ground, ink = (deck.gold, deck.ink) if won else (shade, deck.ground)
        pen.box(0, 0, self.width, self.height, ground, 12)
        pen.disc(38, middle, 22, deck.ink if won else mix(shade, deck.ground, 0.3))
        place = deck.gold if won else deck.ground
        pen.text(38, middle, str(self.ranked.place), LETTERS, place, 38)
        name, high = fitted(self.ranked.name, _LARGE, LOW, self.room)
        pen.left_text(_NAME, middle, name, high, ink)
        count = len(self.ranked.points)
        for number, points in enumerate(self.ranked.points):
            x, colour = column(self.width, count, number), ink
            if won and number + 1 == self.taken:
                pen.box(x - _CELL / 2 + 4, 8, x + _CELL / 2 - 4, self.height - 8, deck.ink, 8)
                colour = deck.gold
            pen.text(x, middle, signed(points), LETTERS, colour, _CELL - 14)
        total = signed(self.ranked.total)
        wide = min(width_of(total, _LARGE), _SUM - 20)
        pen.text(self.width - 16 - wide / 2, middle, total, _LARGE, ink, _SUM - 20)


@dataclass(frozen=True, slots=True)
class Owner(Piece):
    """Whose card lies above; on gold whoever took the trick."""

    label: str
    won: bool

    def paint(self, pen: Pen, deck: Deck) -> None:
        pen.box(0, 0, self.width, self.height, deck.gold if self.won else shade_of(deck), 9)
        label, high = fitted(self.label, LETTERS, LOW - 2, self.width - 12)
        ink = deck.ink if self.won else deck.ground
        pen.text(self.width / 2, self.height / 2, label, high, ink, self.width - 12)
