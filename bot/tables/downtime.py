"""Outages: time in which people could not reach the program, given back to the tables.

Two clocks are compared: the wall clock, in which deadlines are stored and which may be set, and a
steady one, which stops while the machine sleeps.  If they disagree, if the program did not run, or
if Discord is silent, turns do not end: all time since the last sign of Discord is given back, once.
A turn clock that would have run out while the program was down therefore runs on after the start.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple, Protocol

import structlog

from bot.tables.deadlines import Alarm, Deadlines, Sleep
from bot.tables.ports import CREDITED, MOST_CREDITED, Clock
from bot.tables.stored import Deadline, DeadlineKind, Status, StoredTable
from bot.tables.waiting import longest

logger = structlog.get_logger(__name__)

TICK: Final = 4.0
"""Seconds from one look at the clocks to the next; longer than a press of the demo waits for what
the program sleeps for."""

BEAT: Final = 10.0
"""Seconds of silence after which Discord is asked for a sign, and after which the time of its last
sign is stored.  Without asking, there would be a sign every 41 seconds."""

FRESH: Final = 1.0
"""Seconds for which a sign of Discord proves that people can press.  Asking every second uses half
of what Discord allows."""

SIGN_TIME: Final = 3.0
"""Seconds for Discord to give a sign; it waits that long for the answer to a press."""

AGREEING: Final = 2.0
"""Seconds by which the clocks may differ since the last sign: gentle corrections are slower."""

LEAST_GAP: Final = timedelta(seconds=5)
"""Shorter gaps are not credited."""


def creditable(gap: timedelta) -> timedelta:
    """The time to give back for a gap: whole seconds, rounded up; nothing for a short one."""
    if gap < LEAST_GAP:
        return timedelta()
    return timedelta(seconds=math.ceil(gap.total_seconds()))


def given_back(stored: StoredTable, since: datetime, until: datetime) -> StoredTable:
    """With the time in between, as `TableStore.credit` gives it back to a table that is open."""
    timing, gap = stored.timing, creditable(until - since)

    def moved(deadline: Deadline) -> Deadline:
        kind, due = deadline.kind, deadline.due
        announced = kind is DeadlineKind.IDLE and deadline.question == timing.warned
        if due >= since and (kind in CREDITED or announced):
            due += gap
        latest = until + longest(kind, timing.pace)
        return deadline._replace(due=latest if due > latest + LEAST_GAP else due)

    deadlines = tuple(map(moved, timing.deadlines))
    later = any(new.due > old.due for new, old in zip(deadlines, timing.deadlines, strict=True))
    given = gap if later and stored.status is Status.RUNNING else timedelta()
    credited = min(timing.credited + given, MOST_CREDITED)
    return replace(stored, timing=replace(timing, deadlines=deadlines, credited=credited))


class Moment(NamedTuple):
    """One moment on both clocks."""

    wall: datetime
    steady: float
    """Seconds since some moment."""


class Timed(Protocol):
    """The operations of `TableService` that the downtime needs."""

    @property
    def deadlines(self) -> Deadlines: ...

    async def resume(self, since: datetime | None, until: datetime) -> int:
        """Give the time since then (None: since people were last seen) back to the tables.

        Notes `until` as last seen, and returns how many tables got time back.
        """

    async def note_reachable(self, at: datetime) -> None:
        """Note when people could last reach the program."""


class Downtime:
    """Stops the clocks of all tables while people cannot reach the program.

    They cannot before `back` is called for the first time, between `lost` and `back`, and whenever
    it is found that the program stood still, that the clock was set or that Discord is silent.
    """

    def __init__(
        self,
        tables: Timed,
        ask: Callable[[], Awaitable[bool]],
        clock: Clock,
        steady: Callable[[], float],
        sleep: Sleep = Alarm.sleep,
    ) -> None:
        """`ask` asks Discord for a sign, which `heard` is told of; False if there is no line that
        could be silent."""
        self._tables = tables
        self._ask = ask
        self._clock = clock
        self._steady = steady
        self._sleep = sleep
        self.up = False
        """Whether people can reach the program and the clocks run."""
        self.reached = False
        """Whether there is a connection, as was heard last: `back` may still be at work."""
        self._heard: Moment | None = None
        """The last sign of Discord while the clocks ran: a gap begins here."""
        self._ran = steady()
        """When the program was last seen running."""
        self._noted = steady()
        self._unsure = False
        """Whether the time may have been given back although the answer was an error."""
        self._sign = Alarm()
        self._asked = steady()
        """When Discord was asked for a sign last."""
        self._asking = asyncio.Lock()
        self._turning = asyncio.Lock()
        tables.deadlines.hold()
        tables.deadlines.ask_before_firing(self.ready)

    def heard(self, ago: float = 0.0) -> None:
        """On every line something has come from Discord, on the last one `ago` seconds ago."""
        self._look()
        now = self._now()
        sign = Moment(now.wall - timedelta(seconds=ago), now.steady - ago)
        if self.up and (self._heard is None or sign.steady > self._heard.steady):
            self._heard = sign
        if sign.steady >= self._asked:
            self._sign.set()

    def lost(self) -> None:
        """There is no connection any more; a second time in a row changes nothing."""
        self.reached = False
        self._stop()

    async def back(self) -> int:
        """There is a connection: gives the gap back and lets the clocks run.

        Returns how many tables got time back.  While the clocks run it changes nothing.
        """
        self.reached = True
        return await self._give_back()

    async def ready(self) -> bool:
        """Whether a deadline may fire: whether people could press until now.

        If not, the clocks stop, and the missing time is given back when people can press again.
        """
        self._look()
        if self.up and self._silence() > FRESH and not await self._answered():
            self._stop()
        return self.up

    async def run(self) -> None:
        """Look at the clocks for ever.  Ends only by being cancelled."""
        while True:
            try:
                await self.tick()
            except Exception as error:  # the database: the next look tries again
                logger.error("time_not_given_back", kind=type(error).__name__)
            await self._sleep(Alarm(), TICK)

    async def tick(self) -> None:
        """Look at the clocks once, and stop them, ask for a sign or note one as needed."""
        self._look()
        if self.up and self._silence() > BEAT and not await self._answered():
            self._stop()
        if self.up and self._steady() - self._noted >= BEAT:
            await self.beat()
        if not self.up and self.reached and await self._answered():
            await self._give_back()

    async def beat(self) -> None:
        """Note when Discord was heard last, if the clocks run."""
        if not self.up or self._heard is None:
            return
        self._noted = self._steady()
        try:
            await self._tables.note_reachable(self._heard.wall)
        except Exception as error:
            # The next beat tries again; until then the last one counts.
            logger.error("time_not_noted", kind=type(error).__name__)

    def _now(self) -> Moment:
        return Moment(self._clock(), self._steady())

    def _silence(self) -> float:
        """Seconds since the last sign of Discord."""
        return math.inf if self._heard is None else self._steady() - self._heard.steady

    def _look(self) -> None:
        """Stop if the program did not run, if the machine slept or if a clock was set."""
        now = self._now()
        ran, self._ran = self._ran, now.steady
        if self._heard is None:
            return
        passed = (now.wall - self._heard.wall).total_seconds()
        differing = abs(passed - (now.steady - self._heard.steady)) > AGREEING
        if differing or now.steady - ran > TICK + LEAST_GAP.total_seconds():
            self._stop()

    def _stop(self) -> None:
        if self.up:
            self.up = False
            self._tables.deadlines.hold()
            logger.info("clocks_stopped")

    async def _answered(self) -> bool:
        """Whether Discord gives a sign when it is asked for one."""
        async with self._asking:
            self._sign.clear()
            self._asked = self._steady()
            try:
                async with asyncio.timeout(SIGN_TIME):
                    if not await self._ask():
                        self.heard()
            except Exception as error:  # whatever it is, nothing was heard
                logger.info("discord_silent", kind=type(error).__name__)
                return False
            await self._sleep(self._sign, SIGN_TIME)
            return self._sign.is_set()

    async def _give_back(self) -> int:
        async with self._turning:
            if self.up:
                return 0
            count = 0
            while True:
                now = self._now()
                # Where it is unsure the store knows until when it has given.
                since = None if self._heard is None or self._unsure else self._heard.wall
                self._unsure = True
                count += await self._tables.resume(since, now.wall)
                self._unsure, self._heard = False, now
                if self._now().wall - now.wall < LEAST_GAP:
                    break  # else the database took so long that nobody could play meanwhile
            self._ran = self._noted = self._steady()
            if self.reached:
                self.up = True
                self._tables.deadlines.release()
                logger.info("clocks_go_on", tables=count)
            return count
