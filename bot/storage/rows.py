"""Stored tables, places, deadlines, shuffles and entries as rows, and back."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import RowMapping

from bot.ids import TableId
from bot.tables.shuffling import Renewal, Shuffle, Shuffling
from bot.tables.stored import (
    Actor,
    Deadline,
    DeadlineKind,
    Entry,
    Pace,
    Person,
    Place,
    Seating,
    Stall,
    Status,
    Stop,
    StoredTable,
    Timing,
    Votes,
)
from engine.deal import Chain


def changed(before: StoredTable | None, after: StoredTable) -> dict[str, Any]:
    """The columns to write: most are the same from ply to ply, and each costs time to bind."""
    written = columns(after)
    if before is None:
        return written
    known = columns(before)
    return {name: value for name, value in written.items() if value != known[name]}


def columns(stored: StoredTable) -> dict[str, Any]:
    """What the row of a table holds."""
    stalled, chain = stored.timing.stalled, stored.shuffling.chain
    return {
        "id": stored.id,
        "version": stored.version,
        "guild_id": stored.guild,
        "channel_id": stored.channel,
        "game": stored.game,
        "rules_version": stored.rules_version,
        "status": stored.status.value,
        "stop": None if stored.stop is None else stored.stop.value,
        "host_id": stored.seating.host,
        "private": stored.seating.private,
        "held": stored.timing.held,
        "given": dict(stored.given),
        "options": dict(stored.options),
        "invited": sorted(stored.seating.invited),
        "kicked": sorted(stored.seating.kicked),
        "starters": [[person.id, person.name] for person in stored.seating.starters],
        "ready": sorted(stored.votes.ready),
        "end_votes": sorted(stored.votes.end_votes),
        "away_votes": [
            [user, sorted(votes)] for user, votes in sorted(stored.votes.away_votes.items())
        ],
        "conceded": sorted(stored.seating.conceded),
        "seen": sorted(stored.seating.seen.items()),
        "locale": stored.locale,
        "rematch_of": stored.rematch_of,
        "created": stored.created,
        "started": stored.started,
        "ended": stored.ended,
        "closed": stored.shuffling.closed,
        "words": sorted(stored.shuffling.words.items()),
        "chain_tip": None if chain is None else chain.tip.hex(),
        "chain_links": None if chain is None else chain.links,
        "standing": sorted(stored.votes.standing),
        "pace": stored.timing.pace.value,
        "warned": stored.timing.warned,
        "credited": round(stored.timing.credited.total_seconds()),
        "epoch": stored.epoch,
        "stalled_since": None if stalled is None else stalled.since,
        "stalled_missing": None if stalled is None else list(stalled.missing),
    }


def stored_of(
    row: RowMapping,
    seated: Sequence[RowMapping],
    due: Sequence[RowMapping],
    shuffled: Sequence[RowMapping],
) -> StoredTable:
    """The stored table in its row and the rows of what it has several of, in order."""
    return StoredTable(
        id=row["id"],
        version=row["version"],
        guild=row["guild_id"],
        channel=row["channel_id"],
        game=row["game"],
        rules_version=row["rules_version"],
        status=Status(row["status"]),
        stop=None if row["stop"] is None else Stop(row["stop"]),
        given=row["given"],
        options=row["options"],
        locale=row["locale"],
        rematch_of=row["rematch_of"],
        created=row["created"],
        started=row["started"],
        ended=row["ended"],
        epoch=row["epoch"],
        seating=Seating(
            places=tuple(_place(place) for place in seated),
            host=row["host_id"],
            private=row["private"],
            invited=frozenset(row["invited"]),
            kicked=frozenset(row["kicked"]),
            seen=dict(row["seen"]),
            starters=tuple(Person(*person) for person in row["starters"]),
            conceded=frozenset(row["conceded"]),
        ),
        shuffling=Shuffling(
            shuffles=tuple(_shuffle(shuffle) for shuffle in shuffled),
            words=dict(row["words"]),
            closed=row["closed"],
            chain=_chain(row),
        ),
        timing=Timing(
            pace=Pace(row["pace"]),
            held=row["held"],
            warned=row["warned"],
            credited=timedelta(seconds=row["credited"]),
            stalled=_stall(row),
            deadlines=tuple(deadline_of(deadline) for deadline in due),
        ),
        votes=Votes(
            ready=frozenset(row["ready"]),
            end_votes=frozenset(row["end_votes"]),
            standing=frozenset(row["standing"]),
            away_votes={user: frozenset(votes) for user, votes in row["away_votes"]},
        ),
    )


def place_rows(stored: StoredTable) -> list[dict[str, Any]]:
    """One row for each place."""
    return [
        {
            "table_id": stored.id,
            "place": index,
            "user_id": None if place.person is None else place.person.id,
            "name": None if place.person is None else place.person.name,
            "reachable": place.reachable,
            "misses": place.misses,
            "away": place.away,
        }
        for index, place in enumerate(stored.seating.places)
    ]


def _place(row: RowMapping) -> Place:
    person = None if row["user_id"] is None else Person(row["user_id"], row["name"])
    return Place(person, row["reachable"], row["misses"], row["away"])


def _stall(row: RowMapping) -> Stall | None:
    since = row["stalled_since"]
    return None if since is None else Stall(since, tuple(row["stalled_missing"]))


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


def shuffle_row(table: TableId, number: int, shuffle: Shuffle) -> dict[str, Any]:
    """The shuffle of round `number` as a row."""
    return {
        "table_id": table,
        "round": number,
        "seed": shuffle.seed,
        "post": shuffle.post,
        "words": list(shuffle.words),
        "link": shuffle.link,
        "renewal": None if shuffle.renewal is None else shuffle.renewal.value,
    }


def _shuffle(row: RowMapping) -> Shuffle:
    renewal = None if row["renewal"] is None else Renewal(row["renewal"])
    return Shuffle(row["seed"], row["post"], tuple(row["words"]), row["link"], renewal)


def _chain(row: RowMapping) -> Chain | None:
    tip = row["chain_tip"]
    return None if tip is None else Chain(bytes.fromhex(tip), row["chain_links"])


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
