"""Interfaces to the outside (stores, computer players, clock, chance), and what they are given."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum, StrEnum, auto
from typing import Final, NamedTuple, Protocol, TypeAlias

from bot.ids import Called, ChannelId, GuildId, Ids, QuestionId, TableId, UserId
from bot.tables.lobby import Apart
from bot.tables.preferences import Preferences
from bot.tables.ratings import Rating
from bot.tables.stored import Deadline, DeadlineKind, Entry, Result, StoredTable
from engine.game import Observation
from engine.players.levels import Level
from engine.players.player import Considered

Clock: TypeAlias = Callable[[], datetime]
"""Now, aware, in UTC."""


class Chance(Protocol):
    """Source of the tips of seed chains and of table ids."""

    def seed(self) -> bytes:
        """32 bytes that cannot be guessed, never the same twice."""

    def table_id(self) -> TableId: ...


class Right(Enum):
    """Rights of a person in the channel where a table is to open."""

    NONE = auto()
    """They are no longer on the server, or cannot see the channel."""
    SIT = auto()
    OPEN = auto()
    """They may also have a table opened there."""


class RightsUnknown(Exception):
    """The rights of a person cannot be found out now."""


class Rights(Protocol):
    """Rights at the moment when a plan's table opens, asked again then."""

    async def may_open(self, guild: GuildId, channel: ChannelId) -> bool:
        """Whether the program may have a table there.  Raises RightsUnknown."""

    async def right(self, guild: GuildId, channel: ChannelId, user: UserId) -> Right:
        """Raises RightsUnknown."""


class Conflict(Exception):
    """Another writer came first: load again and decide again."""


class ChannelTaken(Exception):
    """The channel has an open table already."""


class AlreadyApplied(Exception):
    """The interaction of an entry was applied before."""


class Unavailable(Exception):
    """The store does not answer, or cannot write (a full disk, say).

    After a commit it is unknown whether that succeeded: ask `load_after_commits`.
    """


class NotWritten(Unavailable):
    """The store failed before it was asked to commit: nothing is stored."""


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
    DeadlineKind.HOST,
    DeadlineKind.KEPT,
    DeadlineKind.PLANNED,
    DeadlineKind.OFFERED,
    DeadlineKind.NEXT_ROUND,
    DeadlineKind.WARN,
    DeadlineKind.TURN,
    DeadlineKind.REST,
    DeadlineKind.VOTED,
)
"""Deadlines of people: they move when the program could not be reached."""


MOST_CREDITED: Final = timedelta(days=7)
"""The most that a table says it was given: a longer gap is that of a clock that is wrong."""


class Due(NamedTuple):
    """A stored deadline whose time has come, or the earliest one."""

    table: TableId
    deadline: Deadline


