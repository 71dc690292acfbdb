"""Tables and their logs (port `TableStore`), and time given back to tables."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from itertools import groupby
from operator import itemgetter
from time import perf_counter
from typing import Any, Final

import structlog
from cachetools import LRUCache
from sqlalchemy import Table as SqlTable
from sqlalchemy import (
    bindparam,
    case,
    delete,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import Connection
from sqlalchemy.exc import IntegrityError

from bot.ids import ChannelId, GuildId, Ids, TableId, UserId, drop
from bot.storage import bests, ratings, rows
from bot.storage.database import Database
from bot.storage.meta import put
from bot.storage.people import forget_lessons
from bot.storage.schema import (
    OPEN,
    deadlines,
    entries,
    matches,
    meta,
    named,
    results,
    sitters,
    tables,
)
from bot.storage.standings import add as add_standings
from bot.tables.downtime import given_back
from bot.tables.ports import (
    UNCOUNTED,
    AlreadyApplied,
    Change,
    ChannelTaken,
    Conflict,
    Due,
    TableCounts,
)
from bot.tables.stored import DeadlineKind, Entry, Result, Status, StoredTable

_REFUSALS: Final[tuple[tuple[str, str, Callable[[], Exception]], ...]] = (
    ("uq_entries_interaction", "entries.interaction_id", AlreadyApplied),
    ("uq_tables_open_channel", "tables.channel_id", ChannelTaken),
    ("pk_entries", "entries.table_id, entries.ply", Conflict),
    ("pk_tables", "tables.id", Conflict),
)
"""Constraints that a change may run into: as PostgreSQL names them, as SQLite lists their columns,
and what that means."""

_REMEMBERED: Final = 4096
"""Tables whose records are kept in mind: more than are played at in the same minutes."""

_LOG: Final = insert(entries)

_AT_ONCE: Final = 500
"""Lines of a log that are read in one go: PostgreSQL's are made into rows on the event loop."""

_SWAP: Final = update(tables).where(
    tables.c.id == bindparam("at_id"), tables.c.version == bindparam("at_version")
)


_CLOCKS: Final = (DeadlineKind.TURN.value, DeadlineKind.NEXT_ROUND.value)


