"""What is stored of whole servers: their choices, and when the program was removed from one."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import delete, select, union

from bot.ids import ALONE, GuildId
from bot.storage.database import Database
from bot.storage.schema import departures, matches, plans, players, servers, tables
from bot.storage.upsert import add, put
from bot.tables.ports import Clock


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


class SqlDepartures:
    """Port `Departures` of `bot.publish.vanished`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    async def known(self) -> Sequence[GuildId]:
        of = (tables, matches, players, plans, servers, departures)
        query = union(*(select(table.c.guild_id) for table in of))
        found = await self._database.look(lambda reading: reading.execute(query).scalars().all())
        return [guild for guild in found if guild != ALONE]

    async def left(self, guild: GuildId) -> None:
        row = {"guild_id": guild, "at": self._clock()}
        await self._database.write(lambda writing: add(writing, departures, [row]))

    async def back(self, guild: GuildId) -> None:
        gone = delete(departures).where(departures.c.guild_id == guild)
        await self._database.write(lambda writing: writing.execute(gone))
