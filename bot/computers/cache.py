"""Folder in which compiled players are kept between two starts."""

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
"""A file that says that everything was compiled."""


def can_compile() -> bool:
    """Whether there is a compiler, and nobody has switched it off."""
    return find_spec("numba") is not None and os.environ.get("NUMBA_DISABLE_JIT") in (None, "", "0")


def prepared(folder: Path) -> Path | None:
    """The folder below `folder` for the players as they are; None if it cannot be written, or if
    others could: what stands in it is run.

    What was kept of others is removed.  It belongs to these very sources and versions, since the
    compiler looks at the file of each function only, and constants may come from another.
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
    """Whether everything was compiled into it."""
    return (place / _COMPLETE).exists()


def complete(place: Path) -> None:
    """Everything was compiled into it."""
    with suppress(OSError):
        (place / _COMPLETE).touch()


def digest() -> str:
    """Of everything that compiled players are made of."""
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
