"""Conversion between stored tables and database rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic import ConfigDict, RootModel
from sqlalchemy import RowMapping

from bot.ids import TableId, UserId
from bot.tables.stored import Actor, Deadline, DeadlineKind, Entry, Person, StoredTable


class _Document(RootModel[StoredTable]):
    """A table as JSON; what it does not know is left out, what is missing has its default.

    No error says what is in it: seeds are.
    """

    model_config = ConfigDict(
        ser_json_bytes="hex",
        val_json_bytes="hex",
        ser_json_timedelta="float",
        hide_input_in_errors=True,
    )


_NOT_IN_IT: Final[Mapping[str, bool | set[str]]] = {"version": True, "timing": {"deadlines"}}
"""What nearly every ply changes, and has a place of its own; the document is written less often."""


def document(stored: StoredTable) -> str:
    """The record of a table but for its version and deadlines."""
    record = _Document.model_construct(stored)
    # Any mapping will do, although JSON is made of dictionaries alone.
    return record.model_dump_json(exclude=_NOT_IN_IT, fallback=dict, warnings=False)


def searched(stored: StoredTable) -> dict[str, Any]:
    """What of a record is searched for or compared, by column."""
    return {
        "id": stored.id,
        "version": stored.version,
        "guild_id": stored.guild,
        "channel_id": stored.channel,
        "opener_id": stored.opener,
        "status": stored.status.value,
        "rematch_of": stored.rematch_of,
        "created": stored.created,
        "ended": stored.ended,
    }


def columns(stored: StoredTable) -> dict[str, Any]:
    """What the row of a table holds."""
    return {**searched(stored), "document": document(stored)}


def changed(before: StoredTable | None, after: StoredTable) -> dict[str, Any]:
    """The columns to write: most are the same from ply to ply, and each costs time."""
    if before is None:
        return columns(after)
    known = searched(before)
    found = {name: value for name, value in searched(after).items() if value != known[name]}
    timing = replace(before.timing, deadlines=after.timing.deadlines)
    if replace(before, version=after.version, timing=timing) != after:
        found["document"] = document(after)
    return found


def stored_of(row: RowMapping, due: Sequence[RowMapping]) -> StoredTable:
    """The stored table in its row and the rows of its deadlines, in order."""
    found = _Document.model_validate_json(row["document"]).root
    timing = replace(found.timing, deadlines=tuple(map(deadline_of, due)))
    return replace(found, version=row["version"], timing=timing)


def sitter_rows(stored: StoredTable) -> list[dict[str, Any]]:
    """One row for each person who sits there."""
    sitting = sorted({person.id for person in stored.seating.people})
    return [{"table_id": stored.id, "user_id": user} for user in sitting]


def named_rows(stored: StoredTable) -> list[dict[str, Any]]:
    """One row for each person whom the record names and who does not sit there."""
    named = sorted(people_in(stored) - {person.id for person in stored.seating.people})
    return [{"table_id": stored.id, "user_id": user} for user in named]


def people_in(stored: StoredTable) -> set[UserId]:
    """Everybody whom the record of a table names."""
    seating, votes = stored.seating, stored.votes
    before = () if seating.drawn is None else seating.drawn.before
    drawn = (one for one in before if isinstance(one, Person))
    known = (*seating.people, *seating.beginners.values(), *seating.kept.values(), *drawn)
    known += seating.waiting
    return {
        stored.opener,
        seating.host,
        *(person.id for person in known),
        *seating.invited,
        *seating.kicked,
        *seating.seen,
        *seating.conceded,
        *seating.voted_out,
        *seating.called,
        *seating.sat_out,
        *stored.shuffling.words,
        *stored.hinted,
        *votes.ready,
        *votes.end_votes,
        *votes.standing,
        *votes.rest_votes,
        *votes.paces,
        *votes.away_votes,
        *(user for users in votes.away_votes.values() for user in users),
        *votes.ahead,
        *(() if votes.take_back is None else (votes.take_back.user, *votes.take_back.agreed)),
    }


def names_others(before: StoredTable, after: StoredTable) -> bool:
    """Whether other people may be named: most plies change nothing of that."""
    return (
        before.seating is not after.seating
        or before.votes is not after.votes
        or before.hinted is not after.hinted
        or before.shuffling.words is not after.shuffling.words
    ) and named_rows(before) != named_rows(after)


def deadline_rows(stored: StoredTable) -> list[dict[str, Any]]:
    """One row for each deadline, in their order."""
    return [
        {
            "table_id": stored.id,
            "position": index,
            "kind": deadline.kind.value,
            "question": deadline.question,
            "due": deadline.due,
        }
        for index, deadline in enumerate(stored.timing.deadlines)
    ]


def deadline_of(row: RowMapping) -> Deadline:
    """The deadline in a row."""
    return Deadline(DeadlineKind(row["kind"]), row["question"], row["due"])


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
