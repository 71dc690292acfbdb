"""Where tables are shown, and what the program remembers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, timedelta
from typing import Final, TypeAlias

import pytest
from sqlalchemy.exc import IntegrityError

from bot.ids import ChannelId, MessageId, QuestionId, TableId
from bot.storage.database import Database
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.surfaces import Row
from bot.tables.ports import Change
from bot.tables.stored import Status
from tests.storage.values import ANNA, NOW, T1, T2, change, stored


@pytest.fixture
async def surfaces(database: Database) -> SqlSurfaces:
    store = SqlTableStore(database)
    await store.commit(change(stored(T1, channel=1)))
    await store.commit(change(stored(T2, channel=2)))
    return SqlSurfaces(database)


Slot: TypeAlias = tuple[TableId, str, int]
ROUND: Final = 3


def shown(*messages: tuple[TableId, str, int, int]) -> dict[Slot, Row | None]:
    """Messages by table, kind and key."""
    return {
        (table, kind, key): (
            kind,
            key,
            ChannelId(1),
            MessageId(message),
            NOW,
            ROUND,
            QuestionId(5),
            True,
            "n1",
            "hand",
            2**40,
        )
        for table, kind, key, message in messages
    }


def found(rows: Mapping[Slot, Row | None], *tables: str) -> list[Row | None]:
    """Those of some tables, as they are found again."""
    return [row for slot, row in sorted(rows.items()) if slot[0] in tables]


async def test_tables_that_are_over_but_not_shown_so(
    surfaces: SqlSurfaces, database: Database
) -> None:
    for name, status in ((T1, Status.STOPPED), (T2, Status.FINISHED)):
        before = stored(name, channel=int(name[1]))
        after = replace(before, status=status, version=2)
        await SqlTableStore(database).commit(Change(after, expected=1))
        await surfaces.save(shown((name, "board", 0, 900), (name, "greeting", ANNA.id, 901)), {})
    assert await surfaces.behind() == [T1, T2]
    result = shown((T1, "result", 0, 902))
    await surfaces.save({(T1, "board", 0): None} | result, {})
    assert await surfaces.behind() == [T2]
    for kind in ("notice", "hand", "invitation", "substitute", "retired", "replaced", "sending"):
        key = 904
        await surfaces.save(shown((T1, kind, key, 904)), {})
        assert await surfaces.behind() == [T1, T2], "something has to go there"
        await surfaces.save({(T1, kind, key): None}, {})
    assert await surfaces.behind() == [T2]


async def test_only_open_tables_that_changed_since_they_were_drawn_are_stale(
    surfaces: SqlSurfaces, database: Database
) -> None:
    await surfaces.save(shown((T1, "board", 0, 900), (T2, "board", 0, 901)), {T1: 1})
    assert await surfaces.stale() == [T2], "never drawn completely"
    await surfaces.save({}, {T2: 1})
    assert await surfaces.stale() == []
    changed = replace(stored(T1, channel=1), version=2)
    await SqlTableStore(database).commit(Change(changed, expected=1))
    assert await surfaces.stale() == [T1]
    await surfaces.save(shown((T1, "board", 0, 902)), {})
    assert await surfaces.stale() == [T1], "a new message says nothing of what it shows"
    await surfaces.save({}, {T1: 2, T2: None})
    assert await surfaces.stale() == [T2], "asked to be drawn anew"
    over = replace(changed, status=Status.EXPIRED, version=3)
    await SqlTableStore(database).commit(Change(over, expected=2))
    assert await surfaces.stale() == [T2]


async def test_a_table_without_a_board_is_stale(surfaces: SqlSurfaces) -> None:
    await surfaces.save(shown((T1, "hand", ANNA.id, 901)), {T1: 1})
    assert await surfaces.stale() == [T1, T2]


async def test_a_table_with_messages_to_delete_is_stale(surfaces: SqlSurfaces) -> None:
    board = shown((T1, "board", 0, 900), (T2, "board", 0, 901))
    await surfaces.save(board | shown((T1, "notice", 0, 902)), {T1: 1, T2: 1})
    assert await surfaces.stale() == [], "the line that calls somebody stays"
    old = shown((T1, "retired", 902, 902), (T1, "retired", 904, 904))
    await surfaces.save(old, {})
    assert await surfaces.stale() == [T1]
    await surfaces.save(dict.fromkeys(old), {})
    assert await surfaces.stale() == []


async def test_the_newest_message_of_each_slot_is_found_until_it_is_dropped(
    surfaces: SqlSurfaces,
) -> None:
    await surfaces.save({(T1, "board", 0): None}, {T1: 1})
    assert await surfaces.all_of(T1) == []
    rows = shown((T1, "board", 0, 2**62), (T1, "hand", ANNA.id, 900), (T2, "board", 0, 901))
    rows[T1, "hand", 12] = ("hand", 12, ChannelId(71), MessageId(2**62 + 1), NOW, 0, None, False,
                            "", "", 0)  # fmt: skip
    await surfaces.save(rows, {})
    assert await surfaces.all_of(T1) == found(rows, T1)
    [only] = await surfaces.all_of(T2)
    assert only[4].tzinfo is UTC
    later = NOW + timedelta(minutes=5)
    newer = ("board", 0, ChannelId(2), MessageId(902), later, 4, None, False, "", "", 0)
    rows[T1, "board", 0] = newer
    await surfaces.save({(T1, "board", 0): newer}, {})
    assert await surfaces.all_of(T1) == found(rows, T1)
    await surfaces.save({(T1, "board", 0): None}, {})
    assert [row[0] for row in await surfaces.all_of(T1)] == ["hand", "hand"]
    assert await surfaces.all_of(T2) == found(rows, T2)


async def test_a_surface_needs_a_table_and_is_saved_with_all_others_or_not_at_all(
    surfaces: SqlSurfaces,
) -> None:
    with pytest.raises(IntegrityError):
        await surfaces.save(shown((T1, "board", 0, 900), (TableId("NONE"), "board", 0, 900)), {})
    assert await surfaces.all_of(T1) == []
