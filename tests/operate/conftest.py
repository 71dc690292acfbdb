"""The program as people start it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.settings import Settings
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[2]
Program = Callable[..., "subprocess.CompletedProcess[str]"]

START = "import sys; from bot.operate.cli import main; sys.argv[0] = 'stammtisch'; main()"


def clean_environment() -> dict[str, str]:
    """The environment without the settings of whoever runs the tests.

    Computer players think in a thread of the program: processes that compile them are for the
    tests that are about these.
    """
    clean = {k: v for k, v in os.environ.items() if k.upper() not in Settings.names()}
    return {**clean, "PYTHONPATH": str(ROOT), "COMPUTER_WORKERS": "0"}


@pytest.fixture
def program(tmp_path: Path) -> Program:
    """Runs `stammtisch` with these arguments in an empty folder.

    It is a fork of a process that has loaded it already, unless Python itself is told something.
    """
    from tests.wire.nursery import nursery  # which needs what stands here

    def run(
        *arguments: str, given: str | bytes = "", **environment: str
    ) -> subprocess.CompletedProcess[str]:
        put = given.encode() if isinstance(given, str) else given
        if not any(name.startswith("PYTHON") for name in environment):
            return nursery().run(tmp_path, put, {**clean_environment(), **environment}, *arguments)
        done = subprocess.run(
            [sys.executable, "-c", START, *arguments],
            cwd=tmp_path,
            env={**clean_environment(), **environment},
            input=put,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        return subprocess.CompletedProcess(
            done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
        )

    return run
