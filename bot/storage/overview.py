"""What is stored of all tables together: counts, for the operator, places and people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import func, select, text, union
from sqlalchemy.engine import Connection

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.storage.database import Repository
from bot.storage.plans import IS_OPEN
from bot.storage.schema import OPEN, plans, sitters, tables


class Shown(NamedTuple):
    """Where an open table is shown."""

    table: TableId
    guild: GuildId
    channel: ChannelId


class SqlOverview(Repository):
    """Counts and places; nothing that a hand or a seed could be read from."""

    async def open_tables(self) -> Mapping[str, int]:
        """How many tables are open, by status; every open status is there."""

        query = (
            select(tables.c.status, func.count().label("tables"))
            .where(tables.c.status.in_(OPEN))
            .group_by(tables.c.status)
        )
        rows = await self._database.rows(query)
        return dict.fromkeys(OPEN, 0) | {row.status: row.tables for row in rows}

    async def size(self) -> int:
        """Bytes of the database, without what is still in a write-ahead log."""

        def work(connection: Connection) -> int:
            if connection.dialect.name == "sqlite":
                asked = "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
            else:
                asked = "SELECT pg_database_size(current_database())"
            found: int = connection.execute(text(asked)).scalar_one()
            return found

        return await self._database.read(work)

    async def guilds(self) -> Sequence[GuildId]:
        """The servers where a table is open."""
        return await self._database.scalars(
            select(tables.c.guild_id).distinct().where(tables.c.status.in_(OPEN))
        )

    async def places(self) -> Sequence[tuple[GuildId, ChannelId]]:
        """Where tables are open or planned, each once."""
        query = union(
            select(tables.c.guild_id, tables.c.channel_id).where(tables.c.status.in_(OPEN)),
            select(plans.c.guild_id, plans.c.channel_id).where(IS_OPEN),
        )
        rows = await self._database.rows(query)
        return [(guild, channel) for guild, channel in rows]

    async def sitters(self) -> Sequence[tuple[TableId, GuildId, UserId]]:
        """Who sits at open tables."""
        query = (
            select(tables.c.id, tables.c.guild_id, sitters.c.user_id)
            .join(sitters, sitters.c.table_id == tables.c.id)
            .where(tables.c.status.in_(OPEN))
            .order_by(tables.c.id, sitters.c.user_id)
        )
        rows = await self._database.rows(query)
        return [(table, guild, user) for table, guild, user in rows]

    async def shown(self) -> Sequence[Shown]:
        """Where the open tables are, by server and channel."""

        query = (
            select(tables.c.id, tables.c.guild_id, tables.c.channel_id)
            .where(tables.c.status.in_(OPEN))
            .order_by(tables.c.guild_id, tables.c.channel_id)
        )
        rows = await self._database.rows(query)
        return [Shown(*row) for row in rows]
