"""The epoch of the database: counts how often it was restored, as far as that was noticed."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from bot.ids import TableId
from bot.tables.loaded import LoadedTables
from bot.tables.ports import TableStore


class Epochs:
    """Every open table is taken into a new epoch when it is next looked at (`renewing`)."""

    def __init__(
        self, store: TableStore, loaded: LoadedTables, entered: Callable[[], None]
    ) -> None:
        """`entered` is called when a new one has begun."""
        self._store = store
        self._loaded = loaded
        self._entered = entered
        self._beginning = asyncio.Lock()
        """Held while a new one is written down."""

    @property
    def now(self) -> int:
        return self._loaded.epoch

    async def begin(self, noticed: int, after: int = 0) -> None:
        """In the epoch `noticed` it was seen that the database was restored.

        The new one is greater than `after` too.  Changes nothing if one has begun since.
        """
        async with self._beginning:
            if self.now == noticed:
                self._loaded.enter(await self._store.begin_epoch(max(noticed, after)))
                self._entered()

    async def left_behind(self) -> list[TableId]:
        """Open tables that are still to be taken into it."""
        return list(await self._store.open_before(self.now))
