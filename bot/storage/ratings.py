"""Ratings: written with every result, counted again on demand.

Matches of a game on a server go into ratings in the order in which they were stored, which is
their `number`: what was counted match by match and what is counted anew are equal to the last bit.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from operator import attrgetter
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import ColumnElement, Table, bindparam, delete, func, select, update
from sqlalchemy.engine import Connection, Row

from bot.ids import GuildId, UserId
from bot.storage.schema import matches, ratings, results
from bot.storage.upsert import put
from bot.tables.ratings import Rating, rated
from bot.tables.stored import Result, ResultRow
from engine.game import Seat
from engine.registry import games

_AT_ONCE: Final = 1000
"""Matches that are read in one go."""

_Game: TypeAlias = tuple[GuildId, str]
"""A server and a game: what one rating is of."""

_CHANGE: Final = (
    update(results)
    .where(results.c.table_id == bindparam("at_table"), results.c.seat == bindparam("at_seat"))
    .values(mu=bindparam("new_mu"), sigma=bindparam("new_sigma"))
)


def next_number(connection: Connection, guild: GuildId, game: str) -> int:
    """The number of the next match of a game on a server.

    Until this transaction ends no other one gets a number of that game there: the ratings that it
    finds are those after the match before.
    """
    if connection.dialect.name == "postgresql":
        keys = (func.hashtext(str(guild)), func.hashtext(game))
        connection.execute(select(func.pg_advisory_xact_lock(*keys)))
    query = select(func.max(matches.c.number)).where(*_of(matches, (guild, game)))
    return (connection.scalar(query) or 0) + 1


class After(NamedTuple):
    """Ratings after a match."""

    new: Mapping[UserId, Rating]
    """Of the people who were rated in it."""
    all: Mapping[UserId, Rating]
    """Of everybody who has one and was in it."""


def after(connection: Connection, result: Result) -> After:
    """The ratings after a result, the next one to be stored."""
    here = _of(ratings, (result.guild, result.game))
    users = [row.user for row in result.rows]
    known = _read(connection, *here, ratings.c.user_id.in_(users))
    new = rated(result.rows, _teams(result.game), known)
    return After(new, {**known, **new})


def add(connection: Connection, guild: GuildId, game: str, new: Mapping[UserId, Rating]) -> None:
    """Store these ratings."""
    rows = [
        {"guild_id": guild, "game": game, "user_id": user, **new[user]._asdict()}
        for user in sorted(new)
    ]
    put(connection, ratings, rows)


def of_person(connection: Connection, guild: GuildId, user: UserId) -> dict[str, Rating]:
    """All ratings of a person on a server, by game."""
    here = (ratings.c.guild_id == guild, ratings.c.user_id == user)
    found = connection.execute(select(ratings).where(*here))
    return {row.game: Rating(row.mu, row.sigma, row.matches) for row in found}


def recount(connection: Connection, one_more: Callable[[], None] = lambda: None) -> int:
    """Count all ratings again from the results; returns how many were wrong.

    `one_more` is called after each match.
    """
    played = select(matches.c.guild_id, matches.c.game)
    stored = select(ratings.c.guild_id, ratings.c.game)
    every = connection.execute(played.union(stored)).all()
    return sum(_recount(connection, (guild, game), one_more) for guild, game in every)


def _recount(connection: Connection, of: _Game, one_more: Callable[[], None]) -> int:
    """`recount` of one game on one server."""
    teams, wrong = _teams(of[1]), 0
    counted: dict[UserId, Rating] = {}
    for some in _in_order(connection, of):
        changed = []
        for _, played in groupby(some, key=attrgetter("table_id")):
            rows = [*played]
            new = rated([_result_row(row) for row in rows], teams, counted)
            counted |= new
            for row in rows:
                mu, sigma = new[row.user_id][:2] if row.user_id in new else (None, None)
                if (row.mu, row.sigma) != (mu, sigma):
                    at = {"at_table": row.table_id, "at_seat": row.seat}
                    changed.append({**at, "new_mu": mu, "new_sigma": sigma})
            one_more()
        if changed:
            connection.execute(_CHANGE, changed)
        wrong += len(changed)
    kept = _read(connection, *_of(ratings, of))
    if kept != counted:
        wrong += sum(kept.get(user) != counted.get(user) for user in kept.keys() | counted.keys())
        connection.execute(delete(ratings).where(*_of(ratings, of)))
        add(connection, *of, counted)
    return wrong


def _in_order(connection: Connection, of: _Game) -> Iterator[Sequence[Row[Any]]]:
    """All rows of results of a game on a server in the order of the matches, some matches at a
    time."""
    last = connection.scalar(select(func.max(matches.c.number)).where(*_of(matches, of)))
    query = (
        select(results, matches.c.number)
        .join(matches)
        .where(*_of(matches, of))
        .order_by(matches.c.number, matches.c.ended, matches.c.table_id, results.c.seat)
    )
    for first in range(0, -1 if last is None else last + 1, _AT_ONCE):
        some = matches.c.number.between(first, first + _AT_ONCE - 1)
        yield connection.execute(query.where(some)).all()


def _of(table: Table, of: _Game) -> tuple[ColumnElement[bool], ...]:
    """That a row is of this game on this server."""
    guild, game = of
    return table.c.guild_id == guild, table.c.game == game


def _read(connection: Connection, *where: ColumnElement[bool]) -> dict[UserId, Rating]:
    query = select(ratings).where(*where)
    return {
        row.user_id: Rating(row.mu, row.sigma, row.matches) for row in connection.execute(query)
    }


def _result_row(row: Row[Any]) -> ResultRow:
    return ResultRow(row.user_id, row.name, row.seat, row.place, row.points, row.counts)


def _teams(game: str) -> Sequence[Sequence[Seat]]:
    """The seats that win together; none in a game that is not there any more."""
    found = games().get(game)
    return () if found is None else found.info.teams
