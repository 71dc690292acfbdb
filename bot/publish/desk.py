"""`Desk`: what the publishers of tables and of plans have in common; deleting messages."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import chain, repeat

from bot.ids import GuildId, Ids, MessageId, TableId, UserId
from bot.publish.draw_tasks import UNCOUNTED, DrawCounts, DrawState, DrawTasks, finish
from bot.publish.messages import WHISPER_SECONDS, ShownMessages, Surface, Surfaces, Whisper
from bot.publish.outbox import Outbox
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, Meaning, Purpose
from bot.publish.requests import Requests, log_failure
from bot.publish.timings import Timings
from bot.surfaces import Kind
from bot.views.building import BoardPlace


class Desk(ABC):
    """Knows the messages of tables, or of plans, and draws each in a task of its own."""

    def __init__(
        self,
        requests: Requests,
        readers: Readers,
        surfaces: Surfaces,
        clock: Callable[[], datetime],
        timings: Timings,
        counts: DrawCounts = UNCOUNTED,
    ) -> None:
        self.requests, self.readers, self.clock, self.timings = requests, readers, clock, timings
        self._messages = ShownMessages(surfaces, timings)
        self.outbox = Outbox(requests, self._messages, readers, clock)
        """Sends what no draw does, too."""
        self._tidying = Tidying(requests, self._messages, self.outbox, timings, counts)
        self._draw_tasks = DrawTasks(self._draw, timings, counts)

    @abstractmethod
    def changed(self, table: TableId) -> None:
        """Something about it was committed: draw it.  Never raises."""

    def draw_anew(self, table: TableId) -> None:
        """Draw it although it has not changed: somebody may be called now, or no more; or the
        answer to a press has drawn it, as others may have, too."""
        self._draw_tasks.state(table).schedule.version = None
        self.changed(table)

    @abstractmethod
    async def _draw(self, state: DrawState) -> bool:
        """Draw all there is; returns whether that worked, or there is no use in trying soon."""

    async def board_place(self, table: TableId) -> BoardPlace | None:
        """Channel and message of the board."""
        await self._messages.open(table)
        return self._messages.place(table)

    def retry(self, guild: GuildId) -> None:
        """Permissions may have changed: what could not be shown is tried again."""
        for state in self._draw_tasks:
            if state.trouble.guild == guild:
                self.changed(state.table)

    @property
    def closing(self) -> bool:
        """Whether the program ends: what fails now, nobody has to hear of."""
        return self._draw_tasks.closing

    async def forget(self, user: UserId) -> None:
        """Forget the messages for a person, before all that is stored of them is deleted.

        Raises Unavailable.
        """
        self._messages.forget_person(user)
        await self._messages.flush()

    def drop(self, ids: Ids) -> None:
        """These tables or plans were forgotten; other ids say nothing here."""
        self._messages.forget_tables(ids)

    async def aclose(self, seconds: float | None = None) -> None:
        """Draw what is queued, without further waiting, and end.

        It takes about `seconds` at most, `Timings.closing` by default.
        """
        left = self.timings.closing if seconds is None else seconds
        end = asyncio.get_running_loop().time() + left
        try:
            await self._draw_tasks.aclose(end)
            await finish(self._tidying.close(), end)
        finally:
            await self.store()

    async def store(self) -> None:
        """Stores which messages there are, as long as the database can be reached."""
        await self._messages.aclose()


# Deletion of messages.


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
            async with asyncio.timeout(WHISPER_SECONDS):
                await before.message.delete()
        except FAILURES as error:
            log_failure("whisper_not_deleted", table, error)
        else:
            self._counts.settled("replaced")
