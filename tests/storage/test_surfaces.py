"""Where tables are shown, and what the program remembers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from bot.storage.database import Database
from bot.storage.meta import SqlMeta
from bot.storage.surfaces import Row, SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.tables.model import Status
from bot.tables.ports import Change
from tests.storage.values import ANNA, NOW, change, stored


@pytest.fixture
async def surfaces(database: Database) -> SqlSurfaces:
    store = SqlTableStore(database)
    await store.commit(change(stored("T1", channel=1)))
    await store.commit(change(stored("T2", channel=2)))
    return SqlSurfaces(database)


def shown(message: int, mark: int = 3, *, channel: int = 1) -> Row:
    return (channel, message, NOW, mark)


async def test_nothing_is_shown_yet(surfaces: SqlSurfaces) -> None:
    assert await surfaces.all_of("T1") == []
    await surfaces.save({("T1", 0): None}, {"T1": 1})
    assert await surfaces.all_of("T1") == []


async def test_tables_that_are_over_but_not_shown_so(
    surfaces: SqlSurfaces, database: Database
) -> None:
    for name, status in (("T1", Status.STOPPED), ("T2", Status.FINISHED)):
        before = stored(name, channel=int(name[1]))
        after = replace(before, status=status, version=2)
        await SqlTableStore(database).commit(Change(after, expected=1))
        await surfaces.save({(name, 0): shown(900, 1), (name, ANNA.id): shown(901, 12)}, {})
    assert await surfaces.behind(-1) == ["T1", "T2"]
    await surfaces.save({("T1", 0): shown(902, -1)}, {})
    assert await surfaces.behind(-1) == ["T2"]
    await surfaces.save({("T1", -1): shown(903), ("T1", -905): shown(904)}, {})
    assert await surfaces.behind(-1) == ["T1", "T2"], "somebody is still called there"


async def test_open_tables_are_never_behind(surfaces: SqlSurfaces) -> None:
    await surfaces.save({("T1", 0): shown(900, 1)}, {})
    assert await surfaces.behind(-1) == []


async def test_only_open_tables_that_changed_since_they_were_drawn_are_stale(
    surfaces: SqlSurfaces, database: Database
) -> None:
    await surfaces.save({("T1", 0): shown(900), ("T2", 0): shown(901)}, {"T1": 1})
    assert await surfaces.stale() == ["T2"], "never drawn completely"
    await surfaces.save({}, {"T2": 1})
    assert await surfaces.stale() == []
    changed = replace(stored("T1", channel=1), version=2)
    await SqlTableStore(database).commit(Change(changed, expected=1))
    assert await surfaces.stale() == ["T1"]
    await surfaces.save({("T1", 0): shown(902)}, {})
    assert await surfaces.stale() == ["T1"], "a new message says nothing of what it shows"
    await surfaces.save({}, {"T1": 2, "T2": None})
    assert await surfaces.stale() == ["T2"], "asked to be drawn anew"
    over = replace(changed, status=Status.EXPIRED, version=3)
    await SqlTableStore(database).commit(Change(over, expected=2))
    assert await surfaces.stale() == ["T2"]


async def test_a_table_without_a_board_is_stale(surfaces: SqlSurfaces) -> None:
    await surfaces.save({("T1", ANNA.id): shown(901)}, {"T1": 1})
    assert await surfaces.stale() == ["T1", "T2"]


async def test_a_table_with_messages_to_delete_is_stale(surfaces: SqlSurfaces) -> None:
    board = {("T1", 0): shown(900), ("T2", 0): shown(901)}
    await surfaces.save(board | {("T1", -1): shown(902)}, {"T1": 1, "T2": 1})
    assert await surfaces.stale() == [], "the line that calls somebody stays"
    await surfaces.save({("T1", -904): shown(902), ("T1", -906): shown(904)}, {})
    assert await surfaces.stale() == ["T1"]
    await surfaces.save({("T1", -904): None, ("T1", -906): None}, {})
    assert await surfaces.stale() == []


async def test_a_surface_is_found_again(surfaces: SqlSurfaces) -> None:
    board, hand = shown(2**62), shown(900, channel=70)
    await surfaces.save(
        {("T1", 0): board, ("T1", ANNA.id): hand, ("T2", 0): shown(901, channel=2)}, {}
    )
    assert await surfaces.all_of("T1") == [(0, *board), (ANNA.id, *hand)]
    [found] = await surfaces.all_of("T2")
    assert found[3].tzinfo is UTC


async def test_a_new_message_takes_the_place_of_the_old(surfaces: SqlSurfaces) -> None:
    later = NOW + timedelta(minutes=5)
    await surfaces.save({("T1", 0): shown(900), ("T2", 0): shown(901)}, {})
    await surfaces.save({("T1", 0): (1, 902, later, 4)}, {})
    assert await surfaces.all_of("T1") == [(0, 1, 902, later, 4)]
    assert await surfaces.all_of("T2") == [(0, *shown(901))]


async def test_a_dropped_surface_is_gone(surfaces: SqlSurfaces) -> None:
    rows = {("T1", 0): shown(900), ("T1", ANNA.id): shown(901), ("T2", 0): shown(902)}
    await surfaces.save(rows, {})
    await surfaces.save({("T1", 0): None}, {})
    assert await surfaces.all_of("T1") == [(ANNA.id, *shown(901))]
    assert await surfaces.all_of("T2") == [(0, *shown(902))]


async def test_a_surface_needs_a_table_and_is_saved_with_all_others_or_not_at_all(
    surfaces: SqlSurfaces,
) -> None:
    with pytest.raises(IntegrityError):
        await surfaces.save({("T1", 0): shown(900), ("NONE", 0): shown(900)}, {})
    assert await surfaces.all_of("T1") == []


async def test_meta_remembers_the_last_value(database: Database) -> None:
    meta = SqlMeta(database)
    assert await meta.get("commands") is None
    await meta.put("commands", "abc")
    await meta.put("other", "x")
    await meta.put("commands", "def")
    assert await meta.get("commands") == "def"
    assert await meta.get("other") == "x"
