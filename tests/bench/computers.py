"""`python -m tests.bench.computers`: computer players at many tables, as one JSON object.

    python -m tests.bench.computers --tables 20 --every 10 --seconds 120

`stammtisch run` at the tests' Discord, as `tests.bench.tables` has it, with one worker, as it has
on two cores.  At every table one person sits with three computer players at *strong*; all games
take turns, and each person plays every `--every` seconds.  The clock starts once the players are
compiled.

* `compiling_s`, `compiler_ended`: how long that took, and whether no process is left of it.
* `answer_ms`, `unanswered`, `late_ms`, `skipped`: of the people, as `tests.bench.tables` has them.
* `decisions`: how many computer players made, by who decided: the player (`level`), rules of thumb
  in its place, or nobody in time.
* `thought_ms`: what half, and 99 of a hundred, of the player's did not exceed, the time in the
  queue included; as fine as the buckets of the program's metric.
* `playouts`: the median of the thoughts that looked at any end of the round, and how many these
  were; the player does without where an action is forced, and where playouts tell nothing.
* `worker_mb`, `mother_mb`: memory (PSS: its own, and its part of what it shares) of a worker that
  has played, and of the process that it is a copy of.
* `missed`: what does not reach its mark (`MARKS`); the exit code is 1 then.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import aiohttp
from prometheus_client.parser import text_string_to_metric_families

from engine.players.levels import Level
from tests.bench._figures import Times
from tests.bench._people import open_tables, play
from tests.bench.tables import SETTLING, opened, without_pauses
from tests.operate.test_watched import free_port
from tests.wire.offspring import Offspring, offspring
from tests.wire.program import Program

COMPILED: Final = 1200.0
"""Seconds after which nothing will be compiled any more."""

COMPANY: Final = (3, Level.STRONG)
"""Computer players at each table."""


class Marks(NamedTuple):
    """What is to be reached."""

    answer_ms: float = 300.0
    """p99, at most."""
    playouts: float = 1_000.0
    """Median, at least."""
    worker_mb: float = 200.0
    """PSS, at most."""


MARKS: Final = Marks()


class Counted(NamedTuple):
    """A histogram of the program: how many values do not exceed each bound, infinity included."""

    upto: Mapping[float, float]

    def since(self, before: Counted) -> Counted:
        """What has been counted since then."""
        return Counted({le: count - before.upto.get(le, 0.0) for le, count in self.upto.items()})

    @property
    def total(self) -> int:
        return round(self.upto.get(math.inf, 0.0))

    def bound(self, share: float) -> float | None:
        """The smallest bound that so many per cent of the values do not exceed; None of nothing."""
        wanted = self.total * share / 100
        found = (le for le, count in sorted(self.upto.items()) if count >= wanted)
        return next(found) if self.total else None


class Read(NamedTuple):
    """The program's own metrics at a moment."""

    seconds: Mapping[str, Counted]
    """Of decisions, by whom they were made."""
    playouts: Counted

    def since(self, before: Read) -> Read:
        """What has been counted since then."""
        nothing = Counted({})
        seconds = {
            by: found.since(before.seconds.get(by, nothing)) for by, found in self.seconds.items()
        }
        return Read(seconds, self.playouts.since(before.playouts))


def read(text: str) -> Read:
    """What is told of decisions."""
    seconds: dict[str, dict[float, float]] = {}
    playouts: dict[float, float] = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            match sample.name:
                case "stammtisch_decision_seconds_bucket":
                    by = seconds.setdefault(sample.labels["by"], {})
                    by[float(sample.labels["le"])] = sample.value
                case "stammtisch_decision_playouts_bucket":
                    playouts[float(sample.labels["le"])] = sample.value
                case _:
                    pass
    return Read({by: Counted(found) for by, found in seconds.items()}, Counted(playouts))


async def _metrics(port: int) -> Read:
    async with (
        aiohttp.ClientSession() as session,
        session.get(f"http://127.0.0.1:{port}/metrics") as response,
    ):
        return read(await response.text())


class Processes(NamedTuple):
    """What a program has started, by what it does there."""

    compilers: list[Offspring]
    mothers: list[Offspring]
    workers: list[Offspring]

    @classmethod
    def of(cls, program: Program) -> Processes:
        """Those that live now.  A worker is a copy of its mother, and its child."""
        found = offspring(program.mark)
        of_players = [one for one in found if b"bot.computers.process" in _command(one)]
        pids = {one.pid for one in of_players}
        return cls(
            [one for one in of_players if b"compile" in _command(one)],
            [one for one in of_players if b"mother" in _command(one) and one.parent not in pids],
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
            counted = (await _metrics(port)).since(before)
        processes = Processes.of(program)
        answers = [timed.seconds for timed in crowd.times]
        found: dict[str, Any] = {
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
            "mother_mb": round(_megabytes(processes.mothers), 1),
        }
    return found | {"missed": missed(found)}


def _decisions(counted: Read) -> dict[str, Any]:
    """What computer players decided."""
    by_player = counted.seconds.get("level", Counted({}))
    times = {f"p{share}": by_player.bound(share) for share in (50, 99)}
    return {
        "decisions": {by: found.total for by, found in counted.seconds.items() if found.total},
        "thought_ms": {name: bound and bound * 1000 for name, bound in times.items()},
        "playouts": {"p50": counted.playouts.bound(50), "count": counted.playouts.total},
    }


def missed(found: Mapping[str, Any]) -> list[str]:
    """The figures that do not reach their marks, or that nothing was measured for."""
    reached = {
        "answer_ms": 0 < (found["answer_ms"]["p99"] or 0) <= MARKS.answer_ms,
        "unanswered": not found["unanswered"],
        "playouts": (found["playouts"]["p50"] or 0) >= MARKS.playouts,
        "worker_mb": 0 < found["worker_mb"] <= MARKS.worker_mb,
        "compiler_ended": found["compiler_ended"],
    }
    return [name for name, well in reached.items() if not well]


def main() -> bool:
    """Whether every mark is reached."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--every", type=float, default=10.0, help="seconds between two plays")
    parser.add_argument("--seconds", type=float, default=120.0, help="how long is played")
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        found = asyncio.run(measure(given.tables, given.every, given.seconds, Path(folder)))
    sys.stdout.write(json.dumps(found, indent=1) + "\n")
    return not found["missed"]


if __name__ == "__main__":
    sys.exit(0 if main() else 1)
