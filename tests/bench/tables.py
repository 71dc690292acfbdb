"""`python -m tests.bench.tables`: the program under load, as one JSON object.

    python -m tests.bench.tables --tables 200 --every 3 --seconds 60 --hands channel
    python -m tests.bench.tables --tables 200 --every 15 --seconds 60 --hands channel --limits

`stammtisch run` is a process of its own at the tests' Discord (`tests/wire`).  Simulated people
play at all tables at once, all games in turn: at each table one ply every `--every` seconds, the
tables spread evenly.  Nobody waits for anybody else's table, so a slow program is not spared.

* `answer_ms`: from the press to the arrival of its answer at Discord, for all that people do:
  opening their hand, playing, going on to the next round.
* `late_ms`, `skipped`: by how much people came too late because their table's ply before was not
  done, and how often there was nothing to press.
* `held`: where the program's event loop was held up for a quarter of a second or longer; on a busy
  machine also where it just waited for a processor.
* `rss_per_table_kb`: growth of its memory over `--tables` matches that were opened, once others
  (a tenth as many) had been played at.
* `board_ms`, `notice_ms` (with notices, which `--limits` and `--notices` switch on): from the
  answer to a ply until the board's message has arrived, if the answer was not the board itself;
  and until the line that calls the next person has.

`--limits`: Discord allows 50 requests a second, and 5 per 5 seconds in a channel.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import typer

from tests.bench._figures import Times, delays, held_up
from tests.bench._people import Arrived, Crowd, Evening, Hands, open_tables, play
from tests.wire.faults import Fault, Kind
from tests.wire.front import Front
from tests.wire.ledger import Ledger
from tests.wire.program import Program

HELD: Final = 0.25
"""Seconds: where the program's event loop is held up longer, that place is named."""

SETTLING: Final = 4.0
"""Seconds that the program has to finish what it does, and to get used to its work before."""


@dataclass(frozen=True)
class Load:
    """What is asked of the program."""

    tables: int = 200
    every: float = 3.0
    """Seconds between two plies at a table."""
    seconds: float = 30.0
    hands: Hands = "channel"
    limits: bool = False
    notices: bool = False

    @property
    def pace(self) -> str:
        """Without a clock nobody is called."""
        return "relaxed" if self.limits or self.notices else "none"


class Opened(NamedTuple):
    """A program that runs, and who meets there."""

    front: Front
    program: Program
    crowd: Crowd
    ledger: Ledger


@asynccontextmanager
async def opened(folder: Path, hands: Hands, **environment: str) -> AsyncIterator[Opened]:
    """The program has started, on a server without people; its files are left in `folder`."""
    async with Front() as front, Program(front, folder, **environment) as program:
        crowd = Crowd(front)
        if hands == "channel":
            refused = Fault(Kind.REFUSED, status=403, code=50007)
            front.faults.plan(refused, "POST", r"^/users/@me/channels$", times=sys.maxsize)
        crowd.guild()
        await program.start()
        with closing(Ledger(program.database)) as ledger:
            yield Opened(front, program, crowd, ledger)


@contextmanager
def without_pauses() -> Iterator[None]:
    """Discord and its people are not what is measured: neither are the pauses of this process."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


async def measure(load: Load, folder: Path, settling: float = SETTLING) -> dict[str, Any]:
    """The figures of one run; its files are left in `folder`."""
    async with AsyncExitStack() as stack:
        front, program, crowd, ledger = await stack.enter_async_context(
            opened(folder, load.hands, LOG_LEVEL="WARNING", HELD=str(HELD))
        )
        others = await open_tables(crowd, ledger, max(2, load.tables // 10), "none", seed=10_000)
        await play(others, crowd, ledger, load.hands, 1.0, settling)
        await asyncio.sleep(settling)
        before = program.rss()
        tables = await open_tables(crowd, ledger, load.tables, load.pace)
        await asyncio.sleep(settling)
        grown = program.rss() - before
        stack.enter_context(without_pauses())
        if load.limits:
            front.limits.enforce(50, (5, 5.0), one_bucket=True)
        arrived = Arrived()
        front.seen.append(arrived.see)
        front.requests.clear()
        crowd.times.clear()
        plies = _plies(ledger)
        had = await play(tables, crowd, ledger, load.hands, load.every, load.seconds)
        await asyncio.sleep(settling)
        plies = _plies(ledger) - plies
        refused = sum(request.status == 429 for request in front.requests)
        run = Run(plies, grown, refused, crowd, arrived, had)
        log = program.log()
    found = run.figures(load)
    found["held"] = held_up(log)
    said = [line for line in log.splitlines() if line.startswith("{")]
    if said:
        found["log"] = said[-5:]
    return found


@dataclass(frozen=True)
class Run:
    """What was seen of one run."""

    plies: int
    grown: int
    """Bytes that the program's memory grew by."""
    refused: int
    """Requests that were too many."""
    crowd: Crowd
    arrived: Arrived
    had: Evening

    def figures(self, load: Load) -> dict[str, Any]:
        """The figures, as the head of this module explains them."""
        answers = Times([timed.seconds for timed in self.crowd.times if timed.seconds is not None])
        boards, no_board = delays(self.had.awaited.boards, self.arrived.boards)
        notices, no_notice = delays(self.had.awaited.notices, self.arrived.notices)
        found: dict[str, Any] = {
            "tables": load.tables,
            "every": load.every,
            "hands": load.hands,
            "pace": load.pace,
            "limits": load.limits,
            "plies": self.plies,
            "plies_per_s": round(self.plies / load.seconds, 1),
            "answer_ms": answers.shown(),
            "unanswered": sum(timed.seconds is None for timed in self.crowd.times),
            "late_ms": Times(self.had.late).shown(),
            "skipped": self.had.skipped,
            "refused": self.refused,
            "rss_per_table_kb": round(self.grown / load.tables / 1000, 1),
            "board_ms": {**Times(boards).shown(), "missing": no_board},
        }
        if load.pace != "none" and load.hands == "channel":
            found["notice_ms"] = {**Times(notices).shown(), "missing": no_notice}
        return found


def _plies(ledger: Ledger) -> int:
    """Actions of seats that are committed, at all tables."""
    (row,) = ledger.rows("SELECT count(*) AS plies FROM entries WHERE seat >= 0")
    return int(row["plies"])


def main(
    tables: int = 200,
    every: float = 3.0,
    seconds: float = 30.0,
    hands: Hands = "channel",
    *,
    limits: bool = False,
    notices: bool = False,
) -> None:
    load = Load(tables, every, seconds, hands, limits, notices)
    with TemporaryDirectory() as folder:
        found = asyncio.run(measure(load, Path(folder)))
    sys.stdout.write(json.dumps(found, indent=1) + "\n")


if __name__ == "__main__":
    typer.run(main)
