"""Repetitions that discord.py makes by itself after a server error.

So a request of which we hear that it was refused, or that it was done, may have been done before.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from types import SimpleNamespace
from typing import Final

import aiohttp

REFUSED: Final = range(400, 500)
"""Statuses that say for sure that nothing was done."""


class Tries:
    """The requests that one call of ours is made of."""

    def __init__(self) -> None:
        self.repeated = False
        """Whether one was repeated that may have been done."""
        self._open = False

    def began(self) -> None:
        self.repeated = self.repeated or self._open
        self._open = True

    def ended(self, status: int) -> None:
        self._open = status not in REFUSED


_now: Final[ContextVar[Tries | None]] = ContextVar("tries", default=None)


@contextmanager
def tries() -> Iterator[Tries]:
    """Those that this task makes while the block runs, in a session that `count_tries` knows."""
    made = Tries()
    token = _now.set(made)
    try:
        yield made
    finally:
        _now.reset(token)


def count_tries(trace: aiohttp.TraceConfig) -> None:
    """Has the requests of a session counted for whoever asks `tries`."""

    async def began(
        _: aiohttp.ClientSession, __: SimpleNamespace, ___: aiohttp.TraceRequestStartParams
    ) -> None:
        if (made := _now.get()) is not None:
            made.began()

    async def ended(
        _: aiohttp.ClientSession, __: SimpleNamespace, done: aiohttp.TraceRequestEndParams
    ) -> None:
        if (made := _now.get()) is not None:
            made.ended(done.response.status)

    trace.on_request_start.append(began)
    trace.on_request_end.append(ended)
