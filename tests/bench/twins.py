"""`python -m tests.bench.twins`: random playouts of the players' twins beside those of others.

Every game's twin is measured compiled (numba, everything compiled before) and interpreted (as where
there is no numba) beside OpenSpiel's `hearts` and `spades`, and Auf und Ab beside its `dou_dizhu`,
called from Python: in turns on one core, by processor time, as `tests.bench.playouts` explains.
Deals take time on both sides and are no plies.

    python -m tests.bench.twins --turns 20 --seconds 0.3 sticheln

Before that, on all cores: the first decision of a player at *strong* after a cold start, with
nothing compiled, from the question to its answer, for every game; `by` says whether that was the
player (`level`).  What misses its target ends with `BELOW` or `ABOVE`, and the exit code is 1.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from types import MappingProxyType
from typing import Final

from bot.computers.workers import Workers
from bot.operate.logs import configure
from bot.tables.ports import Thought
from engine.game import CHANCE
from engine.players.duel import dealt, one_round
from engine.players.levels import Level
from engine.registry import games
from tests.bench.playouts import (
    ROOT,
    Served,
    asked_for,
    measure,
    on_one_core,
    running_peers,
    serving,
    show,
)
from tests.computers.values import Counts

SEATS: Final = (3, 4)
"""The numbers of seats that are measured: the peers are games for three and for four."""

WAYS: Final[Mapping[str, str]] = MappingProxyType({"compiled": "0", "interpreted": "1"})
"""How twins are run: what NUMBA_DISABLE_JIT is then."""

TRICKS: Final[Mapping[str, Mapping[str, float | None]]] = {
    "compiled": {"hearts": 50.0, "spades": 50.0},
    "interpreted": {"hearts": 2.0, "spades": 2.0},
}
TARGETS: Final[Mapping[str, Mapping[str, Mapping[str, float | None]]]] = {
    "aufundab": {"compiled": {"dou_dizhu": 50.0}, "interpreted": {"dou_dizhu": 1.2}},
    "auffalscherfaehrte": TRICKS,
    "sticheln": TRICKS,
    "kaiserspiel": TRICKS,
}
"""By game and way: how many times as fast as each peer it is to be."""

FIRST: Final = 2.0
"""Seconds from the first question to its answer, at most."""

ENDED: Final = 0.5
"""Seconds in which the processes of one game end before the next one's begin."""


async def first_decision(name: str, folder: Path) -> tuple[float, str]:
    """Seconds until the first question after a cold start is answered, and by whom."""
    game = games()[name]
    seats = game.info.seats[-1]
    state = dealt(game, seats, one_round(game, seats, {}), 0, 0).state
    (seat, *_) = game.actors(state)
    assert seat != CHANCE
    counts = Counts()
    workers = Workers(games(), None, folder, counts=counts)
    try:
        began = perf_counter()
        answer = await workers.decide(Thought(name, game.observe(state, seat), Level.STRONG, 1))
        seconds = perf_counter() - began
    finally:
        await workers.aclose()
    return seconds, counts.by[0] if answer is not None else "nobody"


async def first_decisions(chosen: Sequence[str]) -> int:
    """Measures and prints; returns how many took too long."""
    above = 0
    for name in chosen:
        with TemporaryDirectory() as folder:
            seconds, by = await first_decision(name, Path(folder))
            await asyncio.sleep(ENDED)
        missed = seconds > FIRST or by != "level"
        above += missed
        sys.stdout.write(
            f"{name:18} first decision after a cold start {seconds:5.2f} s, by {by}"
            f" (target ≤ {FIRST:g} s){'  ABOVE' if missed else ''}\n"
        )
        sys.stdout.flush()
    return above


def speeds(chosen: Sequence[str], turns: int, seconds: float, python: str | None) -> int:
    """Measures and prints; returns how many figures are below their targets."""
    on_one_core()
    below = 0
    command = [sys.executable, "-m", "tests.bench._playing_twins"]
    with TemporaryDirectory() as cache, running_peers(python) as peers:
        for way, disabled in WAYS.items():
            more = {"NUMBA_CACHE_DIR": cache, "NUMBA_DISABLE_JIT": disabled}
            with serving(command, PYTHONPATH=str(ROOT), **more) as twins:
                for name in chosen:
                    below += _speeds(name, way, peers, twins, turns, seconds)
    return below


def _speeds(name: str, way: str, peers: Served, twins: Served, turns: int, seconds: float) -> int:
    """One game, one way, by seats."""
    below, targets = 0, TARGETS[name][way]
    for seats in SEATS:
        if seats not in games()[name].info.seats:
            continue
        asked = f"{name}-{seats}"
        twins.plies_per_second(asked, 0)  # compiles what is to be compiled
        us = partial(twins.plies_per_second, asked, seconds)
        speed, ratios = measure(peers, targets, us, turns, seconds)
        below += show(f"{name:18} {seats} seats {way:11}", speed, ratios, targets)
    return below


if __name__ == "__main__":
    configure("ERROR")
    given = asked_for(__doc__, [game for game in TARGETS if game in games()])
    missed = asyncio.run(first_decisions(given.games))
    missed += speeds(given.games, given.turns, given.seconds, given.python)
    sys.exit(1 if missed else 0)
