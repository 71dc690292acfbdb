"""Lock of a SQLite file against a second program."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bot.private import NotOurs, make_folder, open_file
from bot.storage.database import StorageError, sqlite_file


@contextmanager
def alone(url: str) -> Iterator[None]:
    """Keep other programs off the database at `url` during the block, or until this process dies.

    The lock is one of the operating system's on a small file beside the database, so that it needs
    no clean-up after a crash; programs that only read or copy do not ask for it.  PostgreSQL and
    Windows have none.  Raises StorageError, with a sentence that says what to do, if another
    process has it.
    """
    database = sqlite_file(url)
    if database is None or sys.platform == "win32":
        yield
        return
    path = Path(os.path.realpath(database))
    lock = _locked(path.with_name(f"{path.name}.lock"), database)
    try:
        yield
    finally:
        os.close(lock)


def _locked(path: Path, database: Path) -> int:
    """The open file, locked; it contains who holds it."""
    import fcntl  # not on Windows

    try:
        make_folder(path.parent)
        lock = open_file(path)
    except NotOurs as error:
        raise StorageError(
            f"{path} beside the database is a link, or belongs to somebody else: remove it while"
            " no stammtisch runs on this database."
        ) from error
    except OSError as error:
        raise StorageError(
            f"{path} beside the database cannot be written: {error.strerror}. Give the folder to"
            " the user who runs the bot."
        ) from error
    try:
        # Of the process and not of the file: what it starts does not keep it.
        fcntl.lockf(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.ftruncate(lock, 0)
        os.pwrite(lock, str(os.getpid()).encode(), 0)
    except BlockingIOError:
        owner = os.pread(lock, 20, 0).decode(errors="replace")
        os.close(lock)
        whose = f" (process {owner})" if owner.isdecimal() else ""
        raise StorageError(
            f"The database {database} is in use by another stammtisch{whose}: stop that one first,"
            " or name another file in DATABASE_URL."
        ) from None
    except OSError:
        # A full disk cannot take the number, and a file system without locks has no lock.
        pass
    return lock
