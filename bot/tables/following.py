"""Who is told that a table opens: followers of its game on its server, and a role of the server."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, Protocol

from bot.ids import ALONE, GuildId, TableId, UserId
from bot.tables.model import Table
from bot.tables.stored import Status

DAY: Final = timedelta(days=1)

MOST_A_DAY: Final = 3
"""Maximum number of tables of which a person is told in a `DAY`, on all servers together."""

ROLE_PAUSE: Final = timedelta(minutes=30)
"""Time between two calls of a server's role."""


class Followed(NamedTuple):
    """What a person follows."""

    games: frozenset[str]
    """On the server where they ask."""
    elsewhere: int
    """Number of other servers where they follow some game."""


NOTHING_FOLLOWED: Final = Followed(frozenset(), 0)


class Followers(Protocol):
    """People who are told when a table of a game opens.  Every method raises Unavailable."""

    async def followed(self, user: UserId, guild: GuildId | None) -> Followed:
        """What `user` follows there; None: no server, and all are others."""

    async def follow(self, user: UserId, guild: GuildId, games: Collection[str]) -> None:
        """`user` follows these games on that server, and no other game there."""

    async def stop(
        self, user: UserId, guild: GuildId | None = None, game: str | None = None
    ) -> None:
        """`user` follows nothing any more: on that server, and of that game, if it is named."""

    async def to_tell(self, guild: GuildId, game: str, now: datetime) -> Sequence[UserId]:
        """Followers who may be told of one more table; in the order of their ids."""

    async def tell(self, user: UserId, table: TableId, now: datetime) -> bool:
        """Note that `user` is told of the table.  False: they were, or of too many by now."""

    async def call_role(self, guild: GuildId, now: datetime) -> bool:
        """Note that the server's role is called.  False: it was called less than `ROLE_PAUSE`
        ago, or nothing is set there."""


def offers_a_seat(table: Table) -> bool:
    """Whether anybody who is told of the table could sit down: a public lobby on a server."""
    stored, seating = table.stored, table.stored.seating
    public = stored.guild != ALONE and not seating.private
    return public and stored.status is Status.LOBBY and bool(seating.free_places)
