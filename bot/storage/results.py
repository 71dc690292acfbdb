"""Leaderboards, read from the sums of `bot.storage.standings`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import (
    BindParameter,
    Column,
    ColumnElement,
    Select,
    and_,
    bindparam,
    func,
    select,
    true,
    tuple_,
)
from sqlalchemy.engine import Connection

from bot.ids import GuildId, UserId
from bot.storage.database import Repository
from bot.storage.schema import matches, of_server, people, players, ratings, results, standings
from bot.storage.standings import ALL_GAMES, key_of
from bot.tables.ports import ComputerLine, LeaderLine, LeaderPage, LeaderPlace, Order, Period
from bot.tables.ratings import NEWCOMER, Rating
from engine.players.levels import Level

_MERIT: Final = {
    Order.RATING: (standings.c.by_rating,),
    Order.WINS: (standings.c.by_wins, standings.c.by_rate, standings.c.matches),
    Order.RATE: (standings.c.by_rate, standings.c.by_wins, standings.c.matches),
}
"""Criteria of the place, best first."""

_ORDER: Final = {order: (*merit, standings.c.user_id) for order, merit in _MERIT.items()}

MOST_OF_A_COURSE: Final = 100
"""How many of a person's latest ratings at a game are shown."""

_BOARD: Final = and_(
    standings.c.guild_id == bindparam("guild"),
    standings.c.game == bindparam("game"),
    standings.c.period == bindparam("period"),
    standings.c.user_id.not_in(select(people.c.user_id).where(people.c.off_boards.is_(true()))),
)
"""The lines of one leaderboard."""

_NAMED: Final = and_(
    players.c.guild_id == standings.c.guild_id, players.c.user_id == standings.c.user_id
)

_COUNT: Final = select(func.count()).select_from(standings).where(_BOARD)

_LINES: Final = (
    select(
        standings,
        players.c.name,
        ratings.c.mu,
        ratings.c.sigma,
        func.coalesce(ratings.c.matches, 0).label("rated"),
    )
    .join(players, _NAMED)
    .outerjoin(
        ratings,
        and_(
            ratings.c.guild_id == standings.c.guild_id,
            ratings.c.game == standings.c.game,
            ratings.c.user_id == standings.c.user_id,
        ),
    )
)
"""Lines of leaderboards, and what is known of the people in them."""


# The index alone says who is on a page.  What else is known of them is looked up one by one, and in
# no order: to have one SQLite would go through the whole leaderboard.
_PAGE: Final = {
    order: select(standings.c.user_id)
    .where(_BOARD)
    .order_by(*by)
    .limit(bindparam("size"))
    .offset(bindparam("above"))
    for order, by in _ORDER.items()
}
_OF_THESE: Final = _LINES.where(
    standings.c.guild_id == bindparam("guild"),
    standings.c.game == bindparam("game"),
    standings.c.period == bindparam("period"),
    standings.c.user_id.in_(bindparam("users", expanding=True)),
)
_PLAYER: Final = _LINES.where(
    standings.c.guild_id == bindparam("guild"),
    standings.c.user_id == bindparam("user"),
    standings.c.period == Period.ALL.value,
    standings.c.game != ALL_GAMES,
)
_RATED: Final = (
    select(
        matches.c.game,
        matches.c.number,
        results.c.mu,
        results.c.sigma,
        func.row_number()
        .over(partition_by=matches.c.game, order_by=matches.c.number.desc())
        .label("back"),
    )
    .join(results)
    .where(
        of_server(bindparam("guild")),
        results.c.user_id == bindparam("user"),
        results.c.mu.is_not(None),
    )
    .subquery()
)
_COURSES: Final = select(_RATED).where(_RATED.c.back <= MOST_OF_A_COURSE).order_by(_RATED.c.number)
_WITH_COMPUTERS: Final = (
    select(matches.c.game, matches.c.computers, results.c.place)
    .join(results)
    .where(
        of_server(bindparam("guild")),
        results.c.user_id == bindparam("user"),
        matches.c.computers.is_not(None),
        ~results.c.counts,
    )
)
_MINE: Final = _LINES.where(_BOARD, standings.c.user_id == bindparam("user"))


def _here(column: Column[Any]) -> BindParameter[Any]:
    """The value of this column in the line to be placed."""
    return bindparam(f"this_{column.name}", type_=column.type)


def _above_in(order: Order) -> ColumnElement[bool]:
    return tuple_(*_ORDER[order]) < tuple_(*map(_here, _ORDER[order]))


def _next_in(order: Order, *, up: bool) -> Select[Any]:
    """The line above one, or the one below."""
    by = _ORDER[order]
    here = tuple_(*map(_here, by))
    beyond = tuple_(*by) < here if up else tuple_(*by) > here
    found = select(standings.c.user_id).where(_BOARD, beyond)
    return found.order_by(*(column.desc() if up else column for column in by)).limit(1)


_ABOVE: Final = {order: _COUNT.where(_above_in(order)) for order in Order}
"""How many lines stand above one."""

_EQUAL: Final = {
    order: _COUNT.where(
        *(column == _here(column) for column in _MERIT[order]),
        standings.c.user_id < _here(standings.c.user_id),
    )
    for order in Order
}
"""How many of them share its place: they are found at once, without those above them."""

_NEXT: Final = {(order, up): _next_in(order, up=up) for order in Order for up in (True, False)}


