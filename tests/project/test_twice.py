"""What failed is looked at once more, alone: chance holds up no change, and a failure is told."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.operate.conftest import ROOT

ONCE = """
from pathlib import Path
def once(name):
    seen = Path(__file__).with_name(name)
    there = seen.exists()
    seen.touch()
    return there
"""


def twice(folder: Path, tests: str) -> tuple[int, str]:
    """Status and output of `.ci/twice`, over tests that know whether they were run before."""
    file = folder / "test_some.py"
    file.write_text(ONCE + tests, encoding="utf-8")
    command = [sys.executable, str(ROOT / ".ci" / "twice"), sys.executable, "-m", "pytest"]
    ours = ("PYTEST_", "CI_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    done = subprocess.run(
        [*command, "-p", "xdist", "-n", "1", "-c", os.devnull, "--rootdir", str(folder), str(file)],
        cwd=folder,
        env=kept | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # they take seconds to load
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


def flaky(many: int) -> str:
    return f"""
import pytest
@pytest.mark.parametrize("number", range({many}))
def test_chance(number):
    assert once(f"seen{{number}}")
"""


def test_what_is_green_is_run_once(tmp_path: Path) -> None:
    status, said = twice(tmp_path, "def test_good(): assert not once('good')")
    assert status == 0
    assert "FLAKY" not in said
    assert "second look" not in said


def test_chance_is_told_and_holds_up_nothing(tmp_path: Path) -> None:
    status, said = twice(tmp_path, flaky(5) + "def test_good(): assert not once('good')")
    assert status == 0
    told = [line for line in said.splitlines() if line.startswith("FLAKY ")]
    assert told == [f"FLAKY test_some.py::test_chance[{number}]" for number in range(5)]


@pytest.mark.parametrize(
    ("tests", "said_so"),
    [
        ("def test_bad(): assert once('bad') is None", "failed twice"),
        (flaky(6), "too many"),
        (
            "import pytest\ndef test_skipped():\n    assert not once('a') or pytest.skip('later')"
            "\n    assert once('b')",
            "failed twice",
        ),
        ("def test_typo(: pass", "first look"),
        ("", "first look"),
    ],
    ids=["fails twice", "six times chance", "skipped at the second look", "no Python", "no tests"],
)
def test_a_failure_is_one(tmp_path: Path, tests: str, said_so: str) -> None:
    status, said = twice(tmp_path, tests)
    assert status != 0
    assert said_so in said
    assert "FLAKY" not in said
