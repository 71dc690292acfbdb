"""Processes of computer players end with the program, and the program loads no compiler."""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.patience import PATIENCE

ROOT: Final = Path(__file__).parents[2]
SECONDS: Final = PATIENCE
"""Within which everything has ended."""


@pytest.fixture
def ended(tmp_path: Path) -> list[str]:
    """How to run the program."""
    return [sys.executable, "-m", "tests.computers.program", str(tmp_path)]


def children(pid: int) -> set[int]:
    """All processes that it has started, and theirs."""
    found: set[int] = set()
    for line in Path("/proc").glob("[0-9]*/stat"):
        try:
            known = line.read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue  # it has ended meanwhile
        if int(known[1]) == pid:
            child = int(line.parent.name)
            found |= {child} | children(child)
    return found


def children_of_this() -> set[int]:
    """The same of the process of the tests."""
    return children(os.getpid())


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=["kill", "stop"])
def test_workers_end_with_the_program_during_a_thought(
    ended: list[str], number: signal.Signals
) -> None:
    with subprocess.Popen(ended, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        said = {int(word) for word in program.stdout.readline().split()}
        assert len(said) == 2
        started = children(program.pid)
        assert started > said
        watched = {os.pidfd_open(pid) for pid in started}
        program.send_signal(number)
        while watched:
            done = select.select(list(watched), [], [], SECONDS)[0]
            assert done, "somebody lives on"
            for end in done:
                watched.discard(end)
                os.close(end)
        assert program.wait(SECONDS) == (-number if number is signal.SIGKILL else 0)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="looks at /proc")
def test_a_signal_for_all_is_for_the_program_alone(ended: list[str]) -> None:
    """Ctrl-C in a terminal and a service manager reach every process."""
    with subprocess.Popen(ended, cwd=ROOT, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        workers = {int(word) for word in program.stdout.readline().split()}
        for pid in children(program.pid):
            for number in (signal.SIGINT, signal.SIGTERM):
                os.kill(pid, number)
        assert workers <= children(program.pid)
        program.terminate()
        assert program.wait(SECONDS) == 0


def loaded(*lines: str) -> str:
    """What the lines print in a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", "\n".join(lines)],
        cwd=ROOT,
        env={name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("module", ["bot.app", "bot.operate.cli", "bot.computers.workers"])
def test_the_program_loads_neither_compiler_nor_players(module: str) -> None:
    said = loaded(
        "import sys",
        f"import {module}",
        "unwanted = {'numpy', 'numba', 'engine.players.compiled', 'engine.players.roster'}",
        "print(unwanted & set(sys.modules))",
    )
    assert said == "set()"


def test_a_thread_thinks_without_a_compiler() -> None:
    said = loaded(
        "import asyncio, sys, pathlib",
        "import tests.fifth.added",
        "from bot.computers.workers import Workers",
        "from engine.registry import games",
        "import bot.computers.workers as there",
        "from unittest.mock import patch",
        f"patch.object(there, 'ANSWER_TIME', {SECONDS}).start()",
        "from tests.computers.values import thought",
        "found = Workers(games(), 0, pathlib.Path('nowhere'))",
        "found.wake(['tides'])",
        "print(asyncio.run(found.decide(thought())), len(found.pids))",
        "print({'numpy', 'numba'} & set(sys.modules), 'engine.players.tides' in sys.modules)",
        "print(sys.modules['engine.players.compiled'].COMPILED)",
    )
    card, rest = said.split("\n", 1)
    assert card.startswith("play ")
    assert card.endswith(" 0")
    assert rest == "set() True\nFalse"
