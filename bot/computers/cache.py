"""Folder of compiled players, kept between two starts."""

from __future__ import annotations

import hashlib
import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import engine.players
from bot.private import FOLDER, is_own, make_folder

_PREFIX: Final = "players-"
_COMPLETE: Final = "complete"
"""Name of a file that marks a complete cache."""


def can_compile() -> bool:
    """Whether a compiler is installed and switched on."""
    return find_spec("numba") is not None and os.environ.get("NUMBA_DISABLE_JIT") in (None, "", "0")


def prepare(folder: Path) -> Path | None:
    """Make the folder below `folder` for the present players, and remove those of others.

    None if it cannot be written, or if other users could write it: what is in it is run.  Each
    version of sources and packages has a folder of its own, since the compiler looks only at the
    file of each function, and constants may come from another file.
    """
    place = folder / f"{_PREFIX}{digest()}"
    try:
        make_folder(folder)
        place.mkdir(FOLDER, exist_ok=True)
        if not is_own(place):
            return None
        with tempfile.TemporaryFile(dir=place):
            pass
    except OSError:
        return None
    for other in folder.glob(f"{_PREFIX}*"):
        if other != place and other.is_dir():
            shutil.rmtree(other, ignore_errors=True)
    return place.resolve()


def is_complete(place: Path) -> bool:
    """Whether the folder holds everything compiled."""
    return (place / _COMPLETE).exists()


def mark_complete(place: Path) -> None:
    """Note that the folder holds everything compiled."""
    with suppress(OSError):
        (place / _COMPLETE).touch()


def digest() -> str:
    """Digest of everything that compiled players depend on."""
    found = hashlib.sha256()
    for part in _parts():
        found.update(len(part).to_bytes(8, "big") + part)
    return found.hexdigest()[:16]


def _parts() -> Iterator[bytes]:
    for known in (sys.version, platform.machine(), *map(_version, ("numba", "llvmlite", "numpy"))):
        yield known.encode()
    room = Path(next(iter(engine.__path__)))
    for path in sorted(room.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield path.relative_to(room).as_posix().encode()
            yield path.read_bytes()


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
