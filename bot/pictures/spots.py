"""Places on a board: rectangles computed before anything is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from bot.pictures.card import Face
from bot.pictures.decks import Deck
from bot.pictures.felt import Picture, Spot, felt_picture
from bot.pictures.pieces import Piece
from bot.pictures.tiles import Look, cell_of, piece, tile


class Card(NamedTuple):
    """A card that lies somewhere."""

    face: Face
    width: int
    look: Look = Look.FLAT


class Put(NamedTuple):
    """Something and where it lies."""

    spot: Spot
    what: Card | Piece

    @property
    def size(self) -> tuple[int, int]:
        """Pixels across and down."""
        if isinstance(self.what, Piece):
            return self.what.width, self.what.height
        return cell_of(self.what.width)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that lies on a picture."""

    put: tuple[Put, ...]
    height: int

    def picture(self, game: str, deck: Deck) -> Picture:
        """It drawn on the felt."""
        laid = []
        for spot, what in self.put:
            if isinstance(what, Piece):
                for down, part in what.parts():
                    laid.append((piece(part, game, deck), Spot(spot.left, spot.top + down)))
            else:
                laid.append((tile(what.face, deck, what.width, what.look), spot))
        return felt_picture(game, deck, laid, self.height)
