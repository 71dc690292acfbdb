"""Pictures of boards: drawing a trick or a set to beat, as `scene` read it, on felt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.pictures.around_table import Before, around_table
from bot.pictures.decks import Deck
from bot.pictures.faces import Face
from bot.pictures.felt import MARGIN, WIDTH, Card, Picture, Plan, Put, Spot
from bot.pictures.marks import Mode
from bot.pictures.pieces import Chip, Mood, Plate, Slot
from bot.pictures.scene import Scene, board_of
from bot.pictures.tiles import cell_of
from engine.layout import Layout


def board_picture(
    game: str, layout: Layout, deck: Deck, short_names: Sequence[str]
) -> Picture | None:
    """What everybody sees of a round; None where nothing lies on the table.

    `short_names` are what the seats are called, by seat: as much of each as there is room for is
    drawn, or the number of the seat where our font has not all its letters.
    """
    scene = board_of(game, layout, short_names)
    return None if scene is None else scene_picture(game, scene, deck)


def scene_picture(game: str, scene: Scene, deck: Deck) -> Picture:
    """The same, once it is read from the layout."""
    return plan(game, scene).picture(game, deck)


def plan(game: str, scene: Scene) -> Plan:
    """Where everything lies."""
    return series(scene) if scene.is_series else around_table(game, scene)


# Board of Auf und Ab.

_MODE: Final = 168
"""Pixels across of the arrow."""
_HIGH: Final = 284
_SEATS: Final = 108
_GAP: Final = 10
_SLOT: Final = 156
_WIDTHS: Final = ((3, _SLOT), (4, 138), (5, 110), (6, 91), (12, 70))
"""How many cards of a set may lie there, and how wide each is then."""
_PAST_ROOM: Final = 224
"""Pixels across of the set before, at least, if there is room for it beside what lies there now."""
_PLATE: Final = 46
_OWNER: Final = 210
"""Pixels across of the name above a set, where there is room."""
_SIGN: Final = 52
"""Pixels across of the sign before whose the set before was."""
_PAST_WIDTHS: Final = ((2, 92), (12, 70))
"""How wide cards of the set before are."""


def series(scene: Scene) -> Plan:
    """Where everything lies."""
    put = list(_table(scene))
    top = MARGIN + _HIGH + _GAP
    put += _seats(scene, top)
    return Plan(tuple(put), top + _SEATS + MARGIN)


def _table(scene: Scene) -> Iterator[Put]:
    left = MARGIN
    if scene.mode:
        yield Put(Spot(MARGIN, MARGIN), Mode(_MODE, _HIGH, scene.mode, scene.coming))
        left += _MODE + _GAP
    room = WIDTH - MARGIN - left
    across, down = cell_of(_SLOT)
    beside = max(_PAST_ROOM, len(scene.past_set) * cell_of(_PAST_WIDTHS[-1][1])[0])
    aside = bool(scene.past_set) and room - beside >= max(1, len(scene.table)) * across
    if aside:
        room -= beside
    if scene.table:
        wide = max(across, min(room, _OWNER))
        spot = Spot(left + (room - wide) // 2, MARGIN)
        yield Put(spot, Plate(wide, _PLATE, scene.owner, Mood.WON))
        yield from _set(scene.table, left, room, _WIDTHS, _PLATE)
    elif scene.mode:
        spot = Spot(left + (room - across) // 2, MARGIN + (_HIGH - down) // 2)
        yield Put(spot, Slot(across, down, _SLOT, Mood.TURN))
    if aside:
        begin = WIDTH - MARGIN - beside
        plate = Plate(beside - _SIGN, _PLATE, scene.past_winner, Mood.PLAIN)
        yield Put(Spot(begin, MARGIN), Before(_SIGN, _PLATE, trick=False))
        yield Put(Spot(begin + _SIGN, MARGIN), plate)
        yield from _set(scene.past_set, begin, beside, _PAST_WIDTHS, _PLATE)


def _set(
    faces: Sequence[Face], left: int, room: int, widths: Sequence[tuple[int, int]], above: int = 0
) -> Iterator[Put]:
    """Cards side by side, in the middle of their room; those that are many in two rows."""
    count = len(faces)
    card = next(width for most, width in widths if count <= most)
    across, down = cell_of(card)
    rows = 1 if count * across <= room else 2
    here = -(-count // rows)
    top = MARGIN + above + (_HIGH - above - rows * down) // 2
    for number, face in enumerate(faces):
        row, place = divmod(number, here)
        begin = left + (room - min(here, count - row * here) * across) // 2
        yield Put(Spot(begin + place * across, top + row * down), Card(face, card))


def _seats(scene: Scene, top: int) -> Iterator[Put]:
    count = len(scene.places)
    wide = (WIDTH - 2 * MARGIN - (count - 1) * _GAP) // count
    for number, place in enumerate(scene.places):
        spot = Spot(MARGIN + number * (wide + _GAP), top)
        chip = Chip(wide, _SEATS, place.label, place.mood, str(place.cards), place.score)
        yield Put(spot, chip)
