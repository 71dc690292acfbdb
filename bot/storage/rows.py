"""Records, places, deadlines, shuffles and entries as rows, and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import RowMapping

from bot.tables.model import (
    Actor,
    Deadline,
    DeadlineKind,
    Entry,
    Pace,
    Person,
    Place,
    Shuffle,
    Stall,
    Status,
    Stop,
    TableId,
    TableRecord,
)


def changed(before: TableRecord | None, after: TableRecord) -> dict[str, Any]:
    """The columns to write: most are the same from ply to ply, and each costs time to bind."""
    written = columns(after)
    if before is None:
        return written
    known = columns(before)
    return {name: value for name, value in written.items() if value != known[name]}


def columns(record: TableRecord) -> dict[str, Any]:
    """What the row of a table holds."""
    return {
        "id": record.id,
        "version": record.version,
        "guild_id": record.guild,
        "channel_id": record.channel,
        "game": record.game,
        "rules_version": record.rules_version,
        "status": record.status.value,
        "stop": None if record.stop is None else record.stop.value,
        "host_id": record.host,
        "private": record.private,
        "held": record.held,
        "given": dict(record.given),
        "options": dict(record.options),
        "invited": sorted(record.invited),
        "kicked": sorted(record.kicked),
        "starters": [[person.id, person.name] for person in record.starters],
        "ready": sorted(record.ready),
        "end_votes": sorted(record.end_votes),
        "seen": sorted(record.seen.items()),
        "rematch_of": record.rematch_of,
        "created": record.created,
        "started": record.started,
        "ended": record.ended,
        "closed": record.closed,
        "words": sorted(record.words.items()),
        "standing": sorted(record.standing),
        "pace": record.pace.value,
        "warned": record.warned,
        "credited": round(record.credited.total_seconds()),
        "stalled_since": None if record.stalled is None else record.stalled.since,
        "stalled_missing": None if record.stalled is None else list(record.stalled.missing),
    }


def record_of(
    row: RowMapping,
    seated: Sequence[RowMapping],
    due: Sequence[RowMapping],
    shuffled: Sequence[RowMapping],
) -> TableRecord:
    """The record in the row of a table and the rows of what it has several of, in order."""
    return TableRecord(
        id=row["id"],
        version=row["version"],
        guild=row["guild_id"],
        channel=row["channel_id"],
        game=row["game"],
        rules_version=row["rules_version"],
        status=Status(row["status"]),
        stop=None if row["stop"] is None else Stop(row["stop"]),
        host=row["host_id"],
        private=row["private"],
        held=row["held"],
        given=row["given"],
        options=row["options"],
        invited=frozenset(row["invited"]),
        kicked=frozenset(row["kicked"]),
        starters=tuple(Person(*person) for person in row["starters"]),
        ready=frozenset(row["ready"]),
        end_votes=frozenset(row["end_votes"]),
        seen=dict(row["seen"]),
        rematch_of=row["rematch_of"],
        created=row["created"],
        started=row["started"],
        ended=row["ended"],
        closed=row["closed"],
        words=dict(row["words"]),
        standing=frozenset(row["standing"]),
        pace=Pace(row["pace"]),
        warned=row["warned"],
        credited=timedelta(seconds=row["credited"]),
        stalled=_stall(row),
        shuffles=tuple(_shuffle(shuffle) for shuffle in shuffled),
        places=tuple(_place(place) for place in seated),
        deadlines=tuple(deadline_of(deadline) for deadline in due),
    )


def place_rows(record: TableRecord) -> list[dict[str, Any]]:
    """One row for each place."""
    return [
        {
            "table_id": record.id,
            "place": index,
            "user_id": None if place.person is None else place.person.id,
            "name": None if place.person is None else place.person.name,
            "reachable": place.reachable,
            "misses": place.misses,
            "away": place.away,
        }
        for index, place in enumerate(record.places)
    ]


def _place(row: RowMapping) -> Place:
    person = None if row["user_id"] is None else Person(row["user_id"], row["name"])
    return Place(person, row["reachable"], row["misses"], row["away"])


def _stall(row: RowMapping) -> Stall | None:
    since = row["stalled_since"]
    return None if since is None else Stall(since, tuple(row["stalled_missing"]))


def deadline_rows(record: TableRecord) -> list[dict[str, Any]]:
    """One row for each deadline, in their order."""
    return [
        {
            "table_id": record.id,
            "position": index,
            "kind": deadline.kind.value,
            "question": deadline.question,
            "due": deadline.due,
        }
        for index, deadline in enumerate(record.deadlines)
    ]


def deadline_of(row: RowMapping) -> Deadline:
    """The deadline in a row."""
    return Deadline(DeadlineKind(row["kind"]), row["question"], row["due"])


def shuffle_row(table: TableId, number: int, shuffle: Shuffle) -> dict[str, Any]:
    """The shuffle of round `number` as a row."""
    return {
        "table_id": table,
        "round": number,
        "seed": shuffle.seed,
        "post": shuffle.post,
        "words": list(shuffle.words),
    }


def _shuffle(row: RowMapping) -> Shuffle:
    return Shuffle(row["seed"], row["post"], tuple(row["words"]))


def entry_row(table: TableId, entry: Entry) -> dict[str, Any]:
    """A line of the log as a row."""
    return {
        "table_id": table,
        "ply": entry.ply,
        "seat": entry.seat,
        "text": entry.text,
        "at": entry.at,
        "interaction_id": entry.interaction,
        "by": entry.by.value,
    }


def entry_of(row: RowMapping) -> Entry:
    """The line of the log in a row."""
    by = Actor(row["by"])
    return Entry(row["ply"], row["seat"], row["text"], row["at"], row["interaction_id"], by)
