"""What the program remembers about itself."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import insert, select, update
from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.storage.schema import meta

_ALIVE: Final = "alive"


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
        def work(connection: Connection) -> None:
            done = connection.execute(update(meta).where(meta.c.key == key).values(value=value))
            if not done.rowcount:
                connection.execute(insert(meta).values(key=key, value=value))

        await self._database.write(work)


class SqlLastSeen:
    """Port `LastSeen` over what the program remembers about itself."""

    def __init__(self, meta: SqlMeta) -> None:
        self._meta = meta

    async def read(self) -> datetime | None:
        said = await self._meta.get(_ALIVE)
        return None if said is None else datetime.fromisoformat(said)

    async def write(self, at: datetime) -> None:
        await self._meta.put(_ALIVE, at.isoformat())
