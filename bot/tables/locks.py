"""Locks by key, with limited waiting.

A task that holds a lock waits for no other, except for that of a table being opened, whose id is
not known yet (`Opener.open`): so there are no deadlocks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

from bot.tables.model import TableError

LONGEST_WAIT: Final = 30.0
"""Seconds of waiting after which the caller is told `busy`; the holder waits for the store, which
answers or gives up within a few."""

K = TypeVar("K", bound=Hashable)


class Locks(Generic[K]):
    """Locks by key, made when first asked for."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[K, asyncio.Lock] = WeakValueDictionary()

    def is_held(self, key: K) -> bool:
        """Whether a task holds the lock of `key`."""
        lock = self._locks.get(key)
        return lock is not None and lock.locked()

    @asynccontextmanager
    async def held(self, key: K) -> AsyncIterator[None]:
        """Hold the lock of `key` in the block.  Raises TableError `busy`."""
        lock = self._locks.setdefault(key, asyncio.Lock())
        try:
            async with asyncio.timeout(LONGEST_WAIT):
                await lock.acquire()
        except TimeoutError:
            raise TableError("busy") from None
        try:
            yield
        finally:
            lock.release()
