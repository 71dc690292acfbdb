"""Sheets: many cards of a game side by side, in rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from bot.pictures.card import Face
from bot.pictures.decks import Deck
from bot.pictures.felt import MARGIN, WIDTH, Card, Picture, Plan, Put, Spot
from bot.pictures.tiles import cell_of

_CARD: Final = 69
"""How wide a card is: ten stand side by side."""


def sheet_picture(game: str, rows: Sequence[Sequence[Face]], deck: Deck) -> Picture:
    """These cards; a row that is too long goes on below."""
    across, down = cell_of(_CARD)
    room = (WIDTH - 2 * MARGIN) // across
    lines = [row[at : at + room] for row in rows for at in range(0, len(row), room)]
    put = [
        Put(Spot(MARGIN + across * column, MARGIN + down * number), Card(face, _CARD))
        for number, line in enumerate(lines)
        for column, face in enumerate(line)
    ]
    return Plan(tuple(put), 2 * MARGIN + down * len(lines)).picture(game, deck)


SAMPLES: Final[Mapping[str, Sequence[Face]]] = {
    "aufundab": (
        Face("aufundab", "0-2"),
        Face("aufundab", "3-6", marks=frozenset({"change"})),
        Face("aufundab", "4-8"),
        Face("aufundab", "7-7", marks=frozenset({"double"})),
        Face("aufundab", "1-5", down=True),
        Face("aufundab", "2-9", down=True),
    ),
    "sticheln": tuple(Face("sticheln", code) for code in ("R5", "Y12", "G0", "B9", "P14", "S7")),
    "kaiserspiel": tuple(
        Face("kaiserspiel", code) for code in ("AK", "RO", "SU", "BB", "R7", "A5")
    ),
}
"""By game: a few cards that show what a deck is like."""
