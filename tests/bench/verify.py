"""`python -m tests.bench.verify`: how many records `stammtisch verify` checks in a second.

Simulates files and runs the command on each, start and JSON included; the figures are medians
of the runs.  On a machine that others use too, look at those by processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Final

from bot.operate import tools

COMMAND: Final = (sys.executable, "-c", "from bot.operate.cli import main; main()")
MODES: Final = {
    "plain": (False, False),
    "proof": (False, True),
    "legal": (True, False),
    "legal_proof": (True, True),
}
"""What the records carry: legal actions, proofs."""


def write(file: Path, game: str, seats: int, matches: int, mode: str) -> int:
    """Simulated matches in a file; the number of their plies."""
    plies = 0
    legal, proof = MODES[mode]
    with file.open("w", encoding="utf-8") as stream:
        for line in tools.simulate(game, seats, 1, matches, "{}", legal=legal, proof=proof):
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


def main(game: str, seats: int, matches: int, runs: int) -> dict[str, object]:
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
    return found


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("game", nargs="?", default="sticheln")
    parser.add_argument("--seats", type=int, default=6)
    parser.add_argument("--matches", type=int, default=500)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    result = main(given.game, given.seats, given.matches, given.runs)
    sys.stdout.write(json.dumps(result) + "\n")
