"""Where tables are shown: the message of every viewer."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.schema import OPEN, surfaces, tables
from bot.tables.model import TableId


class SqlSurfaces:
    """One message for each table and viewer; viewer 0 is the board in the channel."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def find(self, table: TableId, viewer: int) -> tuple[int, int, datetime, int] | None:
        """Channel id, message id, when it was posted, and its mark."""

        async def work(connection: AsyncConnection) -> tuple[int, int, datetime, int] | None:
            found = await connection.execute(
                select(
                    surfaces.c.channel_id,
                    surfaces.c.message_id,
                    surfaces.c.posted,
                    surfaces.c.mark,
                ).where(surfaces.c.table_id == table, surfaces.c.viewer_id == viewer)
            )
            row = found.first()
            return None if row is None else (row.channel_id, row.message_id, row.posted, row.mark)

        return await self._database.read(work)

    async def put(
        self, table: TableId, viewer: int, channel: int, message: int, posted: datetime, mark: int
    ) -> None:
        """Remember the message, in place of the one before.  The table must exist."""
        where = {
            "channel_id": channel,
            "message_id": message,
            "posted": posted,
            "mark": mark,
        }

        async def work(connection: AsyncConnection) -> None:
            done = await connection.execute(
                update(surfaces)
                .where(surfaces.c.table_id == table, surfaces.c.viewer_id == viewer)
                .values(**where)
            )
            if not done.rowcount:
                await connection.execute(
                    insert(surfaces).values(table_id=table, viewer_id=viewer, **where)
                )

        await self._database.write(work)

    async def behind(self, ended: int) -> Sequence[TableId]:
        """Tables that are over, while their board in the channel does not have the mark `ended`."""

        async def work(connection: AsyncConnection) -> Sequence[TableId]:
            found = await connection.execute(
                select(surfaces.c.table_id)
                .join(tables, tables.c.id == surfaces.c.table_id)
                .where(
                    surfaces.c.viewer_id == 0,
                    surfaces.c.mark != ended,
                    tables.c.status.not_in(OPEN),
                )
                .order_by(surfaces.c.table_id)
            )
            return list(found.scalars())

        return await self._database.read(work)

    async def drop(self, table: TableId, viewer: int) -> None:
        """Forget the message, if there was one."""

        async def work(connection: AsyncConnection) -> None:
            await connection.execute(
                delete(surfaces).where(surfaces.c.table_id == table, surfaces.c.viewer_id == viewer)
            )

        await self._database.write(work)

    async def all_of(self, table: TableId) -> Sequence[tuple[int, int, int, datetime, int]]:
        """Viewer, channel id, message id, when it was posted, and its mark; by viewer."""

        async def work(
            connection: AsyncConnection,
        ) -> Sequence[tuple[int, int, int, datetime, int]]:
            found = await connection.execute(
                select(surfaces).where(surfaces.c.table_id == table).order_by(surfaces.c.viewer_id)
            )
            return [
                (row.viewer_id, row.channel_id, row.message_id, row.posted, row.mark)
                for row in found
            ]

        return await self._database.read(work)
