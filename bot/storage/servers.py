"""Choices for whole servers; kept when the program leaves one, as results are."""

from __future__ import annotations

from sqlalchemy import select

from bot.ids import GuildId
from bot.storage.database import Database
from bot.storage.schema import servers
from bot.storage.upsert import put


class SqlServers:
    """Port `Servers` of the publisher."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def board_deck(self, guild: GuildId) -> str | None:
        return await self._database.scalar(
            select(servers.c.deck).where(servers.c.guild_id == guild)
        )

    async def choose_board_deck(self, guild: GuildId, deck: str) -> None:
        row = {"guild_id": guild, "deck": deck}
        await self._database.write(lambda writing: put(writing, servers, [row]))
