"""Leaderboards, summed and ranked by the database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Double, Select, case, cast, func, select

from bot.ids import GuildId, UserId
from bot.storage.database import Database
from bot.storage.schema import matches, results
from bot.tables.ports import Standing


class SqlResults:
    """Finished matches of one server, as leaderboards (port `Results`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def leaderboard(
        self, guild: GuildId, game: str | None, since: datetime | None
    ) -> Sequence[Standing]:
        chosen = [matches.c.guild_id == guild]
        if game is not None:
            chosen.append(matches.c.game == game)
        if since is not None:
            chosen.append(matches.c.ended >= since)
        names = _names(guild).subquery()
        ranked = _ranked(chosen, by_game=False, by_points=game is not None).subquery()
        query = (
            select(ranked, names.c.name)
            .join(names, names.c.user_id == ranked.c.user_id)
            .where(names.c.age == 1)
            .order_by(ranked.c.rank, ranked.c.user_id)
        )
        rows = await self._database.read(lambda reading: reading.execute(query).all())
        return list(map(_standing, rows))

    async def player(self, guild: GuildId, user: UserId) -> Sequence[tuple[str, Standing]]:
        names = _names(guild).subquery()
        ranked = _ranked([matches.c.guild_id == guild], by_game=True, by_points=True).subquery()
        query = (
            select(ranked, names.c.name)
            .join(names, names.c.user_id == ranked.c.user_id)
            .where(names.c.age == 1, ranked.c.user_id == user)
        )

        rows = await self._database.read(lambda reading: reading.execute(query).all())
        # Sorted here: the alphabet of a database depends on its settings.
        return sorted((row.game, _standing(row)) for row in rows)


def _ranked(
    chosen: Sequence[ColumnElement[bool]], *, by_game: bool, by_points: bool
) -> Select[Any]:
    """Sums and place of everybody in the chosen matches, for each game or over all of them."""
    games = [matches.c.game] if by_game else []
    sums = (
        select(
            *games,
            results.c.user_id,
            func.count().label("matches"),
            func.sum(case((results.c.place == 1, 1), else_=0)).label("wins"),
            func.sum(results.c.points).label("points"),
            func.sum(matches.c.rounds).label("rounds"),
        )
        .join(matches, matches.c.table_id == results.c.table_id)
        .where(*chosen)
        .group_by(*games, results.c.user_id)
        .subquery()
    )
    # Equal fractions of integers are equal as doubles, whatever they were reduced from.
    points_per_round = case(
        (sums.c.rounds == 0, 0.0), else_=cast(sums.c.points, Double) / sums.c.rounds
    )
    order = [sums.c.wins.desc(), sums.c.matches.asc()]
    if by_points:
        order.insert(1, points_per_round.desc())
    rank = func.rank().over(partition_by=sums.c.game if by_game else None, order_by=order)
    return select(sums, rank.label("rank"))


def _names(guild: GuildId) -> Select[Any]:
    """Every name that people had in matches of the server; `age` 1 is the latest of each."""
    age = func.row_number().over(
        partition_by=results.c.user_id, order_by=[matches.c.ended.desc(), matches.c.table_id.desc()]
    )
    return (
        select(results.c.user_id, results.c.name, age.label("age"))
        .join(matches, matches.c.table_id == results.c.table_id)
        .where(matches.c.guild_id == guild)
    )


def _standing(row: Any) -> Standing:
    return Standing(
        place=row.rank,
        user=row.user_id,
        name=row.name,
        matches=row.matches,
        wins=int(row.wins),
        points=int(row.points),
        rounds=int(row.rounds),
    )
