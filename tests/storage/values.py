"""Records and results to store, with everything of no interest filled in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.tables.ports import Change
from bot.tables.stored import (
    Entry,
    Person,
    Place,
    Result,
    ResultRow,
    Seating,
    Shuffling,
    Status,
    StoredTable,
)
from engine.deal import Chain

NOW: Final = datetime(2025, 3, 5, 12, 30, 15, 123456, tzinfo=UTC)
ANNA, BEN, CARLA = (
    Person(UserId(number), name) for number, name in enumerate(("Anna", "Ben", "Carla"), start=11)
)

TABLE = TableId("T7Q2")
T0, T1, T2, T3, T5, T6, T8, T9 = map(TableId, ("T0", "T1", "T2", "T3", "T5", "T6", "T8", "T9"))


def stored(
    table: TableId = TABLE,
    *,
    channel: int = 500,
    people: tuple[Person, ...] = (ANNA,),
    status: Status = Status.LOBBY,
    created: datetime = NOW,
    rematch_of: TableId | None = None,
) -> StoredTable:
    """A new table, at version 1."""
    return StoredTable(
        id=table,
        guild=GuildId(1),
        channel=ChannelId(channel),
        game="aufundab",
        rules_version=1,
        given={"rounds": 3},
        created=created,
        opener=people[0].id,
        seating=Seating((*(Place(person) for person in people), Place()), people[0].id),
        shuffling=Shuffling(Chain(bytes(32))),
        status=status,
        rematch_of=rematch_of,
        version=1,
    )


def following(before: StoredTable, **fields: object) -> StoredTable:
    """That table one commit later."""
    return altered(before, version=before.version + 1, **fields)


def altered(before: StoredTable, **fields: object) -> StoredTable:
    """That table with other `fields`, each in the group that has it."""
    groups: dict[str, Any] = {}
    for name in ("seating", "shuffling", "timing", "votes"):
        group = getattr(before, name)
        own = {key: fields.pop(key) for key in tuple(fields) if hasattr(group, key)}
        groups[name] = replace(group, **own)
    return replace(before, **{**groups, **fields})


def entry(ply: int, interaction: int | None = None) -> Entry:
    return Entry(ply, ply % 3, f"play {ply}", NOW + timedelta(seconds=ply), interaction)


def change(after: StoredTable, *entries: Entry, result: Result | None = None) -> Change:
    return Change(after, after.version - 1, entries, result)


def result(
    table: str,
    *rows: tuple[Person, int, int],
    guild: int = 1,
    game: str = "aufundab",
    rounds: int = 4,
    ended: datetime = NOW,
) -> Result:
    """A finished match; a row is person, place and points."""
    return Result(
        TableId(table),
        GuildId(guild),
        game,
        rounds,
        ended,
        tuple(
            ResultRow(person.id, person.name, seat, place, points)
            for seat, (person, place, points) in enumerate(rows)
        ),
    )
