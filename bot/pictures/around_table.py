"""Board of a trick-taking game: seats around the table with their cards, and the last trick.

Up to four sit around a cross, with marks and the trick before beside it; more sit in two rows and
at the ends, with the trick before below.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from bot.pictures.decks import Colour, Deck
from bot.pictures.faces import Face
from bot.pictures.felt import MARGIN, WIDTH, Card, Plan, Put, Spot
from bot.pictures.marks import Crowned, Role, SuitSign, Trail, Unwanted, Value, Won, rungs
from bot.pictures.pen import Pen, bend, width_of
from bot.pictures.pieces import (
    ICON,
    LETTERS,
    LOW,
    Count,
    Icon,
    Mood,
    Order,
    Out,
    Piece,
    Plate,
    Slot,
    little_card,
    numbered,
    shade_of,
    tick,
)
from bot.pictures.scene import Lying, Place, Scene
from bot.pictures.tiles import LIFT, Look, cell_of

_CELL: Final = 180
"""Pixels across of a seat with all that belongs to it."""
_PLATE: Final = 46
_CARD: Final = 98
_ROW: Final = _PLATE + cell_of(_CARD)[1]
"""Pixels down of a seat."""
_GAP: Final = 8
_APART: Final = 52
"""Pixels between the two rows of up to four seats."""
_FOOT: Final = 8
"""Pixels below them: a seat may have told more than its card is high."""
NOTE: Final = 36
"""Pixels down of a note beside a card."""
OPEN: Final = 52
OPEN_BESIDE: Final = 29
"""Pixels across of a card that was dealt openly: alone, and beside a Kaiser."""

CROWNED: Final = 58
"""Pixels down of declared Kaisers."""
_SIGN: Final = 56
_TRAIL: Final = 134
"""Pixels down of what stands beside the table."""

_RINGS: Final = {
    1: ((1, 1),),
    2: ((1, 1), (1, 0)),
    3: ((1, 1), (0, 0), (2, 0)),
    4: ((1, 1), (0, 0.5), (1, 0), (2, 0.5)),
    5: ((1.5, 1), (0, 0.5), (1, 0), (2, 0), (3, 0.5)),
    6: ((1, 1), (0, 0.5), (1, 0), (2, 0), (3, 0.5), (2, 1)),
}
"""Column and row of each seat by how many there are, from the lower edge clockwise."""


def around_table(game: str, scene: Scene) -> Plan:
    """Where everything lies."""
    few = len(scene.places) <= 4
    height = 2 * MARGIN + 2 * _ROW + (_APART + _FOOT if few else _GAP)
    put = list(_seats(game, scene))
    if few:
        put += _beside(game, scene, height)
        put += ladder_at(scene, height)
        return Plan(tuple(put), height + (LADDER if scene.ladder else 0))
    below = list(past_below(scene, MARGIN, height))
    return Plan((*put, *below), height + (cell_of(CARD)[1] + _GAP if below else 0))


LADDER: Final = 54
"""Pixels down of the row that says what beats what, with the felt below it."""


def ladder_at(scene: Scene, top: int) -> Iterator[Put]:
    """What beats what, from the left, across the whole picture."""
    if scene.ladder:
        for left, rung in rungs(scene.ladder, WIDTH - 2 * MARGIN, LADDER - _GAP):
            yield Put(Spot(MARGIN + left, top), rung)


def _at(ring: tuple[float, float], *, few: bool) -> Spot:
    """Where a seat begins."""
    column, row = ring
    step = _CELL + (_GAP if few else (WIDTH - 2 * MARGIN - 4 * _CELL) / 3)
    down = _ROW + (_APART if few else _GAP)
    return Spot(round(MARGIN + column * step), round(MARGIN + row * down))


def _seats(game: str, scene: Scene) -> Iterator[Put]:
    few = len(scene.places) <= 4
    lying = {one.seat: one for one in scene.lying}
    room = _CELL - cell_of(_CARD)[0]
    fit = all(ICON + width_of(place.score, LOW) <= room for place in scene.places)
    for place, ring in zip(scene.places, _RINGS[len(scene.places)], strict=True):
        left, top = _at(ring, few=few)
        laid = lying.get(place.seat)
        plate = Plate(_CELL, _PLATE, place.label, mood_of(place, laid), place.team)
        yield Put(Spot(left, top), plate)
        yield Put(Spot(left, top + _PLATE), card_of(game, place, laid, _CARD))
        left, top = left + cell_of(_CARD)[0], top + _PLATE
        # The eye beside an open card begins a second row where the first is full.
        signs = signs_of(place, laid, 2 if laid is None or laid.order else 3)
        for number, sign in enumerate(signs):
            yield Put(Spot(left + number % 2 * NOTE, top + number // 2 * NOTE), sign)
        top += NOTE * (2 if len(signs) > 2 else 1)
        yield from _notes(game, place, "points" if fit else "", left, top + 6)


def mood_of(place: Place, lying: Lying | None) -> Mood:
    """How a seat stands; it is to say something where no card of it is due."""
    asked = place.mood is Mood.TURN and (lying is not None or not place.awaited)
    return Mood.ASKED if asked else place.mood


def card_of(game: str, place: Place, lying: Lying | None, width: int) -> Card | Slot:
    """What lies before a seat, or where it will."""
    if lying is not None:
        return Card(lying.face, width, Look.WINNING if lying.wins else Look.FLAT)
    if place.hidden:
        return Card(Face(game, ""), width)
    across, down = cell_of(width)
    asked = place.awaited and place.mood is Mood.TURN
    return Slot(across, down, width, Mood.TURN if asked else Mood.PLAIN)


def _notes(game: str, place: Place, points: Icon, left: int, top: int) -> Iterator[Put]:
    """Beside the card, below its place in the order: points, its own tricks, what it has told."""
    room = _CELL - cell_of(_CARD)[0]
    own = place.tricks if place.team is None else ""
    counts: tuple[tuple[Icon, str], ...] = ((points, place.score), ("tricks", own))
    for icon, text in counts:
        if text:
            yield Put(Spot(left, top), Count(room, NOTE, icon, text))
            top += NOTE
    top += 2
    if place.unwanted is not None:
        code, number = place.unwanted
        yield Put(Spot(left, top), Unwanted(room - 4, 78, game, code, number))
    yield from told_of(game, place, Spot(left, top), room, Spot(left, top + CROWNED))


def signs_of(place: Place, laid: Lying | None, most: int) -> list[Order | Role]:
    """What stands in a row beside its card, at most so many signs.

    When a card was played comes first; that it was dealt openly, which is seen as nobody has led
    yet, comes last.
    """
    signs: list[Order | Role] = []
    if place.speaks:
        signs.append(Role(NOTE, NOTE, "speaks"))
    if place.deals:
        signs.append(Role(NOTE, NOTE, "deals"))
    if laid is not None:
        signs.insert(0 if laid.order else len(signs), Order(NOTE, NOTE, laid.order))
    return signs[:most]


def told_of(game: str, place: Place, at: Spot, room: int, below: Spot) -> Iterator[Put]:
    """Kaisers that a seat has declared, and its open card: beside one, apart from several."""
    left, card = at.left, OPEN_BESIDE if place.crowned else OPEN
    across = 0 if place.opened is None or place.crowded else cell_of(card)[0]
    if place.crowned:
        yield Put(at, Crowned(room - across, CROWNED, game, place.kaisers, place.mugg))
        left += room - across
    if place.opened is not None:
        spot = below if place.crowded else Spot(left, at.top)
        yield Put(spot, Card(place.opened, card, Look.FLAT))


def _beside(game: str, scene: Scene, height: int) -> Iterator[Put]:
    """Right of the table: what counts in this round, and the trick before."""
    left = MARGIN + 3 * (_CELL + _GAP)
    room, top = WIDTH - MARGIN - left, MARGIN
    if scene.trump:
        wide = 100 if scene.value else room
        yield Put(Spot(left, top), SuitSign(wide, _SIGN, game, scene.trump, trump=True))
    if scene.value:
        after = 106 if scene.trump else 0
        yield Put(Spot(left + after, top), Value(room - after, _SIGN, scene.value))
    if scene.trump or scene.value:
        top += _SIGN + 6
    if (won := scene.won) is not None:
        yield Put(Spot(left, top), Won(room, _SIGN, won))
    if scene.tally is not None:
        yield Put(Spot(left, top), Trail(room, _TRAIL, scene.tally, scene.mode))
    yield from past_beside(scene, left, height - MARGIN)
    if len(scene.places) == 3:
        # Between the two seats at the upper edge nobody sits.
        yield from _apart(scene)


def _apart(scene: Scene) -> Iterator[Put]:
    """Cards that nobody has in this round."""
    across, down = cell_of(CARD)
    middle = MARGIN + _CELL + _GAP + _CELL // 2
    left = middle - len(scene.aside) * across // 2
    for number, face in enumerate(scene.aside):
        yield Put(Spot(left + number * across, MARGIN), Card(face, CARD, Look.SHADED))
    if scene.aside:
        yield Put(Spot(left, MARGIN + down), Out(len(scene.aside) * across, NOTE))


# The last trick: small, in the order of play, with owners and winner.
#
# It is not laid out around the table, so every card has the initials of its owner.

CARD: Final = 62
"""How wide its cards are."""
_TAG: Final = 36
_PAST_SIGN: Final = 38
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
    sign = Before(_COLUMNS * (across + _TAG), _PAST_SIGN)
    yield Put(Spot(left, top - _PAST_SIGN), sign)
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
