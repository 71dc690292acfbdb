"""Delayed writes: less urgent rows are stored a moment later, several in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Generic, TypeVar

import structlog

logger = structlog.get_logger(__name__)

K = TypeVar("K")
V = TypeVar("V")


class Later(Generic[K, V]):
    """Values by key that are stored together, `lag` seconds after the first of them came.

    What could not be stored waits, and is tried again after `again` seconds.
    """

    def __init__(
        self,
        store: Callable[[Mapping[K, V]], Awaitable[None]],
        lag: float,
        again: float,
        what: str,
    ) -> None:
        """`what` names it in the log."""
        self._store, self._lag, self._again, self._what = store, lag, again, what
        self.waiting: dict[K, V] = {}
        """Values not stored yet; incomplete while `storing` is held."""
        self.storing = asyncio.Lock()
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def put(self, key: K, value: V) -> None:
        """Has that stored, in place of what waits under the same key.  Needs a running loop."""
        self.waiting[key] = value
        self._soon(self._lag)

    async def flush(self) -> None:
        """Everything that waits is stored when this returns.  Raises what storing raises."""
        async with self.storing:
            waiting, self.waiting = self.waiting, {}
            if not waiting:
                return
            try:
                await self._store(waiting)
            except BaseException:
                # What is stored twice does no harm; what came meanwhile is newer.
                self.waiting = waiting | self.waiting
                raise

    async def aclose(self) -> None:
        """Store values not stored yet; later ones need another call."""
        if self._timer is not None:
            self._timer.cancel()
        try:
            await self.flush()
        except Exception as error:  # the program ends all the same
            kind = type(error).__name__
            logger.error("lost", what=self._what, kind=kind, count=len(self.waiting))

    def _soon(self, seconds: float) -> None:
        """Stores after some seconds, unless that is under way."""
        if self._timer is None and self._task is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._begin)

    def _begin(self) -> None:
        self._timer = None
        self._task = asyncio.create_task(self._work(), name=f"store-{self._what}")

    async def _work(self) -> None:
        structlog.contextvars.clear_contextvars()  # of whatever press came first
        pause = self._lag
        try:
            await self.flush()
        except Exception as error:
            logger.warning("not_stored", what=self._what, kind=type(error).__name__)
            pause = self._again
        finally:
            self._task = None
        if self.waiting:
            self._soon(pause)
