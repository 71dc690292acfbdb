"""Figures behind `/stats` (port `Memories`): bests of people, of which the first are records.

The best that each person has reached in each game on a server is written with every result, and
counted again on demand: from the person's results alone.  Beside the bests stands the present row
of wins, with the latest match: the next match needs no other.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from functools import reduce
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Select, bindparam, case, delete, func, select, true
from sqlalchemy.engine import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage.database import Repository
from bot.storage.schema import bests, matches, of_server, people, players, results
from bot.storage.upsert import put
from bot.tables.rivals import (
    LAST,
    MIN_ROW,
    Best,
    Fallen,
    GameStats,
    Meeting,
    Record,
    RecordKind,
    Rivalry,
)
from bot.tables.stored import Result, ResultRow

_PRESENT: Final = "present"
"""Kind of the row that has the person's present row of wins, which may be none."""


class _Match(NamedTuple):
    """What a finished match says of one person."""

    place: int
    best_round: int | None
    deficit: int | None
    plays: int | None
    ended: datetime
    table: TableId


class _First(NamedTuple):
    """A record."""

    best: Best
    holders: list[UserId]
    """People who reached it in that match."""


_Bests: TypeAlias = dict[str, Best]
"""Bests of one person in a game by their kind, with the present row."""

_PLAYED: Final = (
    select(
        results.c.place,
        results.c.best_round,
        results.c.deficit,
        matches.c.plays,
        matches.c.ended,
        matches.c.table_id,
    )
    .join(matches)
    .where(
        results.c.user_id == bindparam("user"),
        results.c.counts,
        of_server(bindparam("guild")),
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

HOLDERS: Final = 12
"""More people than sit at a table: so many at most have reached a record in one match."""

# In the order of the index: asked for by its values, SQLite walks a whole server.
_LEADING: Final = (
    select(bests).where(*_OF).order_by(bests.c.by, bests.c.ended, bests.c.user_id).limit(HOLDERS)
)

# Asked apart, so that nothing walks the names of a whole server.
_NAMES: Final = (
    select(players.c.user_id, players.c.name)
    .where(
        players.c.guild_id == bindparam("guild"),
        players.c.user_id.in_(bindparam("users", expanding=True)),
    )
    .order_by(players.c.user_id)
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
        _add(connection, result, row)
    fallen = []
    for kind, old in before.items():
        now = _first(connection, result.guild, result.game, kind)
        if now is None or old is None:
            continue
        if now.best.table != result.table or now.best.value <= old.best.value:
            continue
        seats = tuple(sorted(row.seat for row in counted if row.user in now.holders))
        fallen.append(Fallen(kind, seats, now.best.value, old.best.value))
    return tuple(fallen)


def records(connection: Connection, guild: GuildId, games: Sequence[str]) -> list[Record]:
    """The present records of a server, by game."""
    found = []
    for game in games:
        for kind in RecordKind:
            first = _first(connection, guild, game, kind)
            if first is not None:
                named = connection.execute(_NAMES, {"guild": guild, "users": first.holders})
                names = tuple(row.name for row in named)
                found.append(Record(game, kind, first.best.value, names, first.best.ended))
    return found


def recount(connection: Connection) -> int:
    """Count everything again from the results; returns how many lines were wrong."""
    played = select(matches.c.guild_id, results.c.user_id, matches.c.game).join(results)
    known = select(bests.c.guild_id, bests.c.user_id, bests.c.game)
    found = connection.execute(played.where(results.c.user_id > 0).union(known)).all()
    return sum(_recount(connection, *one) for one in found)


def _add(connection: Connection, result: Result, row: ResultRow) -> None:
    """The same of one person."""
    of = (result.guild, row.user, result.game)
    stored = _stored(connection, *of)
    latest = stored.get(_PRESENT)
    if latest is None or result.ended <= latest.ended:
        _recount(connection, *of)
        return
    match = _Match(row.place, row.best_round, row.deficit, result.plays, result.ended, result.table)
    now = _after(stored, match)
    changed = {kind: best for kind, best in now.items() if stored.get(kind) != best}
    put(connection, bests, _rows(changed, *of))


def _recount(connection: Connection, guild: GuildId, user: UserId, game: str) -> int:
    """`recount` of one person and one game."""
    given = {"guild": guild, "user": user, "game": game}
    played = [_Match(*row) for row in connection.execute(_PLAYED, given)]
    counted = reduce(_after, played, _Bests())
    stored = _stored(connection, guild, user, game)
    if stored == counted:
        return 0
    connection.execute(delete(bests).where(*_theirs(guild, user, game)))
    put(connection, bests, _rows(counted, guild, user, game))
    kinds = stored.keys() | counted.keys()
    return sum(stored.get(kind) != counted.get(kind) for kind in kinds)


def _after(known: _Bests, match: _Match) -> _Bests:
    """The bests after one more match, the latest; of two that are equal the earlier stays."""
    before = known[_PRESENT].value if _PRESENT in known else 0
    row = before + 1 if match.place == 1 else 0
    reached = (
        (RecordKind.ROUND, match.best_round),
        (RecordKind.COMEBACK, match.deficit or None),
        (RecordKind.LENGTH, match.plays),
        (RecordKind.ROW, row or None),
    )
    found = {**known, _PRESENT: Best(row, match.ended, match.table)}
    for kind, value in reached:
        if value is not None and (kind not in found or value > found[kind].value):
            found[kind.value] = Best(value, match.ended, match.table)
    return found


def _theirs(guild: GuildId, user: UserId, game: str) -> tuple[ColumnElement[bool], ...]:
    return bests.c.guild_id == guild, bests.c.user_id == user, bests.c.game == game


def _stored(connection: Connection, guild: GuildId, user: UserId, game: str) -> _Bests:
    found = connection.execute(select(bests).where(*_theirs(guild, user, game)))
    return {row.kind: _best(row) for row in found}


def _rows(some: _Bests, guild: GuildId, user: UserId, game: str) -> list[dict[str, Any]]:
    return [
        {
            "guild_id": guild,
            "user_id": user,
            "game": game,
            "kind": kind,
            "by": -some[kind].value,
            "ended": some[kind].ended,
            "table_id": some[kind].table,
        }
        for kind in sorted(some)
    ]


def _first(connection: Connection, guild: GuildId, game: str, kind: RecordKind) -> _First | None:
    """The record: the best there is, and of equal ones the earliest."""
    given = {"guild": guild, "game": game, "kind": kind.value}
    leading = [(row.user_id, _best(row)) for row in connection.execute(_LEADING, given)]
    if not leading:
        return None
    _, best = leading[0]
    if kind is RecordKind.ROW and best.value < MIN_ROW:
        return None
    return _First(best, [user for user, one in leading if one == best])


def _best(row: Any) -> Best:
    return Best(-row.by, row.ended, TableId(row.table_id))


# Figures behind `/stats`: these, and what two people have played against each other.

_KNOWN: Final = (
    select(
        matches.c.game,
        func.max(results.c.best_round),
        func.min(results.c.worst_round),
        func.coalesce(func.sum(results.c.hints), 0),
        func.coalesce(func.sum(results.c.asked), 0),
        func.coalesce(func.sum(results.c.in_time), 0),
        func.count(results.c.hints),
    )
    .join(results)
    .where(
        results.c.user_id == bindparam("user"),
        results.c.counts,
        of_server(bindparam("guild")),
    )
    .group_by(matches.c.game)
)
_ROWS: Final = select(bests.c.game, bests.c.by).where(
    bests.c.guild_id == bindparam("guild"),
    bests.c.user_id == bindparam("user"),
    bests.c.kind == RecordKind.ROW.value,
)

_others: Final = results.alias("theirs")


def _together(*columns: ColumnElement[Any]) -> Select[Any]:
    """These columns of the matches that count for two people."""
    return (
        select(*columns)
        .select_from(results)
        .join(_others, _others.c.table_id == results.c.table_id)
        .join(matches, matches.c.table_id == results.c.table_id)
        .where(
            results.c.user_id == bindparam("one"),
            _others.c.user_id == bindparam("other"),
            results.c.counts,
            _others.c.counts,
            of_server(bindparam("guild")),
        )
    )


def _number(which: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((which, 1), else_=0)), 0)


_COUNTS: Final = _together(
    func.count(),
    _number(results.c.place < _others.c.place),
    _number(results.c.place > _others.c.place),
)
_LATEST: Final = (
    _together(
        matches.c.game,
        matches.c.ended,
        results.c.name,
        results.c.place,
        results.c.points,
        _others.c.name.label("other_name"),
        _others.c.place.label("other_place"),
        _others.c.points.label("other_points"),
    )
    .order_by(matches.c.ended.desc(), matches.c.table_id.desc())
    .limit(LAST)
)


class SqlMemories(Repository):
    """Port `Memories`."""

    async def stats(self, guild: GuildId, user: UserId) -> Sequence[GameStats]:
        def work(reading: Connection) -> Sequence[GameStats]:
            given = {"guild": guild, "user": user}
            rows = {row.game: -row.by for row in reading.execute(_ROWS, given)}
            # Sorted here: the alphabet of a database depends on its settings.
            return [
                GameStats(game, best, worst, rows.get(game, 0), *map(int, counts))
                for game, best, worst, *counts in sorted(reading.execute(_KNOWN, given).all())
            ]

        return await self._database.look(work)

    async def rivalry(self, guild: GuildId, one: UserId, other: UserId) -> Rivalry:
        def work(reading: Connection) -> Rivalry:
            given = {"guild": guild, "one": one, "other": other}
            met, ahead, behind = reading.execute(_COUNTS, given).one()
            latest = reading.execute(_LATEST, given).all()
            names = (latest[0].name, latest[0].other_name) if latest else ("", "")
            return Rivalry(names, met, int(ahead), int(behind), tuple(map(_meeting, latest)))

        return await self._database.look(work)

    async def records(self, guild: GuildId, games: Sequence[str]) -> Sequence[Record]:
        return await self._database.look(lambda reading: records(reading, guild, games))

    async def fallen(self, table: TableId) -> tuple[Fallen, ...]:
        query = select(matches.c.records).where(matches.c.table_id == table)
        found = await self._database.scalar(query)
        return tuple(
            Fallen(RecordKind(kind), tuple(seats), value, before)
            for kind, seats, value, before in found or ()
        )


def _meeting(row: Any) -> Meeting:
    return Meeting(
        row.game, row.ended, (row.place, row.other_place), (row.points, row.other_points)
    )
