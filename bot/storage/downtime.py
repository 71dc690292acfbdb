"""Storing time given back to tables, together with when people could last press."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from sqlalchemy import bindparam, case, select, update
from sqlalchemy.engine import Connection

from bot.ids import TableId
from bot.storage.meta import put
from bot.storage.schema import OPEN, deadlines, meta, tables
from bot.tables.downtime import LEAST_GAP, creditable
from bot.tables.ports import MOST_CREDITED, is_credited
from bot.tables.stored import DeadlineKind, Pace, Status
from bot.tables.waiting import longest

_SEEN: Final = "alive"

_MOVE: Final = (
    update(deadlines)
    .where(
        deadlines.c.table_id == bindparam("at_table"),
        deadlines.c.position == bindparam("at_position"),
    )
    .values(due=bindparam("new"))
)

_MOST: Final = round(MOST_CREDITED.total_seconds())
_SUM: Final = tables.c.credited + bindparam("more")

_COUNT: Final = (
    update(tables)
    .where(tables.c.id == bindparam("at_table"))
    .values(version=tables.c.version + 1, credited=case((_SUM > _MOST, _MOST), else_=_SUM))
)
"""A table's version rises, and it says what it was given."""

_OPEN: Final = select(tables.c.id, tables.c.status, tables.c.pace, tables.c.warned).where(
    tables.c.status.in_(OPEN)
)

_WAITING: Final = (
    select(
        deadlines.c.table_id,
        deadlines.c.position,
        deadlines.c.kind,
        deadlines.c.question,
        deadlines.c.due,
    )
    .join(tables, tables.c.id == deadlines.c.table_id)
    .where(tables.c.status.in_(OPEN))
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
    gap = creditable(until - since)
    seconds = round(gap.total_seconds())
    # Locked before their deadlines are read: from then on nobody else can write these, and of the
    # tables that are not among the locked ones nothing is moved.
    found = {row.id: row for row in connection.execute(_OPEN.with_for_update())}
    latest: dict[tuple[str, str], datetime] = {}
    moves, counts = [], dict[TableId, int]()
    for table, position, kind, question, due in connection.execute(_WAITING):
        if table not in found:
            continue
        _, status, pace, warned = found[table]
        if (kind, pace) not in latest:
            latest[kind, pace] = until + longest(DeadlineKind(kind), Pace(pace))
        moves_on = is_credited(DeadlineKind(kind), question, warned) and due >= since
        new = due + gap if moves_on else due
        if new > latest[kind, pace] + LEAST_GAP:
            new = latest[kind, pace]
        if new != due:
            moves.append({"at_table": table, "at_position": position, "new": new})
            given = seconds if new > due and status == Status.RUNNING else 0
            counts[table] = max(given, counts.get(table, given))
    if moves:
        connection.execute(_MOVE, moves)
        connection.execute(
            _COUNT, [{"at_table": table, "more": given} for table, given in counts.items()]
        )
    return len(counts)
