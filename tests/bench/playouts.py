"""`python -m tests.bench.playouts`: our random playouts beside those of others, on one core.

Peers and ours take turns, so that a noisy machine meets them alike; the figure is the median of
the ratios of neighbours.  The peers run in an environment of their own, which uv makes.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from bot.bench import playouts
from engine.registry import games

ROOT = Path(__file__).parents[2]
UV = ROOT / ".tool" / "bin" / "uv"
PEERS = ("open_spiel==2.0.2", "rlcard==1.2.0", "setuptools<81")
GAME, SEATS = "aufundab", 3


def peers(seconds: float) -> dict[str, float]:
    """Plies per second of the others."""
    needed = [word for peer in PEERS for word in ("--with", peer)]
    script = Path(__file__).with_name("peers.py")
    done = subprocess.run(
        [UV, "run", "--quiet", "--no-project", *needed, "python", script, str(seconds)],
        check=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def main(rounds: int, seconds: float) -> None:
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    game = games()[GAME]
    ours: list[float] = []
    theirs: list[dict[str, float]] = []
    for number in range(rounds):
        sys.stderr.write(f"round {number + 1} of {rounds}\n")
        theirs.append(peers(seconds))
        ours.append(float(playouts(game, SEATS, seconds)["plies_per_s"]))
    pairs = list(zip(ours, theirs, strict=True))
    found: dict[str, str | int | float] = {
        "game": GAME,
        "seats": SEATS,
        "plies_per_s": round(median(ours)),
    }
    for peer in theirs[0]:
        found[f"{peer}_plies_per_s"] = round(median(them[peer] for them in theirs))
        found[f"times_{peer}"] = round(median(us / them[peer] for us, them in pairs), 2)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=3.0, help="of each game in each round")
    given = parser.parse_args()
    main(given.rounds, given.seconds)
