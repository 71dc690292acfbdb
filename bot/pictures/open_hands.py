"""All hands open: what lies on the table, and below it each hand with the name of its owner.

Long hands lie beside the names, a seat below the other; short ones below the names, side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final, NamedTuple

from bot.pictures.decks import Deck
from bot.pictures.faces import Face
from bot.pictures.felt import MARGIN, WIDTH, Card, Picture, Plan, Put, Spot
from bot.pictures.hand import mood_on, strip
from bot.pictures.pieces import Mood, Plate
from bot.pictures.scene import Scene, face_of, label_of
from bot.pictures.tiles import GAP, LIFT, cell_of
from engine.layout import CardView

_ROOM: Final = WIDTH - 2 * MARGIN
_NAME: Final = 208
"""Pixels across of a name beside cards, with the felt behind it, at most."""
_PLATE: Final = 44
_CARD: Final = 64
_NARROW: Final = 56
"""How wide a card is, and where there are most in a row: each is drawn once for all positions."""
_ROW: Final = 9
_LONG_ROW: Final = 10
"""Cards in a row beside a name, and at most: more are in two or three."""
_BESIDE: Final = 4
"""How many hands lie side by side at most: names need room."""


class OpenHand(NamedTuple):
    """A hand, and whose it is."""

    label: str
    mood: Mood
    team: int | None
    cards: tuple[Face, ...]


def open_hands(
    game: str, names: Sequence[str], hands: Sequence[Sequence[CardView]], scene: Scene | None
) -> tuple[OpenHand, ...]:
    """The hands that have cards, by the names of the seats."""
    places = {} if scene is None else {place.seat: place for place in scene.places}
    found = []
    for seat, cards in enumerate(hands):
        if cards:
            place = places.get(seat)
            mood = Mood.PLAIN if scene is None or place is None else mood_on(scene, place)
            # Who takes the trick is seen where it lies.
            mood = Mood.PLAIN if mood is Mood.WON else mood
            team = None if place is None else place.team
            faces = tuple(face_of(game, card.code, card.marks) for card in cards)
            found.append(OpenHand(label_of(names[seat], seat), mood, team, faces))
    return tuple(found)


def open_hands_picture(
    game: str, hands: Sequence[OpenHand], deck: Deck, scene: Scene | None
) -> Picture:
    """The hands below what lies on the table."""
    return plan(game, hands, scene).picture(game, deck)


def plan(game: str, hands: Sequence[OpenHand], scene: Scene | None) -> Plan:
    """Where everything lies."""
    table = Plan((), MARGIN)
    if scene is not None:
        # Each hand is seen below: what was dealt openly need not be told.
        places = tuple([place._replace(opened=None) for place in scene.places])
        table = strip(game, replace(scene, places=places))
    columns = _columns([len(hand.cards) for hand in hands])
    if columns == 1:
        lying = list(_below_each_other(hands, table.height))
    else:
        lying = list(_side_by_side(hands, table.height, columns))
    bottom = max((one.spot.top + one.size[1] for one in lying), default=table.height)
    return Plan((*table.put, *lying), bottom + MARGIN)


def _columns(counts: Sequence[int]) -> int:
    """How many hands lie side by side: as many as there is room for, in rows as even as may be."""
    across = max(counts, default=0) * cell_of(_CARD)[0]
    most = min(_BESIDE, len(counts), (_ROOM + GAP) // max(across + GAP, 1))
    return -(-len(counts) // -(-len(counts) // most)) if most > 1 else 1


def _below_each_other(hands: Sequence[OpenHand], top: int) -> Iterator[Put]:
    """Each hand in rows as even as may be, behind its name."""
    rows = [-(-len(hand.cards) // _LONG_ROW) for hand in hands]
    longest = max(-(-len(hand.cards) // many) for hand, many in zip(hands, rows, strict=True))
    width = _CARD if longest <= _ROW else _NARROW
    across, down = cell_of(width)
    name = min(_NAME, _ROOM + GAP // 2 - longest * across)
    for hand, many in zip(hands, rows, strict=True):
        count, left_over = len(hand.cards), iter(hand.cards)
        plate = Plate(name - GAP, _PLATE, hand.label, hand.mood, hand.team)
        yield Put(Spot(MARGIN, top + LIFT + GAP // 2), plate)
        for row in range(many):
            here = count // many + (row < count % many)
            for place, face in enumerate(islice(left_over, here)):
                spot = Spot(MARGIN + name + place * across, top + row * down)
                yield Put(spot, Card(face, width))
        top += many * down


def _side_by_side(hands: Sequence[OpenHand], top: int, columns: int) -> Iterator[Put]:
    """Each hand below its name."""
    across, down = cell_of(_CARD)
    room, top = (_ROOM + GAP) // columns, top + GAP
    for number, hand in enumerate(hands):
        row, column = divmod(number, columns)
        left, above = MARGIN + column * room, top + row * (_PLATE + down + GAP)
        plate = Plate(room - GAP, _PLATE, hand.label, hand.mood, hand.team)
        yield Put(Spot(left, above), plate)
        for place, face in enumerate(hand.cards):
            yield Put(Spot(left + place * across, above + _PLATE), Card(face, _CARD))