class SqlTableStore:
    """Every change is one transaction, and a table's version is compared and set by it."""

    def __init__(self, database: Database, counts: TableCounts = UNCOUNTED) -> None:
        self._database = database
        self._counts = counts
        self._seen: LRUCache[TableId, StoredTable] = LRUCache(_REMEMBERED)
        """Records as they were stored at their version, which never changes: what a change leaves
        as it was need not be read to be known."""

    async def commit(self, change: Change) -> None:
        stored, expected = change.stored, change.expected
        if stored.version != expected + 1:
            raise ValueError(f"version {stored.version} does not follow {expected}")
        before = self._seen.get(stored.id)
        if before is not None and before.version != expected:
            before = None
        begun = perf_counter()
        try:
            await self._database.write(lambda writing: write(writing, change, before))
        except Exception as error:
            self._counts.commit_failed(perf_counter() - begun)
            refused = _refusal(error) if isinstance(error, IntegrityError) else None
            if refused is None:
                raise
            raise refused from error
        self._seen[stored.id] = stored
        self._counts.committed(change, perf_counter() - begun)

    async def load(self, table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        found = await self._database.read(lambda reading: _load(reading, table))
        return self._remembered(table, found)

    async def load_after_commits(
        self, table: TableId
    ) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        def work(connection: Connection) -> tuple[StoredTable, tuple[Entry, ...]] | None:
            # SQLite has one writer, and whoever is let in is the only one.
            _lock_id(connection, table)
            connection.execute(select(tables.c.id).where(tables.c.id == table).with_for_update())
            return _load(connection, table)

        return self._remembered(table, await self._database.write(work))

    def _remembered(
        self, table: TableId, found: tuple[StoredTable, tuple[Entry, ...]] | None
    ) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        if found is None:
            self._seen.pop(table, None)
        else:
            self._seen[table] = found[0]
        return found

    def drop(self, tables: Ids | None = None) -> None:
        drop(self._seen, tables)

    async def open_in_channel(self, channel: ChannelId) -> TableId | None:
        return await self._database.scalar(
            select(tables.c.id).where(tables.c.channel_id == channel, tables.c.status.in_(OPEN))
        )

    async def latest_in_channel(self, channel: ChannelId) -> TableId | None:
        # An open table is the newest whatever the clock was when the ones before were opened.
        return await self._database.scalar(
            select(tables.c.id)
            .where(tables.c.channel_id == channel)
            .order_by(
                tables.c.status.in_(OPEN).desc(),
                tables.c.created.desc(),
                tables.c.ended.desc(),
                tables.c.id.desc(),
            )
        )

    async def open_of(self, user: UserId) -> Sequence[TableId]:
        return await self._database.scalars(
            select(tables.c.id)
            .join(sitters, sitters.c.table_id == tables.c.id)
            .where(sitters.c.user_id == user, tables.c.status.in_(OPEN))
            .order_by(tables.c.created.desc(), tables.c.id.desc())
        )

    async def open_tables(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> Sequence[TableId]:
        """Oldest first."""
        query = select(tables.c.id).where(tables.c.status.in_(OPEN))
        if guild is not None:
            query = query.where(tables.c.guild_id == guild)
        if channel is not None:
            query = query.where(tables.c.channel_id == channel)
        return await self._database.scalars(query.order_by(tables.c.created, tables.c.id))

    async def open_count(
        self, guild: GuildId, opener: UserId, also: Collection[TableId] = ()
    ) -> tuple[int, int]:
        theirs = (tables.c.opener_id == opener) | tables.c.id.in_(also)
        own = func.coalesce(func.sum(case((theirs, 1), else_=0)), 0)
        query = select(own, func.count()).where(
            tables.c.guild_id == guild, tables.c.status.in_(OPEN)
        )

        def work(connection: Connection) -> tuple[int, int]:
            row = connection.execute(query).one()
            return int(row[0]), int(row[1])

        return await self._database.read(work)

    async def clocked(self) -> Sequence[TableId]:
        return await self._database.scalars(
            select(tables.c.id)
            .join(deadlines, deadlines.c.table_id == tables.c.id)
            .where(tables.c.status == Status.RUNNING.value, deadlines.c.kind.in_(_CLOCKS))
            .group_by(tables.c.id)
            .order_by(func.min(deadlines.c.due), tables.c.id)
        )

    async def credit(self, since: datetime | None, until: datetime) -> int:
        return await self._database.write(lambda writing: give_back(writing, since, until))

    async def note_reachable(self, at: datetime) -> None:
        await self._database.write(lambda writing: note_seen(writing, at))

    async def rematch_of(self, table: TableId) -> TableId | None:
        """The newest one, if the first came to nothing and there was another."""
        return await self._database.scalar(
            select(tables.c.id)
            .where(tables.c.rematch_of == table)
            .order_by(tables.c.created.desc(), tables.c.id.desc())
        )

    async def earliest_deadline(self, skip: Collection[TableId] = ()) -> Due | None:
        """Of the open tables but `skip`: nothing is due at one that has ended."""
        query = (
            select(deadlines)
            .join(tables, tables.c.id == deadlines.c.table_id)
            .where(tables.c.status.in_(OPEN), tables.c.id.not_in(skip))
            .order_by(deadlines.c.due, deadlines.c.table_id, deadlines.c.position)
            .limit(1)
        )

        def work(connection: Connection) -> Due | None:
            row = connection.execute(query).mappings().first()
            return None if row is None else Due(row["table_id"], rows.deadline_of(row))

        return await self._database.read(work)


def write(connection: Connection, change: Change, before: StoredTable | None) -> None:
    """All of a change within a transaction; `before`: the table at the version that is expected, as
    far as that is known.

    Raises Conflict and AlreadyApplied, and IntegrityError where something is taken.
    """
    stored, expected = change.stored, change.expected
    if expected == 0:
        _lock_id(connection, stored.id)
        connection.execute(insert(tables).values(rows.columns(stored)))
    else:
        key = {"at_id": stored.id, "at_version": expected}
        swapped = connection.execute(_SWAP, {**rows.changed(before, stored), **key})
        if not swapped.rowcount:
            _require_unapplied(connection, change.entries)
            raise Conflict
    if before is None or before.seating.places != stored.seating.places:
        rewrite(connection, sitters, stored.id, rows.sitter_rows(stored))
    if before is None or rows.names_others(before, stored):
        rewrite(connection, named, stored.id, rows.named_rows(stored))
    if before is None or before.timing.deadlines != stored.timing.deadlines:
        rewrite(connection, deadlines, stored.id, rows.deadline_rows(stored))
    if change.entries:
        connection.execute(_LOG, [rows.entry_row(stored.id, entry) for entry in change.entries])
    if change.result is not None:
        _write_result(connection, change.result, stored)


def _refusal(error: IntegrityError) -> Exception | None:
    said = str(error.orig)
    for name, listed, refusal in _REFUSALS:
        if f'"{name}"' in said or said.endswith(f"UNIQUE constraint failed: {listed}"):
            return refusal()
    return None


def _require_unapplied(connection: Connection, added: Sequence[Entry]) -> None:
    """Whoever lost a race against their own first press is told so, not merely that they lost."""
    interactions = [entry.interaction for entry in added if entry.interaction is not None]
    if interactions:
        query = select(entries.c.ply).where(entries.c.interaction_id.in_(interactions))
        if connection.execute(query).first() is not None:
            raise AlreadyApplied


def _lock_id(connection: Connection, table: TableId) -> None:
    """Until the transaction ends: a row that is not there yet cannot be locked."""
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(func.hashtext(table))))


