"""Deadlines, credit and counts over the real database, as the tables' own fake has them."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Engine, event, insert, update
from sqlalchemy.engine import Connection

from bot.ids import ChannelId, GuildId, MessageId, QuestionId, TableId
from bot.storage import SqlSurfaces
from bot.storage.database import Database
from bot.storage.rows import columns
from bot.storage.schema import deadlines, tables
from bot.storage.tables import SqlTableStore, last_seen
from bot.tables.downtime import LEAST_GAP
from bot.tables.ports import MOST_CREDITED, Change, Conflict, TableStore, Unavailable
from bot.tables.stored import Deadline, DeadlineKind, Pace, Status, StoredTable
from bot.tables.waiting import longest
from tests.storage.values import ANNA, BEN, NOW, TABLE, altered, change, entry, following, stored
from tests.tables.fakes import FakeStore

GAP = timedelta(minutes=7)
AFTER = NOW + timedelta(seconds=30)


def every(status: Status = Status.RUNNING) -> StoredTable:
    """A table with a deadline of every kind, each a minute after the one before."""
    dues = (NOW + timedelta(minutes=number) for number in range(len(DeadlineKind)))
    waits = (
        Deadline(kind, QuestionId(3), due) for kind, due in zip(DeadlineKind, dues, strict=True)
    )
    return altered(stored(status=status), deadlines=tuple(waits))


@pytest.fixture
def store(database: Database) -> SqlTableStore:
    return SqlTableStore(database)


async def loaded(store: TableStore, table: TableId = TABLE) -> StoredTable:
    found = await store.load(table)
    assert found is not None
    return found[0]


async def test_deadlines_of_every_kind_come_back_and_the_earliest_is_found(
    store: SqlTableStore,
) -> None:
    saved = every()
    await store.commit(change(saved))
    assert (await loaded(store)).timing.deadlines == saved.timing.deadlines
    for waits in saved.timing.deadlines:
        due = await store.earliest_deadline()
        assert due is not None
        assert due.deadline == waits
        rest = (await loaded(store)).timing.deadlines[1:]
        await store.commit(change(following(await loaded(store), deadlines=rest)))


OF_PEOPLE = {
    *(DeadlineKind.LOBBY, DeadlineKind.HOST, DeadlineKind.KEPT, DeadlineKind.NEXT_ROUND),
    *(DeadlineKind.WARN, DeadlineKind.TURN, DeadlineKind.REST, DeadlineKind.VOTED),
    *(DeadlineKind.PLANNED, DeadlineKind.OFFERED),
}
"""Deadlines that move by an outage; so does one of an end that was announced."""


@pytest.mark.parametrize("status", list(Status))
async def test_credit_moves_what_is_peoples_and_says_so(
    store: SqlTableStore, status: Status
) -> None:
    first = every(status)
    await store.commit(change(first))
    assert await store.credit(AFTER, AFTER + GAP) == int(status.is_open)
    after = await loaded(store)
    if not status.is_open:
        assert after == first
        return
    assert after.version == 2
    assert after.timing.credited == (GAP if status is Status.RUNNING else timedelta())
    for was, now in zip(first.timing.deadlines, after.timing.deadlines, strict=True):
        due = was.due + GAP if was.kind in OF_PEOPLE and was.due >= AFTER else was.due
        latest = AFTER + GAP + longest(was.kind, Pace.NONE)
        assert now == was._replace(due=due if due <= latest + LEAST_GAP else latest)
    assert (
        altered(after, version=1, credited=timedelta(), deadlines=first.timing.deadlines) == first
    )


async def test_a_short_gap_is_none_a_longer_one_whole_seconds_and_at_most_a_week_is_said(
    store: SqlTableStore,
) -> None:
    waits = Deadline(DeadlineKind.TURN, QuestionId(3), NOW + GAP)
    await store.commit(change(altered(every(), deadlines=(waits,), pace=Pace.DAILY)))
    assert await store.credit(NOW, NOW + timedelta(seconds=4.9)) == 0
    assert await store.credit(NOW, NOW + timedelta(seconds=5.1)) == 1
    assert (await loaded(store)).timing.credited == timedelta(seconds=6)
    (moved,) = (await loaded(store)).timing.deadlines
    assert moved.due == waits.due + timedelta(seconds=6)
    await store.credit(NOW, NOW + timedelta(days=365))
    assert (await loaded(store)).timing.credited == MOST_CREDITED


async def test_credit_in_the_database_is_credit_in_memory(store: SqlTableStore) -> None:
    fake = FakeStore()
    for each in (store, fake):
        for number, status in enumerate(Status):
            first = replace(every(status), id=TableId(f"T{number}"), channel=ChannelId(number))
            await each.commit(change(first))
        bare = replace(stored(TableId("BARE"), channel=99), status=Status.RUNNING)
        await each.commit(change(bare))
    assert await store.credit(AFTER, AFTER + GAP) == await fake.credit(AFTER, AFTER + GAP) == 2
    for table in fake.rows:
        assert await store.load(table) == await fake.load(table)
    assert list(await store.clocked()) == list(await fake.clocked())
    assert (
        await store.open_count(GuildId(1), ANNA.id) == await fake.open_count(1, ANNA.id) == (3, 3)
    )


async def test_a_change_decided_before_the_credit_conflicts(store: SqlTableStore) -> None:
    first = every()
    await store.commit(change(first))
    await store.credit(NOW, NOW + GAP)
    with pytest.raises(Conflict):
        await store.commit(Change(following(first), 1, (entry(0),)))
    again = await loaded(store)
    await store.commit(Change(following(again), again.version, (entry(0),)))
    assert (await loaded(store)).timing.deadlines == again.timing.deadlines


async def test_a_credited_table_is_drawn_since_its_deadline_moved_and_no_other(
    database: Database, store: SqlTableStore
) -> None:
    surfaces = SqlSurfaces(database)
    for number, table in enumerate((TABLE, TableId("T7Q3"))):
        saved = replace(every(), id=table, channel=ChannelId(100 + number))
        saved = altered(saved, deadlines=()) if number else saved
        await store.commit(change(saved))
        board = ("board", 0, saved.channel, MessageId(7), NOW, 1, None, False, "", "", 0)
        await surfaces.save({(table, "board", 0): board}, {table: saved.version})
    assert await surfaces.stale() == []
    assert await store.credit(NOW, NOW + GAP) == 1
    assert await surfaces.stale() == [TABLE]


async def test_crediting_a_thousand_tables_is_one_transaction_of_few_statements(
    store: SqlTableStore, database: Database
) -> None:
    kinds = (DeadlineKind.TURN, DeadlineKind.WARN)
    made = [
        stored(TableId(f"T{number}"), channel=number, status=Status.RUNNING)
        for number in range(1_000)
    ]
    waits = [
        {"table_id": one.id, "position": place, "kind": kind.value, "question": 1, "due": AFTER}
        for one in made
        for place, kind in enumerate(kinds)
    ]

    def fill(connection: Connection) -> None:
        connection.execute(insert(tables), [columns(one) for one in made])
        connection.execute(insert(deadlines), waits)

    await database.write(fill)
    commits: list[Connection] = []
    statements: list[Any] = []
    count = commits.append

    def noted(*executed: Any) -> None:
        statements.append(executed[2])

    event.listen(Engine, "commit", count)
    event.listen(Engine, "before_cursor_execute", noted)
    try:
        assert await store.credit(NOW, NOW + GAP) == 1_000
    finally:
        event.remove(Engine, "commit", count)
        event.remove(Engine, "before_cursor_execute", noted)
    assert len(commits) == 1
    assert len(statements) < 20, "none of its own for each table"
    for name in ("T0", "T999"):
        after = await loaded(store, TableId(name))
        assert (after.version, after.timing.credited) == (2, GAP)
        assert {deadline.due for deadline in after.timing.deadlines} == {AFTER + GAP}


async def test_a_record_that_cannot_be_read_stops_no_other_clock(
    database: Database, store: SqlTableStore
) -> None:
    waits = (Deadline(DeadlineKind.TURN, QuestionId(3), NOW + GAP),)
    for number in range(3):
        first = stored(TableId(f"T{number}"), channel=number, status=Status.RUNNING)
        await store.commit(change(altered(first, pace=Pace.DAILY, deadlines=waits)))
    broken = update(tables).where(tables.c.id == "T1").values(document='{"id":"T1"}')
    await database.write(lambda connection: connection.execute(broken))
    assert await store.credit(NOW, NOW + GAP) == 2
    assert (await loaded(store, TableId("T2"))).timing.credited == GAP
    with pytest.raises(ValueError, match="validation errors") as refused:
        await loaded(store, TableId("T1"))
    assert "input_value" not in str(refused.value)


async def test_clocked_tables_earliest_deadline_first(store: SqlTableStore) -> None:
    async def made(name: str, status: Status, *waits: tuple[DeadlineKind, int]) -> None:
        dues = (
            Deadline(kind, QuestionId(1), NOW + timedelta(seconds=after)) for kind, after in waits
        )
        first = stored(TableId(name), channel=int.from_bytes(name.encode()), status=status)
        await store.commit(change(altered(first, deadlines=tuple(dues))))

    await made("LATE", Status.RUNNING, (DeadlineKind.WARN, 1), (DeadlineKind.TURN, 90))
    await made("SOON", Status.RUNNING, (DeadlineKind.TURN, 5), (DeadlineKind.SELF_ANSWER, 2))
    await made("NEXT", Status.RUNNING, (DeadlineKind.NEXT_ROUND, 60))
    await made("WAIT", Status.LOBBY, (DeadlineKind.LOBBY, 1))
    await made("POST", Status.RUNNING, (DeadlineKind.POST, 1))
    await made("DONE", Status.FINISHED, (DeadlineKind.TURN, 1))
    assert list(await store.clocked()) == ["SOON", "NEXT", "LATE"]


async def test_open_tables_of_a_server_and_of_a_channel(store: SqlTableStore) -> None:
    async def made(name: str, guild: int, channel: int, *, ended: bool = False) -> None:
        status = Status.EXPIRED if ended else Status.LOBBY
        people = (ANNA,) if name < "C" else (BEN,)
        first = stored(TableId(name), channel=channel, people=people, status=status)
        await store.commit(change(replace(first, guild=GuildId(guild))))

    await made("A", 1, 10)
    await made("B", 2, 20)
    await made("C", 1, 30)
    await made("D", 1, 40, ended=True)

    async def found(guild: GuildId | None, channel: ChannelId | None) -> Sequence[str]:
        return list(await store.open_tables(guild, channel))

    assert await found(None, None) == ["A", "B", "C"]
    assert await found(GuildId(1), None) == ["A", "C"]
    assert await found(None, ChannelId(30)) == ["C"]
    assert await found(None, ChannelId(40)) == []
    assert await store.open_count(GuildId(1), ANNA.id) == (1, 2)
    assert await store.open_count(GuildId(1), ANNA.id, [TableId(of) for of in "ABCD"]) == (2, 2)
    assert await store.open_count(GuildId(2), BEN.id) == (0, 1)
    assert await store.open_count(GuildId(3), BEN.id) == (0, 0)


async def test_when_people_could_press_last_is_remembered(
    database: Database, store: SqlTableStore
) -> None:
    assert await database.read(last_seen) is None
    await store.note_reachable(NOW)
    await store.note_reachable(AFTER)
    assert await database.read(last_seen) == AFTER


async def test_what_is_given_back_is_noted_with_it_and_given_once(
    database: Database, store: SqlTableStore
) -> None:
    await store.commit(change(every(Status.RUNNING)))
    await store.note_reachable(AFTER)
    for _ in range(2):
        await store.credit(None, AFTER + GAP)
        assert await database.read(last_seen) == AFTER + GAP
        assert (await loaded(store)).timing.credited == GAP
        assert (await loaded(store)).version == 2


async def test_a_note_that_comes_late_makes_nothing_be_given_twice(
    database: Database, store: SqlTableStore
) -> None:
    """It was on its way when the line was lost, and the answer to the credit was lost too."""
    await store.commit(change(every(Status.RUNNING)))
    await store.credit(AFTER, AFTER + GAP)
    await store.note_reachable(AFTER)
    assert await store.credit(AFTER, AFTER + GAP) == 0
    assert await database.read(last_seen) == AFTER + GAP
    assert (await loaded(store)).timing.credited == GAP
    # Only a credit says that the clock was set back.
    await store.credit(AFTER + GAP, NOW)
    assert await database.read(last_seen) == NOW


async def test_if_it_fails_neither_is_noted(
    database: Database, store: SqlTableStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = every()
    await store.commit(change(first))
    await store.note_reachable(NOW)

    def full(connection: Connection, cursor: object, statement: str, *more: object) -> None:
        if statement.startswith("UPDATE tables"):
            raise OSError("the disk is full")

    event.listen(Engine, "before_cursor_execute", full)
    try:
        with pytest.raises(Unavailable):
            await store.credit(NOW, NOW + GAP)
    finally:
        event.remove(Engine, "before_cursor_execute", full)
    assert await database.read(last_seen) == NOW
    assert await loaded(store) == first


async def test_while_time_is_given_back_a_version_is_one_state(store: SqlTableStore) -> None:
    """Whoever knows a version of a table knows its deadlines, whatever happens at once."""
    names = [TableId(f"T{number}") for number in range(8)]
    for number, name in enumerate(names):
        bare = stored(name, channel=number, status=Status.RUNNING)
        await store.commit(change(bare))
    known: dict[tuple[TableId, int], StoredTable] = {}

    async def play(name: TableId) -> None:
        """Questions are put and answered."""
        for number in range(30):
            now = await loaded(store, name)
            assert known.setdefault((name, now.version), now) == now
            due = NOW + timedelta(seconds=number)
            turn = Deadline(DeadlineKind.TURN, QuestionId(number), due)
            after = following(now, deadlines=(turn,) if number % 2 else ())
            try:
                await store.commit(change(after))
            except Conflict:
                continue
            assert known.setdefault((name, after.version), after) == after

    async def give() -> None:
        for number in range(1, 60):
            until = NOW + number * timedelta(seconds=5)
            await store.credit(until - timedelta(seconds=5), until)

    await asyncio.gather(give(), *map(play, names))
    for name in names:
        now = await loaded(store, name)
        assert known.setdefault((name, now.version), now) == now
