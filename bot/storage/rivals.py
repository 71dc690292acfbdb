"""What is remembered of people on a server (port `Memories`)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final

from sqlalchemy import bindparam, select
from sqlalchemy.engine import Connection

from bot.ids import GuildId, TableId, UserId
from bot.storage import bests
from bot.storage.database import Database
from bot.storage.schema import matches, results
from bot.tables.records import Fallen, Record, RecordKind
from bot.tables.rivals import LAST, GameStats, Meeting, Rivalry

_PLAYED: Final = (
    select(results, matches.c.game)
    .join(matches)
    .where(
        results.c.user_id == bindparam("user"),
        results.c.counts,
        matches.c.guild_id == bindparam("guild"),
    )
    .order_by(matches.c.ended, matches.c.table_id)
)

_theirs: Final = results.alias("theirs")

_TOGETHER: Final = (
    select(
        matches.c.game,
        matches.c.ended,
        results.c.name,
        results.c.place,
        results.c.points,
        _theirs.c.name.label("other_name"),
        _theirs.c.place.label("other_place"),
        _theirs.c.points.label("other_points"),
    )
    .select_from(results)
    .join(_theirs, _theirs.c.table_id == results.c.table_id)
    .join(matches, matches.c.table_id == results.c.table_id)
    .where(
        results.c.user_id == bindparam("one"),
        _theirs.c.user_id == bindparam("other"),
        results.c.counts,
        _theirs.c.counts,
        matches.c.guild_id == bindparam("guild"),
    )
    .order_by(matches.c.ended.desc(), matches.c.table_id.desc())
)


class SqlMemories:
    """Port `Memories`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stats(self, guild: GuildId, user: UserId) -> Sequence[GameStats]:
        def work(reading: Connection) -> Sequence[GameStats]:
            rows = reading.execute(_PLAYED, {"guild": guild, "user": user}).all()
            # A stable sort: the matches of each game stay in their order.
            by_game = groupby(sorted(rows, key=attrgetter("game")), attrgetter("game"))
            return [_stats(game, list(played)) for game, played in by_game]

        return await self._database.look(work)

    async def rivalry(self, guild: GuildId, one: UserId, other: UserId) -> Rivalry:
        def work(reading: Connection) -> Rivalry:
            given = {"guild": guild, "one": one, "other": other}
            return _rivalry(reading.execute(_TOGETHER, given).all())

        return await self._database.look(work)

    async def records(self, guild: GuildId, games: Sequence[str]) -> Sequence[Record]:
        return await self._database.look(lambda reading: bests.records(reading, guild, games))

    async def fallen(self, table: TableId) -> tuple[Fallen, ...]:
        query = select(matches.c.records).where(matches.c.table_id == table)
        found = await self._database.read(lambda reading: reading.execute(query).scalar())
        return tuple(
            Fallen(RecordKind(kind), tuple(seats), value, before)
            for kind, seats, value, before in found or ()
        )


def _stats(game: str, played: Sequence[Any]) -> GameStats:
    """Of the matches of one game, the earliest first."""
    known = [row for row in played if row.hints is not None]
    rounds = [row for row in known if row.best_round is not None]
    return GameStats(
        game,
        max((row.best_round for row in rounds), default=None),
        min((row.worst_round for row in rounds), default=None),
        max(len(list(row)) if won else 0 for won, row in groupby(played, _won)),
        sum(row.hints for row in known),
        sum(row.asked for row in known),
        sum(row.in_time for row in known),
        len(known),
    )


def _won(row: Any) -> bool:
    return bool(row.place == 1)


def _rivalry(rows: Sequence[Any]) -> Rivalry:
    """Of the matches of two people, the latest first."""
    return Rivalry(
        (rows[0].name, rows[0].other_name) if rows else ("", ""),
        len(rows),
        sum(row.place < row.other_place for row in rows),
        sum(row.place > row.other_place for row in rows),
        tuple(
            Meeting(
                row.game,
                row.ended,
                (row.place, row.other_place),
                (row.points, row.other_points),
            )
            for row in rows[:LAST]
        ),
    )
