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
    """Values by key that are stored together, `lag` seconds after the first of them came."""

    def __init__(
        self,
        store: Callable[[Mapping[K, V]], Awaitable[None]],
        lag: float,
        what: str,
        lost: Callable[[Mapping[K, V]], None] = lambda _: None,
    ) -> None:
        """`what` names it in the log; `lost` is told what was not stored, and must not raise."""
        self._store, self._lag, self._what, self._lost = store, lag, what, lost
        self._waiting: dict[K, V] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def put(self, key: K, value: V) -> None:
        """Has that stored, in place of what waits under the same key.  Needs a running loop."""
        self._waiting[key] = value
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(self._lag, self._begin)

    async def flush(self) -> None:
        """Stores what waits."""
        waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        try:
            await self._store(waiting)
        except Exception as error:
            logger.warning("not_stored", what=self._what, kind=type(error).__name__)
            self._lost(waiting)

    async def aclose(self) -> None:
        """Stores what is left."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])
        await self.flush()

    def _begin(self) -> None:
        self._timer = None
        self._task = asyncio.create_task(self.flush(), name="store-later")
