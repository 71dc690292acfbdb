"""What computer players are asked about a table: for answers of their own, and for hints.

A decision about an answer is begun by the commit that puts its question, and is ready long before
the stored deadline at which it is played, so that its duration gives nothing away.  After a restart
decisions are asked for again when their deadline comes.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final, TypeAlias

import structlog
from cachetools import LRUCache

from bot.ids import QuestionId, TableId
from bot.tables.model import Table
from bot.tables.phase import Round
from bot.tables.ports import Advice, Computers, Thought
from bot.tasks import cancel_all
from engine.game import Seat
from engine.players.levels import Level
from engine.players.player import FEW

logger = structlog.get_logger(__name__)

STAND_IN: Final = Level.NORMAL
"""Level of a stand-in."""

ALMOST_DONE: Final = 0.05
"""Seconds for which the other tables' deadlines wait for one that is about to be done."""

MAX_THOUGHTS: Final = 256
"""Maximum number of questions that are remembered with the decisions for hints."""

AskedSeat: TypeAlias = tuple[Seat, QuestionId]

Answers: TypeAlias = Mapping[AskedSeat, str | None]
"""Answers by seat and question; None if there was none in time."""

AskedOf: TypeAlias = tuple[TableId, Seat, QuestionId]

NO_ANSWERS: Final[Answers] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class _Mind:
    """Decisions under way at one table."""

    thoughts: Mapping[AskedSeat, asyncio.Task[str | None]]
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held by the one decision that is being made."""

    def waits(self, question: QuestionId) -> list[asyncio.Task[str | None]]:
        """Thoughts about that question that are not done."""
        about = [task for (_, asked), task in self.thoughts.items() if asked == question]
        return [task for task in about if not task.done()]


class Thinking:
    """One thought at a time for each table, about its present questions only."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._minds: dict[TableId, _Mind] = {}

    def update(self, table: Table) -> None:
        """Begin decisions about the questions of `table`, and cancel those about earlier ones.

        All observations are taken now, before any question is answered.
        """
        mind = self._minds.pop(table.id, None) or _Mind({})
        asked = {(seat, table.questions[seat]): level for seat, level in _thinkers(table).items()}
        for gone in mind.thoughts.keys() - asked.keys():
            mind.thoughts[gone].cancel()
        if asked:
            thoughts = {
                one: mind.thoughts.get(one) or self._begin(mind.lock, table, *one, level)
                for one, level in asked.items()
            }
            self._minds[table.id] = replace(mind, thoughts=thoughts)

    async def answers(
        self, table: Table, question: QuestionId
    ) -> Answers | asyncio.Task[str | None]:
        """The answers found at `table`, or a decision about `question` that is not done yet."""
        self.update(table)
        mind = self._minds.get(table.id, _Mind({}))
        if waits := mind.waits(question):
            await asyncio.wait(waits, timeout=ALMOST_DONE)
            # Another thought may have begun: whoever it was about has taken their seat back.
            mind = self._minds.get(table.id, mind)
            if waits := mind.waits(question):
                return waits[0]
        done = ((asked, task) for asked, task in mind.thoughts.items() if task.done())
        return {asked: task.result() for asked, task in done if not task.cancelled()}

    async def aclose(self) -> None:
        """Ends all running decisions."""
        tasks = [task for mind in self._minds.values() for task in mind.thoughts.values()]
        self._minds.clear()
        await cancel_all(tasks)

    def _begin(
        self, lock: asyncio.Lock, table: Table, seat: Seat, question: QuestionId, level: Level
    ) -> asyncio.Task[str | None]:
        thought = thought_for(table, seat, question, level)

        async def think() -> str | None:
            try:
                async with lock:
                    return await self._computers.decide(thought)
            except Exception as error:  # the table goes on; its words could name cards
                logger.error("computer_failed", game=thought.game, kind=type(error).__name__)
                return None

        return asyncio.create_task(think(), name=f"thought {table.id}")


class Advising:
    """Recent decisions for hints and reviews, in memory only: one for each question, however many
    presses there are."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._thoughts: LRUCache[AskedOf, tuple[Thought, asyncio.Task[Advice | None]]]
        self._thoughts = LRUCache(MAX_THOUGHTS)

    async def advice(self, table: Table, seat: Seat, question: QuestionId) -> Advice | None:
        """Advice of a strong computer player on that question; None if there was no time."""
        thought = thought_for(table, seat, question, Level.STRONG)
        return await self.about((table.id, seat, question), thought)

    def remembered(self, table: Table, seat: Seat, question: QuestionId) -> Advice | None:
        """The same, if it is known by now."""
        known, task = self._thoughts.get((table.id, seat, question), (None, None))
        if task is None or not task.done() or task.cancelled() or task.exception() is not None:
            return None
        same = known == thought_for(table, seat, question, Level.STRONG)
        return task.result() if same else None

    async def about(self, asked: AskedOf, thought: Thought) -> Advice | None:
        """Advice on what is asked, which is thought about if nothing is remembered of that."""
        known, task = self._thoughts.get(asked, (None, None))
        if task is None or known != thought:
            task = asyncio.create_task(self._computers.advise(thought), name=f"hint {asked[0]}")
            self._thoughts[asked] = thought, task
        found = await asyncio.shield(task)
        if not found or found[0].visits < FEW:
            self._thoughts.pop(asked, None)  # there may be time for it later
        return found

    async def aclose(self) -> None:
        """Ends all running decisions."""
        tasks = [task for _, task in self._thoughts.values()]
        self._thoughts.clear()
        await cancel_all(tasks)


def _thinkers(table: Table) -> Mapping[Seat, Level]:
    """Levels by seat, for seats that are asked and answered by a computer player or stand-in."""
    if not isinstance(table.phase, Round) or not table.stored.status.is_open:
        return {}
    places = table.stored.seating.places
    levels = {seat: STAND_IN for seat in table.actors if places[seat].stand_in}
    levels |= {seat: places[seat].computer or STAND_IN for seat in table.computing}
    return levels


def thought_for(table: Table, seat: Seat, question: QuestionId, level: Level) -> Thought:
    """The question to a computer player of that level in place of `seat`."""
    seed = seed_for(secret_of(table, table.round), (table.id, seat, question))
    return Thought(table.stored.game, table.observe(seat), level, seed)


def secret_of(table: Table, number: int) -> str:
    """The seed of the shuffle of a round; empty if it has none."""
    shuffle = table.shuffle_of(number)
    return "" if shuffle is None else shuffle.seed


def seed_for(secret: str, asked: AskedOf) -> int:
    """A seed that is the same after a restart, and in a review of the round.

    It is unknown to people until the round is over: a digest that includes the round's own seed
    (`secret`), and tells nothing of that.
    """
    table, seat, question = asked
    said = f"computer {secret} {table} {seat} {question}"
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:8])
