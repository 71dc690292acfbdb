"""Whether what the database keeps beside its logs is what they come to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import NamedTuple

from bot.ids import TableId
from bot.storage import snapshots as stored_snapshots
from bot.storage.database import Database
from bot.storage.tables import SqlTableStore
from bot.tables import snapshots
from bot.tables.codec import CodecError
from bot.tables.fold import UnreadableLogError, fold
from engine.deal import digest
from engine.registry import games


class Checked(NamedTuple):
    """A snapshot that was compared with the fold of its log."""

    table: TableId
    wrong: str | None
    """What is wrong with it, in words that tell no card; None: nothing."""


async def check(database: Database) -> AsyncIterator[Checked]:
    """Every snapshot, compared with the log that it was made of."""
    for table in await database.read(stored_snapshots.every):
        yield Checked(table, await _wrong(database, table))


async def report(url: str, say: Callable[[str], None]) -> int:
    """Say what is wrong with the snapshots of a database, and how many are; returns that.

    Raises StorageError if it cannot be opened.
    """
    found = bad = 0
    database = await Database.open(url)
    try:
        async for table, wrong in check(database):
            found += 1
            if wrong is not None:
                bad += 1
                say(f"table {table}: {wrong}")
    finally:
        await database.close()
    say(f"{found} snapshots, {bad} bad")
    return bad


async def _wrong(database: Database, table: TableId) -> str | None:
    kept = await database.read(lambda reading: stored_snapshots.kept(reading, table))
    loaded = await SqlTableStore(database).load(table)
    if kept is None or loaded is None:
        return None  # it has gone meanwhile
    stored, log = loaded
    before = log[: kept.ply]
    game = games().get(stored.game)
    if len(before) != kept.ply or kept.digest != digest((e.seat, e.text) for e in before):
        return "it is of another log"
    if game is None:
        return "there is no such game"
    try:
        folded = fold(stored, game, before)
        right = kept.text == snapshots.written(folded)
    except (UnreadableLogError, CodecError):
        return "its log cannot be replayed"
    return None if right else "its log comes to something else"
