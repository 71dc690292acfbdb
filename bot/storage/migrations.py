"""Bringing a database up to date with Alembic, configured here and not in a file.

`python -m bot.storage.migrations MESSAGE` drafts the next migration from `schema.metadata`.

Alembic is imported where there is something to bring up to date: the program starts sooner.
"""

from __future__ import annotations

import asyncio
import sys
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.database import Database, StorageError, reason

if TYPE_CHECKING:
    from alembic.config import Config


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
    if await database.read(_is_up_to_date):
        return
    from alembic.util import CommandError

    try:
        await database.migrate(lambda connection: _upgrade(connection, database.shown_url))
    except (SQLAlchemyError, CommandError) as error:
        raise StorageError(
            f"The database {database.shown_url} cannot be brought up to date: {reason(error)}."
        ) from error


def _folder() -> Path:
    """`data` is a namespace package: its migrations are one folder of the installation."""
    return Path(str(files("data").joinpath("migrations")))


def _is_up_to_date(connection: Connection) -> bool:
    """Whether the last migration was the newest that there is, by the names of their files."""
    if not inspect(connection).has_table("alembic_version"):
        return False
    newest = max(path.name[:4] for path in _folder().glob("versions/*.py"))
    return connection.scalars(text("SELECT version_num FROM alembic_version")).all() == [newest]


def config(connection: Connection) -> Config:
    """Alembic's configuration; `data/migrations/env.py` works on `connection`."""
    from alembic.config import Config

    made = Config()
    made.set_main_option("script_location", str(_folder()).replace("%", "%%"))
    made.set_main_option("file_template", "%%(rev)s_%%(slug)s")
    made.attributes["connection"] = connection
    return made


def _upgrade(connection: Connection, shown_url: str) -> None:
    from alembic import command
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

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
    from alembic import command

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
    from alembic.script import ScriptDirectory

    head = ScriptDirectory.from_config(config(connection)).get_current_head()
    return f"{int(head or 0) + 1:04d}"


if __name__ == "__main__":
    asyncio.run(_draft(" ".join(sys.argv[1:])))
