"""Deletion of private details of tables that ended long ago.

Logs, deals, results and who sat where are kept: `/replay`, `/verify`, the leaderboards and a
rematch of those who played go on being answered.  Messages on Discord, votes, invitations, the
line, draws in the lobby and which press made which ply are not needed any more.  A table at which
nothing was ever dealt goes as a whole, and so does, after a week, a plan that is over; after 30
days so do people who have only typed something, and servers that the program was removed from;
after a day of which tables people were told.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, cast

import structlog
from sqlalchemy import Column, ColumnElement, DefaultClause, and_, delete, exists, select, update
from sqlalchemy.engine import Connection

from bot.ids import GuildId, Ids, TableId, UserId
from bot.storage import plans, rows
from bot.storage.database import Database
from bot.storage.forgetting import forget_server
from bot.storage.people import forget_tellings
from bot.storage.schema import (
    OPEN,
    blocks,
    deadlines,
    departures,
    entries,
    follows,
    lessons,
    matches,
    named,
    people,
    results,
    sitters,
    surfaces,
    tables,
    zones,
)
from bot.storage.schema import plans as schema_plans
from bot.storage.tables import rewrite, stored_in
from bot.tables import lots
from bot.tables.stored import StoredTable, Votes

KEPT: Final = timedelta(days=30)
"""How long a table is kept as a whole after its end."""

AT_ONCE: Final = 100
"""People, or tables of a server, that are forgotten in one go."""

_REST: Final = 0.2
"""Seconds between two transactions: plays come first."""

_EVERY: Final = 3600.0
"""Seconds between two looks for tables that are old enough."""

logger = structlog.get_logger(__name__)


def forgotten(stored: StoredTable) -> StoredTable:
    """Without what was said while the match was played."""
    nobody, seating = frozenset[UserId](), stored.seating
    drawn = None if lots.shuffles(seating) else seating.drawn  # may name who never played
    return replace(
        stored,
        seating=replace(
            seating,
            invited=nobody,
            called=nobody,
            seen={},
            offers={},
            waiting=(),
            sat_out={},
            drawn=drawn,
        ),
        shuffling=replace(stored.shuffling, words={}),
        timing=replace(stored.timing, deadlines=()),
        votes=Votes(),
    )


class Retention:
    """Forgets, now and then, one table in each transaction."""

    def __init__(
        self,
        database: Database,
        clock: Callable[[], datetime],
        connected: Callable[[], bool] = lambda: True,
        forgot: Callable[[Ids], None] = lambda _: None,
    ) -> None:
        """While it is not `connected` nobody says whether a server has come back.

        Whoever knows by heart what is stored of something is told that it was forgotten.
        """
        self._database, self._clock, self._connected = database, clock, connected
        self._forgot = forgot

    async def run(self) -> None:
        """Tidy up for ever.  Ends only by being cancelled."""
        while True:
            await asyncio.sleep(_EVERY)  # not while the start keeps everybody busy
            try:
                more = True
                while more:
                    more = await self.step()
                    await asyncio.sleep(_REST)
                await self.forget_strangers()
            except Exception as error:  # the database: the next look tries again
                logger.error("old_not_forgotten", kind=type(error).__name__)

    async def step(self) -> bool:
        """One transaction of work; whether there was any.

        Raises what `Database.write` raises.
        """
        now, gone = self._clock(), set[int | str]()

        def work(connection: Connection) -> bool:
            gone.update(plans.forget(connection, now))
            forget_tellings(connection, now)
            found: Sequence[GuildId | TableId] = _forget(connection, now - KEPT)
            if not found and self._connected():
                found = _forget_gone(connection, now - KEPT)
            gone.update(found)
            return bool(found)

        try:
            return await self._database.write(work)
        finally:  # also where nobody knows whether it is stored
            self._forgot(gone)

    async def forget_strangers(self) -> int:
        """Forget who has only typed something, and not lately; returns how many they were.

        Raises what `Database.write` raises.
        """
        before = self._clock() - KEPT
        # They are looked for beside the plays: many are found who have played.
        query = select(people.c.user_id).where(_is_stranger(before)).limit(AT_ONCE)
        found = await self._database.scalars(query, slow=True)
        gone = delete(people).where(people.c.user_id.in_(found), _is_stranger(before))
        if found:
            await self._database.execute(gone)
            self._forgot({*found})
        return len(found)


def _forget(connection: Connection, before: datetime) -> Sequence[TableId]:
    """Forget what is private of a table that ended by then; returns which."""
    old = (tables.c.ended < before, ~tables.c.trimmed, tables.c.status.not_in(OPEN))
    table = connection.execute(select(tables.c.id).where(*old).limit(1)).scalar()
    if table is None:
        return ()
    played = exists().where(entries.c.table_id == table)
    counted = exists().where(matches.c.table_id == table)
    if not connection.execute(select(played | counted)).scalar_one():
        connection.execute(delete(tables).where(tables.c.id == table))
        return (table,)
    connection.execute(
        update(entries).where(entries.c.table_id == table).values(interaction_id=None)
    )
    for of_it in (surfaces, deadlines):
        connection.execute(delete(of_it).where(of_it.c.table_id == table))
    connection.execute(
        update(tables).where(tables.c.id == table).values(_trimmed(connection, table))
    )
    return (table,)


def _trimmed(connection: Connection, table: TableId) -> dict[str, object]:
    """The columns of a table of which what is private is forgotten.

    A record that cannot be read stays as it is, so that those behind it have their turn.
    """
    try:
        stored = stored_in(connection, table)
    except ValueError as error:
        logger.error("record_not_trimmed", table=table, kind=type(error).__name__)
        stored = None
    if stored is None:
        return {"trimmed": True}
    stored = forgotten(stored)
    rewrite(connection, named, table, rows.named_rows(stored))
    return {"trimmed": True, "document": rows.document(stored)}


def _forget_gone(connection: Connection, before: datetime) -> Sequence[GuildId | TableId]:
    """Forget some of a server that was gone by then, once no table is open there.

    Returns what is forgotten.
    """
    is_open = exists().where(tables.c.guild_id == departures.c.guild_id, tables.c.status.in_(OPEN))
    old = select(departures.c.guild_id).where(departures.c.at < before, ~is_open)
    guild = connection.execute(old.order_by(departures.c.at).limit(1)).scalar()
    if guild is None:
        return ()
    of_it, planned = forget_server(connection, guild, AT_ONCE)
    return (guild, *of_it, *planned)


def _is_stranger(before: datetime) -> ColumnElement[bool]:
    """Whether nothing is known of a person but what they read, and they were heard before that."""
    chosen = (column for column in people.c if column.name not in ("user_id", "locale", "heard"))
    known = [
        of.c.user_id
        for of in (sitters, named, results, blocks, zones, follows, lessons, schema_plans)
    ]
    return and_(
        people.c.heard < before,
        *(
            column.is_(None) if column.server_default is None else column == _default(column)
            for column in chosen
        ),
        *(~exists().where(user == people.c.user_id) for user in (*known, blocks.c.blocked_id)),
    )


def _default(column: Column[Any]) -> Any:
    """What is stored where nothing was chosen."""
    return cast(DefaultClause, column.server_default).arg
