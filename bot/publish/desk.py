"""`Desk`: what the publisher of tables and that of plans have in common."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Callable
from datetime import datetime

from bot.ids import GuildId, TableId, UserId
from bot.publish.counting import UNCOUNTED, DrawCounts
from bot.publish.draw_tasks import DrawState, DrawTasks, finish
from bot.publish.messages import ShownMessages, Surfaces
from bot.publish.outbox import Outbox
from bot.publish.readers import Readers
from bot.publish.requests import Requests
from bot.publish.tidying import Tidying
from bot.publish.timings import Timings
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
        self.requests, self.readers, self._clock, self._timings = requests, readers, clock, timings
        self._messages = ShownMessages(surfaces, timings)
        self.outbox = Outbox(requests, self._messages, readers, clock)
        """Sends what no draw does, too."""
        self._tidying = Tidying(requests, self._messages, self.outbox, timings, counts)
        self._draw_tasks = DrawTasks(self._draw, timings, counts)

    @abstractmethod
    def changed(self, table: TableId) -> None:
        """Something about it was committed: draw it.  Never raises."""

    @abstractmethod
    async def _draw(self, table: TableId, state: DrawState) -> bool:
        """Draw all there is; returns whether that worked, or there is no use in trying soon."""

    async def board_place(self, table: TableId) -> BoardPlace | None:
        """Channel and message of the board."""
        await self._messages.open(table)
        return self._messages.place(table)

    def retry(self, guild: GuildId) -> None:
        """Permissions may have changed: what could not be shown is tried again."""
        for table, state in self._draw_tasks:
            if state.trouble.guild == guild:
                self.changed(table)

    async def forget(self, user: UserId) -> None:
        """Forget the messages for a person, before all that is stored of them is deleted.

        Raises Unavailable.
        """
        self._messages.forget_person(user)
        await self._messages.flush()

    async def aclose(self, seconds: float | None = None) -> None:
        """Draw what is queued, without further waiting, and end.

        It takes about `seconds` at most, `Timings.closing` by default.
        """
        left = self._timings.closing if seconds is None else seconds
        end = asyncio.get_running_loop().time() + left
        try:
            await self._draw_tasks.aclose(end)
            await finish(self._tidying.close(), end)
        finally:
            await self.store()

    async def store(self) -> None:
        """Stores which messages there are, as long as the database can be reached."""
        await self._messages.aclose()
