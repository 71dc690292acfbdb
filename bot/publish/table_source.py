"""What the publisher asks of the tables."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Final

from bot.publish.surfaces import asked_mark
from bot.tables.model import Table, TableError
from bot.tables.service import TableService
from bot.views.building import BoardPlace, channel_view, hand_view, notice_view
from bot.views.values import ChannelView, HandView, NoticeView

UNTOLD: Final = 10_000
"""So many people who never look are waited for."""


class TableSource:
    """`bot.publish.source.Source` over `TableService`."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables
        self.closed: set[tuple[str, int]] = set()
        """Tables and people whose direct messages closed there, and who are still to be told."""

    async def channel_view(self, table: str) -> ChannelView | None:
        found = await self._find(table)
        return None if found is None else channel_view(found)

    async def hand_view(self, table: str, user: int, board: BoardPlace | None) -> HandView | None:
        found = await self._find(table)
        return None if found is None else hand_view(found, user, board)

    async def panels(self, table: str) -> Sequence[tuple[int, bool, int]]:
        """Whoever gets a panel by DM: user, whether they are asked now, and the newest mark.

        The mark of somebody who is asked is that of the question, and of a warning that their
        time runs out; of others that of the last deal, so that their panel is drawn once a round
        and not at every ply.  A seat that answers itself is not called.
        """
        found = await self._find(table)
        if found is None or found.round == 0 or found.closing or not found.record.status.is_open:
            return ()
        asked = found.asked
        return tuple(
            (place.person.id, seat in asked, _mark(found, seat if seat in asked else None))
            for seat, place in enumerate(found.record.places)
            if place.person is not None and place.reachable is not False
        )

    async def notice(self, table: str) -> NoticeView | None:
        """Whom a line in the channel has to call; None if there is nobody."""
        found = await self._find(table)
        return None if found is None else notice_view(found)

    async def uncalled(self, table: str) -> Sequence[int]:
        """Users who are asked, get no hand by DM, and sit at a table that posts no line."""
        found = await self._find(table)
        if found is None or notice_view(found) is not None:
            return ()
        places = [found.record.places[seat] for seat in found.asked]
        return tuple(
            place.person.id for place in places if place.person is not None and not place.reachable
        )

    async def version(self, table: str) -> int:
        """Counts the commits of the table; -1 if there is no such table, or it cannot be read."""
        found = await self._find(table)
        return -1 if found is None else found.record.version

    async def unreachable(self, table: str, user: int) -> None:
        """A DM did not arrive: from now on this hand is behind *My hand*."""
        if len(self.closed) >= UNTOLD:
            self.closed.clear()
        self.closed.add((table, user))
        with suppress(TableError):  # not at the table any more
            await self._tables.set_reachable(table, user, False)

    async def left(self, table: str, user: int) -> None:
        """Somebody is no longer on the server: a stand-in plays for them."""
        with suppress(TableError):
            await self._tables.gone(table, user)

    async def stalled(self, table: str, missing: Sequence[str]) -> bool:
        """The table cannot be shown: its match waits.  Whether that is new."""
        try:
            return await self._tables.stalled(table, missing)
        except TableError:  # over meanwhile: nothing waits any more
            return False

    async def waits(self, table: str) -> bool:
        """Whether the match waits until the table can be shown."""
        found = await self._find(table)
        return found is not None and found.record.stalled is not None

    async def shown(self, table: str) -> None:
        """The table can be shown: its match goes on."""
        with suppress(TableError):
            await self._tables.shown(table)

    async def vanished(self, table: str) -> None:
        """The channel was deleted: the table is over."""
        with suppress(TableError):
            await self._tables.vanished(table)

    async def posted(self, table: str, round_number: int, message: int | None) -> None:
        """The message that carries a round is there, or cannot be: the cards are dealt."""
        with suppress(TableError):  # ended meanwhile: nothing is dealt any more
            await self._tables.posted(table, round_number, message)

    async def _find(self, table: str) -> Table | None:
        try:
            return await self._tables.table(table)
        except TableError:
            return None


def _mark(table: Table, asked: int | None) -> int:
    """What a hand has to show: the question put to the seat `asked`, else the deal."""
    if asked is None:
        return asked_mark(table.deal_ply)
    question = table.question(asked)
    return asked_mark(question, question == table.record.warned)
