"""Board of a trick-taking game: seats around the table, each with its card before it.

Up to four sit around a cross, with marks and the trick before beside it; more sit in two rows and
at the ends, with the trick before below.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from bot.pictures.card import Face
from bot.pictures.felt import MARGIN, WIDTH, Card, Plan, Put, Spot
from bot.pictures.last_trick import CARD, past_below, past_beside
from bot.pictures.marks import Crowned, Role, SuitSign, Trail, Unwanted, Value, Won
from bot.pictures.pen import width_of
from bot.pictures.pieces import ICON, LOW, Count, Icon, Mood, Order, Out, Plate, Slot
from bot.pictures.scene import Lying, Place, Scene
from bot.pictures.tiles import Look, cell_of

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
        return Plan(tuple(put), height)
    below = list(past_below(scene, MARGIN, height))
    return Plan((*put, *below), height + (cell_of(CARD)[1] + _GAP if below else 0))


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
    if place.unwanted is not None:
        code, number = place.unwanted
        yield Put(Spot(left, top + 2), Unwanted(room - 4, 78, game, code, number))
    yield from told_of(game, place, left, top + 2, room)


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


def told_of(game: str, place: Place, left: int, top: int, room: int) -> Iterator[Put]:
    """Kaisers that a seat has declared, and its open card if there is room for both."""
    crowned = len(place.kaisers) + len(place.mugg)
    opened = place.opened if crowned < 2 else None
    card = OPEN_BESIDE if crowned else OPEN
    across = 0 if opened is None else cell_of(card)[0]
    if crowned:
        yield Put(Spot(left, top), Crowned(room - across, 58, game, place.kaisers, place.mugg))
        left += room - across
    if opened is not None:
        yield Put(Spot(left, top), Card(opened, card, Look.FLAT))


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
