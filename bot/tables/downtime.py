"""Time in which the program was not to be reached, and giving it back to the tables."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, Protocol

from bot.tables.deadlines import Deadlines
from bot.tables.ports import Clock, LastSeen

_log = logging.getLogger(__name__)

BEAT: Final = timedelta(seconds=10)
"""So often it is noted that the program is there."""

LEAST_GAP: Final = timedelta(seconds=5)
"""Nobody misses less."""


def creditable(gap: timedelta) -> timedelta:
    """What is given back of a gap: whole seconds, never too few; nothing of a short one."""
    if gap < LEAST_GAP:
        return timedelta()
    return timedelta(seconds=math.ceil(gap.total_seconds()))


class Timed(Protocol):
    """What the downtime asks of the tables."""

    @property
    def deadlines(self) -> Deadlines: ...

    async def resume(self, gap: timedelta, since: datetime) -> int:
        """Give `gap`, which began at `since`, back to the tables; how many they are."""


class Downtime:
    """Beats while people can reach the program, and otherwise stops the clocks of all tables.

    They cannot before `back` is called for the first time, and between `lost` and `back`.
    """

    def __init__(
        self,
        last_seen: LastSeen,
        tables: Timed,
        clock: Clock,
        sleep: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._last_seen = last_seen
        self._tables = tables
        self._clock = clock
        self._sleep = sleep
        self.up = False
        """Whether people can reach the program and the clocks run."""
        self.reached = False
        """Whether people can reach the program, as was heard last: `back` may still be at work."""
        self._since: datetime | None = None
        """Where the gap began; None: at the time in the database."""
        self._turning = asyncio.Lock()
        tables.deadlines.hold()

    def lost(self) -> None:
        """People cannot reach the program any more; a second time in a row changes nothing."""
        self.reached = False
        if self.up:
            self.up = False
            self._since = self._clock()
            self._tables.deadlines.hold()

    async def back(self) -> int:
        """People can reach the program: gives the gap back and lets the clocks run.

        Returns how many tables got time back.  While the clocks run it changes nothing.
        """
        self.reached = True
        async with self._turning:
            if self.up:
                return 0
            since = await self._last_seen.read() if self._since is None else self._since
            now = self._clock()
            count = 0 if since is None else await self._tables.resume(now - since, since)
            self._since = now
            await self._last_seen.write(now)
            if self.reached:
                self.up = True
                self._tables.deadlines.release()
            return count

    async def run(self) -> None:
        """Beat for ever.  Ends only by being cancelled."""
        while True:
            await self.beat()
            await self._sleep(BEAT.total_seconds())

    async def beat(self) -> None:
        """Note that the program is there, if it is."""
        if not self.up:
            return
        try:
            await self._last_seen.write(self._clock())
        except Exception as error:
            # The next beat tries again; until then the last one counts.
            _log.error("the time could not be noted: %s", type(error).__name__)
