"""SqlTableStore: what goes in comes out, and of two writers one wins."""

from __future__ import annotations

import asyncio
import threading
import traceback
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from datetime import UTC, timedelta, timezone
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, Engine, event, func, select, text
from sqlalchemy.exc import IntegrityError

from bot.ids import ChannelId, QuestionId
from bot.storage.database import Database
from bot.storage.schema import metadata
from bot.storage.tables import SqlTableStore
from bot.tables.ports import AlreadyApplied, Change, ChannelTaken, Conflict, Due
from bot.tables.stored import (
    Actor,
    Deadline,
    DeadlineKind,
    Entry,
    Place,
    Shuffle,
    Status,
    StoredTable,
)
from tests.storage.conftest import CALM, Blank
from tests.storage.records import ids, names, tables, times
from tests.storage.values import (
    ANNA,
    BEN,
    CARLA,
    NOW,
    T0,
    T1,
    T2,
    T3,
    T5,
    T6,
    T8,
    T9,
    TABLE,
    altered,
    change,
    entry,
    following,
    result,
    stored,
)


@pytest.fixture
def store(database: Database) -> SqlTableStore:
    return SqlTableStore(database)


async def _counts(database: Database) -> dict[str, int]:
    def work(connection: Connection) -> dict[str, int]:
        return {
            table.name: connection.execute(select(func.count()).select_from(table)).scalar_one()
            for table in metadata.sorted_tables
        }

    return await database.read(work)


# What goes in comes out.

logs = st.lists(
    st.tuples(st.integers(-1, 5), names, times, st.none() | ids, st.sampled_from(Actor)),
    max_size=4,
    unique_by=lambda line: line[3] if line[3] is not None else object(),
).map(lambda lines: tuple(Entry(ply, *line) for ply, line in enumerate(lines)))


