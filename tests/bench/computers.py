"""`python -m tests.bench.computers`: computer players at many tables, as one JSON object.

    python -m tests.bench.computers --tables 20 --every 10 --seconds 120

`stammtisch run` at the tests' Discord, as `tests.bench.tables` has it, with one worker, as it has
on two cores.  At every table one person sits with three computer players at *strong*; all games
take turns, and each person plays every `--every` seconds.  The clock starts once the players are
compiled.

* `first_s`: before that, by game: from the first question at *strong* after a cold start, with
  nothing compiled, to its answer; null if that was not the player's.
* `compiling_s`, `compiler_ended`: how long that took, and whether no process is left of it.
* `answer_ms`, `unanswered`, `late_ms`, `skipped`: of the people, as `tests.bench.tables` has them.
* `decisions`: how many computer players made, by who decided: the player (`level`), rules of thumb
  in its place, or nobody in time.
* `thought_ms`: what half, and 99 of a hundred, of the player's did not exceed, the time in the
  queue included; as fine as the buckets of the program's metric.
* `playouts`: the median of the thoughts that looked at any end of the round, and how many these
  were; the player does without where an action is forced, and where playouts tell nothing.
* `worker_mb`, `fork_server_mb`: memory (PSS: its own, and its part of what it shares) of a worker
  that has played, and of the process that forked it.
* `missed`: what does not reach its mark (`MARKS`); the exit code is 1 then.
"""

from __future__ import annotations

import asyncio
import json
import math
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any, Final, NamedTuple, TypeAlias

import aiohttp
import typer
from prometheus_client.parser import text_string_to_metric_families

from bot.computers.workers import Workers
from bot.tables.ports import Thought
from engine.players.duel import dealt, one_round
from engine.players.levels import Level
from engine.registry import games
from tests.bench._figures import Times
from tests.bench._people import open_tables, play
from tests.bench.tables import SETTLING, opened, without_pauses
from tests.computers.values import Counts
from tests.ports import free_port
from tests.wire.offspring import Offspring, offspring
from tests.wire.program import Program

COMPILED: Final = 1200.0
"""Seconds after which nothing will be compiled any more."""

COMPANY: Final = (3, Level.STRONG)
"""Computer players at each table."""


class Marks(NamedTuple):
    """What is to be reached."""

    first_s: float = 2.0
    """In every game, at most."""
    answer_ms: float = 300.0
    """p99, at most."""
    playouts: float = 1_000.0
    """Median, at least."""
    worker_mb: float = 200.0
    """PSS, at most."""


MARKS: Final = Marks()


Read: TypeAlias = Counter[tuple[str, float]]
"""The program's own histograms at a moment: how many decisions, by whom they were made, took no
more than so many seconds, and how many (`PLAYOUTS`) looked at no more than so many playouts.
"""

PLAYOUTS: Final = "playouts"


def read(text: str) -> Read:
    """What is told of decisions."""
    found: Read = Counter()
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            if sample.name == "stammtisch_decision_seconds_bucket":
                found[sample.labels["by"], float(sample.labels["le"])] += int(sample.value)
            elif sample.name == "stammtisch_decision_playouts_bucket":
                found[PLAYOUTS, float(sample.labels["le"])] += int(sample.value)
    return found


def bound(read: Read, of: str, share: float) -> float | None:
    """The smallest bound that so many per cent of the values do not exceed; None of nothing."""
    wanted = read[of, math.inf] * share / 100
    bounds = sorted(le for name, le in read if name == of and read[name, le] >= wanted)
    return bounds[0] if wanted else None


async def _metrics(port: int) -> Read:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as response,
    ):
        return read(await response.text())


class Processes(NamedTuple):
    """What a program has started, by what it does there."""

    compilers: list[Offspring]
    fork_servers: list[Offspring]
    workers: list[Offspring]

    @classmethod
    def of(cls, program: Program) -> Processes:
        """Those that live now.  A worker is forked by its fork server."""
        found = offspring(program.mark)
        of_players = [one for one in found if b"bot.computers.process" in _command(one)]
        pids = {one.pid for one in of_players}
        return cls(
            [one for one in of_players if b"compile" in _command(one)],
            [
                one
                for one in of_players
                if b"forkserver" in _command(one) and one.parent not in pids
            ],
            [one for one in of_players if one.parent in pids],
        )


