"""Finished matches, to be looked through: the port `History` and its values."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, NamedTuple, Protocol

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.sitters import Called

MOST_LISTED: Final = 1_000
"""Maximum number of matches in a list, the latest ones: those before are found by their table."""


class Placed(NamedTuple):
    """Somebody who began a match, and how it ended for them."""

    place: int
    points: int
    seat: int
    user: UserId | None
    """None: a computer player, or somebody of whom only their place is to be known."""
    name: Called
    """Empty for somebody of whom only their place is to be known."""


class Past(NamedTuple):
    """A finished match as one reader may know it."""

    table: TableId
    game: str
    rounds: int
    ended: datetime
    people: tuple[Placed, ...]
    """Best first."""
    counts: bool
    """Whether it counts on leaderboards: for the reader, if they began it."""


class PastPage(NamedTuple):
    """Some finished matches in a row, the latest first."""

    lines: tuple[Past, ...]
    number: int
    """Number of this page, from 0."""
    pages: int
    """At least 1, even without any matches."""
    more: bool = False
    """Whether there are matches before the last page: more than `MOST_LISTED`."""


class History(Protocol):
    """Finished matches, the latest first.

    Nobody reads the name of a person who stands on no leaderboard, but that person.  A page beyond
    the end is the last.  Every method raises Unavailable.
    """

    async def own(
        self, reader: UserId, guild: GuildId, other: UserId | None, number: int, size: int
    ) -> PastPage:
        """Matches on a server that `reader` began, all or those that `other` began too."""

    async def shown(
        self,
        reader: UserId,
        guild: GuildId,
        channels: Collection[ChannelId],
        number: int,
        size: int,
    ) -> PastPage:
        """Matches of public tables in these channels of a server."""

    async def match(self, reader: UserId, table: TableId) -> Past | None:
        """The match of that table; None if it counts for nobody, or is not over."""

    async def tables_of(self, user: UserId) -> Sequence[TableId]:
        """All matches that `user` began, on all servers."""
