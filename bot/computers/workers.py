"""`Workers`: questions to worker processes, or to a thread, with time by load."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import sys
from asyncio import PriorityQueue
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from math import isfinite
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

import structlog

from bot.computers import cache, thinking
from bot.computers.frames import Question, pack_question
from bot.computers.sources import (
    UNCOUNTED,
    By,
    ForkServer,
    Lost,
    NotStarted,
    ThoughtCounts,
    Worker,
    WorkerKind,
    compile_all,
)
from bot.tables.ports import MOST_ADVICE, Advice, Thought
from engine.game import AnyGame, RuleError
from engine.players.levels import Level
from engine.players.player import Considered

logger = structlog.get_logger(__name__)

MAX_QUEUED: Final = 256
"""Maximum number of waiting questions: rules of thumb answer that many in time."""

ANSWER_TIME: Final = 2.9
"""Seconds after which an answer comes too late."""


class ThinkingTimes(NamedTuple):
    """Thinking times.  Interpreted players look at the clock more seldom, and are given less."""

    thought: float
    """Seconds for a decision while no other question waits."""
    hurry: float
    """Seconds in the queue after which only rules of thumb have time."""


COMPILED: Final = ThinkingTimes(1.0, 2.2)
INTERPRETED: Final = ThinkingTimes(0.5, 1.5)
"""A slice of playouts may end half a second later."""

QUEUE_TIME: Final = 2.0
"""Seconds in which all waiting questions should be decided."""

HUNG_AFTER: Final = 2.5
"""Seconds without an answer after which a worker counts as hung."""

_RESTART_PAUSES: Final = (0.0, 0.0, 0.5, 2.0, 10.0, 60.0)
"""Seconds until the next worker starts, by the number in a row that died without an answer."""

_NOBODY: Final[By] = "nobody"
_INSTEAD: Final = 0
_ASKED: Final = 1
"""Orders in the queue: what has waited for one worker in vain goes first."""


@dataclass(order=True, repr=False)
class _Job:
    """A question that waits or is being decided; as secret as a hand."""

    order: int
    """Its place in the queue."""
    number: int
    """A number that no other question has."""
    thought: Thought = field(compare=False)
    asked: float = field(compare=False)
    answer: asyncio.Future[str | Lost] = field(compare=False)
    """Notation, or why there is none."""
    by: By = field(default="level", compare=False)


@dataclass(eq=False)
class _Crew:
    """Workers of one kind; those that end are replaced."""

    fork_server: ForkServer
    tasks: list[asyncio.Task[None]] = field(default_factory=list)
    busy: set[asyncio.Task[None] | None] = field(default_factory=set)
    leaving: bool = False
    """Whether its workers begin no other decision."""


def cores() -> int:
    """Default number of workers: one less than there are cores; 0 except on Linux."""
    return max(1, len(os.sched_getaffinity(0)) - 1) if sys.platform == "linux" else 0


def share(patience: ThinkingTimes, waiting: int, workers: int, waited: float) -> float:
    """Seconds for a decision that has `waited` seconds, while `waiting` others wait."""
    return min(patience.thought, HUNG_AFTER - waited, QUEUE_TIME * workers / (waiting + workers))


class Workers:
    """Computer players in processes that start when first needed, and then stay.

    Implements `bot.tables.ports.Computers`.  Players are interpreted at first, and compiled as soon
    as compiling is done, which takes a minute once after every update.
    """

    def __init__(
        self,
        games: Mapping[str, AnyGame],
        count: int | None,
        folder: Path,
        *,
        counts: ThoughtCounts = UNCOUNTED,
        first: tuple[str, ...] = (),
    ) -> None:
        """`count` workers; None means `cores()`.  Without any, a thread thinks.

        Compiled players are kept below `folder`.  Workers import `first` before anything else.
        """
        self._games = games
        self._count = cores() if count is None or sys.platform != "linux" else count
        self._folder = folder
        self._counts = counts
        self._first = first
        self._queue: PriorityQueue[_Job] = PriorityQueue()
        self._numbers = itertools.count()
        self._starting: asyncio.Task[None] | None = None
        self._crews: list[_Crew] = []
        self._alive: set[Worker] = set()
        self._failing = False
        """Whether the last start of a worker failed."""
        self._thread = InThread()
        self._closed = False

    def wake(self, games: Collection[str]) -> None:
        """See `bot.tables.ports.Computers`."""
        if self._count and self._starting is None and not self._closed:
            self._starting = asyncio.create_task(self._start(), name="computers")

    @property
    def pids(self) -> frozenset[int]:
        """Numbers of the worker processes."""
        return frozenset(worker.pid for worker in self._alive)

    @property
    def is_warm(self) -> bool:
        """Whether the players are compiled."""
        return bool(self._alive) and all(worker.compiled for worker in self._alive)

    async def aclose(self) -> None:
        """End all processes at once; waiting questions get no answer."""
        self._closed = True
        if self._starting is not None:
            self._starting.cancel()
        self._give_up()
        tasks = [task for crew in self._crews for task in crew.tasks]
        for task in tasks:
            task.cancel()
        waits = [*tasks, *([self._starting] if self._starting else [])]
        if waits:
            await asyncio.wait(waits)
        await asyncio.gather(*(crew.fork_server.aclose() for crew in self._crews))

    # Questions

    async def decide(self, thought: Thought) -> str | None:
        """See `bot.tables.ports.Computers`."""
        began = monotonic()
        text: str | None = None
        by: By = _NOBODY
        try:
            async with asyncio.timeout(ANSWER_TIME):
                if self._count and (self._alive or not self._failing):
                    text, by = await self._thought_about(thought, began)
                else:
                    text, by = await self._simply(thought), "greedy"
        except TimeoutError:
            self._counts.fell_back("busy")
        except Exception as error:  # whatever it is, the table goes on
            logger.error("computers_failed", kind=type(error).__name__)
        self._counts.decided(by if text is not None else _NOBODY, monotonic() - began)
        return text

    async def advise(self, thought: Thought) -> Advice | None:
        """See `bot.tables.ports.Computers`."""
        thought = thought._replace(counted=True)
        text = await self.decide(thought)
        if text is None and not self._closed:
            # However busy all are: a rule of thumb takes no time.
            text = await self._simply(thought)
        return None if text is None else read(text)

    async def _thought_about(self, thought: Thought, began: float) -> tuple[str | None, By]:
        """The answer of a worker, or of another one by rules of thumb."""
        self.wake(())
        found, by = await self._asked(thought, began, _ASKED)
        if not isinstance(found, Lost):
            return found, by
        self._counts.fell_back(found.why)
        again = found.why in ("died", "hung") or thought.level is not Level.NORMAL
        if found.why == "busy" or not again:
            return None, _NOBODY
        if self._failing and not self._alive:
            return await self._simply(thought), "greedy"
        found, _ = await self._asked(thought._replace(level=Level.NORMAL), began, _INSTEAD)
        return None if isinstance(found, Lost) else found, "greedy"

    async def _asked(self, thought: Thought, began: float, order: int) -> tuple[str | Lost, By]:
        """The answer of a worker, and who decided."""
        if self._queue.qsize() >= MAX_QUEUED or self._closed:
            return Lost("busy"), _NOBODY
        answer: asyncio.Future[str | Lost] = asyncio.get_running_loop().create_future()
        job = _Job(order, next(self._numbers), thought, began, answer)
        self._put(job)
        return await job.answer, job.by

    def _give_up(self) -> None:
        """End the waiting questions without an answer."""
        while not self._queue.empty():
            _answer(self._queue.get_nowait(), Lost("died"))

    def _put(self, job: _Job) -> None:
        self._queue.put_nowait(job)
        self._counts.waiting(self._queue.qsize())

    async def _simply(self, thought: Thought) -> str | None:
        text = await self._thread.ask(question(thought, Level.NORMAL, 0.0))
        return text if text is not None and self._is_answer(thought, text) else None

    def _is_answer(self, thought: Thought, text: str) -> bool:
        return is_answer(thought, text, self._games[thought.game])

    # Workers

    async def _start(self) -> None:
        """Start interpreted workers, which are ready at once, then compiled ones."""
        structlog.contextvars.clear_contextvars()  # whichever table wanted them first
        plain = self._crew(WorkerKind(first=self._first))
        logger.info("computers_started", workers=self._count)
        if not cache.can_compile():
            return
        began = monotonic()
        try:
            compiled = await self._compiled()
        except (NotStarted, OSError) as error:
            logger.warning("computers_not_compiled", kind=str(error) or type(error).__name__)
            return
        self._crew(*compiled)
        logger.info("computers_warm", seconds=round(monotonic() - began, 1))
        await self._leave(plain)

    async def _compiled(self) -> tuple[WorkerKind, ForkServer, Worker]:
        """The first compiled worker; compiles what is not compiled yet.

        Raises NotStarted and OSError.
        """
        place = await asyncio.to_thread(cache.prepare, self._folder)
        if place is None:  # they are compiled at every start
            logger.warning("computers_not_kept", folder=str(self._folder))
        kind = WorkerKind(place, compiled=True, first=self._first)
        if place is not None and not cache.is_complete(place):
            await compile_all(kind)
            cache.mark_complete(place)
        ready = ForkServer(kind)
        try:
            worker = await ready.worker()
            if not worker.compiled:
                worker.end()
                raise NotStarted("interpreted")
        except BaseException:
            await ready.aclose()
            raise
        return kind, ready, worker

    def _crew(
        self, kind: WorkerKind, there: ForkServer | None = None, worker: Worker | None = None
    ) -> _Crew:
        """New workers of a kind; the first of them may exist already."""
        crew = _Crew(there or ForkServer(kind))
        self._crews.append(crew)
        for place in range(self._count):
            work = self._work(crew, None if place else worker)
            crew.tasks.append(asyncio.create_task(work, name="computer"))
        return crew

    async def _leave(self, crew: _Crew) -> None:
        """End the workers of a crew once they have answered."""
        crew.leaving = True
        for task in crew.tasks:
            if task not in crew.busy:
                task.cancel()
        await asyncio.wait(crew.tasks)
        self._crews.remove(crew)
        await crew.fork_server.aclose()

    async def _work(self, crew: _Crew, worker: Worker | None) -> None:
        """Run one worker after the other until the crew ends."""
        structlog.contextvars.clear_contextvars()
        failures = 0
        while not crew.leaving:
            try:
                worker = worker or await crew.fork_server.worker()
            except NotStarted as error:
                self._failing = True
                failures += 1
                logger.warning("computer_not_started", kind=str(error))
                if not self._alive:
                    self._give_up()
            else:
                self._failing = False
                failures = 0 if await self._live(crew, worker) else failures + 1
                worker = None
            if not crew.leaving:
                await asyncio.sleep(_RESTART_PAUSES[min(failures, len(_RESTART_PAUSES) - 1)])

    async def _live(self, crew: _Crew, worker: Worker) -> int:
        """Run a worker to its end; returns how often it answered."""
        answered = 0
        self._count_worker(worker, alive=True)
        try:
            while not crew.leaving:
                await self._serve(crew, worker)
                answered += 1
        except Lost as lost:
            logger.warning("computer_died", pid=worker.pid, why=lost.why)
        except Exception as error:  # whatever it is, there will be another worker
            logger.error("computers_failed", kind=type(error).__name__)
        finally:
            self._count_worker(worker, alive=False)
            worker.end()
        return answered

    def _count_worker(self, worker: Worker, *, alive: bool) -> None:
        (self._alive.add if alive else self._alive.discard)(worker)
        warm = sum(one.compiled for one in self._alive)
        self._counts.working(len(self._alive), warm)

    async def _serve(self, crew: _Crew, worker: Worker) -> None:
        """Put the next question to a worker.  Raises Lost."""
        job = await self._next(worker)
        self._counts.waiting(self._queue.qsize())
        if job.answer.done():
            return
        task = asyncio.current_task()
        crew.busy.add(task)
        try:
            _answer(job, await self._thought(worker, job))
        except Lost as lost:
            _answer(job, lost)
            raise
        finally:
            crew.busy.discard(task)
            _answer(job, Lost("died"))

    async def _next(self, worker: Worker) -> _Job:
        """The question whose turn it is.  Raises Lost if the worker ends meanwhile."""
        turn = asyncio.ensure_future(self._queue.get())
        end = asyncio.ensure_future(worker.gone.wait())
        try:
            await asyncio.wait((turn, end), return_when=asyncio.FIRST_COMPLETED)
            if end.done():
                raise Lost("died")
            return turn.result()
        except BaseException:
            if turn.done() and not turn.cancelled():
                self._put(turn.result())  # it is another one's
            raise
        finally:
            turn.cancel()
            end.cancel()

    async def _thought(self, worker: Worker, job: _Job) -> str | Lost:
        """The worker's answer, or why there is none.  Raises Lost."""
        waited = monotonic() - job.asked
        thought, level = job.thought, job.thought.level
        patience = COMPILED if worker.compiled else INTERPRETED
        seconds = share(patience, self._queue.qsize(), self._count, waited)
        if waited > patience.hurry and level is not Level.NORMAL:
            level, job.by = Level.NORMAL, "greedy"
            self._counts.fell_back("busy")
        try:
            frame = pack_question(question(thought, level, seconds))
        except Exception as error:  # an observation that holds what cannot be sent
            logger.error("computer_failed", game=thought.game, kind=type(error).__name__)
            return Lost("failed")
        told = await worker.ask(frame, HUNG_AFTER)
        if told is None:
            logger.error("computer_failed", game=thought.game)
            return Lost("failed")
        if not self._is_answer(thought, told.does):
            raise Lost("illegal")
        if told.playouts:
            self._counts.looked(told.playouts)
        return told.does


