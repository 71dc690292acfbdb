"""Records and results to store, with everything of no interest filled in."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from bot.tables.model import Entry, Person, Place, Result, ResultRow, Seating, Status, StoredTable
from bot.tables.ports import Change

NOW: Final = datetime(2025, 3, 5, 12, 30, 15, 123456, tzinfo=UTC)
ANNA, BEN, CARLA = Person(11, "Anna"), Person(12, "Ben"), Person(13, "Carla")


def stored(
    table: str = "T7Q2",
    *,
    channel: int = 500,
    people: tuple[Person, ...] = (ANNA,),
    status: Status = Status.LOBBY,
    created: datetime = NOW,
    rematch_of: str | None = None,
) -> StoredTable:
    """A new table, at version 1."""
    return StoredTable(
        id=table,
        guild=1,
        channel=channel,
        game="aufundab",
        rules_version=1,
        given={"rounds": 3},
        created=created,
        seating=Seating((*(Place(person) for person in people), Place()), people[0].id),
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
        table,
        guild,
        game,
        rounds,
        ended,
        tuple(
            ResultRow(person.id, person.name, seat, place, points)
            for seat, (person, place, points) in enumerate(rows)
        ),
    )
