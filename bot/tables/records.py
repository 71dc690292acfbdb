"""`Record`: the best there was of a kind on a server, and when a match sets one.  Pure values."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from bot.ids import TableId

MIN_ROW: Final = 3
"""Fewest wins one after another that are a record."""


class RecordKind(StrEnum):
    """What there are records of, in each game."""

    ROUND = "round"
    """Most points in a round."""
    COMEBACK = "comeback"
    """Most points that somebody who won lay behind after a round."""
    LENGTH = "length"
    """Most actions of a match."""
    ROW = "row"
    """Most wins one after another."""


class Record(NamedTuple):
    """The present record of a kind in a game on a server."""

    game: str
    kind: RecordKind
    value: int
    names: tuple[str, ...]
    """Who holds it: several where they reached it in the same match."""
    ended: datetime
    """When that match ended."""


class Fallen(NamedTuple):
    """A record that a match has set; it stands with the match."""

    kind: RecordKind
    seats: tuple[int, ...]
    """Seats of those who hold it."""
    value: int
    before: int
    """The record until then."""


class Best(NamedTuple):
    """The best that one person has reached of a kind, and in which match."""

    value: int
    ended: datetime
    table: TableId
