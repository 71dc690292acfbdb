"""What the publisher asks of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from bot.present.views import ChannelView, HandView
from bot.tables.model import Table, TableError
from bot.tables.service import TableService
from cogs._views import Where, channel_view, hand_view


class TableSource:
    """`bot.present.publisher.Source` over `TableService`."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    async def channel_view(self, table: str) -> ChannelView | None:
        found = await self._find(table)
        return None if found is None else channel_view(found)

    async def hand_view(self, table: str, user: int, board: Where | None) -> HandView | None:
        found = await self._find(table)
        return None if found is None else hand_view(found, user, board)

    async def panels(self, table: str) -> Sequence[tuple[int, bool, int]]:
        """Whoever gets a panel by DM: user, whether they are asked now, and the newest mark.

        The mark of somebody who is asked is the number of the question; of others the ply of
        the last deal, so that their panel is drawn once a round and not at every ply.  Who
        passes for the whole deal is not called to a question that this answers.
        """
        found = await self._find(table)
        if found is None or found.round == 0 or found.closing or not found.record.status.is_open:
            return ()
        asked = [seat for seat in found.actors if not found.answers_itself(seat)]
        return tuple(
            (
                place.person.id,
                seat in asked,
                found.question(seat) if seat in asked else found.deal_ply,
            )
            for seat, place in enumerate(found.record.places)
            if place.person is not None and place.reachable
        )

    async def unreachable(self, table: str, user: int) -> None:
        """A DM did not arrive: from now on this hand is behind *My hand*."""
        await self._tables.set_reachable(table, user, False)

    async def posted(self, table: str, round_number: int, message: int | None) -> None:
        """The message that carries a round is there, or cannot be: the cards are dealt."""
        with suppress(TableError):  # ended meanwhile: nothing is dealt any more
            await self._tables.posted(table, round_number, message)

    async def _find(self, table: str) -> Table | None:
        try:
            return await self._tables.table(table)
        except TableError:
            return None
