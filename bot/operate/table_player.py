"""The tables' own computer players for `stammtisch policy`: as at a table, in worker processes.

The first answers come from code that is not compiled yet, while the compiler works in the
background.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from pathlib import Path

from bot.computers import thinking
from bot.computers.advising import question
from bot.computers.workers import Workers
from bot.operate.policy import Asked, Decide
from bot.operate.tools import cache_folder
from bot.tables.ports import Thought
from engine.players.levels import Level, playouts
from engine.registry import games


@contextmanager
def table_player(level: Level) -> Iterator[Decide]:
    """Whoever decides at that level; its processes end with this.

    What it has not thought of in time is left to the rules of thumb, as at a table.
    """
    thinking.interpreted()  # in this process, which only answers if it has to
    if not playouts(level):
        yield lambda asked, _: _simply(_thought(asked, level), level)
        return
    with _workers(cache_folder()) as decided:

        def decide(asked: Asked, left: Callable[[], float]) -> str:
            thought = _thought(asked, level)
            return decided(thought, left()) or _simply(thought, Level.NORMAL)

        yield decide


def _thought(asked: Asked, level: Level) -> Thought:
    return Thought(asked.game.info.id, asked.view, level, asked.seed)


def _simply(thought: Thought, level: Level) -> str:
    return thinking.think(question(thought, level, 0.0)).does


@contextmanager
def _workers(folder: Path) -> Iterator[Callable[[Thought, float], str | None]]:
    """What a worker decides within so many seconds, or None."""
    loop = asyncio.new_event_loop()
    running = threading.Thread(target=loop.run_forever, name="computers", daemon=True)
    running.start()
    workers = Workers(games(), 1, folder)
    loop.call_soon_threadsafe(workers.wake, ())

    def decided(thought: Thought, seconds: float) -> str | None:
        answer = asyncio.run_coroutine_threadsafe(workers.decide(thought), loop)
        try:
            return answer.result(max(0.0, seconds))
        except (TimeoutError, CancelledError):
            answer.cancel()
            return None

    try:
        yield decided
    finally:
        asyncio.run_coroutine_threadsafe(workers.aclose(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        running.join()
        loop.close()
