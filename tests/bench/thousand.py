"""`python -m tests.bench.thousand`: a thousand random matches of everything, verified.

Every game with every number of seats and every variant goes through the commands themselves,
`stammtisch simulate … --legal --proof | stammtisch verify -`.  Prints a table as it goes; what
`verify` says of faults goes to standard error, and the exit status is 1 if there are any.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from time import perf_counter
from typing import NamedTuple

from tests.engine.records import Configuration, configurations, named, other_lengths

COMMAND = (sys.executable, "-c", "from bot.operate.cli import main; main()")
SHOWN = 5
"""Faults of one configuration that are repeated."""


class Run(NamedTuple):
    """One configuration through the pipe."""

    clean: bool
    """Both commands ended well and all matches were there and good."""
    said: list[str]
    """Lines of `verify`, the counts last."""
    seconds: float


def run(one: Configuration, seed: int, matches: int) -> Run:
    game, seats, options = one.game.info.id, str(one.seats), json.dumps(dict(one.options))
    simulate = [*COMMAND, "simulate", game, "--seats", seats, "--seed", str(seed)]
    simulate += ["--matches", str(matches), "--options", options, "--legal", "--proof"]
    begun = perf_counter()
    with subprocess.Popen(
        simulate, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as simulating:
        verified = subprocess.run(
            [*COMMAND, "verify", "-"],
            stdin=simulating.stdout,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            check=False,
        )
    said = verified.stdout.splitlines()
    clean = (
        simulating.returncode == 0
        and verified.returncode == 0
        and said == [f"{matches} records, 0 bad"]
    )
    return Run(clean, said, perf_counter() - begun)


def main(seed: int, matches: int, chosen: str) -> bool:
    """Whether everything was clean."""
    everything = [one for one in (*configurations(), *other_lengths()) if chosen in named(one)]
    clean = bool(everything)
    for one in everything:
        result = run(one, seed, matches)
        clean = clean and result.clean
        counts = result.said[-1] if result.said else "no answer"
        mark = "ok   " if result.clean else "WRONG"
        sys.stdout.write(f"{mark}  {named(one):40}  {counts:28}  {result.seconds:6.1f} s\n")
        sys.stdout.flush()
        for line in result.said[:-1][:SHOWN]:
            sys.stderr.write(f"       {line}\n")
    return clean


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=1000, help="of each configuration")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="configurations whose name contains this")
    given = parser.parse_args()
    sys.exit(not main(given.seed, given.matches, given.only))
