"""Pictures of hands, read by `scene`: what lies there, and the cards in at most two rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from bot.pictures.around_table import (
    LADDER,
    NOTE,
    OPEN_BESIDE,
    Before,
    card_of,
    ladder_at,
    mood_of,
    signs_of,
    told_of,
)
from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH, Card, Picture, Plan, Put, Spot
from bot.pictures.marks import Mode, Role, SuitSign, Trail, Unwanted, Value, Won
from bot.pictures.pieces import Count, Mood, Order, Out, Plate, Slot
from bot.pictures.scene import Place, Scene, Shown, board_of, hand_of, scene_of
from bot.pictures.tiles import GAP, Look, cell_of
from engine.layout import Layout

_WIDE: Final = 146
_NARROW: Final = 104
"""How wide a card is at most, in one row and in several."""
_ROW: Final = 7
"""Cards in a row, as long as there are not more than two rows of so many."""
_LONG_ROW: Final = 9
"""Cards in a row at most: on a phone their figures can still be read."""


def hand_picture(
    game: str, layout: Layout, deck: Deck, short_names: Sequence[str]
) -> Picture | None:
    """The hand of the owner of the layout below the table; None where there is neither."""
    shown = hand_of(game, layout)
    scene = above(game, layout, short_names, shown)
    return cards_picture(game, shown, deck, scene) if shown or scene else None


def above(
    game: str, layout: Layout, short_names: Sequence[str], shown: Sequence[Shown]
) -> Scene | None:
    """The table above a hand; above one without cards only where something lies there."""
    return (scene_of if shown else board_of)(game, layout, short_names)


def cards_picture(
    game: str, shown: Sequence[Shown], deck: Deck, scene: Scene | None = None
) -> Picture:
    """These cards on the felt, below what lies on the table."""
    return plan(game, shown, scene).picture(game, deck)


def plan(game: str, shown: Sequence[Shown], scene: Scene | None = None) -> Plan:
    """Where they lie, in their order: rows as even as may be, each in the middle."""
    table = Plan((), MARGIN) if scene is None else strip(game, scene)
    count, left_over = len(shown), iter(shown)
    if not count:
        return Plan(table.put, table.height + MARGIN)
    rows = max(-(-count // _LONG_ROW), min(2, -(-count // _ROW)))
    columns = -(-count // rows)
    room = (WIDTH - 2 * MARGIN + GAP) // columns - GAP
    width = min(room, _WIDE if rows == 1 else _NARROW)
    across, down = cell_of(width)
    put = list(table.put)
    for row in range(rows):
        here = count // rows + (row < count % rows)
        left, top = (WIDTH - here * across) // 2, table.height + row * down
        for place, (face, look) in enumerate(islice(left_over, here)):
            put.append(Put(Spot(left + place * across, top), Card(face, width, look)))
    return Plan(tuple(put), table.height + rows * down + MARGIN)


# The table above a hand.
#
# A seat is a column, from the left neighbour on; whoever looks sits at the right end.

_ROOM: Final = WIDTH - 2 * MARGIN
_GAP: Final = 8
_PLATE: Final = 44
_STRIP_CARD: Final = 74
_STRIP_NARROW: Final = 64
"""How wide a card is that lies there, and where six sit there."""
_MANY: Final = 6
_SEAT: Final = 190
"""Pixels across of a seat, at most."""
_TRAIL: Final = 208
_SIGNS: Final = 124
"""Pixels across of what counts in this round, with a trail and without."""
_MODE: Final = 100
_COUNT: Final = 66
"""Pixels across of how many cards a seat has."""
_APART: Final = 13
"""Pixels that keep that from the names on both sides."""
_SETS: Final = ((8, _STRIP_CARD), (12, 44))
"""How many cards may lie there, and how wide each is then."""


def strip(game: str, scene: Scene) -> Plan:
    """Where everything lies; its height is where the hand begins."""
    height = MARGIN + _PLATE + cell_of(_STRIP_CARD)[1] + _GAP
    put = _series(scene) if scene.is_series else _trick(game, scene)
    ladder = list(ladder_at(scene, height))
    return Plan((*put, *ladder), height + (LADDER if ladder else 0))


def mood_on(scene: Scene, place: Place) -> Mood:
    """How a seat stands there."""
    if scene.is_series:
        return place.mood
    lying = next((one for one in scene.lying if one.seat == place.seat), None)
    return mood_of(place, lying)


def _from_the_left(scene: Scene) -> Sequence[Place]:
    """The seats, with that of whoever looks at the end."""
    own = next((number for number, place in enumerate(scene.places) if place.own), -1)
    return [*scene.places[own + 1 :], *scene.places[: own + 1]]


# A trick


def _trick(game: str, scene: Scene) -> Iterator[Put]:
    places = _from_the_left(scene)
    side = _TRAIL if scene.tally else _SIGNS if scene.trump or scene.value else 0
    seat = min(_SEAT, (_ROOM - side) // len(places))
    # As long as nobody has led, the trick before lies there.
    before = bool(scene.past) and not scene.lying
    lying = {one.seat: one for one in (scene.past if before else scene.lying)}
    card = _STRIP_NARROW if len(places) == _MANY else _STRIP_CARD
    across = cell_of(card)[0]
    for number, place in enumerate(places):
        left, top = MARGIN + number * seat, MARGIN
        laid = lying.get(place.seat)
        plate = Plate(seat - _GAP, _PLATE, place.label, mood_on(scene, place), place.team)
        yield Put(Spot(left, top), plate)
        top += _PLATE
        lies = card_of(game, place, laid, card)
        if before and laid is not None and not laid.wins and isinstance(lies, Card):
            lies = lies._replace(look=Look.SHADED)  # over, and seen to be
        yield Put(Spot(left, top), lies)
        room = seat - _GAP - across
        # The open card of a crowded seat lies beside its first sign, and takes the others' place.
        most = 1 if place.crowded else room // NOTE
        opened = laid is not None and not laid.order
        signs: list[Order | Role | Before] = [
            *signs_of(place, laid, 3 if opened and most else most)
        ]
        if before and laid is not None:
            signs[:1] = [Before(NOTE, NOTE, trick=False)]
        for after, sign in enumerate(signs):
            spot = Spot(left + across + after % most * NOTE, top + after // most * NOTE)
            yield Put(spot, sign)
        top += NOTE * ((len(signs) - 1) // most) if signs else 0
        yield from _notes(game, place, left + across, top, room)
    left = MARGIN + len(places) * seat
    if side:
        yield from _signs(game, scene, WIDTH - MARGIN - side + _GAP)
    if scene.aside:
        yield from _apart(scene, left, WIDTH - MARGIN - side)


def _notes(game: str, place: Place, left: int, top: int, room: int) -> Iterator[Put]:
    """Beside the card, below the signs: tricks, and what the seat has told."""
    top += NOTE + 2
    if place.unwanted is not None:
        code, number = place.unwanted
        yield Put(Spot(left, top), Unwanted(min(56, room), 68, game, code, number))
    beside = Spot(left + NOTE, top - NOTE - 2)
    if place.crowded:
        top = beside.top + cell_of(OPEN_BESIDE)[1]
    yield from told_of(game, place, Spot(left, top), room, beside)
    if place.tricks and place.team is None:
        yield Put(Spot(left, top), Count(room, NOTE, "tricks", place.tricks))


def _signs(game: str, scene: Scene, left: int) -> Iterator[Put]:
    """What counts in this round."""
    room, top = WIDTH - MARGIN - left, MARGIN
    whole = _PLATE + cell_of(_STRIP_CARD)[1] - _GAP
    down = (whole - 2 * _GAP) // 3
    if scene.trump:
        yield Put(Spot(left, top), SuitSign(room, down, game, scene.trump, trump=True))
        top += down + _GAP
    if scene.value:
        yield Put(Spot(left, top), Value(room, down, scene.value))
        top += down + _GAP
    if (won := scene.won) is not None:
        yield Put(Spot(left, top), Won(room, down, won))
    if scene.tally is not None:
        down = MARGIN + whole - top
        yield Put(Spot(left, top), Trail(room, down, scene.tally, scene.mode))


def _apart(scene: Scene, left: int, right: int) -> Iterator[Put]:
    """Cards that nobody has in this round, as many as there is room for."""
    across, _ = cell_of(_STRIP_CARD)
    shown = scene.aside[: (right - left) // across]
    for number, face in enumerate(shown):
        spot = Spot(left + number * across, MARGIN + _PLATE)
        yield Put(spot, Card(face, _STRIP_CARD, Look.SHADED))
    if shown:
        yield Put(Spot(left, MARGIN), Out(len(shown) * across - _GAP, _PLATE))


# A series


def _series(scene: Scene) -> Iterator[Put]:
    places = _from_the_left(scene)
    seat = _ROOM // len(places)
    for number, place in enumerate(places):
        left = MARGIN + number * seat
        wide = seat - _COUNT - _APART
        yield Put(Spot(left, MARGIN), Plate(wide, _PLATE, place.label, place.mood))
        count = Count(_COUNT, _PLATE, "cards", str(place.cards))
        yield Put(Spot(left + wide + 2, MARGIN), count)
    top, down = MARGIN + _PLATE + _GAP, cell_of(_STRIP_CARD)[1] - _GAP
    if scene.mode:
        yield Put(Spot(MARGIN, top), Mode(_MODE, down, scene.mode, scene.coming))
    left, top = MARGIN + _MODE + 2 * _GAP, MARGIN + _PLATE
    if scene.table:
        card = next(width for most, width in _SETS if len(scene.table) <= most)
        for face in scene.table:
            yield Put(Spot(left, top), Card(face, card))
            left += cell_of(card)[0]
    else:
        yield Put(Spot(left, top), Slot(*cell_of(_STRIP_CARD), _STRIP_CARD, Mood.TURN))
        left += cell_of(_STRIP_CARD)[0]
    card = _SETS[-1 if len(scene.past_set) > 4 else 0][1]
    past = len(scene.past_set) * cell_of(card)[0]
    begin = WIDTH - MARGIN - past - NOTE - 4
    if past and begin >= left + _GAP:
        yield Put(
            Spot(begin, top + _GAP), Before(NOTE, cell_of(_STRIP_CARD)[1] - 2 * _GAP, trick=False)
        )
        for number, face in enumerate(scene.past_set):
            spot = Spot(begin + NOTE + 4 + number * cell_of(card)[0], top)
            yield Put(spot, Card(face, card, Look.SHADED))
