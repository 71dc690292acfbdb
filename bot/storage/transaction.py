"""One transaction: timeouts, its state when it fails, and errors in words for the operator.

Also whether a failure may pass by itself, as where the database is away when the program starts.
"""

from __future__ import annotations

import errno
import sqlite3
import ssl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.tables.ports import NotWritten, Unavailable

# Timeouts.


@dataclass(frozen=True)
class Patience:
    """Time limits for PostgreSQL, in seconds."""

    connect: float = 4.0
    """How long the server may take to let us in."""

    ping: float = 1.0
    """For an idle connection to answer that it is still up."""

    statement: float = 4.0
    """How long the server works at one statement."""

    idle: float = 3.0
    """For the server to hold a transaction open without a statement.

    With this and `statement` it gives up transactions that we have given up, and their locks: a
    COMMIT of which we do not know cannot arrive later than that.
    """

    transaction: float = 5.0
    """How long a transaction may take in all, its COMMIT included; then its connection is cut."""

    migration: float = 600.0
    """How long a migration may take in all, waiting for another program's included."""


AT_THE_TABLE: Final = Patience()
"""A player is to have an answer within three seconds, and one more try within ten."""


# Errors in words.

_SQLITE: Final = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
    }
)
"""SQLite's codes of what may be better in a moment: locked, out of memory, a full disk."""

_SERVER: Final = frozenset({"08", "25", "40", "53", "55", "57"})
"""Classes of PostgreSQL's codes for these: connection lost or given up, too many of them, locked,
out of resources, starting up or shutting down."""

_OTHERS: Final = frozenset({errno.EACCES, errno.EPERM, errno.EROFS})
"""Codes of the operating system for what somebody else has to allow."""

_FULL: Final = frozenset({errno.ENOSPC, errno.EDQUOT})
"""For no room on the disk."""

_SETTINGS: Final = _OTHERS | {
    errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG, errno.ELOOP,
}  # fmt: skip
"""For errors that stay until a person repairs something."""


def passes(error: BaseException) -> bool:
    """Whether a refused statement may succeed later without a repair."""
    for cause in _causes(error):
        if isinstance(cause, ValueError) and not isinstance(cause, OSError):
            return False  # asyncpg's errors about the address are such, and its own too
        code = getattr(cause, "sqlite_errorcode", None)
        if code is not None:
            return (code & 0xFF) in _SQLITE
        state = getattr(cause, "sqlstate", None)
        if state:
            return state[:2] in _SERVER
        if isinstance(cause, OSError):  # and with it TimeoutError
            return cause.errno not in _SETTINGS
    return any(
        isinstance(cause, Unavailable | PoolTimeout)
        or (isinstance(cause, DBAPIError) and cause.connection_invalidated)
        for cause in _causes(error)
    )


def unopened(shown: str, error: BaseException) -> str:
    """The sentence for a database that cannot be opened; `shown` is its address."""
    if isinstance(error, Unavailable) and error.__cause__ is not None:
        error = error.__cause__
    said = f"The database {shown} cannot be opened: {reason(error)}"
    code = getattr(getattr(error, "orig", error), "sqlite_errorcode", 0) & 0xFF
    match code:
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            return f"{said}. Give the file and its folder to the user who runs the bot."
        case sqlite3.SQLITE_NOTADB | sqlite3.SQLITE_CORRUPT:
            return (
                f"{said}. Name another file in DATABASE_URL, or bring a backup back:"
                " stammtisch db restore FILE."
            )
        case sqlite3.SQLITE_FULL:
            return f"{said}. Make room on the disk."
    if _is_of_files(error) and getattr(error, "errno", 0) in _OTHERS:
        return f"{said}. Give the file and its folder to the user who runs the bot."
    if not passes(error):
        return f"{said}. Correct DATABASE_URL in .env or the environment."
    return f"{said}."


def unread(error: BaseException) -> str:
    """The sentence for an open database that refuses what it is asked."""
    if isinstance(error, Unavailable) and error.__cause__ is not None:
        error = error.__cause__
    to_do = "try again in a minute" if passes(error) else "see what stammtisch doctor says"
    return f"the database refuses ({reason(error)}): {to_do}."


def unusable(error: OSError) -> str:
    """The sentence for what the operating system refuses."""
    said = error.strerror or str(error) or type(error).__name__
    if not _is_of_files(error):
        return f"{said}: try again in a minute."
    if isinstance(error.filename, str):
        said = f"{error.filename} cannot be used ({said})"
    if error.errno in _OTHERS:
        return f"{said}: give it to the user who runs this, or choose another."
    if error.errno in _FULL:
        return f"{said}: make room on the disk."
    return f"{said}: choose another file or folder."


def _is_of_files(error: BaseException) -> bool:
    """Whether it says something of a file or folder, not of a network."""
    return isinstance(error, OSError) and not isinstance(
        error, ssl.SSLError | ConnectionError | TimeoutError
    )


def reason(error: BaseException) -> str:
    """The words of a driver's error, in one line and without SQL."""
    original = getattr(error, "orig", None) or error
    return " ".join(str(original).split()).rstrip(".") or type(original).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__


# Transactions.

T = TypeVar("T")

_AWAY: Final = (
    OperationalError,
    InterfaceError,
    InternalError,
    PoolTimeout,
    sqlite3.OperationalError,
    OSError,  # and with it TimeoutError
)


def is_away(error: BaseException) -> bool:
    """Whether the error is about the database itself, which is away, full or locked, and not about
    the statement."""
    return isinstance(error, _AWAY) or (isinstance(error, DBAPIError) and passes(error))


def read_through(connection: Connection, work: Callable[[Connection], T]) -> T:
    """Run `work`, which only reads, in one transaction."""
    with connection.begin():
        return work(connection)


@contextmanager
def writing(connection: Connection) -> Iterator[None]:
    """One transaction, committed when the block ends and undone if it raises.

    Raises NotWritten if the database fails before the commit: all of it is undone.  Failures of the
    commit itself are raised as they are.
    """
    committing = False
    try:
        with connection.begin():
            yield
            committing = True
    except Exception as error:
        if committing or not is_away(error):
            raise
        raise NotWritten(type(error).__name__) from error
