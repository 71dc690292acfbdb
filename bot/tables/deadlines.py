"""`Deadlines`: one task that sleeps until the earliest stored deadline and fires it."""

from __future__ import annotations

import asyncio
import traceback
from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import datetime, timedelta
from time import monotonic
from typing import Final, NamedTuple, TypeAlias

import structlog

from bot.ids import TableId
from bot.tables.model import TableCode, TableError
from bot.tables.ports import Clock, Due
from bot.tables.stored import Deadline

logger = structlog.get_logger(__name__)

LONGEST_SLEEP: Final = timedelta(minutes=1)
"""A look at the store now and then: clocks are set, and others may write to it."""

STORE_REFUSALS: Final[tuple[TableCode, ...]] = ("not_stored", "unsure")
"""Refusals that are the store's fault and none of a table."""

LONGEST_SILENCE: Final = timedelta(seconds=30)
"""Longest pause after the store did not answer: then it is asked again."""

FIRST_BACKOFF: Final = timedelta(seconds=5)
LONGEST_BACKOFF: Final = timedelta(minutes=10)


Earliest: TypeAlias = Callable[[Collection[TableId]], Awaitable[Due | None]]
"""The earliest deadline of all but these."""

Fire: TypeAlias = Callable[[Due], Awaitable[None]]
"""Carries out a deadline whose time has come."""


class Alarm(asyncio.Event):
    """An event that ends a sleep: what waits is a plain timer, which virtual time can move."""

    def __init__(self) -> None:
        super().__init__()
        self._sleeper: asyncio.Task[None] | None = None

    def set(self) -> None:
        super().set()
        if self._sleeper is not None:
            self._sleeper.cancel()

    async def sleep(self, seconds: float) -> None:
        """Return when the event is set or the time is over."""
        if self.is_set():
            return
        self._sleeper = asyncio.create_task(asyncio.sleep(seconds))
        try:
            await asyncio.wait([self._sleeper])
        finally:
            self._sleeper.cancel()
            self._sleeper = None


Sleep: TypeAlias = Callable[[Alarm, float], Awaitable[None]]
"""Returns when the alarm is set or the seconds are over."""


class NotYet(Exception):
    """The effect of a deadline is being prepared: its table is left alone until `ready` is done."""

    def __init__(self, ready: asyncio.Task[object]) -> None:
        super().__init__()
        self.ready = ready


class _Trouble(NamedTuple):
    """A table whose deadline could not be fired; it is left alone until `again`."""

    again: datetime
    failures: int


class _Source(NamedTuple):
    """A store of deadlines, and the function that fires them."""

    earliest: Earliest
    fire: Fire


