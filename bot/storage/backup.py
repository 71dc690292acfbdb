"""Copies of a SQLite database, made while the bot runs, the way back, and what follows it.

PostgreSQL has tools of its own, and what follows them is the same.
"""

from __future__ import annotations

import glob
import os
import secrets
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from stat import S_ISREG
from typing import Final, NamedTuple

from sqlalchemy import select, update
from sqlalchemy.engine import Connection

from bot.private import make_file, make_folder, narrow_database
from bot.storage import meta
from bot.storage.database import Database, StorageAway, StorageError, sqlite_file
from bot.storage.migrations import foreign, known_revisions
from bot.storage.plans import IS_OPEN
from bot.storage.schema import OPEN, plans, tables
from bot.storage.sqlite_connection import BUSY_SECONDS
from bot.storage.tables import stored_in, write
from bot.storage.transaction import passes, reason, unusable
from bot.tables.plans import PlanState
from bot.tables.ports import Change
from bot.tables.stored import Stop

_NAME: Final = "stammtisch-%Y%m%dT%H%M%SZ.backup"
"""Name of a copy that is one of several, by the time."""

_NAMES: Final = f"stammtisch-{'[0-9]' * 8}T{'[0-9]' * 6}Z.backup"
"""Pattern of such names."""


class Copied(NamedTuple):
    """A copy that was made and read again."""

    tables: int
    """Tables in it, open and ended ones."""
    size: int
    """Bytes."""


class Restored(NamedTuple):
    copied: Copied
    aside: Path | None
    """File to which the database that was there before was moved."""


def backup(url: str, target: Path, *, force: bool = False) -> Copied:
    """Copy the database at `url` to the file `target`: one moment of it, checked, on the disk.

    Safe while the bot runs, and does not make it wait.  Raises StorageError if there is nothing
    to copy, if `target` exists and `force` is not given, or if the copy is not whole; `target`
    is then as it was.
    """
    source = _file(url, f"pg_dump --format=custom --file={target} --dbname=ADDRESS")
    with _said(f"{source} cannot be backed up"):
        if not source.is_file():
            raise StorageError(f"There is no database {source} to back up: correct DATABASE_URL.")
        if not target.parent.is_dir():
            raise StorageError(f"There is no folder {target.parent}: make it, then try again.")
        _require_free(target, source, force=force)
        with _beside(target) as made:
            copied = _copy(source, made)
            _put(made, target, replace=force)
    return copied


def _require_free(target: Path, source: Path, *, force: bool) -> None:
    """Only a plain file is written over: no folder, device or pipe, and no link to anything."""
    try:
        found = target.lstat()
    except FileNotFoundError:
        return
    if not S_ISREG(found.st_mode) or target.samefile(source):
        raise StorageError(f"{target} cannot be written over: choose another name.")
    if not force:
        raise StorageError(
            f"{target} is there already: choose another name, or write over it with --force."
        )


def backup_into(url: str, folder: Path, keep: int, *, now: datetime) -> tuple[Path, Copied]:
    """Copy the database into the folder, and delete all but the newest `keep` of such copies.

    Of the others those with later names are the oldest: a clock was wrong, for this copy is the
    newest.  What killed copies have left goes too.  Raises StorageError; then no copy is deleted.
    """
    with _said(f"No backup into {folder}"):
        make_folder(folder)
        with _alone_in(folder) as is_alone:
            if is_alone:
                _tidy(folder, _NAMES)
            made = folder / now.strftime(_NAME)
            copied = backup(url, made)
            copies = sorted(
                folder.glob(_NAMES), key=lambda copy: (copy.name <= made.name, copy.name)
            )
            for old in copies[:-keep]:
                old.unlink()
    return made, copied


