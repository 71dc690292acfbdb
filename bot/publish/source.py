"""What the publisher asks of the tables; `cogs` answers it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from bot.views.values import ChannelView, HandView, NoticeView


class Source(Protocol):
    """What there is to draw, and who has to hear what Discord says."""

    async def version(self, table: str) -> int:
        """Counts the changes of a table: a table with the same version looks the same."""
        ...

    async def channel_view(self, table: str) -> ChannelView | None: ...

    async def hand_view(
        self, table: str, user: int, board: tuple[int, int] | None
    ) -> HandView | None:
        """The hand of `user`; `board` is where the board is, for the link."""
        ...

    async def panels(self, table: str) -> Sequence[tuple[int, bool, int]]:
        """Everybody whose hand goes by DM: user, whether they are asked now, the mark due.

        The mark (`asked_mark`) is that of the question, or of the deal's ply for whoever is not
        asked: a panel that has it (or a later one) is up to date.  A seat that answers by itself
        is not asked.
        """
        ...

    async def notice(self, table: str) -> NoticeView | None:
        """Whoever is asked and is to be called in the channel; None if there is nobody."""
        ...

    async def uncalled(self, table: str) -> Sequence[int]:
        """Users who are asked and get neither a hand by DM nor a line: nothing calls them."""
        ...

    async def unreachable(self, table: str, user: int) -> None:
        """A DM to `user` did not arrive."""
        ...

    async def left(self, table: str, user: int) -> None:
        """`user` is no longer on the server."""
        ...

    async def posted(self, table: str, round_number: int, message: int | None) -> None:
        """The message that carries a round is there: its cards can be dealt.

        None if it cannot be posted.  Told again, it changes nothing.
        """
        ...

    async def stalled(self, table: str, missing: Sequence[str]) -> bool:
        """The table cannot be shown for want of these permissions (none: it is out of sight).

        Whether that is new, so that somebody has to be told.
        """
        ...

    async def waits(self, table: str) -> bool:
        """Whether the table waits until it can be shown: since `stalled`, whoever said so."""
        ...

    async def shown(self, table: str) -> None:
        """The table can be shown.  Told again, it changes nothing."""
        ...

    async def vanished(self, table: str) -> None:
        """The table's channel or thread was deleted."""
        ...
