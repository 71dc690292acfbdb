"""What there is to see of a table: the input of everything that draws.

Built from tables and observations (an allow-list: what is not named here cannot be shown); the
renderers know nothing else.  Public views carry a spectator's layout, a `HandView` the layout of
the one seat whose owner it is sent to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, TypeAlias

from bot.ids import ChannelId, GuildId, MessageId, QuestionId, TableId, UserId
from bot.tables.ports import Period, Standing
from bot.tables.published import Check, PublicDeal, Seal
from bot.tables.stored import Pace, Stop
from engine.layout import Layout, Phrase

Published: TypeAlias = Seal
"""A commitment where it is shown first, and why it is another one than the lobby's."""
SelfCheck: TypeAlias = Check
"""What the program found when it checked a match."""


class Sitter(NamedTuple):
    """A place at the table; `user` is None where nobody sits."""

    seat: int
    user: UserId | None
    name: str
    team: int | None = None
    stand_in: bool = False
    """In a running match: a stand-in plays for it; `user` may take it back if there is one."""


@dataclass(frozen=True, slots=True)
class TableHead:
    """What stands at the top of everything that shows a table."""

    table: TableId
    game: str
    guild: GuildId
    channel: ChannelId
    host: UserId
    sitters: tuple[Sitter, ...]
    options: Mapping[str, int | bool | str]
    """Complete options; in the lobby as they would be with all places taken."""
    pace: Pace = Pace.NONE
    locale: str = "en"
    """Of what everybody at the table sees."""
    seal: Published | None = None
    """What the lobby published and binds all deals; None at a table of before there were any."""
    epoch: int = 0
    """Of the table: whatever was drawn in another one is not pressed in this one."""
    names: tuple[str, ...] = field(init=False, compare=False, repr=False)
    """What the people are called, by seat; empty where nobody sits."""

    def __post_init__(self) -> None:
        names = tuple("" if sitter.user is None else sitter.name for sitter in self.sitters)
        object.__setattr__(self, "names", names)


@dataclass(frozen=True, slots=True)
class LobbyView:
    """A table before its match."""

    head: TableHead
    minimum: int
    private: bool
    held: bool
    closes: datetime | None
    starts: datetime | None
    """When a full table starts by itself."""
    words: tuple[str, ...] = ()
    """By seat: what people typed behind *Cut* for the coming deal; empty where they did not."""

    @property
    def can_start(self) -> bool:
        return sum(s.user is not None for s in self.head.sitters) >= self.minimum


@dataclass(frozen=True, slots=True)
class Pause:
    """Between two rounds."""

    question: QuestionId
    round: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    ready: frozenset[UserId]
    """Users who have pressed Next round."""
    next: datetime | None
    seal: Published | None = None
    """What is published now, if another chain begins with the coming deal."""
    words: tuple[str, ...] = ()
    """As in a lobby."""
    seed: str = ""
    """Of the round that is over, 64 hex digits, where it is published by now."""


@dataclass(frozen=True, slots=True)
class ShufflingView:
    """A round whose seats and words are closed and whose message is being posted: no cards yet."""

    head: TableHead
    round: int
    words: tuple[str, ...]
    """By seat, as they are mixed in now."""
    seal: Published | None = None
    """What was published on the message before, if another chain begins with this deal."""


@dataclass(frozen=True, slots=True)
class BoardView:
    """A running match as everybody in the channel may see it."""

    head: TableHead
    layout: Layout
    round: int
    actors: tuple[int, ...]
    question: QuestionId | None
    """The question that the board's own controls answer: that of the only actor."""
    log: tuple[Phrase, ...]
    """What happened lately, newest last."""
    pause: Pause | None
    end_votes: int
    votes_needed: int
    post: str | None = None
    """Id of the message that was mixed into this round's deal; empty: it could not be posted.
    None where nothing is known of it."""
    seal: Published | None = None
    """As of a round that is being shuffled."""
    words: tuple[str, ...] = ()
    """By seat, as they were mixed into this round's deal."""
    asked: tuple[int, ...] = ()
    """Those of `actors` who are asked in person: no stand-in, nobody who passes for the deal."""
    due: datetime | None = None
    """When their time is up."""
    credited: timedelta = timedelta()
    """Time that was added to it because the program was away."""
    ends: datetime | None = None
    """When the match ends because more than half of those who are there voted for it."""


