"""`python -m tests.bench.long_match`: what the longest match costs everybody else.

A match of Auf und Ab with more than 7,000 plies stands in a database on the disk, SQLite or
`DATABASE_URL` (an empty one).  It is loaded as after a restart, played on by a ply and drawn,
checked as for `/verify` and written as for `/replay`.  Beside each of these a task looks every
millisecond whether it is its turn: what it waits longer is how long the event loop was blocked.
Prints one JSON object: milliseconds, medians of the runs, how long each takes and the longest block
of the loop; both by the clock and by the processor (what this program itself computed meanwhile).
On a machine that others use too, look at those by processor time; `nothing` is a second in which
nothing is done.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sys
import tempfile
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from pathlib import Path
from statistics import median
from time import perf_counter, process_time
from typing import Final, TypeVar

import typer

from bot.render.channel import public_message
from bot.storage.database import Database
from bot.storage.migrations import upgrade_open
from bot.storage.tables import SqlTableStore
from bot.tables.model import Table
from bot.tables.ports import Change
from bot.tables.service import TableService
from bot.tables.stored import Status
from bot.views.snapshot import snapshot_of
from engine.registry import games
from tests.tables.fakes import ANN, FakeClock, Recorder, SeededChance
from tests.tables.recorded import long_match, running

T = TypeVar("T")

TICK: Final = 0.001
"""Seconds after which the watching task wants its turn again."""


class Watched:
    """How long things took and how long the loop was blocked meanwhile, in milliseconds."""

    def __init__(self) -> None:
        self.took: dict[str, list[float]] = {}
        self.used: dict[str, list[float]] = {}
        """Of the processor, which others may want at the same time."""
        self.blocked: dict[str, list[float]] = {}
        self.held: dict[str, list[float]] = {}
        """The same by what this program computed while the loop waited."""

    async def during(self, what: str, work: Awaitable[T]) -> T:
        """`work`, watched."""
        worst = held = 0.0

        async def watch() -> None:
            nonlocal worst, held
            while True:
                begun, processor = perf_counter(), process_time()
                await asyncio.sleep(TICK)
                worst = max(worst, perf_counter() - begun - TICK)
                held = max(held, process_time() - processor)

        watching = asyncio.create_task(watch())
        await asyncio.sleep(TICK)
        begun, processor = perf_counter(), process_time()
        done = await work
        self.took.setdefault(what, []).append((perf_counter() - begun) * 1000)
        self.used.setdefault(what, []).append((process_time() - processor) * 1000)
        await asyncio.sleep(2 * TICK)
        watching.cancel()
        self.blocked.setdefault(what, []).append(worst * 1000)
        self.held.setdefault(what, []).append(held * 1000)
        return done


async def measure(url: str, runs: int) -> dict[str, object]:
    """The figures of one match."""
    database = await Database.open(url)
    await upgrade_open(database)
    store, watched = SqlTableStore(database), Watched()
    stored, log = running(long_match(), None)
    await store.commit(Change(stored, 0, log[:-runs]))
    gc.freeze()  # as the program does, and with what only this measurement has
    for _ in range(runs):
        house = TableService(
            store, clock=FakeClock(), chance=SeededChance(), announcer=Recorder(), games=games()
        )
        table = await watched.during("load", house.table(stored.id))
        table = await watched.during("ply", ply(house, table))
        ended = replace(table, stored=replace(table.stored, status=Status.STOPPED))
        assert await watched.during("check", house.checked(ended))
        await watched.during("record", house.record(ended))
        await watched.during("nothing", asyncio.sleep(1))
        await house.aclose()
    await database.close()
    return {
        "plies": table.ply,
        "ms": _each(watched.took),
        "processor_ms": _each(watched.used),
        "block_ms": _each(watched.blocked),
        "block_processor_ms": _each(watched.held),
    }


def _each(values: Mapping[str, list[float]]) -> dict[str, float]:
    return {what: round(median(each), 1) for what, each in values.items()}


async def ply(house: TableService, table: Table) -> Table:
    """Whoever is asked does the first thing that may be done, and it is drawn."""
    seat = table.actors[0]
    user = table.stored.seating.people[seat].id
    after = await house.act(table.id, None, user, next(iter(table.legal_texts(seat))), None)
    snapshot = snapshot_of(after)
    assert snapshot.view is not None
    public_message(snapshot.view)
    snapshot.hand(ANN.id, None)
    return after


def main(runs: int = 5) -> None:
    with tempfile.TemporaryDirectory() as place:
        file = f"sqlite+aiosqlite:///{Path(place) / 'long.sqlite3'}"
        found = asyncio.run(measure(os.environ.get("DATABASE_URL", file), runs))
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    typer.run(main)
