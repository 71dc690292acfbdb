"""Finished matches, to be looked through (port `History`)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from operator import itemgetter
from typing import Any, Final

from sqlalchemy import Select, bindparam, select, true
from sqlalchemy.engine import Connection

from bot.ids import ChannelId, Computer, GuildId, TableId, UserId
from bot.paging import paged
from bot.storage.database import Repository
from bot.storage.schema import matches, of_server, people, results
from bot.tables.ports import MOST_LISTED, Past, PastPage, Placed
from engine.players.levels import Level

_LATEST: Final = (matches.c.ended.desc(), matches.c.table_id.desc())

_LISTED: Final = select(matches.c.table_id).order_by(*_LATEST).limit(MOST_LISTED + 1)

_mine: Final = results.alias("mine")
_theirs: Final = results.alias("theirs")

_OWN: Final = _LISTED.join(_mine, _mine.c.table_id == matches.c.table_id).where(
    of_server(bindparam("guild")), _mine.c.user_id == bindparam("reader")
)
_TOGETHER: Final = _OWN.join(_theirs, _theirs.c.table_id == matches.c.table_id).where(
    _theirs.c.user_id == bindparam("other")
)
_SHOWN: Final = _LISTED.where(
    matches.c.guild_id == bindparam("guild"),
    matches.c.channel_id.in_(bindparam("channels", expanding=True)),
)

_OFF: Final = select(people.c.user_id).where(people.c.off_boards.is_(true())).scalar_subquery()


class SqlHistory(Repository):
    """Port `History`."""

    async def own(
        self, reader: UserId, guild: GuildId, other: UserId | None, number: int, size: int
    ) -> PastPage:
        query = _OWN if other is None else _TOGETHER
        given = {"guild": guild, "reader": reader} | ({} if other is None else {"other": other})
        return await self._page(query, given, reader, number, size)

    async def shown(
        self,
        reader: UserId,
        guild: GuildId,
        channels: Collection[ChannelId],
        number: int,
        size: int,
    ) -> PastPage:
        given = {"guild": guild, "channels": sorted(channels)}
        return await self._page(_SHOWN, given, reader, number, size)

    async def match(self, reader: UserId, table: TableId) -> Past | None:
        found = await self._database.look(lambda reading: _matches(reading, [table], reader))
        return found[0] if found else None

    async def tables_of(self, user: UserId) -> Sequence[TableId]:
        return await self._database.scalars(
            select(matches.c.table_id)
            .join(results)
            .where(results.c.user_id == user)
            .order_by(*_LATEST)
        )

    async def _page(
        self, query: Select[Any], given: Mapping[str, object], reader: UserId, at: int, size: int
    ) -> PastPage:
        def work(reading: Connection) -> PastPage:
            found = reading.scalars(query, given).all()
            listed = found[:MOST_LISTED]
            shown, number, pages = paged(listed, at, size)
            lines = _matches(reading, shown, reader)
            return PastPage(tuple(lines), number, pages, len(found) > MOST_LISTED)

        return await self._database.look(work)


def _matches(reading: Connection, tables: Sequence[TableId], reader: UserId) -> list[Past]:
    """These matches, the latest first."""
    query = select(matches).where(matches.c.table_id.in_(tables)).order_by(*_LATEST)
    rows = reading.execute(query).all()
    took_part = select(results, results.c.user_id.in_(_OFF).label("off"))
    began: dict[TableId, list[Any]] = {}
    for row in reading.execute(took_part.where(results.c.table_id.in_(tables))):
        began.setdefault(row.table_id, []).append(row)
    return [_past(row, began.get(row.table_id, []), reader) for row in rows]


def _past(match: Any, began: Sequence[Any], reader: UserId) -> Past:
    found = []
    for row in began:
        hidden = row.user_id <= 0 or (row.off and row.user_id != reader)
        who = (None, "") if hidden else (row.user_id, row.name)
        found.append(Placed(row.place, row.points, row.seat, *who))
    for seat, number, level, place, points in match.computers or ():
        found.append(Placed(place, points, seat, None, Computer(number, Level(level))))
    own = [row.counts for row in began if row.user_id == reader]
    return Past(
        match.table_id,
        match.game,
        match.rounds,
        match.ended,
        tuple(sorted(found, key=itemgetter(0, 2))),
        any(own or (row.counts for row in began)),
    )