@pytest.mark.slow
@settings(
    max_examples=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
@given(first=tables, second=tables, log=logs)
async def test_any_table_is_loaded_as_it_was_stored(
    blank: Blank, first: StoredTable, second: StoredTable, log: tuple[Entry, ...]
) -> None:
    database = await blank()
    writer, reader = SqlTableStore(database), SqlTableStore(database)
    await writer.commit(Change(first, 0, log[:1]))
    assert await reader.load(first.id) == (first, log[:1])
    changed = replace(second, id=first.id, version=2)
    await writer.commit(Change(changed, 1, log[1:]))
    assert await reader.load(first.id) == (changed, log)


async def test_times_come_back_in_utc(store: SqlTableStore) -> None:
    local = NOW.astimezone(timezone(timedelta(hours=2)))
    await store.commit(change(stored(created=local)))
    loaded = await store.load(TABLE)
    assert loaded is not None
    assert loaded[0].created == local
    assert loaded[0].created.tzinfo is UTC


async def test_a_naive_time_is_refused(store: SqlTableStore, database: Database) -> None:
    with pytest.raises(Exception, match="naive"):
        await store.commit(change(stored(created=NOW.replace(tzinfo=None))))
    assert (await _counts(database))["tables"] == 0


async def test_options_keep_their_order(store: SqlTableStore) -> None:
    await store.commit(change(replace(stored(), options={"z": 1, "a": True, "m": "x"})))
    loaded = await store.load(TABLE)
    assert loaded is not None
    assert list(loaded[0].options.items()) == [("z", 1), ("a", True), ("m", "x")]


# Compare and set.


async def test_a_version_that_does_not_follow_is_a_mistake(store: SqlTableStore) -> None:
    with pytest.raises(ValueError, match="version 1 does not follow 1"):
        await store.commit(Change(stored(), 1))


@pytest.mark.parametrize("expected", [1, 3])
async def test_another_version_than_expected_conflicts(
    store: SqlTableStore, database: Database, expected: int
) -> None:
    first = stored()
    second = following(first, private=True)
    await store.commit(change(first))
    await store.commit(change(second))
    late = altered(first, version=expected + 1, host=99, places=(), deadlines=())
    before = await _counts(database)
    with pytest.raises(Conflict):
        await store.commit(Change(late, expected, (entry(0),)))
    assert await store.load(TABLE) == (second, ())
    assert await _counts(database) == before


async def test_a_change_to_no_table_conflicts(store: SqlTableStore) -> None:
    with pytest.raises(Conflict):
        await store.commit(change(following(stored())))


async def test_a_taken_id_conflicts(store: SqlTableStore) -> None:
    await store.commit(change(stored()))
    with pytest.raises(Conflict):
        await store.commit(change(stored(channel=501, people=(BEN,))))
    loaded = await store.load(TABLE)
    assert loaded is not None
    assert loaded[0].seating.host == ANNA.id


async def test_a_taken_ply_conflicts_and_nothing_is_written(
    store: SqlTableStore, database: Database
) -> None:
    first = stored(status=Status.RUNNING)
    await store.commit(change(first, entry(0), entry(1)))
    before = await _counts(database)
    late = following(first, places=(Place(BEN),), private=True)
    with pytest.raises(Conflict):
        await store.commit(change(late, entry(2), entry(1)))
    assert await store.load(TABLE) == (first, (entry(0), entry(1)))
    assert await _counts(database) == before
    await store.commit(change(late, entry(2)))
    assert await store.load(TABLE) == (late, (entry(0), entry(1), entry(2)))


async def test_of_two_commits_at_one_version_one_wins(store: SqlTableStore) -> None:
    first = stored(status=Status.RUNNING)
    await store.commit(change(first))
    after = [following(first, host=user) for user in range(100, 108)]
    ended = await asyncio.gather(
        *(store.commit(change(rival, entry(0, rival.seating.host))) for rival in after),
        return_exceptions=True,
    )
    assert [type(end) for end in ended].count(Conflict) == len(after) - 1
    winner = after[ended.index(None)]
    assert await store.load(TABLE) == (winner, (entry(0, winner.seating.host),))


async def test_two_stores_on_one_file_know_of_each_other(
    url: str, store: SqlTableStore, database: Database
) -> None:
    """What one store has in mind from before is no longer what is stored."""
    first = altered(stored(), deadlines=(Deadline(DeadlineKind.LOBBY, QuestionId(0), NOW),))
    second = following(first, places=(Place(BEN), Place(ANNA)), deadlines=())
    third = following(second, places=first.seating.places, deadlines=first.timing.deadlines)
    await store.commit(change(first))
    other_database = await Database.open(url, CALM)
    other = SqlTableStore(other_database)
    await other.commit(change(second))
    await store.commit(change(third))
    assert await other.load(TABLE) == (third, ())
    await other_database.close()


# Idempotency.


async def test_an_interaction_is_applied_once(store: SqlTableStore) -> None:
    first = stored(status=Status.RUNNING)
    second = following(first)
    await store.commit(change(first))
    await store.commit(change(second, entry(0, 777)))
    with pytest.raises(AlreadyApplied):
        await store.commit(change(following(second), entry(1, 777)))
    assert await store.load(TABLE) == (second, (entry(0, 777),))


async def test_an_interaction_is_applied_at_one_table_only(store: SqlTableStore) -> None:
    await store.commit(change(stored(), entry(0, 777)))
    with pytest.raises(AlreadyApplied):
        await store.commit(change(stored(T8, channel=501), entry(0, 777)))
    assert await store.load(T8) is None


async def test_the_same_press_twice_at_once_is_told_it_was_applied(store: SqlTableStore) -> None:
    first = stored(status=Status.RUNNING)
    await store.commit(change(first))
    press = change(following(first), entry(0, 777))
    ended = await asyncio.gather(store.commit(press), store.commit(press), return_exceptions=True)
    assert sorted(type(end).__name__ for end in ended) == ["AlreadyApplied", "NoneType"]


# Channels.


async def test_a_channel_has_one_open_table(store: SqlTableStore) -> None:
    first = stored()
    await store.commit(change(first))
    for status in (Status.LOBBY, Status.RUNNING):
        with pytest.raises(ChannelTaken):
            await store.commit(change(stored(T8, status=status)))
    await store.commit(change(following(first, status=Status.EXPIRED)))
    await store.commit(change(stored(T8)))
    assert await store.open_in_channel(ChannelId(500)) == T8


async def test_two_tables_opened_at_once_in_a_channel(store: SqlTableStore) -> None:
    ended = await asyncio.gather(
        *(store.commit(change(stored(name))) for name in (T1, T2, T3)),
        return_exceptions=True,
    )
    assert [type(end) for end in ended].count(ChannelTaken) == 2
    assert await store.open_in_channel(ChannelId(500)) == (T1, T2, T3)[ended.index(None)]


async def test_the_latest_table_of_a_channel(store: SqlTableStore) -> None:
    assert await store.latest_in_channel(ChannelId(500)) is None
    await store.commit(change(stored(T9, status=Status.FINISHED)))
    await store.commit(
        change(stored(T1, status=Status.FINISHED, created=NOW + timedelta(seconds=1)))
    )
    await store.commit(change(stored(T5, status=Status.STOPPED, created=NOW - timedelta(days=1))))
    await store.commit(change(stored(T6, channel=501, created=NOW + timedelta(days=1))))
    assert await store.latest_in_channel(ChannelId(500)) == T1
    assert await store.open_in_channel(ChannelId(500)) is None
    await store.commit(change(stored(T0, created=NOW + timedelta(seconds=1))))
    assert await store.latest_in_channel(ChannelId(500)) == T0


async def test_an_open_table_is_the_latest_although_the_clock_was_ahead_before(
    store: SqlTableStore,
) -> None:
    ahead = NOW + timedelta(days=400)
    await store.commit(change(stored(T1, status=Status.FINISHED, created=ahead)))
    await store.commit(change(stored(T2, created=NOW)))
    assert await store.latest_in_channel(ChannelId(500)) == T2


# Finding.


async def test_open_tables_of_a_person_newest_first(store: SqlTableStore) -> None:
    later = NOW + timedelta(seconds=1)
    await store.commit(change(stored(T1, channel=1, people=(ANNA, BEN))))
    await store.commit(
        change(stored(T2, channel=2, people=(BEN,), created=later, status=Status.RUNNING))
    )
    await store.commit(change(stored(T3, channel=3, people=(BEN,), status=Status.FINISHED)))
    assert await store.open_of(BEN.id) == [T2, T1]
    assert await store.open_of(ANNA.id) == [T1]
    assert await store.open_of(CARLA.id) == []
    assert await store.open_tables() == [T1, T2]


async def test_the_rematch_of_a_table(store: SqlTableStore) -> None:
    await store.commit(change(stored(T1, status=Status.FINISHED)))
    assert await store.rematch_of(T1) is None
    await store.commit(change(stored(T2, rematch_of=T1, status=Status.EXPIRED)))
    assert await store.rematch_of(T1) == T2
    later = NOW + timedelta(minutes=1)
    await store.commit(change(stored(T0, rematch_of=T1, created=later)))
    assert await store.rematch_of(T1) == T0


async def test_the_earliest_deadline(store: SqlTableStore) -> None:
    assert await store.earliest_deadline() is None
    late = Deadline(DeadlineKind.LOBBY, QuestionId(0), NOW + timedelta(hours=1))
    soon = Deadline(DeadlineKind.HOST, QuestionId(3), NOW + timedelta(seconds=5))
    first = altered(stored(T1, channel=1), deadlines=(late,))
    second = altered(stored(T2, channel=2), deadlines=(late, soon))
    over = altered(
        stored(T3, channel=3, status=Status.STOPPED),
        deadlines=(Deadline(DeadlineKind.NEXT_ROUND, QuestionId(0), NOW - timedelta(days=1)),),
    )
    for each in (first, second, over):
        await store.commit(change(each))
    assert await store.earliest_deadline() == Due(T2, soon)
    assert await store.earliest_deadline({T2}) == Due(T1, late)
    assert await store.earliest_deadline([T1, T2]) is None
    await store.commit(change(following(second, deadlines=(late,))))
    assert await store.earliest_deadline() == Due(T1, late)
    await store.commit(change(following(first, deadlines=())))
    assert await store.earliest_deadline() == Due(T2, late)


# One transaction.


async def test_a_second_result_of_a_match_is_an_error_and_undoes_all(
    store: SqlTableStore, database: Database
) -> None:
    won = result(TABLE, (ANNA, 1, 30), (BEN, 2, 10))
    last = stored(status=Status.FINISHED)
    await store.commit(change(last, result=won))
    before = await _counts(database)
    with pytest.raises(IntegrityError):
        await store.commit(change(following(last, private=True), entry(0), result=won))
    assert await _counts(database) == before
    assert await store.load(TABLE) == (last, ())


@pytest.fixture
def written() -> Iterator[list[str]]:
    """Statements of the writer from now on, without their reading companions."""
    said: list[str] = []

    def listen(_c: Any, _cur: Any, statement: str, *_: Any) -> None:
        if not statement.startswith("SELECT"):
            said.append(" ".join(statement.split()[:3]))

    event.listen(Engine, "before_cursor_execute", listen)
    yield said
    event.remove(Engine, "before_cursor_execute", listen)


async def test_an_action_touches_the_table_and_its_log_only(
    store: SqlTableStore, written: list[str]
) -> None:
    first = altered(
        stored(status=Status.RUNNING), deadlines=(Deadline(DeadlineKind.LOBBY, QuestionId(0), NOW),)
    )
    await store.commit(change(first))
    written.clear()
    await store.commit(change(following(first), entry(0, 1)))
    assert written == ["UPDATE tables SET", "INSERT INTO entries"]


async def test_after_a_restart_too_once_the_table_was_loaded(
    store: SqlTableStore, database: Database, written: list[str]
) -> None:
    first = stored(status=Status.RUNNING)
    await store.commit(change(first))
    written.clear()
    fresh = SqlTableStore(database)
    await fresh.load(TABLE)
    await fresh.commit(change(following(first), entry(0, 1)))
    assert written == ["UPDATE tables SET", "INSERT INTO entries"]


SHUFFLES = tuple(Shuffle(digit * 64) for digit in "abcd")


async def test_of_shuffles_those_stand_that_were_written_last(
    store: SqlTableStore, database: Database
) -> None:
    first = altered(stored(status=Status.RUNNING), shuffles=SHUFFLES[:2])
    await store.commit(change(first))
    dealt = replace(SHUFFLES[1], post="77", words=("a", ""))
    second = following(first, shuffles=(SHUFFLES[0], dealt, SHUFFLES[2]))
    await store.commit(change(second, entry(0)))
    assert await SqlTableStore(database).load(TABLE) == (second, (entry(0),))
    third = following(second, shuffles=(SHUFFLES[3], SHUFFLES[0]))
    await SqlTableStore(database).commit(change(third))
    assert await SqlTableStore(database).load(TABLE) == (third, (entry(0),))


@pytest.mark.every_case
@pytest.mark.own_database
async def test_no_seed_is_in_an_error_of_the_database(
    kind: str, store: SqlTableStore, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    first = altered(stored(), shuffles=SHUFFLES[:2])
    await store.commit(change(first))

    def sabotage(connection: Connection) -> None:
        # PostgreSQL tells of a refused row all that is in it.
        refusing = {
            "sqlite": "CREATE TRIGGER stop BEFORE UPDATE ON tables "
            "BEGIN SELECT RAISE(ABORT, 'no'); END",
            "postgresql": "ALTER TABLE tables ADD CHECK (version <> 2) NOT VALID",
        }
        connection.execute(text(refusing[kind]))

    await database.write(sabotage)
    with pytest.raises(IntegrityError) as failed:
        await store.commit(change(following(first, shuffles=(SHUFFLES[2], SHUFFLES[3]))))
    said = "".join(traceback.format_exception(failed.value)) + caplog.text + repr(failed.value)
    assert "tables" in said
    assert not any(shuffle.seed in said for shuffle in SHUFFLES)


# Durability.


@pytest.fixture
async def half_written(database: Database) -> AsyncIterator[None]:
    """A transaction of somebody else that never ends, until the test has."""
    begun, go = threading.Event(), threading.Event()

    def work(connection: Connection) -> None:
        connection.execute(text("UPDATE tables SET opener_id = 99"))
        begun.set()
        go.wait()

    task = asyncio.create_task(database.write(work))
    await asyncio.to_thread(begun.wait)
    yield
    go.set()
    await task


@pytest.mark.sqlite
async def test_reading_waits_for_nobody(
    store: SqlTableStore, half_written: None, database: Database
) -> None:
    assert await store.load(TABLE) is None
    assert await store.open_tables() == []


async def test_a_commit_cancelled_at_any_step_is_whole_or_not_at_all(
    store: SqlTableStore, database: Database
) -> None:
    current = stored(status=Status.RUNNING, people=(ANNA, BEN))
    await store.commit(change(current))
    plies = 0
    for steps in range(0, 120, 3):
        after = following(
            current,
            places=current.seating.places[::-1],
            deadlines=(Deadline(DeadlineKind.LOBBY, QuestionId(plies), NOW),),
        )
        task = asyncio.create_task(store.commit(change(after, entry(plies, 1000 + steps))))
        for _ in range(steps):
            await asyncio.sleep(0)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        loaded = await SqlTableStore(database).load(TABLE)
        assert loaded is not None
        if loaded[0].version == after.version:
            current, plies = after, plies + 1
        assert loaded == (current, tuple(loaded[1]))
        assert [line.ply for line in loaded[1]] == list(range(plies))
    assert 0 < plies < 40
    await store.commit(change(following(current), entry(plies)))
