"""Single values that the program remembers about itself."""

from __future__ import annotations

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.storage.schema import meta


class SqlMeta:
    """Text by key, such as the hash of the commands registered last."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str) -> str | None:
        def work(connection: Connection) -> str | None:
            found = connection.execute(select(meta.c.value).where(meta.c.key == key))
            value: str | None = found.scalar()
            return value

        return await self._database.read(work)

    async def put(self, key: str, value: str) -> None:
        await self._database.write(lambda writing: put(writing, key, value))


def put(connection: Connection, key: str, value: str) -> None:
    """`SqlMeta.put` within a transaction."""
    done = connection.execute(update(meta).where(meta.c.key == key).values(value=value))
    if not done.rowcount:
        connection.execute(insert(meta).values(key=key, value=value))
