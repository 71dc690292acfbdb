"""Queue for slow reads such as leaderboards: one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Hashable
from typing import Any, Final, TypeVar

from sqlalchemy.engine import Connection

from bot.storage.database import Database
from bot.tables.ports import crowded
from bot.unheard import ignore_error

T = TypeVar("T")

WAITING: Final = 100
"""Different reads that may wait at once: at a few milliseconds each nobody waits for a second."""


class Lane:
    """Heavy reads one after the other; what is asked twice while it waits is read once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._lock = asyncio.Lock()
        self._waiting: dict[Hashable, asyncio.Task[Any]] = {}

    async def read(self, asked: Hashable, work: Callable[[Connection], T]) -> T:
        """The result of `work`; `asked` is the same if and only if the answer is.

        Whatever was committed before the call is in the answer: nobody joins a read that has
        begun.  Raises `crowded`, and what the database raises.
        """
        task: asyncio.Task[T] | None = self._waiting.get(asked)
        if task is None:
            if len(self._waiting) >= WAITING:
                raise crowded()
            task = asyncio.create_task(self._read(asked, work), name="heavy read")
            task.add_done_callback(ignore_error)
            self._waiting[asked] = task
        return await asyncio.shield(task)

    async def _read(self, asked: Hashable, work: Callable[[Connection], T]) -> T:
        try:
            async with self._lock:
                del self._waiting[asked]
                return await self._database.look(work)
        finally:
            if self._waiting.get(asked) is asyncio.current_task():
                del self._waiting[asked]
