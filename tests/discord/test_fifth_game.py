"""A fifth game is a folder: module, words and rules; no other file is touched.

In processes of their own: what people may type is made when the program is imported.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[2]
TOLD: Final = "import tests.fifth.added; from bot.operate.cli import main; main()"


def _python(*arguments: str, given: str | None = None) -> str:
    """What Python says to these arguments; what this run was asked for is not meant for it."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=kept,
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_whole_match_of_a_fifth_game_is_played() -> None:
    alone = ("-p", "no:cacheprovider", "-p", "no:xdist", "-o", "addopts=")
    said = _python("-m", "pytest", "-q", "-p", "tests.fifth.added", *alone, "tests/fifth/plays.py")
    assert "2 passed" in said


def test_the_command_line_knows_a_fifth_game() -> None:
    assert "tides  rules 1  seats 2, 3, 4, 5, 6, 7, 8  options depth 1-4" in _python(
        "-c", TOLD, "games"
    )
    made = _python(
        "-c", TOLD, "simulate", "tides", "--seats", "7", "--matches", "20", "--legal", "--proof",
        "--options", json.dumps({"depth": 2}),
    )  # fmt: skip
    assert len(made.splitlines()) == 20
    _python("-c", TOLD, "verify", "-", given=made)


def test_without_its_folder_there_is_no_fifth_game() -> None:
    assert "tides" not in _python("-c", "from bot.operate.cli import main; main()", "games")
