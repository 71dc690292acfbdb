"""Deletion of messages in the background."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import chain, repeat

from bot.ids import MessageId, TableId
from bot.publish.counting import DrawCounts
from bot.publish.messages import ShownMessages, Surface
from bot.publish.outbox import Outbox
from bot.publish.refusals import FAILURES, Meaning, Purpose
from bot.publish.requests import Requests, log_failure
from bot.publish.timings import Timings
from bot.publish.whispers import MAX_SECONDS, Whisper
from bot.surfaces import Kind


@dataclass
class Tidying:
    """Deletes retired messages; those that cannot be deleted now stay stored and are tried again.

    Hands in channels too, once: they are not stored.  It goes on after the draw that began it,
    whether or not the table is still in memory.
    """

    _requests: Requests
    _messages: ShownMessages
    _outbox: Outbox
    _timings: Timings
    _counts: DrawCounts
    _under_way: dict[MessageId, asyncio.Task[None]] = field(default_factory=dict)
    _closed: asyncio.Event = field(default_factory=asyncio.Event)

    def begin(self, table: TableId) -> None:
        """Begin to delete the retired messages of the table."""
        for where in self._messages.of(table, Kind.RETIRED):
            if where.message not in self._under_way:
                self._begin(table, where.message, self._see_off(table, where))

    def take_away(self, table: TableId, before: Whisper) -> None:
        """Begin to delete a hand in a channel, whose owner has a newer one: once."""
        self._begin(table, MessageId(before.message.id), self._take_away(table, before))

    def _begin(
        self, table: TableId, message: MessageId, deleting: Coroutine[None, None, None]
    ) -> None:
        if self._closed.is_set():
            deleting.close()
            return
        task = self._under_way[message] = asyncio.create_task(deleting, name=f"tidy-{table}")
        task.add_done_callback(lambda _: self._under_way.pop(message, None))

    def close(self) -> list[asyncio.Task[None]]:
        """Begin no more deletions; returns those under way."""
        self._closed.set()
        return list(self._under_way.values())

    async def _see_off(self, table: TableId, where: Surface) -> None:
        retries = self._timings.retries
        pauses = chain(retries, repeat(retries[-1]))
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

    async def _take_away(self, table: TableId, before: Whisper) -> None:
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await before.message.delete()
        except FAILURES as error:
            log_failure("whisper_not_deleted", table, error)
        else:
            self._counts.settled("replaced")
