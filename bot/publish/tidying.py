"""Deletion of messages that nobody is to see any more; no draw waits for it."""

from __future__ import annotations

import asyncio

from bot.ids import MessageId, TableId
from bot.publish.messages import ShownMessages
from bot.publish.requests import Requests, log_failure
from bot.publish.surfaces import Surface
from bot.publish.timings import Timings
from bot.publish.workers import Workers


class Tidying:
    """What is retired goes; what cannot be deleted now stays known and is tried again."""

    def __init__(
        self, requests: Requests, messages: ShownMessages, workers: Workers, timings: Timings
    ) -> None:
        self._requests = requests
        self._messages = messages
        self._workers = workers
        self._timings = timings
        self._under_way: dict[MessageId, asyncio.Task[None]] = {}
        self._closed = False

    def begin(self, table: TableId) -> None:
        """Begins to delete what is retired of the table."""
        for where in self._messages.retired(table):
            if where.message not in self._under_way and not self._closed:
                self._under_way[where.message] = asyncio.create_task(
                    self._delete(table, where), name=f"tidy-{table}"
                )

    def close(self) -> list[asyncio.Task[None]]:
        """Begins nothing any more; what is under way."""
        self._closed = True
        return list(self._under_way.values())

    async def _delete(self, table: TableId, where: Surface) -> None:
        try:
            await self._requests.delete(where)
            self._messages.drop(table, where.slot)
        except Exception as error:  # it stays known
            log_failure("delete_failed", table, error)
            if not self._workers.closing:
                asyncio.get_running_loop().call_later(self._timings.tidy_again, self.begin, table)
        finally:
            del self._under_way[where.message]
