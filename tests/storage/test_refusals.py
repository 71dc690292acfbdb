"""What a service tries again, and what somebody has to mend first."""

from __future__ import annotations

import errno
import socket
import sqlite3
import ssl
from collections.abc import Callable

import asyncpg
import pytest
from sqlalchemy import URL, make_url
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from bot.storage.database import Database, StorageAway, StorageError
from bot.storage.transaction import passes, unopened, unusable
from bot.tables.ports import Unavailable
from tests.storage.conftest import SERVER


def of_sqlite(code: int) -> Exception:
    error = sqlite3.OperationalError("said in words")
    error.sqlite_errorcode = code
    return error


def wrapped(error: Exception) -> Exception:
    """As it comes from below: SQLAlchemy's, and then the tables'."""
    middle = OperationalError("SELECT", {}, error)
    middle.__cause__ = error
    outer = Unavailable("OperationalError")
    outer.__cause__ = middle
    return outer


PASSING = {
    "refused": ConnectionRefusedError(errno.ECONNREFUSED, "refused"),
    "reset": ConnectionResetError(errno.ECONNRESET, "reset"),
    "no such host yet": socket.gaierror(socket.EAI_NONAME, "no such host"),
    "silent": TimeoutError(),
    "starting up": asyncpg.CannotConnectNowError("the database system is starting up"),
    "too many": asyncpg.TooManyConnectionsError("too many clients already"),
    "shut down": asyncpg.AdminShutdownError("terminating connection"),
    "cut": asyncpg.ConnectionDoesNotExistError("connection was closed"),
    "gave us up": asyncpg.IdleInTransactionSessionTimeoutError("too long"),
    "no connection is free": PoolTimeout(),
    "locked": of_sqlite(sqlite3.SQLITE_BUSY),
    "full": of_sqlite(sqlite3.SQLITE_FULL),
    "no room": OSError(errno.ENOSPC, "no space left on device"),
    "extended code": of_sqlite(sqlite3.SQLITE_IOERR | 3 << 8),
}

LASTING = {
    "password": asyncpg.InvalidPasswordError("password authentication failed"),
    "no such user": asyncpg.InvalidAuthorizationSpecificationError("no such role"),
    "no such database": asyncpg.InvalidCatalogNameError("does not exist"),
    "may not": asyncpg.InsufficientPrivilegeError("permission denied"),
    "read-only": of_sqlite(sqlite3.SQLITE_READONLY),
    "no database": of_sqlite(sqlite3.SQLITE_NOTADB),
    "cannot be opened": of_sqlite(sqlite3.SQLITE_CANTOPEN),
    "another's folder": PermissionError(errno.EACCES, "permission denied"),
    "a broken rule": IntegrityError("INSERT", {}, Exception("unique")),
    "our own": RuntimeError("a bug"),
}


@pytest.mark.behaviour("The database does not answer when the bot starts")
@pytest.mark.parametrize("what", PASSING)
def test_what_passes_is_tried_again(what: str) -> None:
    assert passes(PASSING[what])
    assert passes(wrapped(PASSING[what]))


@pytest.mark.parametrize("what", LASTING)
def test_what_lasts_is_not(what: str) -> None:
    assert not passes(LASTING[what])
    if hasattr(LASTING[what], "sqlstate") or hasattr(LASTING[what], "sqlite_errorcode"):
        assert not passes(wrapped(LASTING[what]))


@pytest.mark.postgresql
@pytest.mark.skipif(SERVER is None, reason="no PostgreSQL: .ci/postgres")
@pytest.mark.parametrize(
    "wrong",
    [
        lambda right: right.set(password="wrong"),
        lambda right: right.set(username="me"),
        lambda right: right.set(database="no"),
    ],
    ids=["password", "user", "database"],
)
async def test_a_server_that_lets_us_not_in_is_not_away(wrong: Callable[[URL], URL]) -> None:
    assert SERVER is not None
    url = wrong(make_url(SERVER))
    with pytest.raises(StorageError) as refused:
        await Database.open(url.render_as_string(hide_password=False))
    assert not isinstance(refused.value, StorageAway)


def test_what_a_network_refuses_is_said_of_no_file() -> None:
    """Its numbers are those of files: a certificate that is not trusted has that of `EPERM`."""
    refused = ssl.SSLCertVerificationError(errno.EPERM, "certificate verify failed")
    assert "Correct DATABASE_URL" in unopened("postgresql+asyncpg://db", refused)
    for error in (TimeoutError(), ConnectionRefusedError(errno.ECONNREFUSED, "refused"), refused):
        assert "try again in a minute" in unusable(error)
    assert "make room" in unusable(OSError(errno.ENOSPC, "full"))
