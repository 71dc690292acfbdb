"""Rate limit: how often and how long the publisher sends requests to Discord.

Discord allows a program fifty requests a second; answers to presses do not count.  All of the
publisher's calls pass through one queue here: calls to people come before boards, and deletions
last.  Every call has a time limit.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Awaitable, Callable
from enum import IntEnum
from typing import TypeVar

from bot.publish.timings import TIMINGS, Timings
from bot.tasks import ignore_error

T = TypeVar("T")


class Priority(IntEnum):
    """Order of requests while there are too many."""

    CALL = 0
    """Hands and lines for people who are asked."""
    BOARD = 1
    SETTLE = 2
    """Hands whose question is answered."""
    TIDY = 3
    """Deletion of old messages."""


class Budget:
    """A token bucket with a queue by priority; of the same priority, first come, first served."""

    def __init__(
        self, timings: Timings = TIMINGS, untouchable: Callable[[], bool] = lambda: False
    ) -> None:
        """`untouchable` says that no call may be given up just now, however long it takes."""
        self._timings = timings
        self._untouchable = untouchable
        self._tokens = float(timings.burst)
        self._counted: float | None = None
        """When the tokens were counted last."""
        self._queue: list[tuple[int, int, asyncio.Future[None]]] = []
        self._arrived = 0
        self._timer: asyncio.TimerHandle | None = None

    async def spend(self, priority: Priority, call: Callable[[], Awaitable[T]]) -> T:
        """The result of `call`, made when it is its turn.  Raises TimeoutError if it hangs."""
        await self._turn(priority)
        return await self._in_time(call)

    # Whose turn it is

    async def _turn(self, priority: Priority) -> None:
        self._count()
        if self._tokens >= 1 and not self._queue:
            self._tokens -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._arrived += 1
        heapq.heappush(self._queue, (priority, self._arrived, turn))
        self._wake()
        await turn  # a caller that is cancelled leaves a future that is done behind

    def _count(self) -> None:
        now = asyncio.get_running_loop().time()
        if self._counted is not None:
            gained = (now - self._counted) * self._timings.rate
            self._tokens = min(float(self._timings.burst), self._tokens + gained)
        self._counted = now

    def _wake(self) -> None:
        """Looks again when the next token is there."""
        if self._timer is None and self._queue:
            loop = asyncio.get_running_loop()
            missing = max(0.0, 1 - self._tokens)
            # A hair later: rounding must not find the token missing by a billionth.
            self._timer = loop.call_later(missing / self._timings.rate + 1e-6, self._serve)

    def _serve(self) -> None:
        self._timer = None
        self._count()
        while self._queue and self._tokens >= 1:
            _, _, turn = heapq.heappop(self._queue)
            if not turn.done():
                self._tokens -= 1
                turn.set_result(None)
        self._wake()

    # How long it may take

    async def _in_time(self, call: Callable[[], Awaitable[T]]) -> T:
        task = asyncio.ensure_future(call())
        task.add_done_callback(ignore_error)  # of one that nobody waits for any more
        wait = self._timings.request
        try:
            while not (await asyncio.wait([task], timeout=wait))[0]:
                if not self._untouchable():
                    raise TimeoutError
                wait = self._timings.request_again
            return task.result()
        finally:
            task.cancel()
