"""The best that each person has reached in each game on a server, of which the first are records.

Written with every result, and counted again on demand: from the person's results alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from sqlalchemy import bindparam, delete, select, true
from sqlalchemy.engine import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage.schema import bests, matches, people, players, results
from bot.storage.upsert import put
from bot.tables.records import MIN_ROW, Best, Fallen, Record, RecordKind
from bot.tables.stored import Result

_PLAYED: Final = (
    select(results, matches.c.ended, matches.c.plays)
    .join(matches)
    .where(
        results.c.user_id == bindparam("user"),
        results.c.counts,
        matches.c.guild_id == bindparam("guild"),
        matches.c.game == bindparam("game"),
    )
    .order_by(matches.c.ended, matches.c.table_id)
)

_OF: Final = (
    bests.c.guild_id == bindparam("guild"),
    bests.c.game == bindparam("game"),
    bests.c.kind == bindparam("kind"),
    bests.c.user_id.not_in(select(people.c.user_id).where(people.c.off_boards.is_(true()))),
)
_FIRST: Final = (
    select(bests).where(*_OF).order_by(bests.c.by, bests.c.ended, bests.c.user_id).limit(1)
)
_WITH_IT: Final = (
    select(bests.c.user_id, players.c.name)
    .join(
        players,
        (players.c.guild_id == bests.c.guild_id) & (players.c.user_id == bests.c.user_id),
    )
    .where(*_OF, bests.c.by == bindparam("by"), bests.c.table_id == bindparam("table"))
    .order_by(bests.c.user_id)
)


def add(connection: Connection, result: Result) -> tuple[Fallen, ...]:
    """Count one more match, which is stored; returns the records that it has set.

    Called by the transaction that stores it.
    """
    counted = sorted(row for row in result.rows if row.counts and row.user > 0)
    if not counted:
        return ()
    before = {kind: _first(connection, result.guild, result.game, kind) for kind in RecordKind}
    for row in counted:
        _recount(connection, result.guild, row.user, result.game)
    fallen = []
    for kind, old in before.items():
        now = _first(connection, result.guild, result.game, kind)
        if now is None or old is None or now.table != result.table or now.value <= old.value:
            continue
        holders = _holders(connection, result.guild, result.game, kind, now)
        seats = tuple(sorted(row.seat for row in counted if row.user in holders))
        fallen.append(Fallen(kind, seats, now.value, old.value))
    return tuple(fallen)


def records(connection: Connection, guild: GuildId, games: Sequence[str]) -> list[Record]:
    """The present records of a server, by game."""
    found = []
    for game in games:
        for kind in RecordKind:
            first = _first(connection, guild, game, kind)
            if first is not None:
                names = tuple(_holders(connection, guild, game, kind, first).values())
                found.append(Record(game, kind, first.value, names, first.ended))
    return found


def recount(connection: Connection) -> int:
    """Count everything again from the results; returns how many lines were wrong."""
    played = select(matches.c.guild_id, results.c.user_id, matches.c.game).join(results)
    known = select(bests.c.guild_id, bests.c.user_id, bests.c.game)
    found = connection.execute(played.where(results.c.user_id > 0).union(known)).all()
    return sum(_recount(connection, *one) for one in found)


def _recount(connection: Connection, guild: GuildId, user: UserId, game: str) -> int:
    """The same of one person and one game."""
    given = {"guild": guild, "user": user, "game": game}
    counted = {
        kind.value: {
            "guild_id": guild,
            "user_id": user,
            "game": game,
            "kind": kind.value,
            "by": -best.value,
            "ended": best.ended,
            "table_id": best.table,
        }
        for kind, best in _bests(connection.execute(_PLAYED, given).all()).items()
    }
    theirs = (bests.c.guild_id == guild, bests.c.user_id == user, bests.c.game == game)
    rows = connection.execute(select(bests).where(*theirs)).mappings()
    stored = {row["kind"]: dict(row) for row in rows}
    if stored == counted:
        return 0
    connection.execute(delete(bests).where(*theirs))
    put(connection, bests, [counted[kind] for kind in sorted(counted)])
    kinds = stored.keys() | counted.keys()
    return sum(stored.get(kind) != counted.get(kind) for kind in kinds)


def _bests(played: Sequence[Any]) -> Mapping[RecordKind, Best]:
    """Of one person's matches of a game, the earliest first; of two that are equal the earlier."""
    found: dict[RecordKind, Best] = {}
    row = 0
    for match in played:
        row = row + 1 if match.place == 1 else 0
        reached = (
            (RecordKind.ROUND, match.best_round),
            (RecordKind.COMEBACK, match.deficit or None),
            (RecordKind.LENGTH, match.plays),
            (RecordKind.ROW, row if row >= MIN_ROW else None),
        )
        for kind, value in reached:
            if value is not None and (kind not in found or value > found[kind].value):
                found[kind] = Best(value, match.ended, TableId(match.table_id))
    return found


def _first(connection: Connection, guild: GuildId, game: str, kind: RecordKind) -> Best | None:
    """The record: the best there is, and of equal ones the earliest."""
    row = connection.execute(_FIRST, {"guild": guild, "game": game, "kind": kind.value}).first()
    return None if row is None else Best(-row.by, row.ended, TableId(row.table_id))


def _holders(
    connection: Connection, guild: GuildId, game: str, kind: RecordKind, first: Best
) -> dict[UserId, str]:
    """Who reached it in that match, with their names."""
    given = {"guild": guild, "game": game, "kind": kind.value}
    given |= {"by": -first.value, "table": first.table}
    return {row.user_id: row.name for row in connection.execute(_WITH_IT, given)}