class SqlResults(Repository):
    """Finished matches of one server, as leaderboards (port `Results`)."""

    async def page(
        self,
        guild: GuildId,
        game: str | None,
        period: Period,
        now: datetime,
        number: int,
        size: int,
        order: Order = Order.WINS,
    ) -> LeaderPage:
        board = _board(guild, game, key_of(period, now))

        def work(reading: Connection) -> LeaderPage:
            lines = reading.execute(_COUNT, board).scalar_one()
            pages = max(1, -(-lines // size))
            here = min(max(number, 0), pages - 1)
            above = here * size
            users = reading.scalars(_PAGE[order], {**board, "size": size, "above": above}).all()
            rows = _rows(reading, board, users)
            return LeaderPage(_placed(reading, board, order, rows, above), here, pages)

        return await self._database.look(work)

    async def place(
        self,
        guild: GuildId,
        game: str | None,
        period: Period,
        now: datetime,
        user: UserId,
        order: Order = Order.WINS,
    ) -> LeaderPlace | None:
        board = _board(guild, game, key_of(period, now))

        def work(reading: Connection) -> LeaderPlace | None:
            mine = reading.execute(_MINE, {**board, "user": user}).first()
            if mine is None:
                return None
            above = _count(reading, _ABOVE[order], board, mine)
            here = {**board, **_values(mine)}
            better = reading.scalars(_NEXT[order, True], here).all()
            worse = reading.scalars(_NEXT[order, False], here).all()
            rows = _rows(reading, board, [*better, user, *worse])
            near = _placed(reading, board, order, rows, above - len(better))
            return LeaderPlace(near[len(better)].place, above, near)

        return await self._database.look(work)

    async def player(self, guild: GuildId, user: UserId) -> Sequence[tuple[str, LeaderLine]]:
        def work(reading: Connection) -> Sequence[tuple[str, LeaderLine]]:
            found = []
            for row in reading.execute(_PLAYER, {"guild": guild, "user": user}).all():
                board = _board(guild, row.game, Period.ALL.value)
                above = _count(reading, _ABOVE[Order.WINS], board, row)
                (line,) = _placed(reading, board, Order.WINS, [row], above)
                found.append((row.game, line))
            # Sorted here: the alphabet of a database depends on its settings.
            return sorted(found)

        return await self._database.look(work)

    async def courses(self, guild: GuildId, user: UserId) -> Mapping[str, Sequence[float]]:
        def work(reading: Connection) -> Mapping[str, Sequence[float]]:
            found: dict[str, list[float]] = {}
            for row in reading.execute(_COURSES, {"guild": guild, "user": user}):
                found.setdefault(row.game, [NEWCOMER.shown]).append(Rating(row.mu, row.sigma).shown)
            return {game: found[game][-MOST_OF_A_COURSE:] for game in sorted(found)}

        return await self._database.look(work)

    async def with_computers(self, guild: GuildId, user: UserId) -> Sequence[ComputerLine]:
        def work(reading: Connection) -> Sequence[ComputerLine]:
            played, won = Counter[tuple[str, Level]](), Counter[tuple[str, Level]]()
            for row in reading.execute(_WITH_COMPUTERS, {"guild": guild, "user": user}):
                level = max((Level(one[2]) for one in row.computers), key=[*Level].index)
                played[row.game, level] += 1
                won[row.game, level] += row.place == 1
            order = sorted(played, key=lambda line: (line[0], [*Level].index(line[1])))
            return [ComputerLine(*line, played[line], won[line]) for line in order]

        return await self._database.look(work)


def _board(guild: GuildId, game: str | None, period: str) -> dict[str, int | str]:
    """Which leaderboard it is, for `_BOARD`."""
    return {"guild": guild, "game": ALL_GAMES if game is None else game, "period": period}


def _rows(
    reading: Connection, board: Mapping[str, int | str], users: Sequence[UserId]
) -> list[Any]:
    """The lines of these people on a leaderboard, in their order."""
    found = reading.execute(_OF_THESE, {**board, "users": users})
    by_user = {row.user_id: row for row in found}
    return [by_user[user] for user in users]


def _placed(
    reading: Connection,
    board: Mapping[str, int | str],
    order: Order,
    rows: Sequence[Any],
    above: int,
) -> tuple[LeaderLine, ...]:
    """Lines that follow each other, with their places; `above` them there are so many."""
    found: list[LeaderLine] = []
    merit, place = None, 0
    for line, row in enumerate(rows, above + 1):
        own = tuple(row._mapping[column] for column in _MERIT[order])
        if merit is None:
            place = line - _count(reading, _EQUAL[order], board, row)
        elif merit != own:
            place = line
        merit = own
        found.append(_line(row, place))
    return tuple(found)


def _count(
    reading: Connection, query: Select[Any], board: Mapping[str, int | str], row: Any
) -> int:
    """The number of lines that a query counts for a line."""
    count: int = reading.execute(query, {**board, **_values(row)}).scalar_one()
    return count


def _values(row: Any) -> dict[str, Any]:
    """The values of a line for `_here`."""
    columns = {column for by in _ORDER.values() for column in by}
    return {f"this_{column.name}": row._mapping[column] for column in columns}


def _line(row: Any, place: int) -> LeaderLine:
    rating = None
    if row.game != ALL_GAMES and row.period == Period.ALL.value:
        rating = NEWCOMER if row.mu is None else Rating(row.mu, row.sigma, row.rated)
    return LeaderLine(
        place=place,
        user=row.user_id,
        name=row.name,
        matches=row.matches,
        wins=-row.by_wins,
        points=row.points,
        rounds=row.rounds,
        rating=rating,
    )
