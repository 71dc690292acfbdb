"""Figures behind `/stats`: a person's rounds and answers, two rivals, records (port `Memories`)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from bot.ids import GuildId, TableId, UserId

LAST: Final = 5
"""Maximum number of matches of two people that are listed."""

MIN_ROW: Final = 3
"""Fewest wins one after another that are a record."""


class GameStats(NamedTuple):
    """A person's matches of one game that count, all time."""

    game: str
    best_round: int | None
    worst_round: int | None
    """Points; None if nothing is known of any round."""
    longest_row: int
    """Most wins one after another."""
    hints: int
    asked: int
    """Decisions at tables with a clock."""
    in_time: int
    """Those answered before the clock did."""
    known: int
    """Number of matches of which rounds, hints and answers are known."""


class Meeting(NamedTuple):
    """One match of two people."""

    game: str
    ended: datetime
    places: tuple[int, int]
    """Of the one and of the other."""
    points: tuple[int, int]


class Rivalry(NamedTuple):
    """All matches that count for two people on a server."""

    names: tuple[str, str]
    """What they were called in the latest; empty if there is none."""
    matches: int
    ahead: int
    """In how many the one was placed before the other."""
    behind: int
    last: tuple[Meeting, ...]
    """The latest first, at most `LAST`."""

    @property
    def level(self) -> int:
        """In how many both shared a place, as partners do."""
        return self.matches - self.ahead - self.behind


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


class Memories(Protocol):
    """Sums over finished matches of one server.  Every method raises Unavailable."""

    async def stats(self, guild: GuildId, user: UserId) -> Sequence[GameStats]:
        """All games that a person has played, in alphabetical order."""

    async def rivalry(self, guild: GuildId, one: UserId, other: UserId) -> Rivalry: ...

    async def records(self, guild: GuildId, games: Sequence[str]) -> Sequence[Record]:
        """The present records of a server, game by game."""

    async def fallen(self, table: TableId) -> tuple[Fallen, ...]:
        """The records that a match has set when it ended."""
