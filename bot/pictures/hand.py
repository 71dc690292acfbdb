"""Pictures of hands: up to six cards side by side, in as many rows as it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH, Picture, Spot, felt_picture
from bot.pictures.reading import Shown, hand_of
from bot.pictures.tiles import cell_of, tile
from engine.layout import Layout

_WIDE: Final = 146
_NARROW: Final = 121
"""How wide a card is where at most five stand in a row, and where there are six."""
_MANY: Final = 10
"""More cards than this are three rows, or six in a row: then all are narrow."""
_ROW: Final = 6


class Plan(NamedTuple):
    """Where the cards of a hand lie, in their order."""

    card: int
    """How wide each is."""
    spots: tuple[Spot, ...]
    height: int


def hand_picture(game: str, layout: Layout, deck: Deck) -> Picture | None:
    """The hand of the owner of the layout; None where there is none."""
    shown = hand_of(game, layout)
    return cards_picture(game, shown, deck) if shown else None


def plan(count: int) -> Plan:
    """Where so many cards lie: rows as even as may be, each in the middle."""
    rows = -(-count // _ROW)
    card = _NARROW if count > _MANY or count == _ROW else _WIDE
    across, down = cell_of(card)
    spots = []
    for row in range(rows):
        here = count // rows + (row < count % rows)
        left = (WIDTH - here * across) // 2
        spots += [Spot(left + place * across, MARGIN + row * down) for place in range(here)]
    return Plan(card, tuple(spots), 2 * MARGIN + rows * down)


def cards_picture(game: str, shown: Sequence[Shown], deck: Deck) -> Picture:
    """These cards on the felt."""
    where = plan(len(shown))
    laid = [
        (tile(face, deck, where.card, look), spot)
        for (face, look), spot in zip(shown, where.spots, strict=True)
    ]
    return felt_picture(game, deck, laid, where.height)
