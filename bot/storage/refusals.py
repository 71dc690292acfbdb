"""Errors of a database in words for the operator, and whether trying again helps."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from typing import Final

from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.tables.ports import Unavailable

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

_SETTINGS: Final = frozenset(
    {errno.EACCES, errno.EPERM, errno.EROFS, errno.EISDIR, errno.ENOTDIR, errno.ENAMETOOLONG}
)
"""Codes of the operating system for errors that stay until a person repairs something."""


def passes(error: BaseException) -> bool:
    """Whether a refused statement may succeed later without a repair."""
    for cause in _causes(error):
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
    return f"{said}."


def reason(error: BaseException) -> str:
    """The words of a driver's error, in one line and without SQL."""
    original = getattr(error, "orig", None) or error
    return " ".join(str(original).split()).rstrip(".") or type(original).__name__


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    """The error, and what it was raised from."""
    while error is not None:
        yield error
        error = error.__cause__
