"""Where tables are shown: the message of every viewer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Final, TypeAlias

from sqlalchemy import and_, bindparam, delete, exists, or_, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.storage.schema import OPEN, surfaces, tables
from bot.tables.model import TableId

Row: TypeAlias = tuple[int, int, datetime, int]
"""Channel id, message id, when it was posted, and its mark."""

BOARD: Final = 0
NOTICE: Final = -1
"""Viewers that are no people; those below are messages that are to be deleted."""


class SqlSurfaces:
    """One message for each table and viewer."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all_of(self, table: TableId) -> Sequence[tuple[int, int, int, datetime, int]]:
        """Viewer, channel id, message id, when it was posted, and its mark; by viewer."""

        def work(connection: Connection) -> Sequence[tuple[int, int, int, datetime, int]]:
            found = connection.execute(
                select(surfaces).where(surfaces.c.table_id == table).order_by(surfaces.c.viewer_id)
            )
            return [
                (row.viewer_id, row.channel_id, row.message_id, row.posted, row.mark)
                for row in found
            ]

        return await self._database.read(work)

    async def save(
        self,
        rows: Mapping[tuple[TableId, int], Row | None],
        drawn: Mapping[TableId, int | None],
    ) -> None:
        """Store, in one transaction, messages by table and viewer (None: there is none any more)
        and the versions of tables that were drawn completely last.

        The tables must exist.  Where a table has no board there is no version to remember.
        """
        put = [
            {
                "table_id": table,
                "viewer_id": viewer,
                "channel_id": row[0],
                "message_id": row[1],
                "posted": row[2],
                "mark": row[3],
            }
            for (table, viewer), row in rows.items()
            if row is not None
        ]
        gone = [
            {"of": table, "viewer": viewer} for (table, viewer), row in rows.items() if row is None
        ]
        versions = [{"of": table, "version": version} for table, version in drawn.items()]

        def work(connection: Connection) -> None:
            if put:
                connection.execute(_UPSERTS[connection.dialect.name], put)
            if gone:
                connection.execute(_GONE, gone)
            if versions:
                connection.execute(_DRAWN, versions)

        await self._database.write(work)

    async def stale(self) -> Sequence[TableId]:
        """Open tables that changed since they were drawn completely, or whose old messages are
        still to be deleted.
        """
        doomed = exists().where(surfaces.c.table_id == tables.c.id, surfaces.c.viewer_id < NOTICE)
        board = surfaces.alias("board")

        def work(connection: Connection) -> Sequence[TableId]:
            found = connection.execute(
                select(tables.c.id)
                .outerjoin(board, and_(board.c.table_id == tables.c.id, board.c.viewer_id == BOARD))
                .where(
                    tables.c.status.in_(OPEN),
                    or_(board.c.drawn.is_(None), board.c.drawn != tables.c.version, doomed),
                )
                .order_by(tables.c.id)
            )
            return list(found.scalars())

        return await self._database.read(work)

    async def behind(self, ended: int) -> Sequence[TableId]:
        """Tables that are over, while their board in the channel does not have the mark `ended`
        or a line that called somebody is still there.
        """

        def work(connection: Connection) -> Sequence[TableId]:
            found = connection.execute(
                select(surfaces.c.table_id)
                .distinct()
                .join(tables, tables.c.id == surfaces.c.table_id)
                .where(
                    or_(
                        and_(surfaces.c.viewer_id == BOARD, surfaces.c.mark != ended),
                        surfaces.c.viewer_id < BOARD,
                    ),
                    tables.c.status.not_in(OPEN),
                )
                .order_by(surfaces.c.table_id)
            )
            return list(found.scalars())

        return await self._database.read(work)


_KEY: Final = (surfaces.c.table_id, surfaces.c.viewer_id)
_SHOWN: Final = ("channel_id", "message_id", "posted", "mark")


def _sqlite_upsert() -> sqlite.Insert:
    new = sqlite.insert(surfaces)
    return new.on_conflict_do_update(
        index_elements=_KEY, set_={name: new.excluded[name] for name in _SHOWN}
    )


def _postgresql_upsert() -> postgresql.Insert:
    new = postgresql.insert(surfaces)
    return new.on_conflict_do_update(
        index_elements=_KEY, set_={name: new.excluded[name] for name in _SHOWN}
    )


_UPSERTS: Final = {"sqlite": _sqlite_upsert(), "postgresql": _postgresql_upsert()}

_GONE: Final = delete(surfaces).where(
    surfaces.c.table_id == bindparam("of"), surfaces.c.viewer_id == bindparam("viewer")
)

_DRAWN: Final = (
    update(surfaces)
    .where(surfaces.c.table_id == bindparam("of"), surfaces.c.viewer_id == BOARD)
    .values(drawn=bindparam("version"))
)
