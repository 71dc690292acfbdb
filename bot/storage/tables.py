"""Tables and their logs (port `TableStore`)."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from typing import Any, Final

from sqlalchemy import RowMapping, Select, bindparam, delete, insert, select, update
from sqlalchemy import Table as SqlTable
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.schema import (
    OPEN,
    deadlines,
    entries,
    matches,
    places,
    results,
    shuffles,
    tables,
)
from bot.tables.model import (
    Deadline,
    DeadlineKind,
    Entry,
    Person,
    Place,
    Result,
    Shuffle,
    Status,
    Stop,
    TableId,
    TableRecord,
)
from bot.tables.ports import AlreadyApplied, Change, ChannelTaken, Conflict, Due

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

_SWAP: Final = update(tables).where(
    tables.c.id == bindparam("at_id"), tables.c.version == bindparam("at_version")
)


class SqlTableStore:
    """Every change is one transaction, and a table's version is compared and set by it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._seen: OrderedDict[TableId, TableRecord] = OrderedDict()
        """Records as they were stored at their version, which never changes: what a change leaves
        as it was need not be read to be known."""

    async def commit(self, change: Change) -> None:
        """See the port."""
        record, expected = change.record, change.expected
        if record.version != expected + 1:
            raise ValueError(f"version {record.version} does not follow {expected}")

        async def work(connection: AsyncConnection) -> None:
            if expected == 0:
                await connection.execute(insert(tables).values(_columns(record)))
            else:
                key = {"at_id": record.id, "at_version": expected}
                swapped = await connection.execute(_SWAP, {**_columns(record), **key})
                if not swapped.rowcount:
                    await _require_unapplied(connection, change.entries)
                    raise Conflict
            before = self._seen.get(record.id)
            if before is None or before.version != expected:
                before = None
            if before is None or before.places != record.places:
                await _rewrite(connection, places, record.id, _place_rows(record))
            if before is None or before.deadlines != record.deadlines:
                await _rewrite(connection, deadlines, record.id, _deadline_rows(record))
            if before is None or before.shuffles != record.shuffles:
                known = () if before is None else before.shuffles
                await _write_shuffles(connection, record, known)
            if change.entries:
                await connection.execute(
                    insert(entries), [_entry_row(record.id, entry) for entry in change.entries]
                )
            if change.result is not None:
                await _write_result(connection, change.result)

        try:
            await self._database.write(work)
        except IntegrityError as error:
            refused = _refusal(error)
            if refused is None:
                raise
            raise refused from error
        self._remember(record)

    async def load(self, table: TableId) -> tuple[TableRecord, tuple[Entry, ...]] | None:
        async def work(
            connection: AsyncConnection,
        ) -> tuple[TableRecord, tuple[Entry, ...]] | None:
            found = await connection.execute(select(tables).where(tables.c.id == table))
            row = found.mappings().first()
            if row is None:
                return None
            seated = await _rows(connection, places, table, places.c.place)
            due = await _rows(connection, deadlines, table, deadlines.c.position)
            shuffled = await _rows(connection, shuffles, table, shuffles.c.round)
            log = await _rows(connection, entries, table, entries.c.ply)
            return _record(row, seated, due, shuffled), tuple(_entry(line) for line in log)

        found = await self._database.read(work)
        if found is not None:
            self._remember(found[0])
        return found

    async def open_in_channel(self, channel: int) -> TableId | None:
        return await self._first(
            select(tables.c.id).where(tables.c.channel_id == channel, tables.c.status.in_(OPEN))
        )

    async def latest_in_channel(self, channel: int) -> TableId | None:
        # An open table is the newest even if the one before was opened in the same instant.
        return await self._first(
            select(tables.c.id)
            .where(tables.c.channel_id == channel)
            .order_by(
                tables.c.created.desc(),
                tables.c.status.in_(OPEN).desc(),
                tables.c.ended.desc(),
                tables.c.id.desc(),
            )
        )

    async def open_of(self, user: int) -> Sequence[TableId]:
        return await self._all(
            select(tables.c.id)
            .join(places, places.c.table_id == tables.c.id)
            .where(places.c.user_id == user, tables.c.status.in_(OPEN))
            .order_by(tables.c.created.desc(), tables.c.id.desc())
        )

    async def open_tables(self) -> Sequence[TableId]:
        """Oldest first."""
        return await self._all(
            select(tables.c.id)
            .where(tables.c.status.in_(OPEN))
            .order_by(tables.c.created, tables.c.id)
        )

    async def rematch_of(self, table: TableId) -> TableId | None:
        """The newest one, if the first came to nothing and there was another."""
        return await self._first(
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

        async def work(connection: AsyncConnection) -> Due | None:
            row = (await connection.execute(query)).mappings().first()
            return None if row is None else Due(row["table_id"], _deadline(row))

        return await self._database.read(work)

    def _remember(self, record: TableRecord) -> None:
        self._seen[record.id] = record
        self._seen.move_to_end(record.id)
        if len(self._seen) > _REMEMBERED:
            self._seen.popitem(last=False)

    async def _first(self, query: Select[str]) -> TableId | None:
        async def work(connection: AsyncConnection) -> TableId | None:
            return (await connection.execute(query.limit(1))).scalar()

        return await self._database.read(work)

    async def _all(self, query: Select[str]) -> Sequence[TableId]:
        async def work(connection: AsyncConnection) -> Sequence[TableId]:
            return (await connection.execute(query)).scalars().all()

        return await self._database.read(work)


def _refusal(error: IntegrityError) -> Exception | None:
    said = str(error.orig)
    for name, columns, refusal in _REFUSALS:
        if f'"{name}"' in said or said.endswith(f"UNIQUE constraint failed: {columns}"):
            return refusal()
    return None


async def _require_unapplied(connection: AsyncConnection, added: Sequence[Entry]) -> None:
    """Whoever lost a race against their own first press is told so, not merely that they lost."""
    interactions = [entry.interaction for entry in added if entry.interaction is not None]
    if interactions:
        query = select(entries.c.ply).where(entries.c.interaction_id.in_(interactions))
        if (await connection.execute(query)).first() is not None:
            raise AlreadyApplied


async def _rows(
    connection: AsyncConnection, kept: SqlTable, table: TableId, order: Any
) -> Sequence[RowMapping]:
    query = select(kept).where(kept.c.table_id == table).order_by(order)
    return (await connection.execute(query)).mappings().all()


async def _rewrite(
    connection: AsyncConnection, kept: SqlTable, table: TableId, rows: Sequence[dict[str, Any]]
) -> None:
    """Make `rows` the rows of the table."""
    await connection.execute(delete(kept).where(kept.c.table_id == table))
    if rows:
        await connection.execute(insert(kept), rows)


async def _write_shuffles(
    connection: AsyncConnection, record: TableRecord, known: Sequence[Shuffle]
) -> None:
    """Write the rounds that are not as `known`: a long match has many, and one or two change."""
    changed = [
        _shuffle_row(record.id, number, shuffle)
        for number, shuffle in enumerate(record.shuffles, start=1)
        if number > len(known) or known[number - 1] != shuffle
    ]
    rounds = [row["round"] for row in changed]
    stale = shuffles.c.round.in_(rounds) | (shuffles.c.round > len(record.shuffles))
    await connection.execute(delete(shuffles).where(shuffles.c.table_id == record.id, stale))
    if changed:
        await connection.execute(insert(shuffles), changed)


async def _write_result(connection: AsyncConnection, result: Result) -> None:
    await connection.execute(
        insert(matches).values(
            table_id=result.table,
            guild_id=result.guild,
            game=result.game,
            rounds=result.rounds,
            ended=result.ended,
        )
    )
    if result.rows:
        await connection.execute(
            insert(results),
            [
                {
                    "table_id": result.table,
                    "seat": row.seat,
                    "user_id": row.user,
                    "name": row.name,
                    "place": row.place,
                    "points": row.points,
                }
                for row in result.rows
            ],
        )


def _columns(record: TableRecord) -> dict[str, Any]:
    return {
        "id": record.id,
        "version": record.version,
        "guild_id": record.guild,
        "channel_id": record.channel,
        "game": record.game,
        "rules_version": record.rules_version,
        "status": record.status.value,
        "stop": None if record.stop is None else record.stop.value,
        "host_id": record.host,
        "private": record.private,
        "held": record.held,
        "given": dict(record.given),
        "options": dict(record.options),
        "invited": sorted(record.invited),
        "kicked": sorted(record.kicked),
        "starters": [[person.id, person.name] for person in record.starters],
        "ready": sorted(record.ready),
        "end_votes": sorted(record.end_votes),
        "seen": sorted(record.seen.items()),
        "rematch_of": record.rematch_of,
        "created": record.created,
        "started": record.started,
        "ended": record.ended,
        "closed": record.closed,
        "words": sorted(record.words.items()),
        "standing": sorted(record.standing),
    }


def _record(
    row: RowMapping,
    seated: Sequence[RowMapping],
    due: Sequence[RowMapping],
    shuffled: Sequence[RowMapping],
) -> TableRecord:
    return TableRecord(
        id=row["id"],
        version=row["version"],
        guild=row["guild_id"],
        channel=row["channel_id"],
        game=row["game"],
        rules_version=row["rules_version"],
        status=Status(row["status"]),
        stop=None if row["stop"] is None else Stop(row["stop"]),
        host=row["host_id"],
        private=row["private"],
        held=row["held"],
        given=row["given"],
        options=row["options"],
        invited=frozenset(row["invited"]),
        kicked=frozenset(row["kicked"]),
        starters=tuple(Person(*person) for person in row["starters"]),
        ready=frozenset(row["ready"]),
        end_votes=frozenset(row["end_votes"]),
        seen=dict(row["seen"]),
        rematch_of=row["rematch_of"],
        created=row["created"],
        started=row["started"],
        ended=row["ended"],
        closed=row["closed"],
        words=dict(row["words"]),
        standing=frozenset(row["standing"]),
        shuffles=tuple(_shuffle(shuffle) for shuffle in shuffled),
        places=tuple(_place(place) for place in seated),
        deadlines=tuple(_deadline(deadline) for deadline in due),
    )


def _place_rows(record: TableRecord) -> list[dict[str, Any]]:
    return [
        {
            "table_id": record.id,
            "place": index,
            "user_id": None if place.person is None else place.person.id,
            "name": None if place.person is None else place.person.name,
            "reachable": place.reachable,
        }
        for index, place in enumerate(record.places)
    ]


def _place(row: RowMapping) -> Place:
    person = None if row["user_id"] is None else Person(row["user_id"], row["name"])
    return Place(person, row["reachable"])


def _deadline_rows(record: TableRecord) -> list[dict[str, Any]]:
    return [
        {
            "table_id": record.id,
            "position": index,
            "kind": deadline.kind.value,
            "question": deadline.question,
            "due": deadline.due,
        }
        for index, deadline in enumerate(record.deadlines)
    ]


def _deadline(row: RowMapping) -> Deadline:
    return Deadline(DeadlineKind(row["kind"]), row["question"], row["due"])


def _shuffle_row(table: TableId, number: int, shuffle: Shuffle) -> dict[str, Any]:
    return {
        "table_id": table,
        "round": number,
        "seed": shuffle.seed,
        "post": shuffle.post,
        "words": list(shuffle.words),
    }


def _shuffle(row: RowMapping) -> Shuffle:
    return Shuffle(row["seed"], row["post"], tuple(row["words"]))


def _entry_row(table: TableId, entry: Entry) -> dict[str, Any]:
    return {
        "table_id": table,
        "ply": entry.ply,
        "seat": entry.seat,
        "text": entry.text,
        "at": entry.at,
        "interaction_id": entry.interaction,
    }


def _entry(row: RowMapping) -> Entry:
    return Entry(row["ply"], row["seat"], row["text"], row["at"], row["interaction_id"])
