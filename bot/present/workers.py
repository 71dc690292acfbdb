"""One worker for each table: when it draws, and when it tries again."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final

import structlog

from bot.present.calls import log_failure
from bot.present.desk import Desk
from bot.present.tally import UNCOUNTED, Tally

log = structlog.get_logger(__name__)

RETRIES: Final = (2.0, 10.0, 60.0, 300.0)
"""Seconds after which a draw that failed is tried again; the last ones again and again."""

RETRY: Final = 300.0
"""Seconds after which a table that Discord does not let us show is tried again."""

IDLE: Final = 3600.0
"""Seconds after which a table where nothing happens is forgotten until something does."""

SWEEP: Final = 256
"""After so many draws it is looked which tables can be forgotten."""


class Workers:
    """Draws tables one draw at a time each; none waits for another's troubles."""

    def __init__(
        self,
        draw: Callable[[str, Desk], Awaitable[bool]],
        grace: float,
        tally: Tally = UNCOUNTED,
    ) -> None:
        """`draw` returns whether all of it worked; whatever it raises is a failure.

        A change waits `grace` seconds before it is drawn.
        """
        self._draw = draw
        self._grace = grace
        self._tally = tally
        self._desks: dict[str, Desk] = {}
        self._began: float | None = None
        self._draws = 0
        self.closing = False
        """Nothing is tried again any more."""
        self._closed = False

    def desk(self, table: str) -> Desk:
        """What is remembered of the table."""
        now = asyncio.get_running_loop().time()
        if self._began is None:
            self._began = now
        desk = self._desks.get(table)
        if desk is None:
            desk = self._desks[table] = Desk(now)
        desk.used = now
        return desk

    def __iter__(self) -> Iterator[tuple[str, Desk]]:
        return iter(list(self._desks.items()))

    def __contains__(self, table: str) -> bool:
        return table in self._desks

    @property
    def may_have_forgotten(self) -> bool:
        """Whether the program has been up for so long that it knew any table that is new to it."""
        return self._began is not None and asyncio.get_running_loop().time() - self._began > IDLE

    def changed(self, table: str) -> None:
        """There is something to draw, soon.  Never raises."""
        if self._closed:
            return
        try:
            desk = self.desk(table)
            desk.dirty = True
            desk.failures = 0
            self._later(table, desk, self._grace)
        except RuntimeError:
            log.warning("draw_outside_loop", table=table)

    def again(self, table: str, desk: Desk) -> None:
        """Something came to its end that makes another draw worth while: now, or after this one."""
        desk.dirty = True
        self.begin(table, desk)

    def retry(self, table: str, desk: Desk) -> None:
        """Something failed just now: draws soon, as after a first failure."""
        if not self.closing:
            desk.dirty, desk.failures = True, 0
            self._later(table, desk, RETRIES[0])

    async def flush(self, table: str) -> None:
        """Draws now, if there is anything to draw."""
        while (desk := self._desks.get(table)) is not None and not self._closed:
            if desk.dirty:
                self.begin(table, desk)
            if desk.task is None:
                return
            await asyncio.wait([desk.task])

    def forget(self, table: str) -> None:
        """Nothing more will be drawn."""
        self._desks.pop(table, None)

    def sweep(self) -> bool:
        """Now and then forgets tables where nothing has happened for long; whether it did now."""
        self._draws += 1
        if self._draws % SWEEP:
            return False
        long_ago = asyncio.get_running_loop().time() - IDLE
        for table, desk in self:
            if desk.used < long_ago and desk.is_idle:
                del self._desks[table]
        return True

    async def settle(self, end: float) -> list[asyncio.Task[None]]:
        """Draws what is queued until `end` on the loop's clock; what is not done by then."""
        loop = asyncio.get_running_loop()
        while tasks := self._busy():
            left = end - loop.time()
            if left <= 0:
                return tasks
            await asyncio.wait(tasks, timeout=left)
        return []

    async def aclose(self, end: float) -> None:
        """Draws what is queued; what is not done by `end` is given up."""
        self.closing = True
        late = await self.settle(end)
        self._closed = True
        for desk in self._desks.values():
            for timer in (desk.timer, desk.unposted):
                if timer is not None:
                    timer.cancel()
        if late:
            log.warning("draws_given_up", count=len(late))
        calls = [call for desk in self._desks.values() for call in desk.calls.values()]
        for task in (*late, *calls):
            task.cancel()
        if late or calls:
            await asyncio.wait((*late, *calls))

    def _busy(self) -> list[asyncio.Task[None]]:
        """Everything that is being drawn; what is queued begins."""
        for table, desk in self:
            if desk.dirty:
                self.begin(table, desk)
        return [desk.task for desk in self._desks.values() if desk.task is not None]

    def _later(self, table: str, desk: Desk, seconds: float) -> None:
        """Draws after some seconds, unless it happens sooner anyway."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if desk.task is not None or self._closed:
            return
        if desk.timer is not None:
            if desk.timer.when() <= due:
                return
            desk.timer.cancel()
        desk.timer = loop.call_at(due, self.begin, table, desk)

    def begin(self, table: str, desk: Desk) -> None:
        """Draws now, unless that is under way."""
        if desk.timer is not None:
            desk.timer.cancel()
            desk.timer = None
        if desk.task is None and not self._closed:
            desk.task = asyncio.create_task(self._work(table, desk), name=f"draw-{table}")

    async def _work(self, table: str, desk: Desk) -> None:
        """One draw; what changed meanwhile is drawn by the next, what failed again later."""
        # Whatever press began this task: a draw is of all that has changed.
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(table=table)
        desk.dirty = False
        drawn = False
        try:
            drawn = await self._draw(table, desk)
        except Exception as error:  # whatever it is, other tables and later draws go on
            log_failure("draw_failed", table, error)
        finally:
            desk.task = None
            self._tally.drawn(drawn)
            desk.failures = 0 if drawn else desk.failures + 1
            if desk.dirty:
                self._later(table, desk, self._grace)
            elif not self.closing:
                self._again(table, desk)

    def _again(self, table: str, desk: Desk) -> None:
        if desk.failures:
            self._later(table, desk, RETRIES[min(desk.failures, len(RETRIES)) - 1])
        elif desk.lost:
            self._later(table, desk, RETRY)


async def finish(tasks: Sequence[asyncio.Task[None]], end: float) -> None:
    """Waits for `tasks`, and gives up those that are not done by `end` on the loop's clock."""
    if not tasks:
        return
    left = end - asyncio.get_running_loop().time()
    _, late = await asyncio.wait(tasks, timeout=max(0.0, left))
    for task in late:
        task.cancel()
    if late:
        await asyncio.wait(late)
