"""What the tables need from outside; `bot.storage` and `bot.publish` provide it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final, NamedTuple, Protocol

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.tables.model import TableError
from bot.tables.stored import Deadline, DeadlineKind, Entry, Result, Snapshot, StoredTable


class Clock(Protocol):
    def __call__(self) -> datetime:
        """Now, aware, in UTC."""


class Chance(Protocol):
    """Where the tips of chains of seeds and table ids come from."""

    def seed(self) -> bytes:
        """32 bytes that nobody can guess, never the same twice."""

    def table_id(self) -> TableId: ...


class Conflict(Exception):
    """Somebody else wrote first: load again and decide again."""


class ChannelTaken(Exception):
    """The channel has an open table already."""


class AlreadyApplied(Exception):
    """The interaction of an entry was applied before."""


class Unavailable(Exception):
    """The store does not answer, or cannot write (a full disk, say).

    After a commit nobody knows whether it stands: `settled` tells.
    """


@dataclass(frozen=True, slots=True)
class Change:
    """Everything that one operation writes, in one durable transaction.

    `stored.version` is `expected + 1`; `expected` 0 means a new table.  `entries` continue the
    log without a gap.  `result` is written once, by the change that ends the match.
    """

    stored: StoredTable
    expected: int
    entries: tuple[Entry, ...] = ()
    result: Result | None = None


CREDITED: Final = (
    DeadlineKind.LOBBY,
    DeadlineKind.AUTO_START,
    DeadlineKind.NEXT_ROUND,
    DeadlineKind.WARN,
    DeadlineKind.TURN,
    DeadlineKind.VOTED,
)
"""Deadlines of people: they move when the program could not be reached."""

MOST_CREDITED: Final = timedelta(days=7)
"""The most that a table says it was given: nothing at a table takes longer than a week, and a
longer gap is that of a clock that is wrong."""


class Due(NamedTuple):
    """A stored deadline whose time has come, or the earliest one."""

    table: TableId
    deadline: Deadline


class TableStore(Protocol):
    """Tables and their logs.  Every method raises Unavailable."""

    async def commit(self, change: Change) -> None:
        """Write all of it or nothing.

        Raises Conflict if the version or a ply is taken, ChannelTaken, AlreadyApplied.  Whatever
        else it raises, all may be written or nothing: `settled` tells.
        """

    async def load(self, table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        """A table and its whole log."""

    async def resume(
        self, table: TableId
    ) -> tuple[StoredTable, tuple[Entry, ...], Snapshot | None] | None:
        """A table, its snapshot if one fits its log, and the log from there on, else all of it."""

    async def keep(self, table: TableId, ply: int, text: str) -> None:
        """Keep the snapshot `text` of the first `ply` lines, instead of an older one."""

    async def settled(self, table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        """`load`, once no commit to the table is on its way any more."""

    async def open_in_channel(self, channel: ChannelId) -> TableId | None:
        """The open table of a channel or thread."""

    async def latest_in_channel(self, channel: ChannelId) -> TableId | None:
        """The newest table of a channel or thread, open or ended."""

    async def open_of(self, user: UserId) -> Sequence[TableId]:
        """Open tables where `user` sits, newest first."""

    async def open_tables(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> Sequence[TableId]:
        """All of them, or those of a server, or of a channel or thread."""

    async def open_count(self, guild: GuildId, host: UserId) -> tuple[int, int]:
        """Open tables of a server: those that `host` leads, and all."""

    async def clocked(self) -> Sequence[TableId]:
        """Running tables with a TURN or NEXT_ROUND deadline, earliest first."""

    async def credit(self, since: datetime | None, until: datetime) -> int:
        """Nobody could press from `since` (None: from when people were last seen) to `until`.

        In one transaction `until` is noted as last seen, and at open tables every deadline of a
        kind in CREDITED that was due at `since` or later moves by `downtime.creditable` of that
        time; none of any kind stays much later than `waiting.longest` after `until`.  A table
        where a deadline changes gets a new version, and unless it is a lobby its `credited` grows
        by what was given, up to MOST_CREDITED.  Returns the number of such tables.

        If `until` is noted already nothing happens: the answer to the same call was lost.
        """

    async def seen(self, at: datetime) -> None:
        """Note when people could last reach the program.

        What is earlier than the moment noted already has been on its way for long, and changes
        nothing: a credit is known again by that moment.
        """

    async def begin_epoch(self, after: int) -> int:
        """The database was restored: its epoch from now on, greater than `after` and all before."""

    async def open_before(self, epoch: int) -> Sequence[TableId]:
        """Open tables that were not taken into that epoch yet, by id."""

    async def rematch_of(self, table: TableId) -> TableId | None:
        """The table that was opened as the rematch of `table`."""

    async def earliest_deadline(self, skip: Collection[TableId] = ()) -> Due | None:
        """The earliest stored deadline of any table but those in `skip`."""


class Announcer(Protocol):
    """Whoever redraws what people see."""

    def changed(self, table: TableId) -> None:
        """Something about the table was committed.  Must not block and must not raise."""


class TableCounts(Protocol):
    """Whoever counts what happens at the tables.  Must not block and must not raise."""

    def committed(self, change: Change, seconds: float) -> None:
        """A change is on the disk; it took `seconds`."""

    def commit_failed(self, seconds: float) -> None:
        """A change was refused, or the database did not answer."""

    def fired(self, kind: DeadlineKind) -> None:
        """A stored deadline came, and what it stands for is done."""


class _Uncounted:
    def committed(self, change: Change, seconds: float) -> None: ...
    def commit_failed(self, seconds: float) -> None: ...
    def fired(self, kind: DeadlineKind) -> None: ...


UNCOUNTED: Final = _Uncounted()


class Period(StrEnum):
    """A match belongs to the period in which it ended, in UTC; weeks begin on Monday."""

    ALL = "all"
    MONTH = "month"
    WEEK = "week"


class Standing(NamedTuple):
    """One line of a leaderboard.  `rounds` and `points` are sums over the matches counted."""

    place: int
    user: UserId
    name: str
    matches: int
    wins: int
    points: int
    rounds: int

    @property
    def points_per_round(self) -> float:
        return self.points / self.rounds if self.rounds else 0.0


class LeaderPage(NamedTuple):
    """Some lines of a leaderboard in a row, best first."""

    lines: tuple[Standing, ...]
    number: int
    """Of this page, from 0."""
    pages: int
    """At least 1, even if nobody has played."""


class LeaderPlace(NamedTuple):
    """Where somebody stands on a leaderboard."""

    place: int
    """From 1; others may share it."""
    line: int
    """Number of lines above theirs."""


def crowded() -> TableError:
    """So much is being looked up that this would take too long."""
    return TableError("crowded")


class Results(Protocol):
    """Finished matches of one server, as leaderboards.

    A leaderboard is that of a period, the one in which `now` lies, and of one game or of all.
    Order with a game: wins (place 1, shared or not), then points per round, then fewer matches;
    without: wins, then fewer matches.  Equal in all of these: the place is shared (1, 2, 2, 4) and
    the user id decides the order of the lines.  Every method raises `crowded` and Unavailable.
    """

    async def page(
        self,
        guild: GuildId,
        game: str | None,
        period: Period,
        now: datetime,
        number: int,
        size: int,
    ) -> LeaderPage:
        """Page `number` (from 0) of `size` lines; one beyond the ends is the nearest."""

    async def place(
        self, guild: GuildId, game: str | None, period: Period, now: datetime, user: UserId
    ) -> LeaderPlace | None:
        """None for whoever has no match in it."""

    async def player(self, guild: GuildId, user: UserId) -> Sequence[tuple[str, Standing]]:
        """All-time standing of `user` by game, in alphabetical order of the games."""
