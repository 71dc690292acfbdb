"""Questions of a table to computer players and stand-ins, and the answers so far.

A decision is begun with the commit that puts its question, and is ready long before the stored
deadline at which it is played: how long it took tells nobody anything.  Everything here is in the
store too: after a restart decisions are asked for again when their deadline has come.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, TypeAlias

import structlog

from bot.ids import QuestionId, TableId
from bot.tables.model import Table
from bot.tables.phase import Round
from bot.tables.ports import Computers, Thought
from engine.game import Seat
from engine.players.levels import Level

STAND_IN: Final = Level.NORMAL
"""How strong a stand-in plays."""

LONGEST: Final = 5.0
"""Seconds after which nobody waits for a thought any more: it should have taken three."""

PATIENCE: Final = 0.05
"""Seconds for which the other tables' deadlines wait for one that is about to be done."""

Asked: TypeAlias = tuple[Seat, QuestionId]

Answers: TypeAlias = Mapping[Asked, str | None]
"""By seat and question what was thought of; None: nothing in time."""

NOTHING: Final[Answers] = MappingProxyType({})

logger = structlog.get_logger(__name__)


@dataclass(slots=True)
class _Mind:
    """What is thought at one table."""

    asked: dict[Asked, Thought]
    answers: dict[Asked, str | None] = field(default_factory=dict)
    at: Asked | None = None
    """What is thought about now."""
    task: asyncio.Task[None] | None = None

    @property
    def done(self) -> bool:
        return self.asked.keys() <= self.answers.keys()


class Thinking:
    """One thought at a time for each table, about its present questions only."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._minds: dict[TableId, _Mind] = {}

    def wake(self, games: Collection[str]) -> None:
        """See `Computers.wake`."""
        self._computers.wake(games)

    def noticed(self, table: Table) -> None:
        """The table stands so: what is asked is thought about, what is over is not any more.

        All that is asked now is read now, before anything of it is answered.
        """
        mind, seats = self._minds.get(table.id), _thinkers(table)
        if not seats:
            self._drop(table.id)
            return
        if mind is None:
            mind = self._minds[table.id] = _Mind({})
        now = [(seat, table.questions[seat]) for seat in seats]
        mind.asked = {
            (seat, question): mind.asked.get((seat, question))
            or thought_of(table, seat, question, seats[seat])
            for seat, question in now
        }
        mind.answers = {asked: said for asked, said in mind.answers.items() if asked in mind.asked}
        if mind.task is not None and mind.at not in mind.asked:
            mind.task.cancel()
            mind.task = None
        if mind.task is None and not mind.done:
            mind.task = asyncio.create_task(self._think(mind), name=f"thought {table.id}")

    async def answers(self, table: Table, question: QuestionId) -> Answers | asyncio.Task[None]:
        """What was thought of at `table`, or the thought about `question` that is not done yet."""
        self.noticed(table)
        mind = self._minds.get(table.id)
        if mind is None:
            return NOTHING
        task = mind.task
        if task is not None and not _knows(mind, question):
            await asyncio.wait((task,), timeout=PATIENCE)
            # Another thought may have begun: whoever it was about has taken their seat back.
            if not _knows(mind, question) and mind.task is not None:
                return mind.task
        return dict(mind.answers)

    async def aclose(self) -> None:
        """Ends all running decisions."""
        tasks = [mind.task for mind in self._minds.values() if mind.task is not None]
        self._minds.clear()
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _drop(self, table: TableId) -> None:
        mind = self._minds.pop(table, None)
        if mind is not None and mind.task is not None:
            mind.task.cancel()

    async def _think(self, mind: _Mind) -> None:
        me = asyncio.current_task()
        while (asked := next((a for a in mind.asked if a not in mind.answers), None)) is not None:
            mind.at = asked
            said = await self._decide(mind.asked[asked])
            if mind.task is not me:
                return
            if asked in mind.asked:
                mind.answers[asked] = said
        mind.task = None

    async def _decide(self, thought: Thought) -> str | None:
        try:
            async with asyncio.timeout(LONGEST):
                return await self._computers.decide(thought)
        except TimeoutError:  # the machine stood still, perhaps
            logger.warning("computer_late", game=thought.game)
        except Exception as error:  # the table goes on; its words could name cards
            logger.error("computer_failed", game=thought.game, kind=type(error).__name__)
        return None


def _knows(mind: _Mind, question: QuestionId) -> bool:
    """Whether nothing about that question is left to be thought."""
    return all(asked in mind.answers for asked in mind.asked if asked[1] == question)


def _thinkers(table: Table) -> Mapping[Seat, Level]:
    """Seats that are asked and that somebody thinks for, and how well."""
    if not isinstance(table.phase, Round) or not table.stored.status.is_open:
        return {}
    places = table.stored.seating.places
    levels = {seat: STAND_IN for seat in table.actors if places[seat].stand_in}
    levels |= {seat: places[seat].computer or STAND_IN for seat in table.computing}
    return levels


def thought_of(table: Table, seat: Seat, question: QuestionId, level: Level) -> Thought:
    """What a computer player of that level is asked in place of `seat`."""
    return Thought(table.stored.game, table.observe(seat), level, _seed(table, seat, question))


def _seed(table: Table, seat: Seat, question: QuestionId) -> int:
    """The same for the same question after a restart, and known to nobody before the round is over.

    A digest of the round's own seed: nothing of that can be told from it.
    """
    dealt = table.dealt
    secret = "" if dealt is None else dealt.seed
    said = f"computer {secret} {table.id} {seat} {question}"
    return int.from_bytes(hashlib.sha256(said.encode()).digest()[:8])
