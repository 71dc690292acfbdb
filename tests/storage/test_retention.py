"""What is forgotten of tables that ended long ago, and what goes on being known."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from sqlalchemy import func, select
from sqlalchemy.engine import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage import rows
from bot.storage.database import Database
from bot.storage.people import SqlPeople
from bot.storage.results import SqlResults
from bot.storage.retention import KEPT, Retention, forgotten
from bot.storage.schema import metadata, surfaces
from bot.storage.servers import SqlDepartures, SqlServers
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.tables.ports import Period
from bot.tables.servers import Changed, ServerSettings, Setting
from bot.tables.stored import Status, StoredTable
from engine.game import Outcome
from tests.storage.records import tables
from tests.storage.test_surfaces import shown
from tests.storage.values import (
    ANNA,
    BEN,
    CARLA,
    NOW,
    T1,
    T2,
    altered,
    change,
    entry,
    following,
    result,
    stored,
)

LATER = NOW + KEPT + timedelta(seconds=1)


async def forget(database: Database, now: datetime) -> int:
    """How many steps it took, each by a process of its own."""
    steps = 0
    while await Retention(database, lambda: now).step():
        steps += 1
    return steps


async def whole(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Everything that is stored."""

    def work(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
        return {
            table.name: [tuple(row) for row in connection.execute(table.select())]
            for table in metadata.sorted_tables
        }

    return await database.read(work)


def over(table: TableId, status: Status, ended: datetime, **fields: object) -> Any:
    return altered(stored(table, status=status), ended=ended, **fields)


@pytest.mark.parametrize(
    ("status", "ended"),
    [(Status.FINISHED, NOW + timedelta(seconds=2)), (Status.EXPIRED, NOW + timedelta(days=1))],
)
async def test_what_ended_lately_is_kept_whole(
    database: Database, status: Status, ended: datetime
) -> None:
    store = SqlTableStore(database)
    await store.commit(change(over(T1, status, ended, invited=frozenset({UserId(7)}))))
    await SqlSurfaces(database).save(shown((T1, "board", 0, 1)), {})
    before = await whole(database)
    assert await forget(database, LATER) == 0
    assert await whole(database) == before


@pytest.mark.parametrize("status", [status for status in Status if status.is_open])
async def test_what_is_open_is_kept_whole_however_old(database: Database, status: Status) -> None:
    store = SqlTableStore(database)
    await store.commit(change(stored(T1, status=status), entry(0, 5)))
    before = await whole(database)
    assert await forget(database, NOW + 50 * KEPT) == 0
    assert await whole(database) == before


async def test_a_record_that_cannot_be_read_holds_up_no_other(database: Database) -> None:
    store, records = SqlTableStore(database), metadata.tables["tables"]
    for table in (T1, T2):
        await store.commit(change(over(table, Status.FINISHED, NOW), entry(0)))

    def spoil(connection: Connection) -> None:
        connection.execute(records.update().where(records.c.id == T1).values(document="{}"))

    await database.write(spoil)
    assert await forget(database, LATER) == 2
    trimmed = await database.scalars(select(records.c.id).where(records.c.trimmed))
    assert sorted(trimmed) == sorted((T1, T2))


async def test_a_table_at_which_nothing_was_dealt_goes_as_a_whole(database: Database) -> None:
    store = SqlTableStore(database)
    empty = await whole(database)
    for table, status in ((T1, Status.EXPIRED), (T2, Status.STOPPED)):
        await store.commit(change(over(table, status, NOW)))
    await SqlSurfaces(database).save(shown((T1, "board", 0, 1)), {})
    assert await forget(database, LATER) == 2
    assert await whole(database) == empty
    assert await SqlTableStore(database).load(T1) is None


async def test_of_a_match_the_log_is_kept_and_what_served_the_evening_is_not(
    database: Database,
) -> None:
    store = SqlTableStore(database)
    said: dict[str, object] = {
        "invited": frozenset({ANNA.id}),
        "kicked": frozenset({BEN.id}),
        "seen": {ANNA.id: 0},
        "end_votes": frozenset({ANNA.id}),
        "ready": frozenset({ANNA.id}),
        "words": {ANNA.id: "kuckuck"},
    }
    begun = stored(T1, status=Status.RUNNING)
    await store.commit(change(begun, entry(0, 100), entry(1, 101), entry(2)))
    await SqlSurfaces(database).save(shown((T1, "board", 0, 1), (T1, "hand", 9, 2)), {})
    won = Outcome(scores=(9,), ranking=(1,))
    ended = following(begun, status=Status.FINISHED, ended=NOW, outcome=won, **said)
    await store.commit(change(ended, result=result(T1, (ANNA, 1, 9), ended=NOW)))
    assert await forget(database, LATER) == 1
    found = await SqlTableStore(database).load(T1)
    assert found is not None
    kept, log = found
    assert kept == altered(
        ended,
        invited=frozenset(),
        seen={},
        end_votes=frozenset(),
        ready=frozenset(),
        words={},
    )
    assert [(one.ply, one.text, one.interaction) for one in log] == [
        (0, "play 0", None),
        (1, "play 1", None),
        (2, "play 2", None),
    ]
    page = await SqlResults(database).page(GuildId(1), None, Period.ALL, LATER, 0, 8)
    assert [line.name for line in page.lines] == ["Anna"]

    def left(connection: Connection) -> int:
        return connection.execute(select(func.count()).select_from(surfaces)).scalar_one()

    assert await database.read(left) == 0
    assert await forget(database, LATER) == 0


LEFT = {
    *("id", "guild", "channel", "game", "rules_version", "given", "created", "opener", "status"),
    *(
        "stop",
        "options",
        "customs",
        "counting",
        "hinted",
        "locale",
        "rematch_of",
        "again",
        "started",
        "ended",
        "outcome",
    ),
    *(
        "places",
        "host",
        "private",
        "kicked",
        "starters",
        "conceded",
        "voted_out",
        "sought",
        "kept",
        "drawn",
    ),
    *("outcome", "chain", "shuffles", "closed"),
    *("pace", "coming", "warned", "credited", "stalled", "rest", "overdue", "computers"),
    "clock_changes",
}
"""What a record may still say when it is forgotten what was said at its table: the match, who sat
there and how it ended.  A field that is new is not among it, unless it is named here."""


@settings(max_examples=40)
@given(tables)
def test_of_a_record_nothing_is_left_but_what_is_named(record: StoredTable) -> None:
    left = json.loads(rows.document(forgotten(record)))
    groups = [left.pop(name) for name in ("seating", "shuffling", "timing", "votes")]
    said = {name for group in (left, *groups) for name, value in group.items() if value}
    assert said <= LEFT


# People who have only typed something, and servers that are gone


async def test_who_has_only_typed_something_is_forgotten_after_thirty_days(
    database: Database,
) -> None:
    people = SqlPeople(database, lambda: NOW)
    await people.learn({ANNA.id: "da", BEN.id: "de", CARLA.id: "it", UserId(77): "fr"})
    await SqlTableStore(database).commit(change(over(T1, Status.FINISHED, NOW), entry(0)))
    await people.change(BEN.id, "de", lambda before: replace(before, deck="contrast"))
    await people.block(CARLA.id, ANNA.id, on=True)
    known = [ANNA.id, BEN.id, CARLA.id]
    assert await Retention(database, lambda: NOW + KEPT).forget_strangers() == 0
    assert await Retention(database, lambda: LATER).forget_strangers() == 1
    left = await database.scalars(select(metadata.tables["people"].c.user_id))
    assert sorted(left) == known


async def test_whoever_is_heard_again_is_kept_another_thirty_days(database: Database) -> None:
    await SqlPeople(database, lambda: NOW).learn({ANNA.id: "da"})
    await SqlPeople(database, lambda: NOW + timedelta(days=20)).learn({ANNA.id: "da"})
    assert await Retention(database, lambda: LATER).forget_strangers() == 0
    later = LATER + timedelta(days=20)
    assert await Retention(database, lambda: later).forget_strangers() == 1


async def test_a_server_that_removed_the_program_is_forgotten_after_thirty_days(
    database: Database,
) -> None:
    store, gone = SqlTableStore(database), SqlDepartures(database, lambda: NOW)
    empty = await whole(database)
    for table in (T1, T2):
        ended = over(table, Status.FINISHED, NOW)
        await store.commit(change(ended, entry(0), result=result(table, (ANNA, 1, 9), ended=NOW)))
    await SqlServers(database).put(
        GuildId(1), ServerSettings("large"), Changed(NOW, ANNA, Setting.DECK, "large")
    )
    await gone.left(GuildId(1))
    await SqlDepartures(database, lambda: LATER).left(GuildId(1))  # the first time counts
    assert await gone.known() == [GuildId(1)]
    await forget(database, NOW + KEPT)
    assert (await whole(database))["results"]
    offline = Retention(database, lambda: LATER, connected=lambda: False)
    while await offline.step():
        pass
    assert (await whole(database))["results"]
    await forget(database, LATER)
    assert await whole(database) == empty


async def test_whoever_knows_it_by_heart_hears_what_was_forgotten(database: Database) -> None:
    told: list[set[int | str]] = []
    retention = Retention(database, lambda: LATER, forgot=lambda ids: told.append({*ids}))
    for table in (T1, T2):
        await SqlTableStore(database).commit(change(over(table, Status.EXPIRED, NOW)))
    await SqlDepartures(database, lambda: NOW).left(GuildId(1))
    await SqlPeople(database, lambda: NOW).learn({UserId(77): "da"})
    while await retention.step():
        pass
    await retention.forget_strangers()
    assert set().union(*told) == {T1, T2, GuildId(1), UserId(77)}


async def test_a_server_that_comes_back_in_time_keeps_everything(database: Database) -> None:
    gone = SqlDepartures(database, lambda: NOW)
    await SqlServers(database).put(
        GuildId(1), ServerSettings("large"), Changed(NOW, ANNA, Setting.DECK, "large")
    )
    await gone.left(GuildId(1))
    await gone.back(GuildId(1))
    await forget(database, LATER)
    assert await SqlServers(database).settings(GuildId(1)) == ServerSettings("large")


async def test_a_server_with_an_open_table_waits_for_its_end(database: Database) -> None:
    await SqlTableStore(database).commit(change(stored(T1, status=Status.RUNNING), entry(0)))
    await SqlDepartures(database, lambda: NOW).left(GuildId(1))
    await forget(database, LATER)
    assert await SqlTableStore(database).load(T1) is not None
