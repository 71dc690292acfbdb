"""Asking a computer player for a hint: once for each question, however many presses there are."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeAlias

from cachetools import LRUCache

from bot.ids import QuestionId, TableId
from bot.tables.computer_answers import thought_for
from bot.tables.model import Table
from bot.tables.ports import Advice, Computers, Thought
from bot.tasks import cancel_all
from engine.game import Seat
from engine.players.levels import Level

MAX_THOUGHTS: Final = 256
"""Maximum number of questions that are remembered with their decisions."""

AskedSeat: TypeAlias = tuple[TableId, Seat, QuestionId]


class Advising:
    """Recent decisions for hints, in memory only."""

    def __init__(self, computers: Computers) -> None:
        self._computers = computers
        self._thoughts: LRUCache[AskedSeat, asyncio.Task[Advice | None]] = LRUCache(MAX_THOUGHTS)

    async def advice(self, table: Table, seat: Seat, question: QuestionId) -> Advice | None:
        """Advice of a strong computer player on that question; None if there was no time."""
        return await self.about(
            (table.id, seat, question), lambda: thought_for(table, seat, question, Level.STRONG)
        )

    async def about(self, asked: AskedSeat, thought: Callable[[], Thought]) -> Advice | None:
        """Advice on what is asked, which is thought about if nothing is remembered of it."""
        task = self._thoughts.get(asked)
        if task is None:
            task = asyncio.create_task(self._computers.advise(thought()), name=f"hint {asked[0]}")
            self._thoughts[asked] = task
        found = await asyncio.shield(task)
        if not found or not found[0].visits:
            self._thoughts.pop(asked, None)  # there may be time for it later
        return found

    async def aclose(self) -> None:
        """Ends all running decisions."""
        tasks = [*self._thoughts.values()]
        self._thoughts.clear()
        await cancel_all(tasks)
