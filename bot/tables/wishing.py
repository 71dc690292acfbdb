"""`TableService`, the part for wishes beside playing: pause, pace, nudge, substitute."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

from bot.ids import QuestionId, TableId, UserId
from bot.tables import ahead, match, nudging, pace_votes, rest_votes, seeking
from bot.tables.finding import Finding
from bot.tables.loaded import LoadedTables
from bot.tables.model import Table
from bot.tables.pace import Pace
from bot.tables.ports import Clock, TableStore
from bot.tables.stored import StoredTable
from engine.game import Seat


class Wishing(Finding):
    """Every method raises TableError, as those of `TableService`."""

    def __init__(self, store: TableStore, loaded: LoadedTables, clock: Clock) -> None:
        super().__init__(store, loaded)
        self._clock = clock

    async def standing(
        self, table: TableId, user: UserId, question: QuestionId | None, *, on: bool
    ) -> Table:
        """See `match.standing`."""
        return await self._operate(
            table, lambda t, now: match.standing(t, user, question, now, on=on)
        )

    async def choose_ahead(
        self, table: TableId, user: UserId, since: QuestionId, text: str | None
    ) -> Table:
        """See `ahead.choose`."""
        return await self._operate(table, lambda t, now: ahead.choose(t, user, since, text, now))

    async def rest(
        self, table: TableId, user: UserId, *, resting: bool, moderator: bool = False
    ) -> Table:
        """See `rest_votes.vote`; a moderator who does not play decides alone."""

        def decide(t: Table, now: datetime) -> StoredTable:
            seating = t.stored.seating
            plays = seating.place_of(user) is not None or seating.began(user)
            alone = moderator and not plays
            return rest_votes.vote(t.stored, user, now, resting=resting, alone=alone)

        return await self._alter(table, decide)

    async def choose_pace(self, table: TableId, user: UserId, pace: Pace) -> Table:
        """See `pace_votes.vote`."""
        return await self._alter(table, lambda t, _: pace_votes.vote(t.stored, user, pace))

    async def nudge(self, table: TableId, user: UserId, question: QuestionId) -> Table:
        """See `nudging.nudge`."""
        return await self._operate(table, lambda t, now: nudging.nudge(t, user, question, now))

    async def seek(self, table: TableId, user: UserId, seat: Seat) -> Table:
        """See `seeking.seek`."""
        return await self._alter(table, lambda t, _: seeking.seek(t.stored, user, seat))

    async def _operate(
        self, table: TableId, decide: Callable[[Table, datetime], Table], *, tolerant: bool = False
    ) -> Table:
        """See `LoadedTables.operate`; what is decided knows the time."""
        return await self._loaded.operate(
            table, lambda t: decide(t, self._clock()), tolerant=tolerant
        )

    async def _alter(
        self,
        table: TableId,
        decide: Callable[[Table, datetime], StoredTable],
        *,
        tolerant: bool = False,
    ) -> Table:
        """See `match.altered`."""
        return await self._operate(
            table, lambda t, now: match.altered(t, decide(t, now), now), tolerant=tolerant
        )