@dataclass(frozen=True, slots=True)
class NoticeView:
    """A line in the channel that calls whoever is asked and gets no hand by DM."""

    head: TableHead
    seats: tuple[int, ...]
    """Whom to mention."""
    question: QuestionId
    due: datetime | None
    warned: bool
    """Whether their time runs out soon: the line before is replaced by this one."""


@dataclass(frozen=True, slots=True)
class HandView:
    """A running match as the owner of one seat may see it."""

    head: TableHead
    layout: Layout
    seat: int
    question: QuestionId | None
    """None while its owner is asked nothing."""
    round: int
    pause: Pause | None
    board: tuple[ChannelId, MessageId] | None
    """Channel and message of the board, for the link."""
    opened: str | None = None
    """Key of the choice whose second step is shown."""
    notice: str | None = None
    """One sentence above everything else, in the reader's language: what became of a press."""
    standing: bool = False
    """Whether this seat passes for the whole deal."""
    deal: int = 0
    """Ply of the round's deal; its questions have higher numbers."""
    away: bool = False
    """Whether a stand-in plays for this seat until its owner takes it back."""
    due: datetime | None = None
    """When the time for this question is up."""
    warned: bool = False
    """Whether it is up soon."""


@dataclass(frozen=True, slots=True)
class ResultView:
    """A match that has ended; `scores` and `ranking` are None when it counts for nobody."""

    head: TableHead
    scores: tuple[int, ...] | None
    ranking: tuple[int, ...] | None
    rounds: tuple[tuple[int, ...], ...]
    """Points of each complete round, by seat."""
    stop: Stop | None
    """Why it was stopped; None if it was not, or if nobody noted why."""
    starters: tuple[str, ...]
    """Names of those for whom the match counts."""
    conceded: tuple[str, ...] = ()
    """Names of those of them who have conceded it, and so are last."""
    seal: Published | None = None
    """What the last board published for a deal that did not come any more, if it did."""
    words: tuple[str, ...] = ()
    """What had been typed for that deal."""
    check: SelfCheck | None = None
    """What the program found when it checked itself; None if it did not, or if there is nothing
    to check."""


@dataclass(frozen=True, slots=True)
class ClosedView:
    """A table that never started."""

    head: TableHead
    expired: bool


ChannelView: TypeAlias = LobbyView | ShufflingView | BoardView | ResultView | ClosedView
"""Whatever the table's message in the channel shows now."""


DealProof: TypeAlias = PublicDeal
"""What may be known now of a deal's shuffle."""


@dataclass(frozen=True, slots=True)
class VerifyView:
    """A table's deals, and what it takes to check them."""

    head: TableHead
    deals: tuple[DealProof, ...]
    """In the order of the rounds, the coming one last."""
    pack: tuple[str, ...]
    """Codes of all cards in canonical order (`Game.pack`)."""
    seeds_after: Literal["round", "match"]
    """When the seeds that are missing will be published."""
    check: SelfCheck | None = None
    """As in a result."""
    over: bool = False
    """Whether the match has ended: what was not dealt will not be."""
    page: int = 0
    """From 0; one beyond the ends shows the nearest."""


LeaderLine: TypeAlias = Standing
"""One person of a leaderboard."""


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """One page of a server's leaderboard."""

    period: Period
    game: str | None
    """None: all games together, without points per round."""
    games: tuple[str, ...]
    """All games there are, for the menu."""
    page: int
    """From 0."""
    pages: int
    lines: tuple[LeaderLine, ...]
    my_place: int | None
    """The place of whoever looks."""


@dataclass(frozen=True, slots=True)
class StatsView:
    """What one person has played on a server, by game."""

    name: str
    games: tuple[tuple[str, LeaderLine], ...]
