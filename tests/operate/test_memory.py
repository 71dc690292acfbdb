"""`stammtisch verify` reads whatever it is given in bounded memory."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.verify import MAX_TEXT, MAX_VALUES
from tests.operate.conftest import clean_environment

MOST = 100_000_000
"""Bytes of memory."""

LINE = 63 * 1024 * 1024
"""Bytes of the longest line that is tried."""

UNITS = ("[]", '{"":0}', "0.1", '"Ā"', "[[[[[[]]]]]]", '{"a":{"b":[]}}', "🂡")

CHILD = """
import sys
from bot.operate.cli import main
sys.argv = ["stammtisch", "verify", sys.argv[1]]
try:
    main()
finally:
    # Of this process alone: what a parent counts begins with the parent's own memory.
    (peak,) = (x for x in open("/proc/self/status") if x.startswith("VmHWM"))
    sys.stderr.write(peak)
"""

pytestmark = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="nothing says how much memory is used"
)


def record(unit: str, times: int) -> str:
    return '{"format":"stammtisch.record/1","x":[' + ",".join([unit] * times) + "]}\n"


def longest(unit: str) -> str:
    """A line of 63 MB."""
    return record(unit, LINE // len((unit + ",").encode()))


def accepted(unit: str) -> str:
    """The longest line that is read."""
    by_size = (MAX_TEXT - 100) // len((unit + ",").encode())
    values = unit.count("[") + 3 * unit.count("{") + 1
    return record(unit, min(by_size, (MAX_VALUES - 100) // values))


def spread(unit: str) -> str:
    """A record over many lines, which are short."""
    line = f" {unit},\n"
    return "{\n" + line * (2 * MAX_TEXT // len(line.encode())) + "}\n"


@pytest.mark.slow
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("made", [longest, accepted, spread])
def test_a_hostile_file_is_answered_in_a_hundred_megabytes(
    made: Callable[[str], str], unit: str, tmp_path: Path
) -> None:
    file = tmp_path / "hostile.json"
    file.write_text(made(unit), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", CHILD, str(file)],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stderr
    first, *_, last = done.stdout.splitlines()
    assert "malformed" in first
    assert len(first) < 300
    assert last == "1 records, 1 bad"
    if made is not accepted:
        assert f"longer than {MAX_TEXT} bytes" in first
    peak = int(done.stderr.split("VmHWM:")[1].split()[0]) * 1024
    assert peak <= MOST, f"{peak:,} bytes"
