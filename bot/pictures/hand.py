"""Pictures of hands: what lies on the table, and below it the cards, in at most two rows."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from typing import Final

from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH, Picture, Spot
from bot.pictures.reading import Shown, hand_of
from bot.pictures.scene import Scene, board_of, scene_of
from bot.pictures.spots import Card, Plan, Put
from bot.pictures.strip import strip
from bot.pictures.tiles import GAP, cell_of
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
