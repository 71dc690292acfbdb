"""What there is to see of a table: the input of everything that draws.

Built from tables and observations in `cogs` (an allow-list: what is not named here cannot be
shown); the renderers know nothing else.  Public views carry a spectator's layout, a `HandView`
the layout of the one seat whose owner it is sent to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from engine.layout import Layout, Phrase


class Sitter(NamedTuple):
    """A place at the table; `user` is None where nobody sits."""

    seat: int
    user: int | None
    name: str
    team: int | None = None


@dataclass(frozen=True, slots=True)
class TableHead:
    """What stands at the top of everything that shows a table."""

    table: str
    game: str
    guild: int
    channel: int
    host: int
    sitters: tuple[Sitter, ...]
    options: Mapping[str, int | bool | str]
    """Complete options; in the lobby as they would be with all places taken."""


@dataclass(frozen=True, slots=True)
class LobbyView:
    """A table before its match."""

    head: TableHead
    minimum: int
    private: bool
    held: bool
    closes: datetime | None
    starts: datetime | None
    """When a full table starts by itself."""

    @property
    def can_start(self) -> bool:
        return sum(s.user is not None for s in self.head.sitters) >= self.minimum


@dataclass(frozen=True, slots=True)
class Pause:
    """Between two rounds."""

    question: int
    round: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    ready: frozenset[int]
    """Users who have pressed Next round."""
    next: datetime | None


@dataclass(frozen=True, slots=True)
class BoardView:
    """A running match as everybody in the channel may see it."""

    head: TableHead
    layout: Layout
    round: int
    rounds: int | None
    """Number of rounds, where the options fix it."""
    actors: tuple[int, ...]
    question: int | None
    """The question that the board's own controls answer: that of the only actor."""
    log: tuple[Phrase, ...]
    """What happened lately, newest last."""
    pause: Pause | None
    end_votes: int
    votes_needed: int


@dataclass(frozen=True, slots=True)
class HandView:
    """A running match as the owner of one seat may see it."""

    head: TableHead
    layout: Layout
    seat: int
    question: int | None
    """None while its owner is asked nothing."""
    round: int
    pause: Pause | None
    board: tuple[int, int] | None
    """Channel and message of the board, for the link."""
    opened: str | None = None
    """Key of the choice whose second step is shown."""
    notice: str | None = None
    """One sentence above everything else, in the reader's language: what became of a press."""


@dataclass(frozen=True, slots=True)
class ResultView:
    """A match that has ended; `scores` and `ranking` are None when it was stopped."""

    head: TableHead
    scores: tuple[int, ...] | None
    ranking: tuple[int, ...] | None
    rounds: tuple[tuple[int, ...], ...]
    """Points of each complete round, by seat."""
    stop: str | None
    """Why it was stopped: `host`, `moderator`, `vote`, `empty`."""
    starters: tuple[str, ...]
    """Names of those for whom the match counts."""


@dataclass(frozen=True, slots=True)
class ClosedView:
    """A table that never started."""

    head: TableHead
    expired: bool


ChannelView: TypeAlias = LobbyView | BoardView | ResultView | ClosedView
"""Whatever the table's message in the channel shows now."""


class LeaderLine(NamedTuple):
    """One person of a leaderboard."""

    place: int
    name: str
    matches: int
    wins: int
    points_per_round: float


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """One page of a server's leaderboard."""

    period: str
    """`all`, `month` or `week`."""
    game: str | None
    """None: all games together, without points per round."""
    games: tuple[str, ...]
    """All games there are, for the menu."""
    page: int
    """From 0."""
    pages: int
    lines: tuple[LeaderLine, ...]
    my_place: int | None
    """The place of whoever looks."""


@dataclass(frozen=True, slots=True)
class StatsView:
    """What one person has played on a server, by game."""

    name: str
    games: tuple[tuple[str, LeaderLine], ...]