def _answer(job: _Job, found: str | Lost) -> None:
    if not job.answer.done():
        job.answer.set_result(found)


# Questions and answers.


def question(thought: Thought, level: Level, seconds: float) -> Question:
    """The question that a worker is sent."""
    return Question(thought.game, thought.view, level.value, thought.seed, seconds, thought.counted)


def is_answer(thought: Thought, text: str, game: AnyGame) -> bool:
    """Whether `text` is an answer to `thought` that names legal actions only."""
    if not thought.counted:
        return _is_legal(thought, text, game)
    rows = read(text)
    return bool(rows) and all(_is_legal(thought, row.text, game) for row in rows)


def _is_legal(thought: Thought, text: str, game: AnyGame) -> bool:
    try:
        action = game.parse_action(text)
    except RuleError:
        return False
    return action in thought.view.legal_actions


def read(text: str) -> Advice:
    """The advice in a text; () if there is none."""
    try:
        rows = tuple(
            Considered(
                str(said),
                float(value),
                float(won),
                int(visits),
                None if takes is None else float(takes),
                bool(thumb),
            )
            for said, value, won, visits, takes, thumb in json.loads(text)
        )
    except (ValueError, TypeError):
        return ()
    return rows if all(map(_is_sound, rows)) and len(rows) <= MOST_ADVICE else ()


def _is_sound(row: Considered) -> bool:
    shares = [row.won, 0.0 if row.takes is None else row.takes]
    return isfinite(row.value) and row.visits >= 0 and all(0 <= share <= 1 for share in shares)


# In a thread.

MAX_QUEUED_IN_THREAD: Final = 64
"""Maximum number of waiting questions; one takes about a millisecond."""


class InThread:
    """One thinking thread, started by the first question."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "computers", thinking.play_interpreted)
        self._waiting = 0

    async def ask(self, question: Question) -> str | None:
        """The answer; None if the player raises an exception, or too many questions wait."""
        if self._waiting >= MAX_QUEUED_IN_THREAD:
            return None
        self._waiting += 1
        loop = asyncio.get_running_loop()
        try:
            return (await loop.run_in_executor(self._thread, thinking.think, question)).does
        except Exception as error:  # whatever a player raises
            logger.error("computer_failed", game=question.game, kind=type(error).__name__)
            return None
        finally:
            self._waiting -= 1