@contextmanager
def _alone_in(folder: Path) -> Iterator[bool]:
    """Make no other of several copies in the folder meanwhile; whether that could be ensured.

    The lock is one of the operating system's on the folder itself (`only_program` would leave a
    file in it): whoever had it and was killed has it no more.  Windows and some network drives have
    none.
    """
    if sys.platform == "win32":
        yield False
        return
    import fcntl

    number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise StorageAway(
                f"Another backup into {folder} is under way: try again when it has ended."
            ) from None
        except OSError:
            yield False
        else:
            yield True
    finally:
        os.close(number)


def _tidy(folder: Path, names: str) -> None:
    """Delete the unfinished copies to files of such names; nobody is at work on one."""
    for left in folder.glob(f".{names}.{'[0-9a-f]' * 8}.partial*"):
        left.unlink(missing_ok=True)


def restore(url: str, source: Path, *, now: datetime) -> Restored:
    """Put the backup `source` in the place of the database at `url`, which is kept beside it.

    Called where no other program has it (`bot.storage.only_program`).  Raises StorageError if
    `source` is not a whole database of this program, or newer than the program; nothing has
    happened then.
    """
    target = _file(url, f"pg_restore --clean --if-exists --dbname=ADDRESS {source}")
    with _said(f"{source} cannot be restored"):
        if not source.is_file():
            raise StorageError(f"There is no backup {source}: name one that db backup wrote.")
        if target.is_symlink():  # which goes on leading there
            target = Path(os.path.realpath(target))
        if target.exists() and target.samefile(source):
            raise StorageError(f"{source} is the database itself.")
        if os.path.lexists(target) and not target.is_file():
            raise StorageError(f"{target} is no file: correct DATABASE_URL.")
        make_folder(target.parent)
        _tidy(target.parent, glob.escape(target.name))
        with _beside(target) as made:
            copied = _copy(source, made)
            _note(made)
            aside = _keep(target, now)
            _put(made, target, replace=True)
    return Restored(copied, aside)


def _file(url: str, command: str) -> Path:
    path = sqlite_file(url)
    if path is not None:
        return path
    if url.startswith("postgresql"):
        raise StorageError(
            f"A PostgreSQL database is copied with PostgreSQL's own tools: {command}"
            " (pg_dump writes, pg_restore reads; the address is DATABASE_URL without +asyncpg)."
        )
    raise StorageError("DATABASE_URL names no file that could be copied.")


