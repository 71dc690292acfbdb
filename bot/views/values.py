"""Views as immutable values: `TableHead`, `BoardView`, `HandView`, `ResultView` and their parts.

Built from tables and observations (an allow-list: what is not named here cannot be shown); the
renderers know nothing else.  Public views carry a spectator's layout, a `HandView` the layout of
the one seat whose owner it is sent to.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, TypeAlias

from bot.ids import ALONE, ChannelId, GuildId, MessageId, QuestionId, TableId, UserId
from bot.sitters import Called, Computer
from bot.tables.ports import ComputerLine as ComputerLine
from bot.tables.ports import LeaderLine as LeaderLine
from bot.tables.ports import Period
from bot.tables.published import Check as Check
from bot.tables.published import PublicDeal as PublicDeal
from bot.tables.stored import UNASKED, Pace, Stop
from bot.tables.stories import RoundTold as RoundTold
from engine.game import Options, OptionValue
from engine.layout import Layout, Phrase, Story


class Sitter(NamedTuple):
    """A place at the table; `user` is None where nobody sits."""

    seat: int
    user: UserId | None
    name: str
    team: int | None = None
    stand_in: bool = False
    """In a running match: a stand-in plays for it; `user` may take it back if there is one.  In one
    that is over: `user` began it and left it to a stand-in."""
    awaited: str = ""
    """Name of the person for whom the free place of a rematch is kept."""
    computer: Computer | None = None
    """Which computer player sits here."""

    @property
    def free(self) -> bool:
        """Whether neither a person nor a computer player sits here."""
        return self.user is None and self.computer is None


@dataclass(frozen=True, slots=True)
class TableHead:
    """What stands at the top of everything that shows a table."""

    table: TableId
    game: str
    guild: GuildId
    channel: ChannelId
    host: UserId
    sitters: tuple[Sitter, ...]
    options: Options
    """What is said of the match's options: numbers, and switches that are on or not as usual.

    In the lobby as they would be with all places taken.
    """
    pace: Pace = Pace.NONE
    locale: str = "en"
    """Of what everybody at the table sees."""
    seal: str = ""
    """The commitment that the lobby published, which binds all deals."""
    names: tuple[Called, ...] = field(init=False, compare=False, repr=False)
    """What people and computer players are called, by seat; empty where nobody sits."""

    def __post_init__(self) -> None:
        names = tuple(
            sitter.computer or ("" if sitter.user is None else sitter.name)
            for sitter in self.sitters
        )
        object.__setattr__(self, "names", names)

    @property
    def alone(self) -> bool:
        """Whether one person plays here alone, in their direct messages."""
        return self.guild == ALONE


class Length(NamedTuple):
    """How long the match will be with so many people, where that depends on how many they are."""

    minimum: int
    maximum: int
    options: Options


@dataclass(frozen=True, slots=True)
class LobbyView:
    """A table before its match."""

    head: TableHead
    minimum: int
    private: bool
    closes: datetime | None
    ready: frozenset[UserId] = frozenset()
    """Who has pressed Ready at a full table."""
    words: tuple[str, ...] = ()
    """By seat: what people typed behind *Cut* for the coming deal; empty where they did not."""
    kept: datetime | None = None
    """Until when places are kept for the people of the match before."""
    customs: tuple[tuple[str, bool], ...] = ()
    """Customs of the table that are not as usual, and whether they hold."""

    @property
    def full(self) -> bool:
        return not any(sitter.free for sitter in self.head.sitters)

    lengths: tuple[Length, ...] = ()
    """By numbers of people; empty where all play as long."""

    @property
    def can_start(self) -> bool:
        return sum(not s.free for s in self.head.sitters) >= self.minimum


class NumberField(NamedTuple):
    """A length that may be typed."""

    key: str
    measures: Literal["rounds", "points"]
    value: int | None
    """What the host gave; None: nothing, so it is as usual."""
    usual: int | None
    """None: unless it is given, something else says how long the match is."""
    minimum: int
    maximum: int
    offered: tuple[int, ...] = ()


class SwitchField(NamedTuple):
    """A rule on which players differ, with all that it may be."""

    key: str
    value: OptionValue
    values: tuple[OptionValue, ...]


@dataclass(frozen=True, slots=True)
class OptionsView:
    """What the host of a lobby may choose."""

    head: TableHead
    numbers: tuple[NumberField, ...]
    switches: tuple[SwitchField, ...]
    customs: tuple[tuple[str, bool], ...]
    """Names of the customs that mean something here, and whether they hold."""


@dataclass(frozen=True, slots=True)
class BetweenRoundsView:
    """Between two rounds."""

    question: QuestionId
    round: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    ready: frozenset[UserId]
    """Users who have pressed Next round."""
    next: datetime | None
    words: tuple[str, ...] = ()
    """As in a lobby."""
    story: Story | None = None
    """Why each scored what they did."""


@dataclass(frozen=True, slots=True)
class ShufflingView:
    """A round whose seats and words are closed and whose message is being posted: no cards yet."""

    head: TableHead
    round: int
    words: tuple[str, ...]
    """By seat, as they are mixed in now."""


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
    pause: BetweenRoundsView | None
    end_votes: int
    votes_needed: int
    post: str | None = None
    """Id of the message that was mixed into this round's deal; empty: it could not be posted.
    None where nothing is known of it."""
    words: tuple[str, ...] = ()
    """By seat, as they were mixed into this round's deal."""
    asked: tuple[int, ...] = ()
    """Those of `actors` who are asked in person: no stand-in, nobody who passes for the deal."""
    due: datetime | None = None
    """When their time is up."""
    credited: timedelta = timedelta()
    """Time that was added to it because the program was away."""
    rest: datetime | None = None
    """Until when it rests at most, because people voted for that."""
    paces: tuple[tuple[Pace, int], ...] = ()
    """Other paces that people have voted for, and how many have."""
    coming: Pace | None = None
    """The pace from the next question on, if that is another one."""
    seekable: tuple[int, ...] = ()
    """Free seats for which a substitute may be called."""
    rest_votes: tuple[int, int] = (0, 0)
    """Votes for a rest, or for its end while it rests, and those that are needed."""
    idle: bool = False
    """Whether the match, which has no clock, is given up when the time is up."""
    ends: datetime | None = None
    """When the match ends because more than half of those who are there voted for it."""
    learns: bool = False
    """Whether somebody who sits there has not finished a match of the game."""


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
    idle: bool = False
    """Whether then the match is given up, which has no clock."""


