"""Deletion of messages in the background."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

import discord

from bot.ids import GuildId, MessageId, TableId
from bot.publish.messages import ShownMessages
from bot.publish.requests import Requests, is_barred, log_failure
from bot.publish.surfaces import Surface
from bot.publish.timings import Timings

DOUBLED: Final = 8
"""So often the time doubles after which it is tried again what is refused: to a day, about."""


class Tidying:
    """What is retired goes; what cannot be deleted now stays stored and is tried again.

    That outlives the draw that began it, and whatever is known of its table.
    """

    def __init__(self, requests: Requests, messages: ShownMessages, timings: Timings) -> None:
        self._requests = requests
        self._messages = messages
        self._timings = timings
        self._under_way: dict[MessageId, asyncio.Task[None]] = {}
        self._waiting: dict[MessageId, tuple[Surface, asyncio.Event]] = {}
        """What is to be tried again, and what has that happen at once."""
        self._closed = False

    def begin(self, table: TableId) -> None:
        """Begins to delete what is retired of the table."""
        for where in self._messages.retired(table):
            if where.message not in self._under_way and not self._closed:
                self._under_way[where.message] = asyncio.create_task(
                    self._see_off(table, where), name=f"tidy-{table}"
                )

    def retry(self, guild: GuildId) -> None:
        """Permissions on that server may have changed."""
        for where, again in self._waiting.values():
            if self._requests.sees(guild, where.channel):
                again.set()

    def close(self) -> list[asyncio.Task[None]]:
        """Begins nothing any more; what is under way."""
        self._closed = True
        for _, again in self._waiting.values():
            again.set()
        return list(self._under_way.values())

    async def _see_off(self, table: TableId, where: Surface) -> None:
        failures = 0
        try:
            while not self._closed:
                try:
                    await self._requests.delete(where)
                except Exception as error:  # it stays stored
                    log_failure("delete_failed", table, error)
                    await self._wait(where, self._pause(error, failures))
                    failures += 1
                else:
                    self._messages.drop(table, where.slot)
                    return
        finally:
            del self._under_way[where.message]

    async def _wait(self, where: Surface, seconds: float) -> None:
        again = asyncio.Event()
        self._waiting[where.message] = where, again
        try:
            with suppress(TimeoutError):
                await asyncio.wait_for(again.wait(), seconds)
        finally:
            del self._waiting[where.message]

    def _pause(self, error: Exception, failures: int) -> float:
        """Seconds until it is tried again.

        What is refused waits for `retry`; but nobody says that a time-out is over.
        """
        if isinstance(error, discord.HTTPException) and is_barred(error):
            return self._timings.retry_refused * (1 << min(failures, DOUBLED))
        return self._timings.retries[min(failures, len(self._timings.retries) - 1)]
