"""Sums for leaderboards: written with every result, counted again on demand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime, timedelta
from functools import cache
from operator import attrgetter
from typing import Any, Final, TypeAlias

from sqlalchemy import Double, case, cast, delete, literal, or_, select, text, union
from sqlalchemy.engine import Connection

from bot.ids import GuildId, UserId
from bot.storage import bests, ratings
from bot.storage.schema import matches, of_server, players, results, standings
from bot.storage.upsert import Insert, insert, put
from bot.tables.ports import Period
from bot.tables.ratings import NEWCOMER, Rating
from bot.tables.stored import Result, ResultRow

ALL_GAMES: Final = ""
"""In the place of a game: all of them together."""

_Lines: TypeAlias = dict[tuple[str, ...], dict[str, Any]]
"""Rows of one person on a server, by the other parts of their keys."""


def key_of(period: Period, moment: datetime) -> str:
    """The period in which a moment lies, in UTC: `all`, `2025-Q1`, `2025-03`, a week's Monday."""
    moment = moment.astimezone(UTC)
    match period:
        case Period.ALL:
            return period.value
        case Period.SEASON:
            return f"{moment:%Y}-Q{(moment.month + 2) // 3}"
        case Period.MONTH:
            return f"{moment:%Y-%m}"
        case Period.WEEK:
            return (moment.date() - timedelta(days=moment.weekday())).isoformat()


def add(connection: Connection, result: Result, rated: Mapping[UserId, Rating]) -> None:
    """Count one more match, after which the people in it are `rated` so; called by the transaction
    that stores its result."""
    result = result._replace(rows=tuple(row for row in result.rows if row.counts))
    if not _counted(result):
        return
    dialect = connection.dialect.name
    connection.execute(_one_more(dialect), list(_sums(result, rated)))
    connection.execute(_newer_name(dialect), list(_names(result)))


def _counted(result: Result) -> list[ResultRow]:
    """The rows of people who stand on leaderboards: of all but those who were forgotten."""
    return sorted((row for row in result.rows if row.user > 0), key=attrgetter("user"))


def _sums(result: Result, rated: Mapping[UserId, Rating]) -> Iterator[dict[str, Any]]:
    """One row for each person and leaderboard.

    Always in the same order: two transactions that wait for each other's rows would fail.
    """
    for game in (ALL_GAMES, result.game):
        for period in Period:
            for row in _counted(result):
                yield {
                    "guild_id": result.guild,
                    "user_id": row.user,
                    "period": key_of(period, result.ended),
                    "game": game,
                    "matches": 1,
                    "points": row.points,
                    "rounds": result.rounds,
                    "by_wins": -1 if row.place == 1 else 0,
                    "by_rate": _rate(game, row.points, result.rounds),
                    "by_rating": _shown(rated.get(row.user, NEWCOMER), game, period),
                }


def _shown(rating: Rating, game: str, period: Period) -> float:
    """Ratings are of one game and all time."""
    return -rating.shown if game != ALL_GAMES and period is Period.ALL else 0.0


def _names(result: Result) -> Iterator[dict[str, Any]]:
    """Rows with the names of the people in a result."""
    for row in _counted(result):
        yield {
            "guild_id": result.guild,
            "user_id": row.user,
            "name": row.name,
            "ended": result.ended,
            "table_id": result.table,
        }


def _rate(game: str, points: int, rounds: int) -> float:
    """Equal fractions of integers are equal as doubles, whatever they were reduced from."""
    return -points / rounds if game != ALL_GAMES and rounds else 0.0


@cache
def _one_more(dialect: str) -> Insert:
    made, old = insert(dialect, standings), standings.c
    new = made.excluded
    points, rounds = old.points + new.points, old.rounds + new.rounds
    return made.on_conflict_do_update(
        index_elements=list(standings.primary_key),
        set_={
            "matches": old.matches + new.matches,
            "points": points,
            "rounds": rounds,
            "by_wins": old.by_wins + new.by_wins,
            "by_rating": new.by_rating,
            # As `_rate` has it.
            "by_rate": case(
                (or_(old.game == ALL_GAMES, rounds == 0), 0.0),
                else_=cast(-points, Double) / cast(rounds, Double),
            ),
        },
    )


@cache
def _newer_name(dialect: str) -> Insert:
    made, old = insert(dialect, players), players.c
    new = made.excluded
    return made.on_conflict_do_update(
        index_elements=list(players.primary_key),
        set_={"name": new.name, "ended": new.ended, "table_id": new.table_id},
        where=or_(new.ended > old.ended, (new.ended == old.ended) & (new.table_id > old.table_id)),
    )


def recount(
    connection: Connection,
    one_more_match: Callable[[], None] = lambda: None,
    one_more_person: Callable[[], None] = lambda: None,
) -> int:
    """Count all ratings, sums and names again from the results; returns how many were wrong.

    Somebody who waits for it hears of each match that went into ratings, then of each person.
    """
    if connection.dialect.name == "postgresql":
        locked = "matches, results, standings, players, ratings"
        connection.execute(text(f"LOCK TABLE {locked} IN EXCLUSIVE MODE"))
    wrong = ratings.recount(connection, one_more_match)
    people = union(
        select(matches.c.guild_id, results.c.user_id).join(results),
        select(standings.c.guild_id, standings.c.user_id),
        select(players.c.guild_id, players.c.user_id),
    )
    for guild, user in connection.execute(people).all():
        wrong += _recount(connection, guild, user)
        one_more_person()
    return wrong + bests.recount(connection)


def _recount(connection: Connection, guild: GuildId, user: UserId) -> int:
    """`recount` of one person on one server."""
    sums, names = _Lines(), _Lines()
    of_games = ratings.of_person(connection, guild, user)
    for result in _finished(connection, guild, user):
        for row in _sums(result, {user: of_games.get(result.game, NEWCOMER)}):
            known = sums.setdefault((row["period"], row["game"]), row)
            if known is not row:
                for name in ("matches", "points", "rounds", "by_wins"):
                    known[name] += row[name]
                known["by_rate"] = _rate(known["game"], known["points"], known["rounds"])
        for row in _names(result):
            names[()] = row
    wrong = 0
    for table, key, counted in ((standings, ("period", "game"), sums), (players, (), names)):
        theirs = (table.c.guild_id == guild) & (table.c.user_id == user)
        rows = [dict(row) for row in connection.execute(select(table).where(theirs)).mappings()]
        stored = {tuple(row[name] for name in key): row for row in rows}
        if stored != counted:
            lines = stored.keys() | counted.keys()
            wrong += sum(stored.get(line) != counted.get(line) for line in lines)
            connection.execute(delete(table).where(theirs))
            put(connection, table, list(counted.values()))
    return wrong


def _finished(connection: Connection, guild: GuildId, user: UserId) -> Iterator[Result]:
    """The matches that count for a person as they ended, each with their own row alone."""
    query = (
        select(matches, results.c.seat, results.c.name, results.c.place, results.c.points)
        .join(results)
        .where(of_server(literal(guild)), results.c.user_id == user)
        .where(results.c.counts)
        .order_by(matches.c.ended, matches.c.table_id)
    )
    for row in connection.execute(query):
        mine = ResultRow(user, row.name, row.seat, row.place, row.points)
        yield Result(row.table_id, guild, row.game, row.rounds, row.ended, (mine,))
