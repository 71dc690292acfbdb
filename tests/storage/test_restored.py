"""A restored database: what was open in it ends at the next start, at once and only once."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.ids import ChannelId, MessageId, QuestionId, TableId
from bot.storage.backup import end_open_tables, note_restored
from bot.storage.database import Database
from bot.storage.meta import COMMANDS, SqlMeta
from bot.storage.surfaces import SqlSurfaces
from bot.storage.tables import SqlTableStore
from bot.tables.stored import Deadline, DeadlineKind, Status, Stop, StoredTable
from tests.storage.values import ANNA, BEN, NOW, T0, T1, T2, T3, altered, change, entry, stored

LATER: Final = NOW + timedelta(days=3)
TURN: Final = Deadline(DeadlineKind.TURN, QuestionId(3), NOW + timedelta(minutes=1))

LOBBY: Final = stored(T0, channel=1)
RUNNING: Final = altered(
    stored(T1, channel=2, people=(ANNA, BEN), status=Status.RUNNING),
    started=NOW,
    deadlines=(TURN,),
    standing=frozenset({BEN.id}),
)
CLOSED: Final = altered(stored(T2, channel=3, status=Status.RUNNING), closed=True, started=NOW)
OVER: Final = altered(stored(T3, channel=4, status=Status.FINISHED), ended=NOW)


async def filled(database: Database) -> SqlTableStore:
    store = SqlTableStore(database)
    for table in (LOBBY, CLOSED, OVER):
        await store.commit(change(table))
    await store.commit(change(RUNNING, entry(0), entry(1)))
    return store


async def found(database: Database, table: TableId) -> StoredTable:
    loaded = await SqlTableStore(database).load(table)
    assert loaded is not None
    return loaded[0]


async def test_every_open_table_ends_and_keeps_its_log(database: Database) -> None:
    store = await filled(database)
    await database.write(note_restored)
    assert await end_open_tables(database, LATER) == 3
    for before in (LOBBY, RUNNING, CLOSED):
        after = await found(database, before.id)
        assert after == altered(before.broken_off(Stop.RESTORED, LATER), version=before.version + 1)
        assert (after.stop, after.ended, after.timing.deadlines) == (Stop.RESTORED, LATER, ())
    assert (await found(database, T0)).status is Status.EXPIRED
    assert (await found(database, T1)).status is Status.STOPPED
    loaded = await SqlTableStore(database).load(T1)
    assert loaded is not None
    assert loaded[1] == (entry(0), entry(1))
    assert await found(database, T3) == OVER
    assert await store.open_tables() == []
    assert await store.earliest_deadline() is None


async def test_it_happens_once_and_only_if_it_was_said(database: Database) -> None:
    store = await filled(database)
    assert await end_open_tables(database, LATER) is None
    assert len(await store.open_tables()) == 3
    await database.write(note_restored)
    await database.write(note_restored)
    assert await end_open_tables(database, LATER) == 3
    await store.commit(change(stored(TableId("T9"), channel=9)))
    assert await end_open_tables(database, LATER) is None
    assert await store.open_tables() == ["T9"]


async def test_whoever_wakes_finds_the_channels_that_are_to_be_told(database: Database) -> None:
    """However often the program dies before it has told them."""
    await filled(database)
    board = ("board", 0, ChannelId(2), MessageId(7), NOW, 1, None, False, "", "", 0)
    surfaces = SqlSurfaces(database)
    await surfaces.save({(T1, "board", 0): board}, {T1: 1})
    assert await surfaces.behind() == []
    await database.write(note_restored)
    await end_open_tables(database, LATER)
    for _ in range(2):
        assert await SqlSurfaces(database).behind() == [T1]


async def test_discord_is_told_the_commands_anew(database: Database) -> None:
    """Of the backup's time may be other ones than Discord knows."""
    meta = SqlMeta(database)
    await meta.put(COMMANDS, "a hash")
    assert await end_open_tables(database, LATER) is None
    assert await meta.get(COMMANDS) == "a hash"
    await database.write(note_restored)
    await end_open_tables(database, LATER)
    assert not await meta.get(COMMANDS)
