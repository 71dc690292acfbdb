"""Migrations: bringing a database up to date with Alembic.

`python -m bot.storage.migrations MESSAGE` drafts the next migration from `schema.metadata`.

Alembic is imported where there is something to bring up to date: the program starts sooner.
"""

from __future__ import annotations

import asyncio
import sys
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Final

from sqlalchemy import Connection, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.database import Database, StorageAway, StorageError
from bot.storage.standings import recount
from bot.storage.transaction import passes, reason
from bot.tables.ports import Unavailable

if TYPE_CHECKING:
    from alembic.config import Config

_RATED: Final = "0038"
"""The first schema with ratings and seasons: what older ones have is counted anew."""


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
    """`upgrade` for a database that is open."""
    before = await database.read(revision)
    if before == max(known_revisions()):
        return
    from alembic.util import CommandError

    try:
        await database.migrate(lambda connection: _upgrade(connection, database.shown_url))
    except (SQLAlchemyError, CommandError, OSError, Unavailable) as error:
        refusal = StorageAway if passes(error) else StorageError
        raise refusal(
            f"The database {database.shown_url} cannot be brought up to date: {reason(error)}."
        ) from error
    if before is not None:
        await database.compact()


def _folder() -> Path:
    """`data` is a namespace package: its migrations are one folder of the installation."""
    return Path(str(files("data").joinpath("migrations")))


def known_revisions() -> set[str]:
    """The schemas that this program can bring up to date; the highest is its own."""
    return {found.name[:4] for found in _folder().glob("versions/[0-9]*_*.py")}


def revision(connection: Connection) -> str | None:
    """Schema revision of the database; None if it has none of ours."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    found: str | None = connection.scalar(text("SELECT version_num FROM alembic_version"))
    return found


def outdated(found: str | None) -> str | None:
    """Why a database of this schema is not read as it is, and what to do; None for our own."""
    newest = max(known_revisions())
    if found == newest:
        return None
    if found is None:
        return "the database is empty; stammtisch run makes its tables"
    if found in known_revisions():
        return (
            f"{found}, and this program needs {newest}; start stammtisch run, or"
            " stammtisch db upgrade (make a backup first: stammtisch db backup FILE)"
        )
    return f"the database {foreign(found)}"


async def require_current(database: Database) -> None:
    """Raise StorageError unless the schema is this program's."""
    said = outdated(await database.read(revision))
    if said is not None:
        raise StorageError(f"schema: {said}.")


def foreign(found: str) -> str:
    """Why a database of the schema `found`, which is not known, is refused, and what to do."""
    if found < min(known_revisions()):
        return (
            f"is older than the first release (schema {found}), which nothing reads any more: move"
            " it away, and the bot starts with an empty one"
        )
    return (
        f"was written by a newer version of this program (schema {found}): install that version,"
        " or use another database"
    )


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

    found = revision(connection)
    if found is not None and found not in known_revisions():
        raise StorageError(f"The database {shown_url} {foreign(found)}.")
    command.upgrade(config(connection), "head")
    if found is not None and found < _RATED:
        recount(connection)


async def _draft(message: str) -> None:
    from alembic import command

    following = f"{int(max(known_revisions(), default='0')) + 1:04d}"
    with TemporaryDirectory() as folder:
        database = await Database.open(f"sqlite+aiosqlite:///{folder}/draft.sqlite3")
        await upgrade_open(database)
        await database.migrate(
            lambda connection: command.revision(
                config(connection), message, autogenerate=True, rev_id=following
            )
        )
        await database.close()


if __name__ == "__main__":
    asyncio.run(_draft(" ".join(sys.argv[1:])))
