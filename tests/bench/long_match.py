"""`python -m tests.bench.long_match`: what one match of 30,000 plies costs everybody else.

A match of Auf und Ab to 1,000 points and more stands in a database on the disk.  It is loaded as
after a restart, from its snapshot; it is played on, its pause is drawn, `/verify` is opened, and in
the end `/replay`.  Beside each of these a task looks every millisecond whether it is its turn: what
it waits longer is how long the event loop was blocked.  Prints one JSON object: milliseconds,
medians of the runs for how long things take, by the clock and by the processor, and for each
run's longest block.  `nothing` is a second in which nothing is done: what the machine takes away.

The whole log is folded only once, where there is no snapshot yet; that is measured too.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import sys
import tempfile
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter, process_time
from typing import Any, Final, TypeVar

from bot.i18n import texts
from bot.ids import ChannelId, TableId
from bot.operate import garbage
from bot.render.channel import public_message
from bot.render.deal_proof import verify_page
from bot.storage.database import Database
from bot.storage.migrations import upgrade_open
from bot.storage.tables import SqlTableStore
from bot.tables import opening
from bot.tables.model import ByPerson, ByStandIn, Table
from bot.tables.phase import Pause
from bot.tables.ports import Change
from bot.tables.published import match_record
from bot.tables.service import TableService
from bot.tables.shuffling import Shuffle, Shuffling
from bot.tables.stored import Entry, Status
from bot.views.building import verify_view
from bot.views.snapshot import snapshot_of
from engine.deal import Seeded
from engine.game import CHANCE, Options
from engine.record import opening_to_json, to_text
from engine.registry import games
from tests.tables.fakes import ANN, CHANNEL, GUILD, START, FakeClock, Recorder, SeededChance

T = TypeVar("T")

GAME: Final = games()["aufundab"]
SEATS: Final = 3
TICK: Final = 0.001
"""Seconds after which the watching task wants its turn again."""


class Blocks:
    """How long the event loop was blocked at most, by what was done meanwhile; milliseconds."""

    def __init__(self) -> None:
        self.longest: dict[str, list[float]] = {}

    @asynccontextmanager
    async def during(self, what: str) -> AsyncIterator[None]:
        """Watches the event loop."""
        worst = 0.0

        async def watch() -> None:
            nonlocal worst
            while True:
                begun = perf_counter()
                await asyncio.sleep(TICK)
                worst = max(worst, perf_counter() - begun - TICK)

        watching = asyncio.create_task(watch())
        await asyncio.sleep(TICK)
        try:
            yield
        finally:
            await asyncio.sleep(2 * TICK)
            watching.cancel()
            self.longest.setdefault(what, []).append(worst * 1000)


def played(plies: int) -> tuple[Entry, ...]:
    """A log of so many plies and as many more as it takes to the next pause.

    Several matches in a row would end: the target is what no match comes to.
    """
    rng = Random(1)
    draw = Seeded(rng)
    lines: list[Entry] = []
    state: Any = GAME.initial(SEATS, OPTIONS)
    while True:
        (seat,) = GAME.actors(state)
        if seat == CHANCE and len(lines) > plies:
            return tuple(lines)
        legal = GAME.legal_actions(state, seat)
        action = GAME.deal(state, draw) if seat == CHANCE else legal[draw(len(legal))]
        state = GAME.apply(state, seat, action)
        text = GAME.format_action(action) if seat != CHANCE else ""
        if seat == CHANCE:
            text = json.dumps(opening_to_json(GAME, action, state), separators=(",", ":"))
        lines.append(Entry(len(lines), seat, text, START, 10**18 + len(lines)))


OPTIONS: Final[Options] = {"length": "target", "target": 10_000}
"""More than `/newgame` takes: a match to 1,000 points may have 30,000 plies, this one has."""


async def stored(
    store: SqlTableStore, name: str, log: tuple[Entry, ...], channel: ChannelId
) -> TableId:
    """A running match with this log."""
    rounds = sum(entry.is_deal for entry in log)
    table = opening.new_table(
        TableId(name), guild=GUILD, channel=CHANNEL, host=ANN, game=GAME, seats=SEATS, given={},
        private=False, tip=bytes(32), now=START,
    )  # fmt: skip
    posts = range(rounds)
    dealt = [Shuffle(f"{each:064x}", str(13 * 10**17 + each), ("",) * SEATS) for each in posts]
    table = replace(
        table,
        version=1,
        channel=channel,
        status=Status.RUNNING,
        started=START,
        options=OPTIONS,
        shuffling=Shuffling(table.shuffling.chain, (*dealt, Shuffle(f"{rounds:064x}"))),
    )
    await store.commit(Change(table, 0, log))
    return table.id


async def measure(plies: int, runs: int, folder: Path) -> dict[str, object]:
    """The figures of one match in a database of its own."""
    database = await Database.open(f"sqlite+aiosqlite:///{folder / 'long.sqlite3'}")
    await upgrade_open(database)
    store, blocks = SqlTableStore(database), Blocks()
    times: dict[str, list[float]] = {}
    used: dict[str, list[float]] = {}

    async def timed(what: str, work: Awaitable[T]) -> T:
        gc.collect()
        async with blocks.during(what):
            begun, processor = perf_counter(), process_time()
            done = await work
            times.setdefault(what, []).append((perf_counter() - begun) * 1000)
            used.setdefault(what, []).append((process_time() - processor) * 1000)
        return done

    def service() -> TableService:
        return TableService(
            store, clock=FakeClock(), chance=SeededChance(), announcer=Recorder(), games=games()
        )

    log = played(plies)
    last = max(entry.ply for entry in log if entry.is_deal)
    pausing = await stored(store, "T1", log, CHANNEL)
    running = await stored(store, "T2", tuple(
        replace_interaction(entry) for entry in log[: last + 10]
    ), ChannelId(CHANNEL + 1))  # fmt: skip
    first = service()
    for name in (pausing, running):
        await timed("first load, without a snapshot", first.table(name))
    await first.aclose()
    for _ in range(runs):
        house = service()
        pause = await timed("load", house.table(pausing))
        assert isinstance(pause.phase, Pause)
        await timed("draw a pause", drawn(pause))
        await timed("verify", verified(pause))
        table = await house.table(running)
        for _ in range(20):
            if isinstance(table.phase, Pause):
                break
            table = await timed("ply", ply(house, table))
        await timed("replay", replayed(house, pause))
        await timed("nothing", asyncio.sleep(1))
        await house.aclose()
    await database.close()
    measured = {"ms": times, "processor_ms": used, "longest_block_ms": blocks.longest}
    medians = {
        name: {what: round(median(each), 1) for what, each in values.items()}
        for name, values in measured.items()
    }
    return {"plies": len(log), "rounds": pause.round, **medians}


def replace_interaction(entry: Entry) -> Entry:
    """The same line of another table: an interaction is applied once."""
    return entry._replace(interaction=None)


async def drawn(table: Table) -> None:
    """What the publisher draws of a table: the board, and the hand of whoever sits there."""
    snapshot = snapshot_of(table)
    assert snapshot.view is not None
    public_message(snapshot.view)
    snapshot.hand(ANN.id, None)


async def verified(table: Table) -> None:
    for page in (0, table.round // 2):
        verify_page(verify_view(table, page), texts("en"))


async def ply(house: TableService, table: Table) -> Table:
    """Whoever is asked does the first thing that may be done, and it is drawn."""
    seat = table.actors[0]
    person = table.stored.seating.places[seat].person
    by = ByStandIn(seat) if person is None else ByPerson(person.id)
    after = await house.act(table.id, None, by, next(iter(table.legal_texts(seat))), None)
    await drawn(after)
    return after


async def replayed(house: TableService, table: Table) -> None:
    """As `/replay` does once the match has ended."""
    whole = await house.whole(table)
    ended = replace(whole, stored=replace(whole.stored, status=Status.STOPPED))
    await asyncio.to_thread(lambda: to_text(match_record(ended)))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--plies", type=int, default=30_000)
    parser.add_argument("--runs", type=int, default=5)
    given = parser.parse_args()
    garbage.spare()  # as the program does
    with tempfile.TemporaryDirectory() as place:
        found = asyncio.run(measure(given.plies, given.runs, Path(place)))
    sys.stdout.write(json.dumps(found) + "\n")
