"""Deletion of private details of tables that ended long ago.

Logs, deals, results and who sat where are kept: `/replay`, `/verify`, the leaderboards and a
rematch go on being answered.  Messages on Discord, votes, invitations and which press made which
ply are not needed any more.  A table at which nothing was ever dealt goes as a whole,
and so does, after a week, a plan that is over.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

import structlog
from sqlalchemy import delete, exists, select, update
from sqlalchemy.engine import Connection

from bot.ids import TableId, UserId
from bot.storage import plans, rows
from bot.storage.database import Database
from bot.storage.schema import OPEN, deadlines, entries, matches, surfaces, tables
from bot.storage.tables import stored_in
from bot.tables.stored import StoredTable
from bot.tables.votes import Votes

KEPT: Final = timedelta(days=30)
"""How long a table is kept as a whole after its end."""

_REST: Final = 0.2
"""Seconds between two transactions: plays come first."""

_EVERY: Final = 3600.0
"""Seconds between two looks for tables that are old enough."""

logger = structlog.get_logger(__name__)


def forgotten(stored: StoredTable) -> StoredTable:
    """Without what was said while the match was played."""
    nobody = frozenset[UserId]()
    return replace(
        stored,
        seating=replace(stored.seating, invited=nobody, called=nobody, seen={}),
        shuffling=replace(stored.shuffling, words={}),
        timing=replace(stored.timing, deadlines=()),
        votes=Votes(),
    )


class Retention:
    """Forgets, now and then, one table in each transaction."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock

    async def run(self) -> None:
        """Tidy up for ever.  Ends only by being cancelled."""
        while True:
            await asyncio.sleep(_EVERY)  # not while the start keeps everybody busy
            try:
                more = True
                while more:
                    more = await self.step()
                    await asyncio.sleep(_REST)
            except Exception as error:  # the database: the next look tries again
                logger.error("old_not_forgotten", kind=type(error).__name__)

    async def step(self) -> bool:
        """One transaction of work; whether there was any.

        Raises what `Database.write` raises.
        """
        now = self._clock()

        def work(connection: Connection) -> bool:
            plans.forget(connection, now)
            return _forget(connection, now - KEPT)

        return await self._database.write(work)


def _forget(connection: Connection, before: datetime) -> bool:
    old = (tables.c.ended < before, ~tables.c.trimmed, tables.c.status.not_in(OPEN))
    table = connection.execute(select(tables.c.id).where(*old).limit(1)).scalar()
    if table is None:
        return False
    played = exists().where(entries.c.table_id == table)
    counted = exists().where(matches.c.table_id == table)
    if not connection.execute(select(played | counted)).scalar_one():
        connection.execute(delete(tables).where(tables.c.id == table))
        return True
    connection.execute(
        update(entries).where(entries.c.table_id == table).values(interaction_id=None)
    )
    for of_it in (surfaces, deadlines):
        connection.execute(delete(of_it).where(of_it.c.table_id == table))
    connection.execute(
        update(tables).where(tables.c.id == table).values(_trimmed(connection, table))
    )
    return True


def _trimmed(connection: Connection, table: TableId) -> dict[str, object]:
    """The columns of a table of which what is private is forgotten.

    A record that cannot be read stays as it is, so that those behind it have their turn.
    """
    try:
        stored = stored_in(connection, table)
    except ValueError as error:
        logger.error("record_not_trimmed", table=table, kind=type(error).__name__)
        stored = None
    return {"trimmed": True} | ({"document": rows.document(forgotten(stored))} if stored else {})
