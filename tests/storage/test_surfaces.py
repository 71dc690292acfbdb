"""Where tables are shown, and what the program remembers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from sqlalchemy.exc import IntegrityError

from bot.storage.database import Database
from bot.storage.meta import SqlMeta
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.tables.model import Status
from bot.tables.ports import Change
from tests.storage.values import ANNA, NOW, change, record


@pytest.fixture
async def surfaces(database: Database) -> SqlSurfaces:
    store = SqlTableStore(database)
    await store.commit(change(record("T1", channel=1)))
    await store.commit(change(record("T2", channel=2)))
    return SqlSurfaces(database)


async def test_nothing_is_shown_yet(surfaces: SqlSurfaces) -> None:
    assert await surfaces.find("T1", 0) is None
    assert await surfaces.all_of("T1") == []
    await surfaces.drop("T1", 0)


async def test_tables_that_are_over_but_not_shown_so(
    surfaces: SqlSurfaces, database: Database
) -> None:
    for name, status in (("T1", Status.STOPPED), ("T2", Status.FINISHED)):
        before = record(name, channel=int(name[1]))
        after = replace(before, status=status, version=2)
        await SqlTableStore(database).commit(Change(after, expected=1))
        await surfaces.put(name, 0, 1, 900, NOW, 1)
        await surfaces.put(name, ANNA.id, 70, 901, NOW, 12)
    assert await surfaces.behind(-1) == ["T1", "T2"]
    await surfaces.put("T1", 0, 1, 902, NOW, -1)
    assert await surfaces.behind(-1) == ["T2"]


async def test_open_tables_are_never_behind(surfaces: SqlSurfaces) -> None:
    await surfaces.put("T1", 0, 1, 900, NOW, 1)
    assert await surfaces.behind(-1) == []


async def test_a_surface_is_found_again(surfaces: SqlSurfaces) -> None:
    await surfaces.put("T1", 0, 1, 2**62, NOW, 3)
    await surfaces.put("T1", ANNA.id, 70, 900, NOW, 3)
    await surfaces.put("T2", 0, 2, 901, NOW, 3)
    assert await surfaces.find("T1", 0) == (1, 2**62, NOW, 3)
    assert await surfaces.all_of("T1") == [(0, 1, 2**62, NOW, 3), (ANNA.id, 70, 900, NOW, 3)]
    found = await surfaces.find("T2", 0)
    assert found is not None
    assert found[2].tzinfo is UTC


async def test_a_new_message_takes_the_place_of_the_old(surfaces: SqlSurfaces) -> None:
    later = NOW + timedelta(minutes=5)
    await surfaces.put("T1", 0, 1, 900, NOW, 3)
    await surfaces.put("T2", 0, 2, 901, NOW, 3)
    await surfaces.put("T1", 0, 1, 902, later, 4)
    assert await surfaces.all_of("T1") == [(0, 1, 902, later, 4)]
    assert await surfaces.all_of("T2") == [(0, 2, 901, NOW, 3)]


async def test_a_dropped_surface_is_gone(surfaces: SqlSurfaces) -> None:
    await surfaces.put("T1", 0, 1, 900, NOW, 3)
    await surfaces.put("T1", ANNA.id, 70, 901, NOW, 3)
    await surfaces.put("T2", 0, 2, 902, NOW, 3)
    await surfaces.drop("T1", 0)
    assert await surfaces.find("T1", 0) is None
    assert await surfaces.all_of("T1") == [(ANNA.id, 70, 901, NOW, 3)]
    assert await surfaces.find("T2", 0) is not None


async def test_a_surface_needs_a_table(surfaces: SqlSurfaces) -> None:
    with pytest.raises(IntegrityError):
        await surfaces.put("NONE", 0, 1, 900, NOW, 3)


async def test_meta_remembers_the_last_value(database: Database) -> None:
    meta = SqlMeta(database)
    assert await meta.get("commands") is None
    await meta.put("commands", "abc")
    await meta.put("other", "x")
    await meta.put("commands", "def")
    assert await meta.get("commands") == "def"
    assert await meta.get("other") == "x"