def _command(one: Offspring) -> list[bytes]:
    """The words of a command; none if it has ended."""
    try:
        return Path(f"/proc/{one.pid}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return []


def _megabytes(processes: Sequence[Offspring]) -> float:
    """Memory (PSS) of the largest of them."""
    found = [0.0]
    for one in processes:
        for line in Path(f"/proc/{one.pid}/smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                found.append(int(line.split()[1]) / 1024)
    return max(found)


async def first_decision(name: str, folder: Path) -> float | None:
    """Seconds until the first question after a cold start is answered; None: not by the player."""
    game, counts = games()[name], Counts()
    seats = game.info.seats[-1]
    state = dealt(game, seats, one_round(game, seats, {}), 0, 0)
    view = game.observe(state, game.actors(state)[0])
    workers = Workers(games(), None, folder, counts=counts)
    try:
        began = perf_counter()
        await workers.decide(Thought(name, view, Level.STRONG, 1))
        seconds = perf_counter() - began
    finally:
        await workers.aclose()
    return round(seconds, 2) if counts.by == ["level"] else None


async def measure(
    tables: int, every: float, seconds: float, folder: Path, settling: float = SETTLING
) -> dict[str, Any]:
    """The figures of one run; its files are left in `folder`."""
    port = free_port()
    more = {"METRICS_PORT": str(port), "LOG_LEVEL": "INFO", "COMPUTER_WORKERS": "1"}
    async with opened(folder, "channel", **more) as (_, program, crowd, ledger):
        playing = await open_tables(crowd, ledger, tables, "none", computers=COMPANY)
        warm = await program.said("computers_warm", COMPILED)
        await play(playing, crowd, ledger, "channel", every, settling)
        with without_pauses():
            before = await _metrics(port)
            crowd.times.clear()
            had = await play(playing, crowd, ledger, "channel", every, seconds)
            await asyncio.sleep(settling)
            counted = await _metrics(port) - before
        processes = Processes.of(program)
        answers = [timed.seconds for timed in crowd.times]
        return {
            "tables": tables,
            "every": every,
            "compiling_s": warm["seconds"],
            "compiler_ended": not processes.compilers,
            "answer_ms": Times([each for each in answers if each is not None]).shown(),
            "unanswered": answers.count(None),
            "late_ms": Times(had.late).shown(),
            "skipped": had.skipped,
            **_decisions(counted),
            "workers": len(processes.workers),
            "worker_mb": round(_megabytes(processes.workers), 1),
            "fork_server_mb": round(_megabytes(processes.fork_servers), 1),
        }


def _decisions(counted: Read) -> dict[str, Any]:
    """What computer players decided."""
    times = {f"p{share}": bound(counted, "level", share) for share in (50, 99)}
    totals = {name: count for (name, le), count in counted.items() if le == math.inf}
    return {
        "playouts": {"p50": bound(counted, PLAYOUTS, 50), "count": totals.pop(PLAYOUTS, 0)},
        "decisions": totals,
        "thought_ms": {name: found and found * 1000 for name, found in times.items()},
    }


def missed(found: Mapping[str, Any]) -> list[str]:
    """The figures that do not reach their marks, or that nothing was measured for."""
    reached = {
        "first_s": all(first and first <= MARKS.first_s for first in found["first_s"].values()),
        "answer_ms": 0 < (found["answer_ms"]["p99"] or 0) <= MARKS.answer_ms,
        "unanswered": not found["unanswered"],
        "playouts": (found["playouts"]["p50"] or 0) >= MARKS.playouts,
        "worker_mb": 0 < found["worker_mb"] <= MARKS.worker_mb,
        "compiler_ended": found["compiler_ended"],
    }
    return [name for name, well in reached.items() if not well]


async def _all(tables: int, every: float, seconds: float) -> dict[str, Any]:
    first = {}
    for name in games():
        with TemporaryDirectory() as folder:
            first[name] = await first_decision(name, Path(folder))
    with TemporaryDirectory() as folder:
        found = {"first_s": first, **await measure(tables, every, seconds, Path(folder))}
    return found | {"missed": missed(found)}


def main(tables: int = 20, every: float = 10.0, seconds: float = 120.0) -> None:
    found = asyncio.run(_all(tables, every, seconds))
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    sys.exit(1 if found["missed"] else 0)


if __name__ == "__main__":
    typer.run(main)
