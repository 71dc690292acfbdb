"""Choices for whole servers; kept when the program leaves one, as results are."""

from __future__ import annotations

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from bot.ids import GuildId
from bot.storage.database import Database
from bot.storage.schema import servers


class SqlServers:
    """Port `Servers` of the publisher."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def board_deck(self, guild: GuildId) -> str | None:
        query = select(servers.c.deck).where(servers.c.guild_id == guild)
        return await self._database.read(lambda connection: connection.execute(query).scalar())

    async def choose_board_deck(self, guild: GuildId, deck: str) -> None:
        here = servers.c.guild_id == guild

        def work(connection: Connection) -> None:
            if not connection.execute(update(servers).where(here).values(deck=deck)).rowcount:
                connection.execute(insert(servers).values(guild_id=guild, deck=deck))

        await self._database.write(work)
