"""Sums that leaderboards are read from: written with every result, counted anew on demand."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any, Final

from sqlalchemy import (
    Column,
    ColumnElement,
    Double,
    Insert,
    MetaData,
    Select,
    Table,
    case,
    cast,
    delete,
    exists,
    func,
    insert,
    literal,
    null,
    or_,
    select,
    text,
)
from sqlalchemy.engine import Connection

from bot.storage.schema import matches, players, results, standings
from bot.tables.ports import Period
from bot.tables.stored import Result

ALL_GAMES: Final = ""
"""In the place of a game: all of them together."""

_SUM: Final = ("guild_id", "user_id", "period", "game")
"""Whose sum it is."""

_AMONG_PEOPLE: Final = matches.c.computers.is_(null())

_NAMED: Final = tuple(column.name for column in players.c)


def key_of(period: Period, moment: datetime) -> str:
    """The period in which a moment lies, in UTC: `all`, `2025-03`, or a week by its Monday."""
    moment = moment.astimezone(UTC)
    match period:
        case Period.ALL:
            return period.value
        case Period.MONTH:
            return f"{moment:%Y-%m}"
        case Period.WEEK:
            return (moment.date() - timedelta(days=moment.weekday())).isoformat()


def add(connection: Connection, result: Result) -> None:
    """Count one more match; called by the transaction that stores its result.

    One in which computer players took part counts nowhere.
    """
    if not result.rows or result.computers:
        return
    dialect = connection.dialect.name
    connection.execute(_one_more(dialect), list(_sums(result)))
    names = [
        {
            "guild_id": result.guild,
            "user_id": row.user,
            "name": row.name,
            "ended": result.ended,
            "table_id": result.table,
        }
        for row in sorted(result.rows, key=lambda row: row.user)
    ]
    connection.execute(_newer_name(dialect), names)


def _sums(result: Result) -> Iterator[dict[str, Any]]:
    """One row for each person and leaderboard.

    Always in the same order: two transactions that wait for each other's rows would fail.
    """
    for game in (ALL_GAMES, result.game):
        for period in Period:
            for row in sorted(result.rows, key=lambda row: row.user):
                counts = game != ALL_GAMES and result.rounds
                yield {
                    "guild_id": result.guild,
                    "game": game,
                    "period": key_of(period, result.ended),
                    "user_id": row.user,
                    "matches": 1,
                    "points": row.points,
                    "rounds": result.rounds,
                    "by_wins": -1 if row.place == 1 else 0,
                    "by_rate": -row.points / result.rounds if counts else 0.0,
                }


def _rate(
    game: ColumnElement[str], points: ColumnElement[int], rounds: ColumnElement[int]
) -> ColumnElement[float]:
    """Equal fractions of integers are equal as doubles, whatever they were reduced from."""
    return case(
        (or_(game == ALL_GAMES, rounds == 0), literal(0.0, Double)),
        else_=cast(-points, Double) / cast(rounds, Double),
    )


@cache
def _one_more(dialect: str) -> Insert:
    fresh, old = _upsert(dialect), standings.c
    new = fresh(standings).excluded
    points, rounds = old.points + new.points, old.rounds + new.rounds
    made: Insert = fresh(standings).on_conflict_do_update(
        index_elements=list(_SUM),
        set_={
            "matches": old.matches + new.matches,
            "points": points,
            "rounds": rounds,
            "by_wins": old.by_wins + new.by_wins,
            "by_rate": _rate(old.game, points, rounds),
        },
    )
    return made


@cache
def _newer_name(dialect: str) -> Insert:
    fresh, old = _upsert(dialect), players.c
    new = fresh(players).excluded
    made: Insert = fresh(players).on_conflict_do_update(
        index_elements=["guild_id", "user_id"],
        set_={"name": new.name, "ended": new.ended, "table_id": new.table_id},
        where=or_(new.ended > old.ended, (new.ended == old.ended) & (new.table_id > old.table_id)),
    )
    return made


def _upsert(dialect: str) -> Any:
    """The `insert` that can meet a row that is there: each database has its own, both alike."""
    if dialect == "postgresql":
        # Not imported where SQLite will do.
        from sqlalchemy.dialects.postgresql import insert as postgresql

        return postgresql
    from sqlalchemy.dialects.sqlite import insert as sqlite

    return sqlite


def recount(connection: Connection) -> int:
    """Count all sums and names anew from the results; returns how many lines were not right."""
    dialect = connection.dialect.name
    if dialect == "postgresql":
        connection.execute(text("LOCK TABLE matches, standings, players IN EXCLUSIVE MODE"))
    return _replace(connection, standings, _counted(dialect)) + _replace(
        connection, players, [_names()]
    )


def _replace(connection: Connection, kept: Table, counted: Sequence[Select[Any]]) -> int:
    """Make what was counted the rows of the table; how many were missing, other or too many."""
    names = [column.name for column in kept.c]
    before = Table(
        f"{kept.name}_before",
        MetaData(),
        *(Column(column.name, column.type) for column in kept.c),
        prefixes=["TEMPORARY"],
    )
    before.create(connection)
    connection.execute(insert(before).from_select(names, select(kept)))
    connection.execute(delete(kept))
    for query in counted:
        connection.execute(insert(kept).from_select(names, query))
    other = select(kept).except_(select(before)).subquery()
    key = [kept.c[column.name] == before.c[column.name] for column in kept.primary_key]
    extra = select(before).where(~exists().where(*key)).subquery()
    wrong = sum(
        connection.execute(select(func.count()).select_from(found)).scalar_one()
        for found in (other, extra)
    )
    before.drop(connection)
    return wrong


def _counted(dialect: str) -> list[Select[Any]]:
    """For all games and for each, over each kind of period: the sums of everybody."""
    return [
        _grouped(game, _period(dialect, period))
        for game in (literal(ALL_GAMES), matches.c.game)
        for period in Period
    ]


def _grouped(game: ColumnElement[str], period: ColumnElement[str]) -> Select[Any]:
    sums = (
        select(
            matches.c.guild_id,
            results.c.user_id,
            period.label("period"),
            game.label("game"),
            func.count().label("matches"),
            func.sum(results.c.points).label("points"),
            func.sum(matches.c.rounds).label("rounds"),
            func.sum(case((results.c.place == 1, -1), else_=0)).label("by_wins"),
        )
        .join(matches, matches.c.table_id == results.c.table_id)
        .where(_AMONG_PEOPLE)
        .group_by(matches.c.guild_id, text("3"), text("4"), results.c.user_id)
        .subquery()
    )
    return select(sums, _rate(sums.c.game, sums.c.points, sums.c.rounds).label("by_rate"))


def _period(dialect: str, period: Period) -> ColumnElement[str]:
    """`key_of` of the end of a match, as the database writes it."""
    ended: ColumnElement[Any] = matches.c.ended
    match period, dialect:
        case Period.ALL, _:
            return literal(period.value)
        case Period.MONTH, "postgresql":
            return func.to_char(func.timezone("UTC", ended), "YYYY-MM")
        case Period.WEEK, "postgresql":
            return func.to_char(func.date_trunc("week", func.timezone("UTC", ended)), "YYYY-MM-DD")
        case Period.MONTH, _:
            return func.strftime("%Y-%m", ended)
        case _:
            # The next Sunday, this very day included, and six days back.
            return func.date(ended, "weekday 0", "-6 days")


def _names() -> Select[Any]:
    """The latest name of everybody on every server."""
    age = func.row_number().over(
        partition_by=[matches.c.guild_id, results.c.user_id],
        order_by=[matches.c.ended.desc(), matches.c.table_id.desc()],
    )
    every = (
        select(
            matches.c.guild_id,
            results.c.user_id,
            results.c.name,
            matches.c.ended,
            matches.c.table_id,
            age.label("age"),
        )
        .join(matches, matches.c.table_id == results.c.table_id)
        .where(_AMONG_PEOPLE)
        .subquery()
    )
    return select(*(every.c[name] for name in _NAMED)).where(every.c.age == 1)
