"""What deleting leaves in the files of SQLite: bytes in its write-ahead log and between its rows.

What is deleted is overwritten (`database`), but for copies that SQLite made as it moved rows from
page to page; only writing the whole file anew leaves none of these.
"""

from __future__ import annotations

import sqlite3
from typing import Final

import structlog
from sqlalchemy.engine import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.database import Database
from bot.storage.meta import SqlMeta, put
from bot.storage.overview import SqlOverview
from bot.tables.ports import Unavailable

logger = structlog.get_logger(__name__)

NOTED: Final = "remnants"
"""Key of a value that is not empty as long as there may be any."""

AT_ONCE: Final = 64_000_000
"""Bytes of a database that is written anew within a second; a larger one is at the next start."""


def note(connection: Connection) -> None:
    """Note, with what was deleted, that there may be remnants of it."""
    put(connection, NOTED, "yes")


async def erase(database: Database, most: int = AT_ONCE) -> None:
    """Leave none, if the database is no larger than that many bytes; else none in the log."""
    try:
        if await SqlOverview(database).size() <= most:
            await database.compact()
            await SqlMeta(database).put(NOTED, "")
        await database.empty_log()
    except (SQLAlchemyError, sqlite3.Error, Unavailable) as error:  # the next start tries again
        logger.warning("remnants_not_erased", kind=type(error).__name__)


async def erase_noted(database: Database) -> None:
    """Leave none, however large the database is: nobody plays yet."""
    if await SqlMeta(database).get(NOTED):
        await database.compact()
        await SqlMeta(database).put(NOTED, "")
        await database.empty_log()
