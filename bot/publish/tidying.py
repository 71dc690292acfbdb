"""Deletion of messages in the background."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from itertools import chain, repeat

from bot.ids import MessageId, TableId
from bot.publish.messages import ShownMessages
from bot.publish.outbox import Outbox
from bot.publish.refusals import Meaning, Purpose
from bot.publish.requests import Requests
from bot.publish.surfaces import Kind, Surface
from bot.publish.timings import Timings


class Tidying:
    """Deletes retired messages; those that cannot be deleted now stay stored and are tried again.

    It goes on after the draw that began it, whether or not the table is still in memory.
    """

    def __init__(
        self, requests: Requests, messages: ShownMessages, outbox: Outbox, timings: Timings
    ) -> None:
        self._requests, self._messages, self._outbox = requests, messages, outbox
        self._timings = timings
        self._under_way: dict[MessageId, asyncio.Task[None]] = {}
        self._closed = asyncio.Event()

    def begin(self, table: TableId) -> None:
        """Begin to delete the retired messages of the table."""
        for where in self._messages.of(table, Kind.RETIRED):
            if where.message not in self._under_way and not self._closed.is_set():
                self._under_way[where.message] = asyncio.create_task(
                    self._see_off(table, where), name=f"tidy-{table}"
                )

    def close(self) -> list[asyncio.Task[None]]:
        """Begin no more deletions; returns those under way."""
        self._closed.set()
        return list(self._under_way.values())

    async def _see_off(self, table: TableId, where: Surface) -> None:
        retries = self._timings.retries
        pauses = chain(retries, repeat(retries[-1]))
        try:
            while not self._closed.is_set():
                try:
                    await self._requests.delete(where)
                except Exception as error:  # it stays stored
                    refusal = self._outbox.failed(table, where.slot, error, Purpose.TIDY)
                    if refusal.meaning is Meaning.UNKNOWN and not refusal.passes:
                        self._messages.drop(table, where.slot)
                        return
                    pause = next(pauses) if refusal.passes else self._timings.retry_refused
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._closed.wait(), pause)
                else:
                    self._messages.drop(table, where.slot)
                    return
        finally:
            del self._under_way[where.message]