def stored_in(connection: Connection, table: TableId) -> StoredTable | None:
    """A table without its log."""
    row = connection.execute(select(tables).where(tables.c.id == table)).mappings().first()
    if row is None:
        return None
    waits = select(deadlines).where(deadlines.c.table_id == table).order_by(deadlines.c.position)
    return rows.stored_of(row, connection.execute(waits).mappings().all())


def _load(connection: Connection, table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
    """A table and its log."""
    stored = stored_in(connection, table)
    if stored is None:
        return None
    lines = select(entries).where(entries.c.table_id == table).order_by(entries.c.ply)
    log = connection.execute(lines, execution_options={"yield_per": _AT_ONCE}).mappings()
    return stored, tuple(map(rows.entry_of, log))


def rewrite(
    connection: Connection, sql_table: SqlTable, table: TableId, new: Sequence[dict[str, Any]]
) -> None:
    """Make `new` the rows of the table."""
    connection.execute(delete(sql_table).where(sql_table.c.table_id == table))
    if new:
        connection.execute(insert(sql_table), new)


def _write_result(connection: Connection, result: Result, stored: StoredTable) -> None:
    number = ratings.next_number(connection, result.guild, result.game)
    rated = ratings.after(connection, result)
    connection.execute(
        insert(matches).values(
            table_id=result.table,
            guild_id=result.guild,
            game=result.game,
            rounds=result.rounds,
            ended=result.ended,
            number=number,
            computers=[
                [row.seat, row.computer.number, row.computer.level.value, row.place, row.points]
                for row in result.computers
            ]
            or None,
            plays=result.plays,
            channel_id=None if stored.seating.private else stored.channel,
        )
    )
    if result.rows:
        connection.execute(
            insert(results),
            [
                {
                    "table_id": result.table,
                    "seat": row.seat,
                    "user_id": row.user,
                    "name": row.name,
                    "place": row.place,
                    "points": row.points,
                    "counts": row.counts,
                    "mu": rated.new[row.user].mu if row.user in rated.new else None,
                    "sigma": rated.new[row.user].sigma if row.user in rated.new else None,
                    "best_round": row.best_round,
                    "worst_round": row.worst_round,
                    "deficit": row.deficit,
                    "hints": row.hints,
                    "asked": row.asked,
                    "in_time": row.in_time,
                }
                for row in result.rows
            ],
        )
        forget_lessons(connection, [row.user for row in result.rows], result.game)
    add_standings(connection, result, rated.all)
    ratings.add(connection, result.guild, result.game, rated.new)
    fallen = bests.add(connection, result)
    if fallen:
        this = matches.c.table_id == result.table
        set_ = [[one.kind.value, [*one.seats], one.value, one.before] for one in fallen]
        connection.execute(update(matches).where(this).values(records=set_))


# Time given back.

logger = structlog.get_logger(__name__)

_SEEN: Final = "alive"

_MOVE_DEADLINES: Final = (
    update(deadlines)
    .where(
        deadlines.c.table_id == bindparam("at_table"),
        deadlines.c.position == bindparam("at_position"),
    )
    .values(due=bindparam("new"))
)

_CHANGE_TABLES: Final = update(tables).where(tables.c.id == bindparam("at_table"))

_OPEN_TABLES: Final = select(tables).where(tables.c.status.in_(OPEN))

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
    found = {
        row["id"]: row for row in connection.execute(_OPEN_TABLES.with_for_update()).mappings()
    }
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
        connection.execute(_MOVE_DEADLINES, moves)
        connection.execute(_CHANGE_TABLES, changes)
    return len(changes)
