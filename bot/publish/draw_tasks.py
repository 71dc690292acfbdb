"""`DrawTasks`: a drawing task for each table, when it tries again, and what it remembers."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Literal, Protocol, TypeAlias

import structlog

from bot.ids import GuildId, QuestionId, TableId
from bot.publish.messages import Slot
from bot.publish.refusals import Refusal
from bot.publish.requests import log_failure
from bot.publish.timings import Timings
from bot.render.message import Message
from bot.tasks import cancel_all
from engine.game import Seat

logger = structlog.get_logger(__name__)


# Interface of metrics about draws; `bot.operate.metrics` implements it.

CallKind = Literal["panel", "line"]
"""How people are called to their turn: by their hand in the DM, or by a line in the channel."""

SettledKind = Literal["panel", "whisper", "replaced"]
"""A hand by direct message, one that only its owner sees in a channel, and such a one that was
deleted since there is a newer one."""


class DrawCounts(Protocol):
    """Counts draws and calls.  Must not block and must not raise."""

    def drawn(self, *, worked: bool) -> None:
        """A table was drawn, or some of that failed."""

    def noticed(self, by: CallKind) -> None:
        """A person was called to their turn."""

    def settled(self, kind: SettledKind) -> None:
        """A message whose question is over was redrawn or deleted."""


class _Uncounted:
    def drawn(self, *, worked: bool) -> None: ...
    def noticed(self, by: CallKind) -> None: ...
    def settled(self, kind: SettledKind) -> None: ...


UNCOUNTED: Final = _Uncounted()


# Draws.

Turn: TypeAlias = tuple[int, tuple[Seat, ...], QuestionId | None]
"""Round, the seats to act, and the question that the board answers."""


@dataclass(slots=True)
class Schedule:
    """When a table is drawn next, and of what it was drawn last."""

    dirty: bool = False
    """Whether there is something to draw."""
    version: int | None = None
    """Version of the table at its last complete draw; None while unknown."""
    failures: int = 0
    """Draws that failed one after the other."""
    timer: asyncio.Handle | None = None
    """Handle of the next draw; not every event loop's handle tells its time."""
    due: float = 0.0
    """When it does, by the loop's clock."""
    task: asyncio.Task[None] | None = None
    """The draw under way."""
    quiet_until: datetime | None = None
    """When it is drawn again although nothing has changed; None: never."""


@dataclass(slots=True)
class DrawnBoard:
    """The content of a table's board, as far as known."""

    drawn: bytes = b""
    """Digest of its message; empty while unknown."""
    shown: int | None = None
    """Version of the table that an answer drew on it, if nothing was drawn after it."""
    answers: int = 0
    """How often the answer to a press has drawn it."""
    turn: Turn | None = None
    """The turn for which it was last drawn; None while unknown."""
    timed: tuple[QuestionId | None, datetime | None] = (None, None)
    """The oldest question as it was drawn last, and when the time for it is up."""
    without_picture: bool = False
    """Whether it has no picture since we may attach no files there."""
    shows_farewell: bool = False
    """Whether it says that the program will be back: then it is redrawn at the next start."""

    def draws(self, message: Message | None, version: int | None = None) -> None:
        """Note that it shows `message`, of that version if known; None: something else."""
        self.drawn = b"" if message is None else message.digest
        self.shown = None if message is None else version


@dataclass(slots=True)
class Trouble:
    """How Discord refuses to show a table."""

    refused: Refusal | None = None
    """In the draw under way."""
    lost: bool = False
    """Whether the table waits, as far as is known, until Discord lets us show it."""
    guild: GuildId | None = None
    """The server where a table was lost, None if it is not; of a plan always its server."""

    @property
    def is_in_doubt(self) -> bool:
        """Whether it takes a call that works to know that the table can be shown again.

        Where the draw under way was refused already, that is known.
        """
        return self.lost and self.refused is None


@dataclass(slots=True)
class DrawState:
    """State of a table between two draws."""

    table: TableId
    schedule: Schedule = field(default_factory=Schedule)
    board: DrawnBoard = field(default_factory=DrawnBoard)
    trouble: Trouble = field(default_factory=Trouble)
    repost: bool = False
    """Whether the board is to be posted again, at the bottom of its channel."""
    calls: dict[Slot, asyncio.Task[bool]] = field(default_factory=dict)
    """Hands and lines that are being sent."""
    settling: dict[Slot, asyncio.Task[bool]] = field(default_factory=dict)
    """Hands being redrawn since their question is over."""
    answering: list[Slot] = field(default_factory=list)
    """Hands and the board, as often as an answer to a press is under way that will redraw them."""


