"""What is stored of whole servers: their settings, and when the program was removed from one."""

from __future__ import annotations

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pydantic import RootModel, ValidationError
from sqlalchemy import delete, func, insert, select, union
from sqlalchemy.engine import Connection

from bot.ids import ALONE, GuildId
from bot.storage.database import Database, Repository
from bot.storage.schema import (
    departures,
    follows,
    matches,
    plans,
    players,
    server_changes,
    servers,
    tables,
)
from bot.storage.upsert import add, put
from bot.tables.ports import Clock
from bot.tables.servers import MAX_CHANGES, Changed, ServerSettings, Setting
from bot.tables.stored import Person


class _Document(RootModel[ServerSettings]):
    """Settings as JSON; what it does not know is left out, what is missing has its default."""


class SqlServers(Repository):
    """Port `ServerStore` of the tables."""

    async def settings(self, guild: GuildId) -> ServerSettings | None:
        found = await self._database.scalar(
            select(servers.c.document).where(servers.c.guild_id == guild)
        )
        return None if found is None else settings_of(found)

    async def put(self, guild: GuildId, settings: ServerSettings, change: Changed) -> None:
        document = _Document(settings).model_dump_json()

        def work(writing: Connection) -> None:
            put(writing, servers, [{"guild_id": guild, "document": document}])
            theirs = server_changes.c.guild_id == guild
            last = select(func.max(server_changes.c.number)).where(theirs)
            number = (writing.execute(last).scalar_one() or 0) + 1
            row = {
                "guild_id": guild,
                "number": number,
                "at": change.at,
                "user_id": change.by.id,
                "name": change.by.name,
                "setting": change.setting.value,
                "value": change.value,
            }
            writing.execute(insert(server_changes).values(row))
            old = server_changes.c.number <= number - MAX_CHANGES
            writing.execute(delete(server_changes).where(theirs, old))

        await self._database.write(work)

    async def changes(self, guild: GuildId) -> Sequence[Changed]:
        query = (
            select(server_changes)
            .where(server_changes.c.guild_id == guild)
            .order_by(server_changes.c.number.desc())
        )

        def work(reading: Connection) -> Sequence[Changed]:
            found = []
            for row in reading.execute(query):
                with suppress(ValueError):  # a setting that there is no more
                    by = Person(row.user_id, row.name)
                    value = tuple(row.value) if isinstance(row.value, list) else row.value
                    found.append(Changed(row.at, by, Setting(row.setting), value))
            return found

        return await self._database.look(work)


def settings_of(document: str) -> ServerSettings:
    """The settings in a stored document; one that means nothing any more has its default."""
    try:
        return _Document.model_validate_json(document).root
    except ValidationError as error:
        stored = json.loads(document)
        # A value that may be of several types has an error for each of them.
        for where in {_place(stored, one["loc"]) for one in error.errors()} - {()}:
            _take_out(stored, where)
        return _Document.model_validate_json(json.dumps(stored)).root


def _place(stored: Any, where: Sequence[int | str]) -> tuple[str, ...]:
    """The names that lead to what is wrong: into no list, which is wrong as a whole."""
    found: list[str] = []
    for step in where:
        if not isinstance(stored, dict) or step not in stored:
            break
        stored = stored[step]
        found.append(str(step))
    return tuple(found)


def _take_out(stored: dict[str, Any], where: Sequence[str]) -> None:
    *above, name = where
    for step in above:
        stored = stored.get(step, {})
    stored.pop(name, None)


class SqlDepartures:
    """Port `Departures` of `bot.publish.vanished`."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database, self._clock = database, clock

    async def known(self) -> Sequence[GuildId]:
        of = (tables, matches, players, plans, servers, follows, departures)
        query = union(*(select(table.c.guild_id) for table in of))
        found = await self._database.scalars(query, slow=True)
        return [guild for guild in found if guild != ALONE]

    async def left(self, guild: GuildId) -> None:
        row = {"guild_id": guild, "at": self._clock()}
        await self._database.write(lambda writing: add(writing, departures, [row]))

    async def back(self, guild: GuildId) -> None:
        gone = delete(departures).where(departures.c.guild_id == guild)
        await self._database.execute(gone)
