"""Single values that the program remembers about itself."""

from __future__ import annotations

from typing import Final

from sqlalchemy import select
from sqlalchemy.engine import Connection

from bot.storage import upsert
from bot.storage.database import Repository
from bot.storage.schema import meta

COMMANDS: Final = "commands"
"""Key of the hash of the commands that Discord was told of last."""


class SqlMeta(Repository):
    """Text by key."""

    async def get(self, key: str) -> str | None:
        return await self._database.read(lambda reading: get(reading, key))

    async def put(self, key: str, value: str) -> None:
        await self._database.write(lambda writing: put(writing, key, value))


def get(connection: Connection, key: str) -> str | None:
    """`SqlMeta.get` within a transaction."""
    value: str | None = connection.scalar(select(meta.c.value).where(meta.c.key == key))
    return value


def put(connection: Connection, key: str, value: str) -> None:
    """`SqlMeta.put` within a transaction; two at once may both put the same key first."""
    upsert.put(connection, meta, [{"key": key, "value": value}])
