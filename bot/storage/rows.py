"""Conversion between stored tables and database rows."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any, assert_never

from sqlalchemy import RowMapping

from bot.ids import TableId, UserId
from bot.sitters import Computer
from bot.tables.customs import Customs
from bot.tables.shuffling import Shuffle, Shuffling
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
)
from bot.tables.votes import Ahead, Hinted, Votes
from engine.deal import Chain
from engine.game import Outcome
from engine.players.levels import Level


def changed(before: StoredTable | None, after: StoredTable) -> dict[str, Any]:
    """The columns to write: most are the same from ply to ply, and each costs time to bind."""
    written = columns(after)
    if before is None:
        return written
    known = columns(before)
    return {name: value for name, value in written.items() if value != known[name]}


def columns(stored: StoredTable) -> dict[str, Any]:
    """What the row of a table holds."""
    stalled = stored.timing.stalled
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
        "opener_id": stored.opener,
        "private": stored.seating.private,
        "given": dict(stored.given),
        "options": dict(stored.options),
        "customs": stored.customs.as_json(),
        "hinted": [[user, *hinted] for user, hinted in sorted(stored.hinted.items())],
        "invited": sorted(stored.seating.invited),
        "kicked": sorted(stored.seating.kicked),
        "starters": [_starter_row(one) for one in stored.seating.starters],
        "ready": sorted(stored.votes.ready),
        "end_votes": sorted(stored.votes.end_votes),
        "away_votes": [
            [user, sorted(votes)] for user, votes in sorted(stored.votes.away_votes.items())
        ],
        "conceded": sorted(stored.seating.conceded),
        "voted_out": sorted(stored.seating.voted_out),
        "rest_since": stored.timing.rest,
        "rest_votes": sorted(stored.votes.rest_votes),
        "ahead": [[user, *chosen] for user, chosen in sorted(stored.votes.ahead.items())],
        "paces": sorted((user, pace.value) for user, pace in stored.votes.paces.items()),
        "pace_coming": None if stored.timing.coming is None else stored.timing.coming.value,
        "sought": sorted(stored.seating.sought.items()),
        "called": sorted(stored.seating.called),
        "kept": [[place, *former] for place, former in sorted(stored.seating.kept.items())],
        "seen": sorted(stored.seating.seen.items()),
        "locale": stored.locale,
        "rematch_of": stored.rematch_of,
        "created": stored.created,
        "started": stored.started,
        "ended": stored.ended,
        "closed": stored.shuffling.closed,
        "words": sorted(stored.shuffling.words.items()),
        "chain_tip": stored.shuffling.chain.tip.hex(),
        "standing": sorted(stored.votes.standing),
        "pace": stored.timing.pace.value,
        "computer_time": round(stored.timing.computers.total_seconds()),
        "warned": stored.timing.warned,
        "credited": round(stored.timing.credited.total_seconds()),
        "stalled_since": None if stalled is None else stalled.since,
        "stalled_missing": None if stalled is None else list(stalled.missing),
    }


def stored_of(
    row: RowMapping,
    seated: Sequence[RowMapping],
    due: Sequence[RowMapping],
    shuffled: Sequence[RowMapping],
    outcome: Outcome | None,
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
        customs=Customs.of_json(row["customs"]),
        hinted={user: Hinted(*hinted) for user, *hinted in row["hinted"]},
        locale=row["locale"],
        rematch_of=row["rematch_of"],
        created=row["created"],
        opener=row["opener_id"],
        started=row["started"],
        ended=row["ended"],
        outcome=outcome,
        seating=_seating(row, seated),
        shuffling=Shuffling(
            shuffles=tuple(_shuffle(shuffle) for shuffle in shuffled),
            words=dict(row["words"]),
            closed=row["closed"],
            chain=Chain(bytes.fromhex(row["chain_tip"])),
        ),
        timing=Timing(
            pace=Pace(row["pace"]),
            coming=None if row["pace_coming"] is None else Pace(row["pace_coming"]),
            warned=row["warned"],
            credited=timedelta(seconds=row["credited"]),
            stalled=_stall(row),
            rest=row["rest_since"],
            computers=timedelta(seconds=row["computer_time"]),
            deadlines=tuple(deadline_of(deadline) for deadline in due),
        ),
        votes=Votes(
            ready=frozenset(row["ready"]),
            end_votes=frozenset(row["end_votes"]),
            standing=frozenset(row["standing"]),
            rest_votes=frozenset(row["rest_votes"]),
            away_votes={user: frozenset(votes) for user, votes in row["away_votes"]},
            paces={user: Pace(pace) for user, pace in row["paces"]},
            ahead={user: Ahead(*chosen) for user, *chosen in row["ahead"]},
        ),
    )


def outcome_of(
    people: Sequence[RowMapping], computers: Sequence[Sequence[Any]] | None
) -> Outcome | None:
    """What a match counted for, of which there are these results; None: for nobody."""
    seats = [(row["seat"], row["points"], row["place"]) for row in people]
    seats += [(seat, points, place) for seat, _, _, place, points in computers or ()]
    if not seats:
        return None
    _, scores, ranking = zip(*sorted(seats), strict=True)
    return Outcome(scores, ranking)


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
            "level": None if place.computer is None else place.computer.value,
        }
        for index, place in enumerate(stored.seating.places)
    ]


def _place(row: RowMapping) -> Place:
    person = None if row["user_id"] is None else Person(row["user_id"], row["name"])
    computer = None if row["level"] is None else Level(row["level"])
    return Place(person, row["reachable"], row["misses"], row["away"], computer)


def _starter_row(one: Person | Computer) -> list[Any]:
    """A person's id and name; a computer player has no id, but a number and a level."""
    match one:
        case Person(user, name):
            return [user, name]
        case Computer(number, level):
            return [None, number, level.value]
        case _:
            assert_never(one)


def _starter(user: UserId | None, *called: Any) -> Person | Computer:
    if user is None:
        number, level = called
        return Computer(number, Level(level))
    return Person(user, *called)


def _seating(row: RowMapping, seated: Sequence[RowMapping]) -> Seating:
    return Seating(
        places=tuple(_place(place) for place in seated),
        host=row["host_id"],
        private=row["private"],
        invited=frozenset(row["invited"]),
        kicked=frozenset(row["kicked"]),
        seen=dict(row["seen"]),
        starters=tuple(_starter(*one) for one in row["starters"]),
        conceded=frozenset(row["conceded"]),
        voted_out=frozenset(row["voted_out"]),
        called=frozenset(row["called"]),
        sought=dict(row["sought"]),
        kept={place: Person(*former) for place, *former in row["kept"]},
    )


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
