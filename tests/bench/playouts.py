"""`python -m tests.bench.playouts`: our random playouts beside those of others, on one core.

Every game of ours is measured with every number of its seats beside the nearest games of others:

* Auf und Ab: OpenSpiel's `dou_dizhu` called from Python, and RLCard's raw `doudizhu`;
* the games of tricks: OpenSpiel's `hearts` and `spades` called from Python, and jass-kit's Jass.

In a turn all peers play for a fraction of a second each, then we, then the peers again, so that a
machine that is slowing down favours nobody, and only processor time counts, not what other
programs take from the core.  A figure is the median of the turns' ratios; only ratios are worth
quoting.  One line for each game, number of seats and peer says how many times as fast we are, and
what the target is if there is one; below it, the line ends with `BELOW`, and the exit code is 1.

    python -m tests.bench.playouts --turns 20 --seconds 0.3 sticheln kaiserspiel

The peers run in an environment of their own, which uv makes (their packages are fetched at the
first run), or with `--python PATH` by an interpreter that has them.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from time import process_time
from typing import Final

from bot.operate.playouts import playouts
from engine.registry import games

ROOT: Final = Path(__file__).parents[2]
UV: Final = ROOT / ".tool" / "bin" / "uv"
PACKAGES: Final = ("open_spiel==2.0.2", "rlcard==1.2.0", "jass-kit==2.0.5", "setuptools<81")

TRICKS: Final[Mapping[str, float | None]] = {"hearts": 1.2, "spades": None, "jass-kit": None}
TARGETS: Final[Mapping[str, Mapping[str, float | None]]] = {
    "aufundab": {"dou_dizhu": 1.2, "rlcard": None},
    "auffalscherfaehrte": TRICKS,
    "sticheln": TRICKS,
    "kaiserspiel": TRICKS,
}
"""By game: how many times as fast as each peer it is to be; None: only shown."""

UNLESS: Final[Mapping[str, frozenset[str]]] = {"kaiserspiel": frozenset({"resign", "threeup"})}
"""What nobody says: a deal is played out, or the shuffle would be measured."""


class Peers:
    """A running `peers.py`."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def plies_per_second(self, peer: str, seconds: float) -> float:
        """One turn of a peer."""
        asked, answers = self._process.stdin, self._process.stdout
        if asked is None or answers is None:
            raise RuntimeError("the peers have no pipes")
        asked.write(f"{peer} {seconds}\n")
        asked.flush()
        answer = answers.readline()
        if not answer:
            raise SystemExit(f"{peer} cannot be measured; its own message stands above")
        return float(answer)


@contextmanager
def running_peers(python: str | None) -> Iterator[Peers]:
    """The peers by that interpreter, or in an environment that uv makes."""
    needed = [word for package in PACKAGES for word in ("--with", package)]
    command = [python] if python else [UV, "run", "--quiet", "--no-project", *needed, "python"]
    script = Path(__file__).with_name("peers.py")
    with subprocess.Popen(
        [*command, script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        yield Peers(process)
        process.communicate()


def measure(
    peers: Peers, game: str, seats: int, turns: int, seconds: float
) -> tuple[float, dict[str, float]]:
    """Our plies per second, and how many times as many as each peer's: medians of the turns."""
    unless = UNLESS.get(game, frozenset())
    names = [*TARGETS[game]]
    for peer in names:
        peers.plies_per_second(peer, 0)  # a first match, to build what is built once
    ours: list[float] = []
    ratios: dict[str, list[float]] = {peer: [] for peer in names}
    for _ in range(turns):
        before = {peer: peers.plies_per_second(peer, seconds) for peer in names}
        done = playouts(games()[game], seats, seconds, clock=process_time, unless=unless)
        ours.append(float(done["plies_per_s"]))
        for peer in reversed(names):
            theirs = (before[peer] + peers.plies_per_second(peer, seconds)) / 2
            ratios[peer].append(ours[-1] / theirs)
    return median(ours), {peer: median(ratios[peer]) for peer in names}


def main(chosen: Sequence[str], turns: int, seconds: float, python: str | None) -> int:
    """Measures and prints; returns how many figures are below their targets."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    below = 0
    with running_peers(python) as peers:
        for game in chosen:
            for seats in games()[game].info.seats:
                speed, ratios = measure(peers, game, seats, turns, seconds)
                for peer, times in ratios.items():
                    target = TARGETS[game][peer]
                    missed = target is not None and times < target
                    below += missed
                    sys.stdout.write(
                        f"{game:18} {seats} seats {speed:9,.0f} plies/s  {times:6.2f} × {peer:9}"
                        f"{f' (target ≥ {target:g} ×)' if target else ''}"
                        f"{'  BELOW' if missed else ''}\n"
                    )
                sys.stdout.flush()
    return below


if __name__ == "__main__":
    known = [game for game in TARGETS if game in games()]
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="game", help=f"of {', '.join(known)}; else all")
    parser.add_argument("--turns", type=int, default=11, help="of each game and number of seats")
    parser.add_argument("--seconds", type=float, default=0.2, help="of each peer's and our turn")
    parser.add_argument("--python", help="an interpreter that has the peers' packages")
    given = parser.parse_args()
    if unknown := set(given.games) - set(known):
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    sys.exit(1 if main(given.games or known, given.turns, given.seconds, given.python) else 0)
