"""Tables as the publisher reads them, who may be called how, and reports about Discord."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Final

from bot.ids import MessageId, TableId, UserId
from bot.publish.coach import Coach
from bot.publish.readers import Readers
from bot.publish.requests import Letters
from bot.tables.model import TableError
from bot.tables.phase import Closing, Over, Unreadable
from bot.tables.ports import Blocks, Clock
from bot.tables.preferences import HandBy
from bot.tables.rivals import Memories
from bot.tables.service import TableService
from bot.views.building import BoardPlace, Reach
from bot.views.snapshot import NOTHING, Snapshot, snapshot_of
from bot.views.values import HandView, ResultView

MAX_UNTOLD: Final = 10_000
"""Maximum number of people who are still to be told."""


class Source:
    """Reads tables for the publisher, and reports to them what Discord said."""

    def __init__(
        self,
        tables: TableService,
        coach: Coach,
        readers: Readers,
        letters: Letters,
        clock: Clock,
        memories: Memories,
        blocks: Blocks,
    ) -> None:
        self._tables = tables
        self._coach = coach
        self._readers = readers
        self._clock = clock
        self._memories = memories
        self._blocks = blocks
        self.letters = letters
        self.untold: dict[tuple[TableId, UserId], str] = {}
        """Tables and people whose hands come by direct message no more, or not now, and who are
        still to be told: by that sentence."""

    async def snapshot(self, table: TableId, seen: int | None = None) -> Snapshot | None:
        """The snapshot of the present table; None if its version is the one that was `seen`."""
        try:
            found = await self._tables.find(table)
            if isinstance(found.phase, Unreadable) and found.phase.is_open:
                raise TableError("unreadable", found)
        except TableError:
            return None if seen == NOTHING.version else NOTHING
        if seen == found.stored.version:
            return None
        if await self._coach.ask(found):
            found = await self._tables.table(table)
        over = isinstance(found.phase, Over)
        check = await self._tables.checked(found) if over else None
        people = [person.id for person in found.stored.seating.people]
        await self._readers.meet(people)
        chosen, now = {user: self._readers.preferences(user) for user in people}, self._clock()
        reach = Reach(
            letters=not self.letters.refused,
            without=[user for user in people if chosen[user].hand is HandBy.BUTTON],
            once=[user for user in people if not chosen[user].calls_again(now)],
            silent={
                user: end for user in people if (end := chosen[user].quiet_until(now)) is not None
            },
        )
        snapshot = snapshot_of(found, check, reach)

        def hand(user: UserId, board: BoardPlace | None) -> HandView | None:
            view = snapshot.hand(user, board)
            return None if view is None else self._coach.shown(view, user)

        view = None if snapshot.view is None else self._coach.seen(snapshot.view)
        if isinstance(view, ResultView) and view.scores is not None:
            view = replace(view, records=await self._memories.fallen(table))
        return replace(snapshot, view=view, hand=hand)

    async def wants(self, guest: UserId, people: Iterable[UserId]) -> bool:
        """Whether `guest` is called to where these people are: none is against the other."""
        return (await self._blocks.apart(guest)).welcomes(people)

    async def turned_down(self, table: TableId, user: UserId) -> None:
        """Note that a person to whom a place is offered may not sit down there: it goes to the
        next."""
        with suppress(TableError):
            await self._tables.turned_down(table, user)

    async def unreachable(self, table: TableId, user: UserId) -> None:
        """A DM did not arrive: from now on this hand is behind *My hand*."""
        self._tell(table, user, "hand.closed_dm")
        with suppress(TableError):  # not at the table any more
            await self._tables.set_reachable(table, user, reachable=False)

    def hold_back(self, table: TableId, user: UserId) -> None:
        """Note that Discord refuses all direct messages now: until it does not, the hand is behind
        *My hand*."""
        self._tell(table, user, "hand.held_dm")

    def _tell(self, table: TableId, user: UserId, code: str) -> None:
        if len(self.untold) >= MAX_UNTOLD:
            self.untold.clear()
        self.untold[table, user] = code

    async def left(self, table: TableId, user: UserId) -> None:
        """Note that a person is no longer on the table's server: stand-ins play for them there.

        Their votes are void, and another person is host in their place.
        """
        with suppress(TableError):
            guild = (await self._tables.left_server(table, user)).stored.guild
            for other in await self._tables.open_on(guild):
                seating = other.stored.seating
                if seating.place_of(user) is not None or seating.expects(user):
                    with suppress(TableError):
                        await self._tables.left_server(other.id, user)

    async def stalled(self, table: TableId, missing: Sequence[str]) -> bool:
        """Note that the table cannot be shown for lack of these permissions (none: it is out of
        sight).

        Its match waits.  Returns whether that is new, so that its host has to be told.
        """
        try:
            return await self._tables.stalled(table, missing)
        except TableError:  # over meanwhile: nothing waits any more
            return False

    async def unstalled(self, table: TableId) -> None:
        """The table can be shown: its match goes on.  Told again, it changes nothing."""
        with suppress(TableError):
            await self._tables.unstalled(table)

    async def vanished(self, table: TableId) -> None:
        """The channel or thread was deleted: the table is over."""
        with suppress(TableError):
            await self._tables.vanished(table)

    async def posted(self, table: TableId, round_number: int, message: MessageId | None) -> bool:
        """The message that carries a round is there, or cannot be (None): the cards are dealt.

        Told again, it changes nothing.  Whether the table waits for no such message any more.
        """
        try:
            now = await self._tables.posted(table, round_number, message)
        except TableError:  # ended meanwhile: nothing is dealt any more
            return True
        return not isinstance(now.phase, Closing)