class Deadlines:
    """Fires stored deadlines in the order of their times.

    It remembers nothing that the store does not have: after a restart it fires at once whatever is
    still due (`downtime` has moved the deadlines of people by then).  A table whose deadline fails
    is tried again, less and less often; the others do not wait for it.
    """

    def __init__(
        self, earliest: Earliest, fire: Fire, clock: Clock, sleep: Sleep = Alarm.sleep
    ) -> None:
        self._sources = [_Source(earliest, fire)]
        self._clock = clock
        self._sleep = sleep
        self._woken = Alarm()
        self._until: datetime | None = None
        self._trouble: dict[TableId, _Trouble] = {}
        self._waited: dict[TableId, asyncio.Task[object]] = {}
        """Tables at which something is being made ready."""
        self._held = False
        self._may_fire: Callable[[], Awaitable[bool]] | None = None
        self.last_turn = monotonic()
        """When the store was last asked and answered, in seconds of the monotonic clock."""

    def add_source(self, earliest: Earliest, fire: Fire) -> None:
        """Fire these deadlines too, all in one order.

        Deadlines with the same id wait together after a failure.
        """
        self._sources.append(_Source(earliest, fire))

    def ask_before_firing(self, may_fire: Callable[[], Awaitable[bool]]) -> None:
        """From now on nothing fires without being asked about first."""
        self._may_fire = may_fire

    def hold(self) -> None:
        """Fire nothing until `release`; a deadline that is being fired is finished."""
        self._held = True

    def release(self) -> None:
        """Deadlines fire again, at first those that came due meanwhile."""
        self._held = False
        self._woken.set()

    def stored(self, deadlines: Iterable[Deadline]) -> None:
        """Some deadlines were committed: wake up if one of them is earlier than all others."""
        if self._until is None or any(deadline.due < self._until for deadline in deadlines):
            self._woken.set()

    async def run(self) -> None:
        """Fire for ever.  Ends only by being cancelled."""
        failures = 0
        while True:
            self._woken.clear()
            self._until = None
            try:
                until = await self.fire_due()
                failures = 0
                self.last_turn = monotonic()
            except Exception as error:
                # The store itself: nothing can be known until it answers again.
                failures += 1
                _tell("deadlines_not_read", error)
                until = self._clock() + min(_backoff(failures), LONGEST_SILENCE)
            self._until = until
            await self._sleep(self._woken, max(0.0, (until - self._clock()).total_seconds()))

    async def fire_due(self) -> datetime:
        """Fire all deadlines that are due, none while held; returns when to look again."""
        last: Due | None = None
        while True:
            now = self._clock()
            skip = [  # A clock may be set back: then they are tried again at once.
                table
                for table, trouble in self._trouble.items()
                if now < trouble.again <= now + LONGEST_BACKOFF
            ]
            due, fire = await self._next([*skip, *self._waited])
            if self._held:
                return now + LONGEST_SLEEP
            if due is None or due.deadline.due > now:
                # Whoever is not skipped and not due either has been helped meanwhile.
                self._trouble = {table: self._trouble[table] for table in skip}
                times = [trouble.again for trouble in self._trouble.values()]
                if due is not None:
                    times.append(due.deadline.due)
                return min([*times, now + LONGEST_SLEEP])
            if self._may_fire is not None and not await self._may_fire():
                return now + LONGEST_SLEEP  # `release` wakes, if that is to be
            try:
                if due == last:
                    raise RuntimeError("fired and still there")
                await fire(due)
                self._trouble.pop(due.table, None)
                self.last_turn = monotonic()
                last = due
            except NotYet as waits:
                self._wait_for(due.table, waits.ready)
                continue
            except Exception as error:
                # Whatever it is, it is this table's; the others have their own deadlines.
                known = self._trouble.get(due.table)
                failures = 1 if known is None else known.failures + 1
                pause = _backoff(failures)
                if isinstance(error, TableError) and error.code in STORE_REFUSALS:
                    pause = min(pause, LONGEST_SILENCE)
                # A store may have taken longer than that to give up.
                self._trouble[due.table] = _Trouble(self._clock() + pause, failures)
                _tell("deadline_failed", error, table=due.table, deadline=due.deadline.kind)

    def _wait_for(self, table: TableId, ready: asyncio.Task[object]) -> None:
        """The others do not wait: the table's turn comes again when that is done."""

        def done(_: asyncio.Task[object]) -> None:
            del self._waited[table]
            self._woken.set()

        self._waited[table] = ready
        ready.add_done_callback(done)

    async def _next(self, skip: Collection[TableId]) -> tuple[Due | None, Fire]:
        """The earliest of all, and what fires it."""
        first: Due | None = None
        fire: Fire = _nothing
        for source in self._sources:
            due = await source.earliest(skip)
            if due is not None and (first is None or due.deadline.due < first.deadline.due):
                first, fire = due, source.fire
        return first, fire


async def _nothing(due: Due) -> None:
    """Fires nothing."""


def _backoff(failures: int) -> timedelta:
    return min(LONGEST_BACKOFF, FIRST_BACKOFF * (1 << min(failures - 1, 16)))


def _tell(event: str, error: Exception, **params: str) -> None:
    """Log where an error arose and its code, but not its words: they could name cards."""
    trace = "".join(traceback.format_tb(error.__traceback__))
    kind = error.code if isinstance(error, TableError) else type(error).__name__
    logger.error(event, **params, kind=kind, trace=trace)