class TableStore(Protocol):
    """Tables and their logs.  Every method raises Unavailable."""

    async def commit(self, change: Change) -> None:
        """Write all of it or nothing.

        Raises Conflict if the version or a ply is taken, ChannelTaken, AlreadyApplied.  After any
        other exception all may be written or nothing: `load_after_commits` tells.
        """

    async def load(self, table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        """A table and its log."""

    async def load_after_commits(
        self, table: TableId
    ) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        """`load`, once no commit to the table is on its way any more."""

    def drop(self, tables: Ids | None = None) -> None:
        """Know nothing by heart of these tables, None: of any; they were changed elsewhere."""

    async def open_in_channel(self, channel: ChannelId) -> TableId | None:
        """The open table of a channel or thread."""

    async def latest_in_channel(self, channel: ChannelId) -> TableId | None:
        """The newest table of a channel or thread, open or ended."""

    async def open_of(self, user: UserId) -> Sequence[TableId]:
        """Open tables where `user` sits, newest first."""

    async def open_tables(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> Sequence[TableId]:
        """All open tables, or those of a server, or of a channel or thread."""

    async def open_count(
        self, guild: GuildId, opener: UserId, also: Collection[TableId] = ()
    ) -> tuple[int, int]:
        """Open tables of a server: those that `opener` opened or that are in `also`, and all."""

    async def clocked(self) -> Sequence[TableId]:
        """Running tables with a TURN or NEXT_ROUND deadline, earliest first."""

    async def credit(self, since: datetime | None, until: datetime) -> int:
        """Give back the time from `since` (None: from when people were last seen) to `until`.

        In one transaction `until` is noted as last seen, and at open tables every deadline of a
        kind in CREDITED that was due at `since` or later moves by `downtime.creditable` of that
        time; none of any kind stays much later than `waiting.longest` after `until`.  A table where
        a deadline changes gets a new version, and unless it is a lobby its `credited` grows by as
        much, up to MOST_CREDITED.  Returns the number of such tables.

        If `until` is noted already nothing happens: the answer to the same call was lost.
        """

    async def note_reachable(self, at: datetime) -> None:
        """Note when people could last reach the program.

        A moment before the one noted already changes nothing: a credit is recognised by that
        moment.
        """

    async def rematch_of(self, table: TableId) -> TableId | None:
        """The table that was opened as the rematch of `table`."""

    async def earliest_deadline(self, skip: Collection[TableId] = ()) -> Due | None:
        """The earliest stored deadline of any table but those in `skip`."""


class Blocks(Protocol):
    """With whom people want neither invitations nor a table.  Every method raises Unavailable."""

    async def apart(self, user: UserId) -> Apart:
        """With whom `user` does not sit down, for the sake of either."""

    async def block(self, user: UserId, other: UserId, *, on: bool) -> None:
        """`user` never wants to play with `other`, or wants to again.

        Raises TableError `never_full` (limit).
        """


class PersonalCounts(NamedTuple):
    """What is stored of one person, in figures."""

    matches: int
    """Matches that count, on all servers."""
    servers: int
    open_tables: int
    """Where they sit."""
    tables: int
    """All that name them."""
    plans: int
    """Open plans that name them."""
    lessons: int
    blocked: int
    """People with whom they never want to play."""
    follows: int
    """Games on servers of whose tables they are told."""
    changes: int
    """Changes of servers' settings that they made, and that are kept."""
    zone: str | None
    locale: str | None


class PersonalData(Protocol):
    """Everything that is stored of a person.  Every method raises Unavailable."""

    async def counts(self, user: UserId) -> PersonalCounts: ...

    async def export(self, user: UserId, now: datetime) -> str:
        """All of it as JSON, with what each field is."""

    async def forget(self, user: UserId) -> None:
        """Make somebody of a person who sits at no open table, without a trace."""


class Lesson(NamedTuple):
    """A person was told, at a game, what a kind of decision is for."""

    user: UserId
    game: str
    kind: str
    """Code of the tip, without its game."""


class TipShownAt(NamedTuple):
    """The question at which that was: wherever it is shown again, so is the tip."""

    table: TableId
    question: QuestionId


class Pupil(NamedTuple):
    """How far a person has learnt a game."""

    learns: bool
    """Whether they have not finished two rounds of matches of it, and have not put tips away."""
    told: Mapping[str, TipShownAt]
    """Question at which they were told, by kind of decision."""


class Pupils(Protocol):
    """People who learn games.  Every method raises Unavailable."""

    async def pupils(self, users: Collection[UserId], game: str) -> Mapping[UserId, Pupil]:
        """Each of these users at a game."""

    async def teach(self, lessons: Mapping[Lesson, TipShownAt]) -> None:
        """Note what people were told; earlier notes stay as they are."""

    async def forget(self, user: UserId) -> None:
        """Forget what `user` was told at any game."""


class Habits(NamedTuple):
    """Language and preferences of a person."""

    locale: str | None
    """Language as Discord names it (`en-GB`); None if it is not known yet."""
    preferences: Preferences = Preferences()


class Announcer(Protocol):
    """Redraws tables where people see them."""

    def changed(self, table: TableId) -> None:
        """Something about the table was committed.  Must not block and must not raise."""


class Thought(NamedTuple):
    """A question to a computer player."""

    game: str
    view: Observation
    """Observation of its seat; it is sent to another process."""
    level: Level
    seed: int
    """Equal questions and seeds give equal decisions, if there is time."""
    counted: bool = False
    """Whether figures of other actions are wanted too."""

    def __repr__(self) -> str:
        """Its view is as secret as a hand."""
        return f"Thought({self.game}, {self.level})"


Advice: TypeAlias = tuple[Considered, ...]
"""Actions, the best first; there is at least one, and at most `MOST_ADVICE`."""

MOST_ADVICE: Final = 6


class Computers(Protocol):
    """Thinks for computer players."""

    async def decide(self, thought: Thought) -> str | None:
        """Notation of a legal action; None if there was none in time.

        It takes 3 seconds at most, and raises nothing.  A table asks one question at a time.
        """

    async def advise(self, thought: Thought) -> Advice | None:
        """The best action and others that were looked at; None if there was no time.

        As with `decide`.
        """

    def wake(self, games: Collection[str]) -> None:
        """Prepare for questions about these games.  Returns at once, raises nothing."""


class _NoComputers:
    async def decide(self, thought: Thought) -> str | None:
        return None

    async def advise(self, thought: Thought) -> Advice | None:
        return None

    def wake(self, games: Collection[str]) -> None: ...


NO_COMPUTERS: Final = _NoComputers()
"""No computer players: they and stand-ins play the default action."""


class TableCounts(Protocol):
    """Counts events at the tables.  Must not block and must not raise."""

    def committed(self, change: Change, seconds: float) -> None:
        """A change is on the disk; it took `seconds`."""

    def commit_failed(self, seconds: float) -> None:
        """A change was refused, or the database did not answer."""

    def fired(self, kind: DeadlineKind) -> None:
        """A stored deadline came, and its effect is stored."""


class _Uncounted:
    def committed(self, change: Change, seconds: float) -> None: ...
    def commit_failed(self, seconds: float) -> None: ...
    def fired(self, kind: DeadlineKind) -> None: ...


UNCOUNTED: Final = _Uncounted()


class Period(StrEnum):
    """A match belongs to the period in which it ended, in UTC.

    Seasons are quarters of the year, weeks begin on Monday.
    """

    ALL = "all"
    SEASON = "season"
    MONTH = "month"
    WEEK = "week"


class Order(StrEnum):
    """What a leaderboard is ordered by."""

    RATING = "rating"
    WINS = "wins"
    RATE = "rate"
    """Points per round."""


def orders_of(game: str | None, period: Period) -> tuple[Order, ...]:
    """The orders of a leaderboard: ratings are of one game and all time, rounds of one game."""
    if game is None:
        return (Order.WINS,)
    return (*Order,) if period is Period.ALL else (Order.WINS, Order.RATE)


class LeaderLine(NamedTuple):
    """One line of a leaderboard.  `rounds` and `points` are sums over the matches counted."""

    place: int
    user: UserId
    name: str
    matches: int
    wins: int
    points: int
    rounds: int
    rating: Rating | None = None
    """None but of one game and all time."""

    @property
    def points_per_round(self) -> float:
        return self.points / self.rounds if self.rounds else 0.0


class LeaderPage(NamedTuple):
    """Some lines of a leaderboard in a row, best first."""

    lines: tuple[LeaderLine, ...]
    number: int
    """Number of this page, from 0."""
    pages: int
    """At least 1, even without any matches."""


class LeaderPlace(NamedTuple):
    """A person's place on a leaderboard."""

    place: int
    """From 1; others may share it."""
    line: int
    """Number of lines above theirs."""
    near: tuple[LeaderLine, ...] = ()
    """The line above, theirs, and the one below, as far as there are any."""


class ComputerLine(NamedTuple):
    """A person's matches with computer players, which no leaderboard counts."""

    game: str
    level: Level
    """Level of the strongest of them."""
    matches: int
    wins: int


class Results(Protocol):
    """Finished matches of one server, as leaderboards.

    A leaderboard is that of a period, the one in which `now` lies, and of one game or of all, in
    one of its orders (`orders_of`).  RATING: by the number that is shown.  WINS: wins (place 1,
    shared or not), then points per round (with a game), then fewer matches.  RATE: points per
    round, then wins, then fewer matches.  Equal in all of these: the place is shared (1, 2, 2, 4)
    and the user id decides the order of the lines.  Every method raises Unavailable.
    """

    async def page(
        self,
        guild: GuildId,
        game: str | None,
        period: Period,
        now: datetime,
        number: int,
        size: int,
        order: Order = Order.WINS,
    ) -> LeaderPage:
        """Page `number` (from 0) of `size` lines; one beyond the ends is the nearest."""

    async def place(
        self,
        guild: GuildId,
        game: str | None,
        period: Period,
        now: datetime,
        user: UserId,
        order: Order = Order.WINS,
    ) -> LeaderPlace | None:
        """The place of `user`; None if they have no match in it."""

    async def player(self, guild: GuildId, user: UserId) -> Sequence[tuple[str, LeaderLine]]:
        """All-time results of `user` by game, in the games' alphabetical order; places by wins."""

    async def courses(self, guild: GuildId, user: UserId) -> Mapping[str, Sequence[float]]:
        """The ratings of `user` by game, match by match, as they are shown.

        A course begins with what everybody begins with; of a long one it is the latest part.
        """

    async def with_computers(self, guild: GuildId, user: UserId) -> Sequence[ComputerLine]:
        """All matches of `user` with computer players, by game and level."""


# Followers.

TELLING_WINDOW: Final = timedelta(days=1)
"""Time before and after an opening in which tellings count."""

MOST_TOLD_A_DAY: Final = 3
"""Maximum number of tables of which a person is told in a `TELLING_WINDOW`, on all servers."""

ROLE_PAUSE: Final = timedelta(minutes=30)
"""Time between two calls of a server's role."""


class Followed(NamedTuple):
    """What a person follows."""

    games: frozenset[str]
    """On the server where they ask."""
    elsewhere: int
    """Number of other servers where they follow some game."""


NOTHING_FOLLOWED: Final = Followed(frozenset(), 0)


class Followers(Protocol):
    """People who are told when a table of a game opens.  Every method raises Unavailable."""

    async def followed(self, user: UserId, guild: GuildId | None) -> Followed:
        """What `user` follows there; None: no server, and all are others."""

    async def follow(self, user: UserId, guild: GuildId, games: Collection[str]) -> None:
        """`user` follows these games on that server, and no other game there."""

    async def stop(
        self, user: UserId, guild: GuildId | None = None, game: str | None = None
    ) -> None:
        """`user` follows nothing any more: on that server, and of that game, if it is named."""

    async def to_tell(self, guild: GuildId, game: str, now: datetime) -> Sequence[UserId]:
        """Followers who may be told of one more table; in the order of their ids."""

    async def tell(self, user: UserId, table: TableId, now: datetime) -> bool:
        """Note that `user` is told of the table.  False: they were, or of too many by now."""

    async def call_role(self, guild: GuildId, now: datetime) -> bool:
        """Note that the server's role is called.  False: it was called less than `ROLE_PAUSE`
        ago, or nothing is set there."""


# Finished matches.

MOST_LISTED: Final = 1_000
"""Maximum number of matches in a list, the latest ones: those before are found by their table."""


class Placed(NamedTuple):
    """Somebody who began a match, and how it ended for them."""

    place: int
    points: int
    seat: int
    user: UserId | None
    """None: a computer player, or somebody of whom only their place is to be known."""
    name: Called
    """Empty for somebody of whom only their place is to be known."""


class Past(NamedTuple):
    """A finished match as one reader may know it."""

    table: TableId
    game: str
    rounds: int
    ended: datetime
    people: tuple[Placed, ...]
    """Best first."""
    counts: bool
    """Whether it counts on leaderboards: for the reader, if they began it."""


class PastPage(NamedTuple):
    """Some finished matches in a row, the latest first."""

    lines: tuple[Past, ...]
    number: int
    """Number of this page, from 0."""
    pages: int
    """At least 1, even without any matches."""
    more: bool = False
    """Whether there are matches before the last page: more than `MOST_LISTED`."""


class History(Protocol):
    """Finished matches, the latest first.

    Nobody reads the name of a person who stands on no leaderboard, but that person.  A page beyond
    the end is the last.  Every method raises Unavailable.
    """

    async def own(
        self, reader: UserId, guild: GuildId, other: UserId | None, number: int, size: int
    ) -> PastPage:
        """Matches on a server that `reader` began, all or those that `other` began too."""

    async def shown(
        self,
        reader: UserId,
        guild: GuildId,
        channels: Collection[ChannelId],
        number: int,
        size: int,
    ) -> PastPage:
        """Matches of public tables in these channels of a server."""

    async def match(self, reader: UserId, table: TableId) -> Past | None:
        """The match of that table; None if it counts for nobody, or is not over."""

    async def tables_of(self, user: UserId) -> Sequence[TableId]:
        """All matches that `user` began, on all servers."""
