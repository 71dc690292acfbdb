"""One transaction, and its state when it fails."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, TypeVar

from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.storage.refusals import passes
from bot.tables.ports import NotWritten

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
