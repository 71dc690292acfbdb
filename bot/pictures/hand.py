"""Pictures of hands: up to six cards side by side, in as many rows as it takes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH, Picture, Spot
from bot.pictures.reading import Shown, hand_of
from bot.pictures.spots import Card, Plan, Put
from bot.pictures.tiles import cell_of
from engine.layout import Layout

_WIDE: Final = 146
_NARROW: Final = 121
"""How wide a card is where at most five stand in a row, and where there are six."""
_MANY: Final = 10
"""More cards than this are three rows, or six in a row: then all are narrow."""
_ROW: Final = 6


def hand_picture(game: str, layout: Layout, deck: Deck) -> Picture | None:
    """The hand of the owner of the layout; None where there is none."""
    shown = hand_of(game, layout)
    return cards_picture(game, shown, deck) if shown else None


def cards_picture(game: str, shown: Sequence[Shown], deck: Deck) -> Picture:
    """These cards on the felt."""
    return plan(shown).picture(game, deck)


def plan(shown: Sequence[Shown]) -> Plan:
    """Where they lie, in their order: rows as even as may be, each in the middle."""
    count, left_over = len(shown), iter(shown)
    rows = -(-count // _ROW)
    width = _NARROW if count > _MANY or count == _ROW else _WIDE
    across, down = cell_of(width)
    put = []
    for row in range(rows):
        here = count // rows + (row < count % rows)
        left, top = (WIDTH - here * across) // 2, MARGIN + row * down
        for place, (face, look) in enumerate(islice(left_over, here)):
            put.append(Put(Spot(left + place * across, top), Card(face, width, look)))
    return Plan(tuple(put), 2 * MARGIN + rows * down)
