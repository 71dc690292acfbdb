"""`python -m tests.bench.handler`: how long the program takes to answer a play, as one JSON line.

`{"handler_ms_p50", "p95", "plies", "commit_ms_p50"}`.  Whole matches at one table are played by
buttons in the channel, DMs closed, through the real program with a real SQLite file (WAL,
`synchronous=FULL`).  A ply's time runs from the moment when discord.py is handed the event
INTERACTION_CREATE that plays it to the call that answers it: discord.py's parsing, routing, the
rules, the durable commit and the drawing are inside, SimCord's own work before and after is not.
`commit_ms_p50` is the part of it that the transaction takes, waiting for SQLite's thread included.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import logging
import random
import statistics
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any
from unittest.mock import patch

from bot.operate.logs import configure
from bot.storage import SqlTableStore
from bot.tables.ports import Change
from tests.discord.figures import press_my_hand
from tests.discord.ways import open_table, play_on
from tests.discord.world import Sent, World, world


class Stopwatch:
    """Times between an interaction and its answer, and of commits, in milliseconds."""

    def __init__(self) -> None:
        self.begun: dict[int, float] = {}
        self.answered: dict[int, float] = {}
        self.commits: list[float] = []
        self.plays: set[int] = set()
        """Interactions that brought an entry of a log."""

    def attach(self, world: World) -> None:
        """Times the answers of this world's program, from now on."""
        parsers = world.bot._connection.parsers
        parse = parsers["INTERACTION_CREATE"]

        def begin(data: Any) -> None:
            self.begun[int(data["id"])] = perf_counter()
            parse(data)

        parsers["INTERACTION_CREATE"] = begin
        world.tap(self._sent)

    async def commit(self, store: SqlTableStore, change: Change) -> None:
        """`SqlTableStore.commit`, timed."""
        begun = perf_counter()
        await _commit(store, change)
        plays = {entry.interaction for entry in change.entries if entry.interaction is not None}
        if plays:
            self.plays |= plays
            self.commits.append((perf_counter() - begun) * 1000)

    def _sent(self, sent: Sent) -> None:
        if sent.interaction in self.begun:
            took = (perf_counter() - self.begun[sent.interaction]) * 1000
            self.answered.setdefault(sent.interaction, took)

    @property
    def times(self) -> list[float]:
        """Of the interactions that played something."""
        return sorted(self.answered[play] for play in self.plays & self.answered.keys())


_commit = SqlTableStore.commit


async def measure(matches: int, people: int) -> Stopwatch:
    watch = Stopwatch()

    async def commit(store: SqlTableStore, change: Change) -> None:
        await watch.commit(store, change)

    for seed in range(1, matches + 1):
        with TemporaryDirectory() as folder, patch.object(SqlTableStore, "commit", commit):
            async with world(Path(folder), people, seed) as w:
                for player in w.players.values():
                    w.close_dms(player)
                watch.attach(w)
                await open_table(w, people, length=1)
                await play_on(w, press_my_hand, random.Random(seed))
    return watch


def figures(watch: Stopwatch) -> dict[str, float]:
    times = watch.times
    return {
        "handler_ms_p50": round(statistics.median(times), 2),
        "p95": round(times[len(times) * 95 // 100], 2),
        "plies": len(times),
        "commit_ms_p50": round(statistics.median(watch.commits), 2),
    }


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--matches", type=int, default=4)
    parser.add_argument("--people", type=int, default=3, choices=(3, 4))
    given = parser.parse_args()
    configure("ERROR")
    logging.getLogger("discord").setLevel(logging.ERROR)
    sys.stdout.write(json.dumps(figures(asyncio.run(measure(given.matches, given.people)))) + "\n")
