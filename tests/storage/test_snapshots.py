"""Snapshots in the database: kept, found where they fit, proven to be what their log comes to."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, text

from bot.ids import TableId
from bot.operate.checking import check
from bot.storage import paging
from bot.storage.database import Database
from bot.storage.snapshots import every
from bot.storage.tables import SqlTableStore
from bot.tables import snapshots
from bot.tables.fold import fold
from bot.tables.ports import Change
from bot.tables.stored import Entry
from engine.deal import digest
from tests.tables.test_snapshots import long_match

pytestmark = pytest.mark.nightly

TABLE = TableId("T1")
PLY = 90


async def kept(database: Database, name: str = "sticheln") -> tuple[Entry, ...]:
    """A match with a snapshot of its first plies; its log."""
    table, log = long_match(name, 120)
    store = SqlTableStore(database)
    await store.commit(Change(replace(table.stored, version=1), 0, log))
    text = snapshots.written(fold(table.stored, table.game, log[:PLY]))
    await store.keep(TABLE, PLY, text)
    return log


async def changed(database: Database, statement: str) -> None:
    def work(connection: Connection) -> None:
        assert connection.execute(text(statement)).rowcount == 1

    await database.write(work)


async def test_a_table_is_resumed_from_its_snapshot(database: Database) -> None:
    log = await kept(database)
    resumed = await SqlTableStore(database).resume(TABLE)
    assert resumed is not None
    stored, since, snapshot = resumed
    assert snapshot is not None
    assert (snapshot.ply, since) == (PLY, log[PLY:])
    assert snapshot.digest == digest((entry.seat, entry.text) for entry in log[:PLY])
    loaded = await SqlTableStore(database).load(TABLE)
    assert loaded == (stored, log)
    assert [(one.table, one.wrong) async for one in check(database)] == [(TABLE, None)]


async def test_there_is_one_for_each_table_the_newest(database: Database) -> None:
    log = await kept(database)
    table, _ = long_match("sticheln", 120)
    store = SqlTableStore(database)
    await store.keep(TABLE, 100, snapshots.written(fold(table.stored, table.game, log[:100])))
    resumed = await store.resume(TABLE)
    assert resumed is not None
    assert resumed[2] is not None
    assert resumed[2].ply == 100
    assert await database.read(every) == [TABLE]


@pytest.mark.parametrize("page", [7, 30, 89, 90, 91, 1000])
async def test_a_long_log_is_read_a_page_at_a_time(
    database: Database, page: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """PostgreSQL makes rows of what it sends on the event loop: never of a whole log at once."""
    monkeypatch.setattr(paging, "PAGE", page)
    log = await kept(database)
    asked: list[str] = []

    @event.listens_for(Engine, "before_cursor_execute")
    def note(*said: Any) -> None:
        asked.append(said[2])

    try:
        resumed = await SqlTableStore(database).resume(TABLE)
        loaded = await SqlTableStore(database).load(TABLE)
    finally:
        event.remove(Engine, "before_cursor_execute", note)
    assert resumed is not None
    assert resumed[1] == log[PLY:]
    assert loaded == (resumed[0], log)
    of_logs = [statement for statement in asked if "FROM entries" in statement]
    assert all("LIMIT" in statement for statement in of_logs)
    read = (PLY, len(log) - PLY, len(log))
    assert len(of_logs) == sum(lines // page + 1 for lines in read)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET text = 'play R1' WHERE ply = 50",
        "UPDATE entries SET seat = 9 - seat WHERE ply = 60",
        "UPDATE snapshots SET ply = ply + 1",
        "UPDATE snapshots SET ply = 5000",
        "UPDATE snapshots SET digest = 'x'",
    ],
)
async def test_one_that_does_not_fit_the_log_is_ignored_and_reported(
    database: Database, statement: str
) -> None:
    await kept(database)
    await changed(database, statement)
    resumed = await SqlTableStore(database).resume(TABLE)
    assert resumed is not None
    assert resumed[2] is None
    assert len(resumed[1]) == 120, "the whole log"
    (found,) = [one async for one in check(database)]
    assert found.wrong == "it is of another log"


async def test_one_that_says_something_else_is_reported(database: Database) -> None:
    await kept(database)
    await changed(database, "UPDATE snapshots SET text = replace(text, ':', ': ')")
    (found,) = [one async for one in check(database)]
    assert found.wrong == "its log comes to something else"


async def test_it_goes_with_its_table(database: Database) -> None:
    await kept(database)
    await changed(database, "DELETE FROM tables")
    assert await database.read(every) == []
    assert await SqlTableStore(database).resume(TABLE) is None
