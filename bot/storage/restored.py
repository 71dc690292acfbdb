"""Ending all open tables and plans after a database was restored.

What people saw since the backup was made may tell the hands of a match that went on from there;
what they said of plans since, that one is off, say, is not known any more.
Nothing is detected: `db restore` notes it, and `db restored` does for every other way.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.storage.meta import COMMANDS, get, put
from bot.storage.plans import IS_OPEN
from bot.storage.schema import OPEN, plans, tables
from bot.storage.tables import stored_in, write
from bot.tables.plans import PlanState
from bot.tables.ports import Change
from bot.tables.stored import Stop

NOTED: Final = "restored"
"""Key of a value that is not empty from a restoration to the next start."""


def note_restored(connection: Connection) -> None:
    """Note that the database was restored, by whatever means."""
    put(connection, NOTED, "yes")


async def end_open_tables(database: Database, now: datetime) -> int | None:
    """End all open tables and plans, in one transaction, if the database was restored since the
    last start.

    Returns how many tables there were; None if it was not restored.
    """

    def work(connection: Connection) -> int | None:
        if not get(connection, NOTED):
            return None
        found = connection.scalars(select(tables.c.id).where(tables.c.status.in_(OPEN))).all()
        for table in found:
            before = stored_in(connection, table)
            if before is not None:
                after = replace(before.broken_off(Stop.RESTORED, now), version=before.version + 1)
                write(connection, Change(after, before.version), before)
        off = {"state": PlanState.RESTORED.value, "ended": now, "version": plans.c.version + 1}
        connection.execute(update(plans).where(IS_OPEN).values(**off))
        put(connection, COMMANDS, "")  # Discord may have been told of others since
        put(connection, NOTED, "")
        return len(found)

    return await database.write(work)
