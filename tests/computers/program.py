"""A program with workers that think for ever: says their numbers, and waits to be ended.

Started by `test_process`, as `python -m tests.computers.program FOLDER`.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from pathlib import Path
from unittest.mock import patch

import uvloop

from bot.computers import sources
from bot.computers import workers as there
from bot.computers.workers import Workers
from bot.operate import logs
from tests.computers.values import GAMES, WICKED, Counts, thought
from tests.computers.ways import HANGS
from tests.patience import PATIENCE, until


async def main(folder: Path) -> None:
    logs.configure()
    stop = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stop.set)
    patch.object(there, "ANSWER_TIME", PATIENCE).start()
    patch.object(sources, "START_TIME", PATIENCE).start()
    counts = Counts()
    workers = Workers(GAMES, 2, folder, counts=counts, first=WICKED)
    await asyncio.gather(*(workers.decide(thought(2, seed=seed)) for seed in range(20)))
    await until(lambda: len(workers.pids) == 2)
    hanging = [asyncio.create_task(workers.decide(thought(HANGS))) for _ in range(2)]
    await asyncio.sleep(0)
    print(*workers.pids, flush=True)  # noqa: T201 - it is what the test reads
    await stop.wait()
    await workers.aclose()
    await asyncio.gather(*hanging)


if __name__ == "__main__":
    uvloop.run(main(Path(sys.argv[1])))