@contextmanager
def _said(what: str) -> Iterator[None]:
    """Failures of files and of SQLite as one sentence."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        kind = StorageAway if passes(error) else StorageError
        said = unusable(error) if isinstance(error, OSError) else f"{reason(error)}."
        raise kind(f"{what}: {said}") from error
    except UnicodeError as error:  # SQLite takes no other names
        raise StorageError(f"{what}: a name is no UTF-8: choose another one.") from error


@contextmanager
def _beside(target: Path) -> Iterator[Path]:
    """An empty file in the folder of `target`, deleted afterwards unless it was moved.

    It belongs to the owner of `target`, or of its folder: another user may run the command.
    """
    made = target.with_name(f".{target.name}.{secrets.token_hex(4)}.partial")
    os.close(make_file(made, target if target.exists() else None))
    try:
        yield made
    finally:
        made.unlink(missing_ok=True)


def _copy(source: Path, made: Path) -> Copied:
    """One snapshot of `source` as a plain file without free pages; writers go on meanwhile."""
    with closing(_opened(source)) as connection:
        _require_ours(connection, source)
        connection.execute("VACUUM INTO ?", (str(made),))
    _sync(made)
    with closing(_opened(made)) as connection:
        said = [line for (line,) in connection.execute("PRAGMA integrity_check")]
        if said != ["ok"] or connection.execute("PRAGMA foreign_key_check").fetchone():
            raise StorageError(f"{source} is damaged: a copy of it is not whole.")
        (tables,) = connection.execute("SELECT count(*) FROM tables").fetchone()
    return Copied(tables, made.stat().st_size)


def _note(made: Path) -> None:
    """Note in the copy that it is a restored one: open tables in it end at its next start."""
    with closing(_opened(made)) as connection:
        put = "INSERT OR REPLACE INTO meta (key, value) VALUES (?, 'yes')"
        connection.execute(put, (NOTED,))


def _opened(path: Path) -> sqlite3.Connection:
    """The file, which must exist."""
    uri = f"{path.absolute().as_uri()}?mode=rw"
    return sqlite3.connect(uri, uri=True, isolation_level=None, timeout=BUSY_SECONDS)


def _require_ours(connection: sqlite3.Connection, path: Path) -> None:
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    if not {"alembic_version", "tables", "entries", "meta"} <= names:
        raise StorageError(f"{path} is not a database of Stammtisch.")
    versions = {version for (version,) in connection.execute("SELECT * FROM alembic_version")}
    for unknown in sorted(versions - known_revisions()):
        raise StorageError(f"{path} {foreign(unknown)}.")
    if not versions:
        raise StorageError(f"{path} is not a database of Stammtisch.")


def _keep(path: Path, now: datetime) -> Path | None:
    """A second name for the database, if there is one, with what of it lies beside it.

    Until the other is put in its place it keeps the first one too: at no moment there is none.
    """
    aside = path.with_name(f"{path.name}.before-{now:%Y%m%dT%H%M%SZ}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.before-{now:%Y%m%dT%H%M%SZ}-{number}")
    with suppress(sqlite3.Error), closing(_opened(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")  # one file has it all
    there = path.exists()
    if there:
        try:
            os.link(path, aside)
        except OSError:  # a file system without links
            path.rename(aside)
    # They would be taken for the other one's, even if the file itself was deleted before.
    for ending in ("-wal", "-shm", "-journal"):
        with suppress(FileNotFoundError):
            path.with_name(path.name + ending).rename(aside.with_name(aside.name + ending))
    narrow_database(aside)
    return aside if there else None


def _put(made: Path, target: Path, *, replace: bool) -> None:
    """Give the finished file its name, at once."""
    if replace:
        made.replace(target)
    else:
        try:
            os.link(made, target)  # which refuses where a file has come meanwhile
        except FileExistsError:
            raise StorageError(f"{target} is there already: choose another name.") from None
        except OSError:  # a file system without links
            made.rename(target)
    _sync(target.parent)


def _sync(path: Path) -> None:
    number = os.open(path, os.O_RDONLY)
    try:
        os.fsync(number)
    finally:
        os.close(number)


# Ending all open tables and plans after a database was restored.
#
# What people saw since the backup was made may tell the hands of a match that went on from there;
# what they said of plans since, that one is off, say, is not known any more.
# Nothing is detected: `db restore` notes it, and `db restored` does for every other way.

NOTED: Final = "restored"
"""Key of a value that is not empty from a restoration to the next start."""


def note_restored(connection: Connection) -> None:
    """Note that the database was restored, by whatever means."""
    meta.put(connection, NOTED, "yes")


async def end_open_tables(database: Database, now: datetime) -> int | None:
    """End all open tables and plans, in one transaction, if the database was restored since the
    last start.

    Returns how many tables there were; None if it was not restored.
    """

    def work(connection: Connection) -> int | None:
        if not meta.get(connection, NOTED):
            return None
        found = connection.scalars(select(tables.c.id).where(tables.c.status.in_(OPEN))).all()
        for table in found:
            before = stored_in(connection, table)
            if before is not None:
                after = replace(before.broken_off(Stop.RESTORED, now), version=before.version + 1)
                write(connection, Change(after, before.version), before)
        off = {"state": PlanState.RESTORED.value, "ended": now, "version": plans.c.version + 1}
        connection.execute(update(plans).where(IS_OPEN).values(**off))
        meta.put(connection, meta.COMMANDS, "")  # Discord may have been told of others since
        meta.put(connection, NOTED, "")
        return len(found)

    return await database.write(work)
