"""Notes on boards that the program is about to be restarted."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from typing import Final

from bot.ids import TableId
from bot.publish.boards import Boards
from bot.publish.messages import ShownMessages
from bot.publish.requests import log_failure
from bot.publish.source import Source
from bot.publish.workers import Workers, finish

FAREWELLS: Final = 16
"""Maximum number of boards that are edited at a time."""


class Farewells:
    """Edits boards to say that the program is about to be restarted."""

    def __init__(
        self, workers: Workers, messages: ShownMessages, source: Source, boards: Boards
    ) -> None:
        self._workers = workers
        self._messages = messages
        self._source = source
        self._boards = boards

    async def say(self, tables: Sequence[TableId], seconds: float) -> None:
        """See `Publisher.farewell`."""
        now = asyncio.get_running_loop().time()
        self._workers.closing = True
        await self._workers.draw_until(now + seconds / 2)
        waiting = iter(tables)
        says = [asyncio.create_task(self._say(waiting)) for _ in range(FAREWELLS)]
        await finish(says, now + seconds)

    async def _say(self, tables: Iterator[TableId]) -> None:
        for table in tables:
            try:
                await self._messages.open(table)
                snapshot = await self._source.snapshot(table)
                if snapshot is not None and snapshot.view is not None:
                    state = self._workers.state(table)
                    await self._boards.say_farewell(table, state, snapshot.view)
            except Exception as error:  # the others are told all the same
                log_failure("farewell_failed", table, error)
