"""A small file beside a SQLite database, by which an older copy of it is told.

Database and file count the same steps, the database first: one that stands behind its file is not
the one that the file was written for.
"""

from __future__ import annotations

import os
import re
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from bot.storage.private import FILE

_WRITTEN: Final = re.compile(rb"epoch (\d{12}) step (\d{18})\n")


class Mark(NamedTuple):
    """How far a database has come."""

    epoch: int = 0
    step: int = 0


class MarkFile:
    """The file of the database in the file `database`."""

    def __init__(self, database: Path) -> None:
        path = database.resolve()
        self.path = path.with_name(f"{path.name}.mark")

    def read(self) -> Mark | None:
        """What is written there; None if that is nothing that can be read."""
        with suppress(OSError):
            said = _WRITTEN.fullmatch(self.path.read_bytes())
            return None if said is None else Mark(int(said[1]), int(said[2]))
        return None

    def write(self, mark: Mark) -> None:
        """Put it on the disk, in the place of what was there.

        Raises OSError.  Of the same length each time, so that it needs no more room.
        """
        file = os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, FILE)
        try:
            os.ftruncate(file, os.pwrite(file, b"epoch %012d step %018d\n" % mark, 0))
            os.fsync(file)
        finally:
            os.close(file)
