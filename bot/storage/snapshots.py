"""Snapshots of long matches, one for each table, beside their logs."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import String, cast, delete, insert, select
from sqlalchemy.engine import Connection

from bot.ids import TableId
from bot.storage import paging
from bot.storage.schema import entries, snapshots
from bot.tables.stored import Snapshot
from engine.deal import digest_of_lines


def fitting(connection: Connection, table: TableId) -> Snapshot | None:
    """The snapshot of a table, if the log before it is the one that it was made of."""
    found = kept(connection, table)
    if found is None or found.digest != log_digest(connection, table, found.ply):
        return None
    return found


def kept(connection: Connection, table: TableId) -> Snapshot | None:
    """The snapshot of a table, whether it fits or not."""
    query = select(snapshots.c.ply, snapshots.c.digest, snapshots.c.text)
    row = connection.execute(query.where(snapshots.c.table_id == table)).first()
    return None if row is None else Snapshot(*row)


def keep(connection: Connection, table: TableId, snapshot: Snapshot) -> None:
    """Keep it instead of the one that was there."""
    connection.execute(delete(snapshots).where(snapshots.c.table_id == table))
    connection.execute(insert(snapshots).values(table_id=table, **snapshot._asdict()))


def every(connection: Connection) -> Sequence[TableId]:
    """Tables that have one."""
    query = select(snapshots.c.table_id).order_by(snapshots.c.table_id)
    return [TableId(table) for table in connection.execute(query).scalars()]


def log_digest(connection: Connection, table: TableId, ply: int) -> str | None:
    """Of the first `ply` lines of a log; None if it has not so many."""
    # The lines as the digest takes them, made by the database: a long log has many.
    line = cast(entries.c.seat, String).concat(" ").concat(entries.c.text).label("line")
    query = select(entries.c.ply, line).where(entries.c.ply < ply)
    found = [row["line"] for row in paging.lines(connection, query, table)]
    return digest_of_lines(found) if len(found) == ply else None