@dataclass(frozen=True, slots=True)
class HandView:
    """A running match as the owner of one seat may see it."""

    head: TableHead
    layout: Layout
    seat: int
    question: QuestionId | None
    """None while its owner is asked nothing."""
    pause: BetweenRoundsView | None
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
    idle: bool = False
    """Whether then the match is given up, which has no clock."""
    ahead: str | None = None
    """What its owner has chosen to play when it is their turn."""
    since: QuestionId = UNASKED
    """Ply of the next entry when they chose that; where they did not, now."""
    told: tuple[Phrase, ...] = ()
    """What happened since this seat was last asked, the latest of it, newest last."""
    ticks: str | None = None
    """What was ticked in a form that was refused, as `bot.render.cards_form.ticked` writes it."""
    learns: bool = False
    """Whether the owner has not finished a match of the game."""
    coached: bool = False
    """Whether this is the first question of its kind for somebody who learns the game."""
    hints: bool = False
    """Whether its owner may ask what a computer player would do."""


@dataclass(frozen=True, slots=True)
class KickView:
    """Somebody whose seat is to be taken away, as whoever wants that is asked about it."""

    head: TableHead
    target: UserId
    seat: int
    running: bool
    votes: tuple[int, int] | None
    """Votes given and needed; None for somebody who decides alone."""


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
    starters: tuple[Called, ...]
    """Those who began the match: it counts for them, unless one is a computer player."""
    story: Story | None = None
    """Of the round that was completed last, if the match ended with it."""
    ending: Layout | None = None
    """What everybody saw at its end, then."""
    conceded: tuple[str, ...] = ()
    """Names of those of them who have conceded it, and so are last."""
    hinted: tuple[tuple[str, int], ...] = ()
    """Names of those who have taken hints, and how many."""
    words: tuple[str, ...] = ()
    """What had been typed for a deal that did not come any more."""
    check: Check | None = None
    """What the program found when it checked itself; None if it did not, or if there is nothing
    to check."""


@dataclass(frozen=True, slots=True)
class ClosedView:
    """A table that never started, or whose match cannot be read."""

    head: TableHead
    why: Literal["expired", "ended", "restored", "unreadable"]
    """Its time was up, somebody closed it, the database was restored, or this program does not know
    its game, options or log."""


ChannelView: TypeAlias = LobbyView | ShufflingView | BoardView | ResultView | ClosedView
"""Whatever the table's message in the channel shows now."""


@dataclass(frozen=True, slots=True)
class VerifyView:
    """A table's deals, and what it takes to check them."""

    head: TableHead
    deals: tuple[PublicDeal, ...]
    """In the order of the rounds, the coming one last."""
    pack: tuple[str, ...]
    """Codes of all cards in canonical order (`Game.pack`)."""
    seeds_after: Literal["round", "match"]
    """When the seeds that are missing will be published."""
    check: Check | None = None
    """As in a result."""
    over: bool = False
    """Whether the match has ended: what was not dealt will not be."""
    page: int = 0
    """From 0; one beyond the ends shows the nearest."""


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
    computers: tuple[ComputerLine, ...] = ()
    """The same with computer players, which no leaderboard counts."""
