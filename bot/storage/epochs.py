"""The epoch of a database: how often it was restored, as far as that was noticed.

`db restore` leaves a note in the database.  A file that was copied back by hand is told by the mark
beside it (`mark`), which is never more than one step behind: a step is taken whenever is noted when
people could last press, and at every start.  Not noticed so are a copy of the latest step, a mark
that was copied back together with its file, and PostgreSQL: there `db restored` says it, or the
first press that names a question of the future (`Epochs.begin`).
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final, NamedTuple

from sqlalchemy import select
from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.storage.mark import Mark, MarkFile
from bot.storage.meta import put
from bot.storage.schema import meta

EPOCH: Final = "epoch"
STEP: Final = "step"
RESTORED: Final = "restored"
"""Keys of what is remembered; `RESTORED` is not empty from a restoration to the next start."""

_log = logging.getLogger(__name__)


class Opened(NamedTuple):
    """A database at the start of the program."""

    epoch: int
    restored: bool
    """Whether that epoch begins now, since it was restored."""


async def opened(database: Database) -> Opened:
    """Take the first step of a start, into a new epoch if the database was restored."""
    file = _file(database)
    beside = None if file is None else await asyncio.to_thread(file.read)

    def work(connection: Connection) -> tuple[Mark, bool]:
        mark, newest = _mark(connection), beside or Mark()
        behind = newest.step > mark.step or newest.epoch > mark.epoch
        restored = behind or bool(_said(connection, RESTORED))
        epoch = max(mark.epoch, newest.epoch) + (1 if restored else 0)
        if restored:
            put(connection, RESTORED, "")
        return _put(connection, Mark(epoch, max(mark.step, newest.step) + 1)), restored

    mark, restored = await database.write(work)
    await keep(database, mark)
    return Opened(mark.epoch, restored)


async def note_restored(database: Database) -> None:
    """It was restored by whatever means: an epoch begins at its next start."""
    await database.write(lambda writing: put(writing, RESTORED, "yes"))


def stepped(connection: Connection) -> Mark:
    """Take a step within a transaction; to be kept once that is committed."""
    mark = _mark(connection)
    return _put(connection, mark._replace(step=mark.step + 1))


def begun(connection: Connection, after: int) -> Mark:
    """Begin an epoch greater than `after` and all before, within a transaction: as `stepped`."""
    mark = _mark(connection)
    return _put(connection, Mark(max(mark.epoch, after) + 1, mark.step + 1))


async def keep(database: Database, mark: Mark) -> None:
    """Write down beside the database how far it has come."""
    file = _file(database)
    if file is None:
        return
    try:
        await asyncio.to_thread(file.write, mark)
    except OSError as error:  # a full disk, perhaps: the next step is written again
        _log.warning("%s was not written: %s", file.path.name, type(error).__name__)


def _file(database: Database) -> MarkFile | None:
    return None if database.file is None else MarkFile(database.file)


def _mark(connection: Connection) -> Mark:
    return Mark(int(_said(connection, EPOCH) or 0), int(_said(connection, STEP) or 0))


def _put(connection: Connection, mark: Mark) -> Mark:
    put(connection, EPOCH, str(mark.epoch))
    put(connection, STEP, str(mark.step))
    return mark


def _said(connection: Connection, key: str) -> str | None:
    said: str | None = connection.scalar(select(meta.c.value).where(meta.c.key == key))
    return said
