"""Leaderboards, read from the sums of `bot.storage.standings`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from sqlalchemy import BindParameter, Column, Select, and_, bindparam, func, select, true, tuple_
from sqlalchemy.engine import Connection

from bot.ids import GuildId, UserId
from bot.storage.database import Database
from bot.storage.schema import matches, people, players, results, standings
from bot.storage.standings import ALL_GAMES, key_of
from bot.tables.ports import ComputerLine, LeaderLine, LeaderPage, LeaderPlace, Period
from engine.players.levels import Level

_MERIT: Final = (standings.c.by_wins, standings.c.by_rate, standings.c.matches)
"""Criteria of the place, best first."""

_ORDER: Final = (*_MERIT, standings.c.user_id)

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

# The index alone says who is on a page; what else is known of them is looked up one by one.
_PAGE: Final = (
    select(standings, players.c.name)
    .join(players, _NAMED)
    .where(
        _BOARD,
        standings.c.user_id.in_(
            select(standings.c.user_id)
            .where(_BOARD)
            .order_by(*_ORDER)
            .limit(bindparam("size"))
            .offset(bindparam("above"))
            .correlate(None)
        ),
    )
    .order_by(*_ORDER)
)
_PLAYER: Final = (
    select(standings, players.c.name)
    .join(players, _NAMED)
    .where(
        standings.c.guild_id == bindparam("guild"),
        standings.c.user_id == bindparam("user"),
        standings.c.period == Period.ALL.value,
        standings.c.game != ALL_GAMES,
    )
)
_WITH_COMPUTERS: Final = (
    select(matches.c.game, matches.c.computers, results.c.place)
    .join(results)
    .where(
        matches.c.guild_id == bindparam("guild"),
        results.c.user_id == bindparam("user"),
        matches.c.computers.is_not(None),
        ~results.c.counts,
    )
)
_MINE: Final = select(*_ORDER).where(_BOARD, standings.c.user_id == bindparam("user"))


def _here(column: Column[Any]) -> BindParameter[Any]:
    """The value of this column in the line to be placed."""
    return bindparam(f"this_{column.name}", type_=column.type)


def _before(columns: Sequence[Column[Any]]) -> Select[Any]:
    """How many lines come before one that has these columns."""
    here = tuple_(*map(_here, columns))
    return select(func.count()).select_from(standings).where(_BOARD, tuple_(*columns) < here)


_BETTER: Final = _before(_MERIT)
_ABOVE: Final = _before(_ORDER)


class SqlResults:
    """Finished matches of one server, as leaderboards (port `Results`)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def page(
        self,
        guild: GuildId,
        game: str | None,
        period: Period,
        now: datetime,
        number: int,
        size: int,
    ) -> LeaderPage:
        board = _board(guild, game, key_of(period, now))
        return await self._database.look(lambda reading: _page(reading, board, number, size))

    async def place(
        self, guild: GuildId, game: str | None, period: Period, now: datetime, user: UserId
    ) -> LeaderPlace | None:
        board = _board(guild, game, key_of(period, now))

        def work(reading: Connection) -> LeaderPlace | None:
            row = reading.execute(_MINE, {**board, "user": user}).first()
            if row is None:
                return None
            place = _count(reading, _BETTER, board, row) + 1
            return LeaderPlace(place, _count(reading, _ABOVE, board, row))

        return await self._database.look(work)

    async def player(self, guild: GuildId, user: UserId) -> Sequence[tuple[str, LeaderLine]]:
        def work(reading: Connection) -> Sequence[tuple[str, LeaderLine]]:
            found = []
            for row in reading.execute(_PLAYER, {"guild": guild, "user": user}):
                board = _board(guild, row.game, Period.ALL.value)
                place = _count(reading, _BETTER, board, row) + 1
                found.append((row.game, _line(row, place)))
            # Sorted here: the alphabet of a database depends on its settings.
            return sorted(found)

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


def _page(
    reading: Connection, board: Mapping[str, int | str], number: int, size: int
) -> LeaderPage:
    lines = reading.execute(_COUNT, board).scalar_one()
    pages = max(1, -(-lines // size))
    number = min(max(number, 0), pages - 1)
    above = number * size
    rows = reading.execute(_PAGE, {**board, "size": size, "above": above}).all()
    found: list[LeaderLine] = []
    merit, place = None, 0
    for line, row in enumerate(rows, above + 1):
        if merit is None:
            place = _count(reading, _BETTER, board, row) + 1
        elif merit != _merit(row):
            place = line
        merit = _merit(row)
        found.append(_line(row, place))
    return LeaderPage(tuple(found), number, pages)


def _count(
    reading: Connection, query: Select[Any], board: Mapping[str, int | str], row: Any
) -> int:
    """The number of lines that `query`, one of `_before`, counts for a line."""
    here = {f"this_{column.name}": row._mapping[column] for column in _ORDER}
    count: int = reading.execute(query, {**board, **here}).scalar_one()
    return count


def _merit(row: Any) -> tuple[Any, ...]:
    return tuple(row._mapping[column] for column in _MERIT)


def _line(row: Any, place: int) -> LeaderLine:
    return LeaderLine(
        place=place,
        user=row.user_id,
        name=row.name,
        matches=row.matches,
        wins=-row.by_wins,
        points=row.points,
        rounds=row.rounds,
    )
