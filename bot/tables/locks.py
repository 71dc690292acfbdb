"""Locks by key, and waits for them that end.

Nobody waits for one lock while holding another, but for that of a table that is being opened, whose
id nobody knows yet (`Opener.open`): so nobody can wait for whoever waits for them.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Hashable
from contextlib import asynccontextmanager
from typing import Final, Generic, TypeVar
from weakref import WeakValueDictionary

from bot.tables.model import TableError

LONGEST_WAIT: Final = 30.0
"""Seconds after which whoever waits is told so: whoever holds a lock waits for the store, which
answers or gives up within a few."""

K = TypeVar("K", bound=Hashable)


class Locks(Generic[K]):
    """A lock for every key that somebody asks for."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[K, asyncio.Lock] = WeakValueDictionary()

    def is_held(self, key: K) -> bool:
        """Whether somebody holds it."""
        lock = self._locks.get(key)
        return lock is not None and lock.locked()

    @asynccontextmanager
    async def held(self, key: K) -> AsyncIterator[None]:
        """Nobody else holds it meanwhile.  Raises TableError `busy`."""
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
