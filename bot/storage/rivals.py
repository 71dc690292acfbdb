"""Figures behind `/stats`, read from the results of a server (port `Memories`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import ColumnElement, Select, bindparam, case, func, select
from sqlalchemy.engine import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage.bests import records
from bot.storage.database import Repository
from bot.storage.schema import bests, matches, of_server, results
from bot.tables.rivals import LAST, Fallen, GameStats, Meeting, Record, RecordKind, Rivalry

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

_theirs: Final = results.alias("theirs")


def _together(*columns: ColumnElement[Any]) -> Select[Any]:
    """These columns of the matches that count for two people."""
    return (
        select(*columns)
        .select_from(results)
        .join(_theirs, _theirs.c.table_id == results.c.table_id)
        .join(matches, matches.c.table_id == results.c.table_id)
        .where(
            results.c.user_id == bindparam("one"),
            _theirs.c.user_id == bindparam("other"),
            results.c.counts,
            _theirs.c.counts,
            of_server(bindparam("guild")),
        )
    )


def _number(which: ColumnElement[bool]) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((which, 1), else_=0)), 0)


_COUNTS: Final = _together(
    func.count(),
    _number(results.c.place < _theirs.c.place),
    _number(results.c.place > _theirs.c.place),
)
_LATEST: Final = (
    _together(
        matches.c.game,
        matches.c.ended,
        results.c.name,
        results.c.place,
        results.c.points,
        _theirs.c.name.label("other_name"),
        _theirs.c.place.label("other_place"),
        _theirs.c.points.label("other_points"),
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
