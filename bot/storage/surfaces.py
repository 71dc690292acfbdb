"""Messages on Discord that show tables and plans."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from sqlalchemy import Table, and_, bindparam, delete, exists, or_, select, update
from sqlalchemy.engine import Connection

from bot.ids import TableId
from bot.storage.database import Database
from bot.storage.schema import OPEN, surfaces, tables
from bot.storage.upsert import put
from bot.surfaces import Kind, Row

UNDONE: Final = (Kind.RETIRED, Kind.REPLACED, Kind.SENDING)
_FINAL: Final = (Kind.RESULT, Kind.GREETING)


class SqlSurfaces:
    """One message for each table, kind and key."""

    def __init__(self, database: Database, rows: Table = surfaces) -> None:
        """With `plan_surfaces` as `rows`: for each plan."""
        self._database = database
        self._rows, of = rows, rows.c.table_id == bindparam("of")
        self._shown = [column for column in rows.c if column.name not in ("table_id", "drawn")]
        """The columns of a `Row`, in its order."""
        of_slot = (rows.c.kind == bindparam("of_kind"), rows.c.key == bindparam("of_key"))
        self._gone = delete(rows).where(of, *of_slot)
        drawn = update(rows).where(of, rows.c.kind == Kind.BOARD)
        self._drawn = drawn.values(drawn=bindparam("version"))

    async def all_of(self, table: TableId) -> Sequence[Row]:
        """The messages of a table, by kind and key."""
        rows = self._rows
        query = select(*self._shown).where(rows.c.table_id == table).order_by(*rows.primary_key)
        return await self._database.rows(query)

    async def save(
        self,
        rows: Mapping[tuple[TableId, str, int], Row | None],
        drawn: Mapping[TableId, int | None],
    ) -> None:
        """Store, in one transaction, messages by table, kind and key (None: there is none any
        more) and the versions of tables that were drawn completely last.

        The tables must exist.  Where a table has no board there is no version to remember.
        """
        names = [column.name for column in self._shown]
        shown = [
            {"table_id": table, **dict(zip(names, row, strict=True))}
            for (table, *_), row in sorted(rows.items())
            if row is not None
        ]
        gone = [
            {"of": table, "of_kind": kind, "of_key": key}
            for (table, kind, key), row in rows.items()
            if row is None
        ]
        versions = [{"of": table, "version": version} for table, version in drawn.items()]

        def work(connection: Connection) -> None:
            put(connection, self._rows, shown)
            if gone:
                connection.execute(self._gone, gone)
            if versions:
                connection.execute(self._drawn, versions)

        await self._database.write(work)

    async def stale(self) -> Sequence[TableId]:
        """Open tables that changed since they were drawn completely, or with messages that are
        still to be looked for, replaced or deleted.
        """
        old = exists().where(surfaces.c.table_id == tables.c.id, surfaces.c.kind.in_(UNDONE))
        board = surfaces.alias("board")
        of_table = and_(board.c.table_id == tables.c.id, board.c.kind == Kind.BOARD)

        return await self._database.scalars(
            select(tables.c.id)
            .outerjoin(board, of_table)
            .where(
                tables.c.status.in_(OPEN),
                or_(board.c.drawn.is_(None), board.c.drawn != tables.c.version, old),
            )
            .order_by(tables.c.id)
        )

    async def behind(self) -> Sequence[TableId]:
        """Tables that are over, with messages that do not say so yet.

        Only a result and a greeting stay as they are.
        """
        return await self._database.scalars(
            select(surfaces.c.table_id)
            .distinct()
            .join(tables, tables.c.id == surfaces.c.table_id)
            .where(surfaces.c.kind.not_in(_FINAL), tables.c.status.not_in(OPEN))
            .order_by(surfaces.c.table_id)
        )
