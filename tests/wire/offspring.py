"""Processes that a program has started, found in the operating system's own list.

Whoever was started by a program bears its mark in the environment, also when that program is gone
and whoever was started by those in turn: no process has to be seen while it is young.
"""

from __future__ import annotations

import asyncio
import os
import signal
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

MARK: Final = "WIRE_LIFE"
"""Environment variable that names the program and its life."""

_PROC: Final = Path("/proc")


class Offspring(NamedTuple):
    """A process that was started by a program."""

    pid: int
    parent: int

    @property
    def busy(self) -> bool:
        """Whether it computes, or would if there were a core for it."""
        state, _ = _status(self.pid)
        return state == "R"

    def kill(self) -> None:
        """SIGKILL."""
        with suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)


def offspring(mark: str) -> list[Offspring]:
    """Processes that live and bear a mark that begins so; one that has ended bears none."""
    wanted, found = f"\0{MARK}={mark}".encode(), []
    for folder in _PROC.iterdir():
        if not folder.name.isdecimal():
            continue
        with suppress(OSError):
            if wanted in b"\0" + (folder / "environ").read_bytes():
                state, parent = _status(int(folder.name))
                if state not in ("", "Z", "X"):
                    found.append(Offspring(int(folder.name), parent))
    return found


async def outliving(mark: str, seconds: float) -> list[Offspring]:
    """Those that still live so many seconds after the program has ended."""
    end = monotonic() + seconds
    while True:
        left = offspring(mark)
        if not left or monotonic() > end:
            return left
        await asyncio.sleep(0.05)  # nobody tells a stranger when they end


def thinkers(mark: str) -> list[Offspring]:
    """Those that were made by one of the others: whoever thinks for computer players."""
    found = offspring(mark)
    pids = {one.pid for one in found}
    return [one for one in found if one.parent in pids]


def _status(pid: int) -> tuple[str, int]:
    """State and parent of a process; nothing if it is gone."""
    try:
        said = (_PROC / str(pid) / "stat").read_text()
    except OSError:
        return "", 0
    state, parent, *_ = said.rpartition(")")[2].split()
    return state, int(parent)
