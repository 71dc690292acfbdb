"""Files that only their owner may read, since they contain cards and seeds."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700

_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""What SQLite has lying there for one database."""

_OWN_PLACE: Final = ("data", "var")
"""The folder that is the program's own: any other may be shared, and stays as it is."""


def make_folder(folder: Path) -> None:
    """Make the folder, readable by nobody else; folders above it are made as usual.

    Raises OSError.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        folder.mkdir(FOLDER)
        return
    if folder.absolute().parts[-2:] == _OWN_PLACE:
        _narrow(folder, FOLDER)


def make_database(file: Path) -> None:
    """Make the file before SQLite does, and narrow what is there already.

    SQLite gives the log and the index beside it the mode of the file, so none of them is ever open
    to others, whatever the umask.  Raises OSError if it cannot be made.
    """
    with suppress(FileExistsError):
        # Only ever a file that nobody has open: closing one would end this process's locks on it.
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_WRONLY, FILE))
    narrow_database(file)


def narrow_database(file: Path) -> None:
    """Let nobody else read a database, and what lies beside it."""
    for ending in _BESIDE:
        _narrow(file.with_name(file.name + ending), FILE)


def _narrow(path: Path, mode: int) -> None:
    """Take away what `mode` does not grant; who may not is not the owner, and leaves it."""
    with suppress(OSError):
        granted = path.stat().st_mode
        if granted & 0o777 & ~mode:
            path.chmod(granted & mode)
