"""Storing time given back to tables, together with when people could last press."""

from __future__ import annotations

from datetime import datetime
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import structlog
from sqlalchemy import bindparam, select, update
from sqlalchemy.engine import Connection

from bot.storage import rows
from bot.storage.meta import put
from bot.storage.schema import OPEN, deadlines, meta, tables
from bot.tables.downtime import given_back

logger = structlog.get_logger(__name__)

_SEEN: Final = "alive"

_MOVE: Final = (
    update(deadlines)
    .where(
        deadlines.c.table_id == bindparam("at_table"),
        deadlines.c.position == bindparam("at_position"),
    )
    .values(due=bindparam("new"))
)

_SWAP: Final = update(tables).where(tables.c.id == bindparam("at_table"))

_OPEN: Final = select(tables).where(tables.c.status.in_(OPEN))

_WAITING: Final = (
    select(deadlines)
    .join(tables, tables.c.id == deadlines.c.table_id)
    .where(tables.c.status.in_(OPEN))
    .order_by(deadlines.c.table_id, deadlines.c.position)
)


def note_seen(connection: Connection, at: datetime) -> None:
    """See `bot.tables.ports.TableStore.note_reachable`."""
    seen = last_seen(connection, locked=True)
    if seen is None or seen < at:
        put(connection, _SEEN, at.isoformat())


def last_seen(connection: Connection, *, locked: bool = False) -> datetime | None:
    """When people could last press; None: never."""
    asked = select(meta.c.value).where(meta.c.key == _SEEN)
    said = connection.scalar(asked.with_for_update() if locked else asked)
    return None if said is None else datetime.fromisoformat(said)


def give_back(connection: Connection, since: datetime | None, until: datetime) -> int:
    """See `bot.tables.ports.TableStore.credit`."""
    # Locked: a credit whose answer was lost may still be on its way.
    seen = last_seen(connection, locked=True)
    if seen == until:
        return 0
    put(connection, _SEEN, until.isoformat())  # also where the clock was set back
    since = since or seen or until
    # Locked before their deadlines are read: from then on nobody else can write these, and of the
    # tables that are not among the locked ones nothing is moved.
    found = {row["id"]: row for row in connection.execute(_OPEN.with_for_update()).mappings()}
    waiting = connection.execute(_WAITING).mappings().all()
    moves, changes = list[dict[str, Any]](), list[dict[str, Any]]()
    for table, due in groupby(waiting, itemgetter("table_id")):
        if table not in found:
            continue
        try:
            before = rows.stored_of(found[table], [*due])
        except ValueError as error:  # nobody can play there: the others go on
            logger.error("record_unreadable", table=table, kind=type(error).__name__)
            continue
        after = given_back(before, since, until)
        if after.timing.deadlines == before.timing.deadlines:
            continue
        version = before.version + 1
        changes.append({"at_table": table, "version": version, "document": rows.document(after)})
        moves += [
            {"at_table": table, "at_position": position, "new": deadline.due}
            for position, deadline in enumerate(after.timing.deadlines)
        ]
    if moves:
        connection.execute(_MOVE, moves)
        connection.execute(_SWAP, changes)
    return len(changes)
