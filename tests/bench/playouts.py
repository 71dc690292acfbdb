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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
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


class Served:
    """A running process that plays what it is told (`tests.bench.peers.serve`)."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def plies_per_second(self, name: str, seconds: float) -> float:
        """One turn of a player."""
        asked, answers = self._process.stdin, self._process.stdout
        if asked is None or answers is None:
            raise RuntimeError("whoever plays has no pipes")
        asked.write(f"{name} {seconds}\n")
        asked.flush()
        answer = answers.readline()
        if not answer:
            raise SystemExit(f"{name} cannot be measured; its own message stands above")
        return float(answer)


@contextmanager
def serving(command: Sequence[str | Path], **environment: str) -> Iterator[Served]:
    """Whoever plays, as a process that ends afterwards."""
    with subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    ) as process:
        yield Served(process)
        process.communicate()


@contextmanager
def running_peers(python: str | None) -> Iterator[Served]:
    """The peers by that interpreter, or in an environment that uv makes."""
    needed = [word for package in PACKAGES for word in ("--with", package)]
    command = [python] if python else [UV, "run", "--quiet", "--no-project", *needed, "python"]
    with serving([*command, Path(__file__).with_name("peers.py")]) as peers:
        yield peers


def measure(
    peers: Served, names: Collection[str], us: Callable[[], float], turns: int, seconds: float
) -> tuple[float, dict[str, float]]:
    """Our plies per second, and how many times as many as each peer's: medians of the turns."""
    for peer in names:
        peers.plies_per_second(peer, 0)  # a first match, to build what is built once
    ours: list[float] = []
    ratios: dict[str, list[float]] = {peer: [] for peer in names}
    for _ in range(turns):
        before = {peer: peers.plies_per_second(peer, seconds) for peer in names}
        ours.append(us())
        for peer in reversed(tuple(names)):
            theirs = (before[peer] + peers.plies_per_second(peer, seconds)) / 2
            ratios[peer].append(ours[-1] / theirs)
    return median(ours), {peer: median(ratios[peer]) for peer in names}


def show(
    who: str, speed: float, ratios: Mapping[str, float], targets: Mapping[str, float | None]
) -> int:
    """A line for each peer; returns how many of the figures are below their targets."""
    below = 0
    for peer, times in ratios.items():
        target = targets[peer]
        missed = target is not None and times < target
        below += missed
        sys.stdout.write(
            f"{who} {speed:11,.0f} plies/s  {times:7.2f} × {peer:9}"
            f"{f' (target ≥ {target:g} ×)' if target else ''}{'  BELOW' if missed else ''}\n"
        )
    sys.stdout.flush()
    return below


def on_one_core() -> None:
    """This process, and whatever it starts from now on."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _ours(name: str, seats: int, seconds: float) -> float:
    """Plies per second of one turn of ours."""
    unless = UNLESS.get(name, frozenset())
    done = playouts(games()[name], seats, seconds, clock=process_time, unless=unless)
    return float(done["plies_per_s"])


def main(chosen: Sequence[str], turns: int, seconds: float, python: str | None) -> int:
    """Measures and prints; returns how many figures are below their targets."""
    on_one_core()
    below = 0
    with running_peers(python) as peers:
        for name in chosen:
            for seats in games()[name].info.seats:
                us = partial(_ours, name, seats, seconds)
                speed, ratios = measure(peers, TARGETS[name], us, turns, seconds)
                below += show(f"{name:18} {seats} seats", speed, ratios, TARGETS[name])
    return below


def asked_for(about: str | None, known: Sequence[str]) -> argparse.Namespace:
    """What was typed: `games`, `turns`, `seconds`, `python`."""
    parser = argparse.ArgumentParser(
        description=about, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("games", nargs="*", metavar="game", help=f"of {', '.join(known)}; else all")
    parser.add_argument("--turns", type=int, default=11, help="of each game and number of seats")
    parser.add_argument("--seconds", type=float, default=0.2, help="of each peer's and our turn")
    parser.add_argument("--python", help="an interpreter that has the peers' packages")
    given = parser.parse_args()
    if unknown := set(given.games) - set(known):
        parser.error(f"no such game: {', '.join(sorted(unknown))}")
    given.games = given.games or known
    return given


if __name__ == "__main__":
    given = asked_for(__doc__, [game for game in TARGETS if game in games()])
    sys.exit(1 if main(given.games, given.turns, given.seconds, given.python) else 0)
