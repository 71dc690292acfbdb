"""What the program remembers about itself."""

from __future__ import annotations

from sqlalchemy import insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.schema import meta


class SqlMeta:
    """Text by key, such as the hash of the commands registered last."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def get(self, key: str) -> str | None:
        async def work(connection: AsyncConnection) -> str | None:
            found = await connection.execute(select(meta.c.value).where(meta.c.key == key))
            value: str | None = found.scalar()
            return value

        return await self._database.read(work)

    async def put(self, key: str, value: str) -> None:
        async def work(connection: AsyncConnection) -> None:
            done = await connection.execute(
                update(meta).where(meta.c.key == key).values(value=value)
            )
            if not done.rowcount:
                await connection.execute(insert(meta).values(key=key, value=value))

        await self._database.write(work)