class DrawTasks:
    """Draws tables one draw at a time each; none waits for another's troubles."""

    def __init__(
        self,
        draw: Callable[[DrawState], Awaitable[bool]],
        timings: Timings,
        counts: DrawCounts = UNCOUNTED,
    ) -> None:
        """`draw` returns whether all of it worked; an exception counts as a failure."""
        self._draw = draw
        self._timings = timings
        self._counts = counts
        self._states: dict[TableId, DrawState] = {}
        self.closing = False
        """Nothing is tried again any more."""
        self._closed = False

    def state(self, table: TableId) -> DrawState:
        """The state between draws of the table."""
        return self._states.setdefault(table, DrawState(table))

    def __iter__(self) -> Iterator[DrawState]:
        return iter(list(self._states.values()))

    def changed(self, table: TableId) -> None:
        """There is something to draw, soon.  Never raises."""
        if self._closed:
            return
        state = self.state(table)
        state.schedule.dirty, state.schedule.failures = True, 0
        self._later(state, self._timings.grace)

    def again(self, state: DrawState) -> None:
        """Something came to its end that makes another draw worth while: now, or after this one."""
        state.schedule.dirty = True
        self.begin(state)

    def retry(self, state: DrawState) -> None:
        """Something failed just now: draws soon, as after a first failure."""
        if not self.closing:
            state.schedule.dirty, state.schedule.failures = True, 0
            self._later(state, self._timings.retries[0])

    async def flush(self, table: TableId) -> None:
        """Draw now, if there is anything to draw; failures are drawn again later."""
        while (state := self._states.get(table)) is not None and not self._closed:
            if state.schedule.dirty:
                self.begin(state)
            if state.schedule.task is None:
                return
            await asyncio.wait([state.schedule.task])
            if state.schedule.failures:
                return

    def forget(self, table: TableId) -> None:
        """Nothing more will be drawn."""
        self._states.pop(table, None)

    def let_go(self, table: TableId) -> None:
        """Forget the state of the table, if there is nothing in it."""
        if self._states.get(table) == DrawState(table):
            del self._states[table]

    async def draw_until(self, end: float) -> list[asyncio.Task[None]]:
        """Draw queued tables until `end` on the loop's clock; returns the draws not done by
        then."""
        while True:
            for state in self:
                if state.schedule.dirty:
                    self.begin(state)
            found = [state.schedule.task for state in self]
            tasks = [task for task in found if task is not None]
            left = end - asyncio.get_running_loop().time()
            if not tasks or left <= 0:
                return tasks
            await asyncio.wait(tasks, timeout=left)

    async def aclose(self, end: float) -> None:
        """Draw queued tables; draws not done by `end` are given up."""
        self.closing = True
        late = await self.draw_until(end)
        self._closed = True
        for state in self._states.values():
            if state.schedule.timer is not None:
                state.schedule.timer.cancel()
        if late:
            logger.warning("draws_given_up", count=len(late))
        calls = [
            call
            for state in self._states.values()
            for call in (*state.calls.values(), *state.settling.values())
        ]
        await cancel_all((*late, *calls))

    def _later(self, state: DrawState, seconds: float) -> None:
        """Draw after some seconds, unless the table is drawn before."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if state.schedule.task is not None or self._closed:
            return
        if state.schedule.timer is not None:
            if state.schedule.due <= due:
                return
            state.schedule.timer.cancel()
        state.schedule.timer, state.schedule.due = loop.call_at(due, self.begin, state), due

    def begin(self, state: DrawState) -> None:
        """Draws now, unless that is under way."""
        if state.schedule.timer is not None:
            state.schedule.timer.cancel()
            state.schedule.timer = None
        if state.schedule.task is None and not self._closed:
            state.schedule.task = asyncio.create_task(self._work(state), name=f"draw-{state.table}")

    async def _work(self, state: DrawState) -> None:
        """One draw; what changed meanwhile is drawn by the next, what failed again later."""
        # Whatever press began this task: a draw is of all that has changed.
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(table=state.table)
        state.schedule.dirty = False
        drawn = False
        try:
            drawn = await self._draw(state)
        except Exception as error:  # whatever it is, other tables and later draws go on
            log_failure("draw_failed", state.table, error)
        finally:
            state.schedule.task = None
            self._counts.drawn(worked=drawn)
            state.schedule.failures = 0 if drawn else state.schedule.failures + 1
            if state.schedule.dirty and drawn:
                self._later(state, self._timings.grace)
            elif not self.closing:
                self._again(state)

    def _again(self, state: DrawState) -> None:
        if state.schedule.failures:
            retries = self._timings.retries
            self._later(state, retries[min(state.schedule.failures, len(retries)) - 1])
        elif state.trouble.lost:
            self._later(state, self._timings.retry_refused)
        elif state.schedule.quiet_until is not None:
            self._later(state, self._timings.clock)


async def finish(tasks: Sequence[asyncio.Task[None]], end: float) -> None:
    """Waits for `tasks`, and gives up those that are not done by `end` on the loop's clock."""
    if not tasks:
        return
    left = end - asyncio.get_running_loop().time()
    _, late = await asyncio.wait(tasks, timeout=max(0.0, left))
    await cancel_all(late)
