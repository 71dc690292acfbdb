"""Files and folders of the program that other users may not read or write.

They contain cards and seeds, or code that is run.  If another user (root, say) runs a command, its
files are given to the owner of the folder: the program uses them later.
"""

from __future__ import annotations

import errno
import os
import sys
from contextlib import suppress
from pathlib import Path
from stat import S_ISDIR, S_ISREG, S_ISVTX
from typing import Final

FILE: Final = 0o600
FOLDER: Final = 0o700

_BESIDE: Final = ("", "-wal", "-shm", "-journal")
"""Endings of the files that SQLite keeps for one database."""

_OWN_PLACE: Final = ("data", "var")
"""The folder that is the program's own: any other may be shared, and stays as it is."""

_BY_OTHERS: Final = 0o022
"""Permissions of others to write."""


class NotOurs(OSError):
    """A file with the name of one of the program's belongs to another user, or is a link."""


def make_folder(folder: Path) -> None:
    """Make the folder, readable by its owner only; folders above it are made as usual.

    Raises OSError.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    with suppress(FileExistsError):
        folder.mkdir(FOLDER)
        return
    if folder.absolute().parts[-2:] == _OWN_PLACE:
        _narrow(folder, FOLDER)


def make_file(file: Path, like: Path | None = None) -> int:
    """Make a file and return its descriptor; it belongs to the owner of `like`, or else of the
    folder.

    Raises OSError, FileExistsError if it is there already.
    """
    number = os.open(file, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, FILE)
    if sys.platform != "win32":
        owner = (like or file.parent).stat()
        with suppress(PermissionError):  # only root gives files away
            os.fchown(number, owner.st_uid, owner.st_gid)
    return number


def open_file(file: Path) -> int:
    """Open a file for writing and return its descriptor; it is made if it is missing.

    Raises OSError, NotOurs if it is a link, or neither ours nor that of the folder's owner.
    """
    with suppress(FileExistsError):
        return make_file(file)
    try:
        number = os.open(file, os.O_RDWR | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0))
    except OSError as error:
        if error.errno not in (errno.ELOOP, errno.EACCES, errno.EPERM):
            raise
        raise NotOurs(error.errno, error.strerror) from error
    found = os.fstat(number)
    if not _is_ours(found, file) or not S_ISREG(found.st_mode) or found.st_nlink != 1:
        os.close(number)
        raise NotOurs
    if found.st_mode & _BY_OTHERS:
        os.fchmod(number, FILE)
    return number


def is_own(folder: Path) -> bool:
    """Whether other users can neither put anything into the folder nor replace it.

    Raises OSError.
    """
    if sys.platform == "win32":
        return True
    there, above = folder.lstat(), folder.parent.stat()
    if not S_ISDIR(there.st_mode) or there.st_uid != _user() or there.st_mode & _BY_OTHERS:
        return False
    shared = above.st_mode & 0o002 and not above.st_mode & S_ISVTX
    return above.st_uid in (0, _user()) and not shared


def make_database(file: Path) -> None:
    """Make the file before SQLite does, or take away permissions of others.

    SQLite gives the log and the index beside it the mode of the file, so none of them is ever open
    to others, whatever the umask.  Raises OSError if it cannot be made, NotOurs as `open_file`.
    """
    try:
        # Only ever a file that nobody has open: closing one would end this process's locks on it.
        os.close(make_file(file))
    except FileExistsError:
        if file.exists() and not _is_ours(file.stat(), file):
            raise NotOurs(errno.EPERM, "it belongs to somebody else") from None
    narrow_database(file)


def narrow_database(file: Path) -> None:
    """Take away permissions of others on a database, and on the files beside it."""
    for ending in _BESIDE:
        _narrow(file.with_name(file.name + ending), FILE)


def _narrow(path: Path, mode: int) -> None:
    """Take away permissions that `mode` does not grant; left as it is if we do not own the file."""
    with suppress(OSError):
        granted = path.stat().st_mode
        if granted & 0o777 & ~mode:
            path.chmod(granted & mode)


def _is_ours(found: os.stat_result, file: Path) -> bool:
    """Whether the file belongs to this user, or to the owner of the folder."""
    return found.st_uid in (_user(), file.parent.stat().st_uid)


def _user() -> int:
    return 0 if sys.platform == "win32" else os.geteuid()
