"""`python -m tests.bench.verify`: how many records `stammtisch verify` checks in a second.

Simulates files and runs the command on each, start and JSON included; the figures are medians
of the runs.  On a machine that others use too, look at those by processor time.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

import typer

from bot.operate import tools

COMMAND: Final = (sys.executable, "-c", "from bot.operate.cli import main; main()")
MODES: Final = {"plain": False, "legal": True}
"""Whether the records carry all legal actions."""


def write(file: Path, game: str, seats: int, matches: int, mode: str) -> int:
    """Simulated matches in a file; the number of their plies."""
    plies = 0
    with file.open("w", encoding="utf-8") as stream:
        for line in tools.simulate(game, seats, 1, matches, "{}", legal=MODES[mode]):
            plies += line.count('"do":')
            stream.write(line + "\n")
    return plies


def verify(file: Path) -> tuple[float, float]:
    """Seconds that the command takes: by the clock and by the processor."""
    before, begun = os.times(), perf_counter()
    subprocess.run([*COMMAND, "verify", str(file)], check=True, stdout=subprocess.DEVNULL)
    seconds, after = perf_counter() - begun, os.times()
    used = after.children_user + after.children_system
    return seconds, used - before.children_user - before.children_system


def main(game: str = "sticheln", seats: int = 6, matches: int = 500, runs: int = 3) -> None:
    found: dict[str, object] = {"game": game, "seats": seats, "matches": matches}
    with tempfile.TemporaryDirectory() as folder:
        for mode in MODES:
            file = Path(folder) / mode
            plies = write(file, game, seats, matches, mode)
            times = [verify(file) for _ in range(runs)]
            found[mode] = {
                "matches_per_s": round(matches / median(clock for clock, _ in times)),
                "matches_per_cpu_s": round(matches / median(used for _, used in times)),
                "us_per_ply": round(median(used for _, used in times) / plies * 1e6, 1),
            }
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    typer.run(main)
