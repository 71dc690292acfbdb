"""Bringing a database up to date with Alembic, configured here and not in a file.

`python -m bot.storage.migrations MESSAGE` drafts the next migration from `schema.metadata`.
"""

from __future__ import annotations

import asyncio
import sys
from importlib.resources import files
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.database import Database, StorageError, reason


async def upgrade(url: str) -> None:
    """Bring the schema of the database at `url` up to date; creates the database if need be.

    Raises StorageError if it cannot be opened, is newer than this program or is another's.
    """
    database = await Database.open(url)
    try:
        await upgrade_open(database)
    finally:
        await database.close()


async def upgrade_open(database: Database) -> None:
    """`upgrade` for a database that is open, such as one in memory."""
    try:
        await database.migrate(lambda connection: _upgrade(connection, database.shown_url))
    except (SQLAlchemyError, CommandError) as error:
        raise StorageError(
            f"The database {database.shown_url} cannot be brought up to date: {reason(error)}."
        ) from error


def config(connection: Connection) -> Config:
    """Alembic's configuration; `data/migrations/env.py` works on `connection`."""
    made = Config()
    # `data` is a namespace package: its migrations are one folder of the installation.
    folder = Path(str(files("data").joinpath("migrations")))
    made.set_main_option("script_location", str(folder).replace("%", "%%"))
    made.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    made.attributes["connection"] = connection
    return made


def _upgrade(connection: Connection, shown_url: str) -> None:
    settings = config(connection)
    known = {script.revision for script in ScriptDirectory.from_config(settings).walk_revisions()}
    unknown = set(MigrationContext.configure(connection).get_current_heads()) - known
    if unknown:
        raise StorageError(
            f"The database {shown_url} was written by a newer version of this program "
            f"(schema {', '.join(sorted(unknown))}): install that version, or use another database."
        )
    command.upgrade(settings, "head")


async def _draft(message: str) -> None:
    database = await Database.open("sqlite+aiosqlite://")
    try:
        await upgrade_open(database)
        await database.migrate(
            lambda connection: command.revision(
                config(connection), message, autogenerate=True, rev_id=_next_revision(connection)
            )
        )
    finally:
        await database.close()


def _next_revision(connection: Connection) -> str:
    head = ScriptDirectory.from_config(config(connection)).get_current_head()
    return f"{int(head or 0) + 1:04d}"


if __name__ == "__main__":
    asyncio.run(_draft(" ".join(sys.argv[1:])))
