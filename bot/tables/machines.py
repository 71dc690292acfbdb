"""`TableService`, the part for computer players: seating them, their actions, and hints."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta
from typing import Final

from structlog.contextvars import bound_contextvars

from bot.ids import QuestionId, TableId, UserId
from bot.tables import computer_seats, firing, hinting
from bot.tables.asking_hints import Advising
from bot.tables.computer_answers import NOTHING, Answers, Thinking
from bot.tables.deadlines import NotYet
from bot.tables.loaded import LoadedTables
from bot.tables.model import Table
from bot.tables.phase import Unreadable
from bot.tables.ports import Change, Clock, Computers, Considered, Due, TableCounts, TableStore
from bot.tables.stored import DeadlineKind
from bot.tables.wishing import Wishing
from engine.players.levels import Level

QUIET: Final = timedelta(seconds=8)
"""How long nothing is drawn while only computer players are asked."""

THOUGHT: Final = (DeadlineKind.COMPUTER, DeadlineKind.ITSELF)
"""Deadlines at which something is played that was thought of."""


class Machines(Wishing):
    """Every method raises TableError, as those of `TableService`."""

    def __init__(
        self,
        store: TableStore,
        loaded: LoadedTables,
        clock: Clock,
        counts: TableCounts,
        computers: Computers,
    ) -> None:
        super().__init__(store, loaded, clock)
        self._counts = counts
        self._computers = computers
        self._thinking = Thinking(computers)
        self._advising = Advising(computers)
        self._quiet: dict[TableId, datetime] = {}
        """Since when nothing is drawn of a table where only computer players act."""

    async def seat_computer(
        self, table: TableId, user: UserId, level: Level, place: int | None = None
    ) -> Table:
        """See `computer_seats.seat`."""
        seated = await self._alter(
            table, lambda t, now: computer_seats.seat(t.stored, user, level, place, now)
        )
        self._computers.wake((seated.stored.game,))
        return seated

    async def send_computer_away(self, table: TableId, user: UserId, place: int) -> Table:
        """See `computer_seats.send_away`."""
        return await self._alter(
            table, lambda t, now: computer_seats.send_away(t.stored, user, place, now)
        )

    async def hint(self, table: Table, user: UserId, question: QuestionId | None) -> hinting.Hint:
        """What a strong computer player would do in place of `user`; see `hinting.asked`.

        It takes up to three seconds.  Raises `stale` if the table has moved on meanwhile; what is
        told counts, and is stored before.
        """
        seat, asked = hinting.asked(table, user, question)
        only = hinting.forced(table, seat)
        if only is not None:
            return hinting.Hint(table, user, Considered(only, 0.0, 0.0, 0), only=True)
        self._computers.wake((table.stored.game,))
        advice = await self._advising.advice(table, seat, asked)
        if not advice:
            hinting.asked(await self._loaded.read(table.id), user, asked)
            return hinting.Hint(table, user, None)
        counted = await self._loaded.operate(
            table.id, lambda now: hinting.counted(now, user, asked)
        )
        hinted = counted.stored.hinted.get(user)
        first = hinted is not None and hinted.taken == 1
        return hinting.told(table, user, advice, first=first)

    async def fire(self, due: Due) -> None:
        """A stored deadline has come: see `firing.fire`.

        What is logged meanwhile names the table and the question.  Raises NotYet while somebody
        thinks about what is to be played.
        """
        with bound_contextvars(table=due.table, question=due.deadline.question):
            answers = await self._answers(due)
            await self._loaded.operate(
                due.table,
                lambda t: firing.fire(t, due.deadline, self._clock(), answers),
                tolerant=True,
            )
        self._counts.fired(due.deadline.kind)

    async def _answers(self, due: Due) -> Answers:
        """What was thought of for this deadline."""
        if due.deadline.kind not in THOUGHT:
            return NOTHING
        table = await self._loaded.read(due.table, tolerant=True)
        if isinstance(table.phase, Unreadable):
            return NOTHING
        found = await self._thinking.answers(table, due.deadline.question)
        if isinstance(found, asyncio.Task):
            raise NotYet(found)
        return found

    def _committed(self, change: Change, after: Table) -> bool:
        """What is asked now is thought about.  Returns whether the table is drawn now.

        A play that only computer players answer is drawn with the last of theirs: whatever several
        of them do in a row costs one edit.
        """
        self._thinking.noticed(after)
        waits = after.stored.timing.deadline(DeadlineKind.COMPUTER)
        played = change.entries and not any(entry.is_deal for entry in change.entries)
        if waits is None or after.asked or not played:
            self._quiet.pop(after.id, None)
            return True
        now = self._clock()
        if now - self._quiet.setdefault(after.id, now) < QUIET:
            return False
        self._quiet[after.id] = now
        return True
