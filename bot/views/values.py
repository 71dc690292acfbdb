"""Views as immutable values: `TableHead`, `BoardView`, `HandView`, `ResultView` and their parts.

Built from tables and observations (an allow-list: what is not named here cannot be shown); the
renderers know nothing else.  Public views carry a spectator's layout, a `HandView` the layout of
its owner's seat.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, TypeAlias

from bot.ids import (
    ALONE,
    Called,
    ChannelId,
    Computer,
    GuildId,
    MessageId,
    Named,
    QuestionId,
    TableId,
    UserId,
)
from bot.tables.customs import USUAL_COUNTING
from bot.tables.customs import Counting as Counting
from bot.tables.deals import Check as Check
from bot.tables.deals import PublicDeal as PublicDeal
from bot.tables.ending import Ending as Ending
from bot.tables.ending import Leaving as Leaving
from bot.tables.ending import Removal as Removal
from bot.tables.lots import Lot
from bot.tables.ports import ComputerLine as ComputerLine
from bot.tables.ports import LeaderLine as LeaderLine
from bot.tables.ports import Order as Order
from bot.tables.ports import Period as Period
from bot.tables.ports import orders_of
from bot.tables.ratings import Rating as Rating
from bot.tables.rivals import Fallen as Fallen
from bot.tables.rivals import GameStats as GameStats
from bot.tables.rivals import Meeting as Meeting
from bot.tables.rivals import Record as Record
from bot.tables.rivals import RecordKind as RecordKind
from bot.tables.rivals import Rivalry as Rivalry
from bot.tables.stored import UNASKED, Pace, Stop
from bot.tables.stories import RoundTold as RoundTold
from engine.game import News, Options, OptionValue
from engine.layout import Act, Layout, Phrase, Story


class Sitter(NamedTuple):
    """A place at the table; `user` is None if no person sits there."""

    seat: int
    user: UserId | None
    name: Named
    team: int | None = None
    stand_in: bool = False
    """In a running match: whether a stand-in plays for it, from which `user`, if any, may take it
    back. In one that is over: whether `user`, who began it, left it to a stand-in."""
    awaited: Named = ""
    """Name of the person for whom the free place is kept: in a rematch, or as they were first in
    line."""
    computer: Computer | None = None
    """Which computer player sits here."""

    @property
    def free(self) -> bool:
        """Whether neither a person nor a computer player sits here."""
        return self.user is None and self.computer is None


class Again(NamedTuple):
    """The round of another match that is played again at a table."""

    table: TableId
    """Where it was played first."""
    round: int
    """Its number there, from 1."""
    seat: int
    """Where the person sits."""
    points: tuple[int, ...]
    """What everybody took there, by seat."""


@dataclass(frozen=True, slots=True)
class TableHead:
    """The head of every message about a table."""

    table: TableId
    game: str
    guild: GuildId
    channel: ChannelId
    host: UserId
    sitters: tuple[Sitter, ...]
    options: Options
    """Options to be told: numbers, and switches that differ from the default.

    In the lobby as they would be with all places taken.
    """
    news: Mapping[str, News] = field(compare=False, repr=False)
    """What the game's events are about, by their codes."""
    pace: Pace = Pace.NONE
    locale: str = "en"
    """Language of everything that all people at the table see."""
    seal: str = ""
    """The commitment that the lobby published, which binds all deals."""
    again: Again | None = None
    """What is played again here, and is no deal of its own."""
    waiting: tuple[Named, ...] = ()
    """Names of those in line to whom no place is offered, in their order."""
    names: tuple[Called, ...] = field(init=False, compare=False, repr=False)
    """Names of people and computer players, by seat; empty for free seats."""

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
    """Options about the length of the match for that many people, if it depends on their number."""

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
    """People who have pressed Ready."""
    words: tuple[str, ...] = ()
    """By seat: words typed behind *Cut* for the coming deal; empty without one."""
    kept: datetime | None = None
    """Until when places are kept for the people of the match before."""
    kept_seats: int = 0
    """Number of these places."""
    starts: datetime | None = None
    """When a planned table begins with whoever is ready, if they are enough."""
    overdue: bool = False
    """Whether it does so as soon as they are."""
    customs: tuple[tuple[str, bool], ...] = ()
    """Customs of the table that are not as usual, and whether they hold."""
    counting: Counting = USUAL_COUNTING
    """What counts on leaderboards."""
    shuffles: int = 0
    """How often the host has shuffled the seats."""
    agreement: str = ""
    """What *Ready* and *Start* agree to, as `bot.tables.lobby.agreement` writes it."""

    lengths: tuple[Length, ...] = ()
    """By numbers of people; empty if the length does not depend on them."""
    by_players: bool = False
    """Whether these are as many rounds as players."""

    @property
    def full(self) -> bool:
        return not any(sitter.free for sitter in self.head.sitters)

    @property
    def planned(self) -> bool:
        """Whether it begins by itself."""
        return self.starts is not None or self.overdue

    @property
    def can_start(self) -> bool:
        return sum(not s.free for s in self.head.sitters) >= self.minimum


class NumberField(NamedTuple):
    """A length that may be typed."""

    key: str
    measures: Literal["rounds", "points"]
    value: int | None
    """The host's choice; None if there is none, so that the default holds."""
    usual: tuple[tuple[int, int], ...]
    """The default, and for how many seats, of each number of them that the form offers; empty if
    the length of the match follows from another option then."""
    minimum: int
    maximum: int
    offered: tuple[int, ...] = ()
    by_players: bool = False
    """Whether the default is as many rounds as players, for each number of them."""


class SwitchField(NamedTuple):
    """A rule on which players differ, with all that it may be."""

    key: str
    value: OptionValue
    values: tuple[OptionValue, ...]


@dataclass(frozen=True, slots=True)
class OptionsView:
    """Choices of a lobby's host."""

    head: TableHead
    numbers: tuple[NumberField, ...]
    switches: tuple[SwitchField, ...]
    customs: tuple[tuple[str, bool], ...]
    """Names of the customs that mean something here, and whether they hold."""
    paces: tuple[tuple[Pace, bool], ...] = ()
    """Paces of a table of several people, and which holds."""
    seats: tuple[int, ...] = ()
    """How many seats it may have; empty where there is no choice."""


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
    opened: bool = False
    """Whether all may see the hands of the round by now."""
    told: tuple[Phrase, ...] = ()
    """What happened in that round, newest last."""


@dataclass(frozen=True, slots=True)
class ShufflingView:
    """A round whose seats and words are closed and whose message is being posted: no cards yet."""

    head: TableHead
    round: int
    words: tuple[str, ...]
    """By seat, as they go into the deal."""


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
    """Recent events, newest last."""
    pause: BetweenRoundsView | None
    end_votes: int
    votes_needed: int
    post: str | None = None
    """Id of the message that was mixed into this round's deal; empty: it could not be posted.
    None where nothing is known of it."""
    words: tuple[str, ...] = ()
    """By seat, as they went into this round's deal."""
    asked: tuple[int, ...] = ()
    """Those of `actors` who answer in person: no stand-in, no standing pass."""
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
    """Whether a person at the table is new to the game."""
    has_line: bool = False
    """Whether anybody may get in line for a seat."""


class Call(NamedTuple):
    """The question that a person is called to.

    A person who is not asked has a hand with the ply of the deal as `question`.
    """

    question: QuestionId
    warned: bool = False
    """Whether their time runs out soon; a warning comes after the first call."""


@dataclass(frozen=True, slots=True)
class NoticeView:
    """A line in the channel that calls people who are asked and get no hand by DM."""

    head: TableHead
    calls: Mapping[UserId, Call]
    """People who are mentioned, and to what each is called."""
    due: datetime | None
    idle: bool = False
    """Whether then the match is given up, which has no clock."""

    @property
    def warned(self) -> bool:
        """Whether somebody's time runs out soon."""
        return any(call.warned for call in self.calls.values())


class TakeBackView(NamedTuple):
    """A wish to take the last play back, as one person at the table is shown it."""

    question: QuestionId
    """Ply of the next entry when it was asked."""
    seat: int
    """Whose wish it is."""
    state: Literal["asked", "waits", "refused"]
    """The reader is asked; or it is theirs, and waits for the others or was refused."""
    play: Phrase | None
    """What everybody was told of that play, if anything."""


class Aid(NamedTuple):
    """A hint, or why cards cannot be played, in the reader's language."""

    kind: Literal["why", "hint", "first_hint", "guess"]
    """`first_hint` is the person's first one in the match; a `guess` is one of several actions,
    without figures."""
    answer: tuple[str, ...]
    """Lines that take the place of a tip, since a press is answered where one sees it."""
    more: tuple[str, ...] = ()
    """Lines of detail."""
    rules_pages: tuple[int, ...] = ()
    """The pages of the rules that say it, from 0."""
    action: str | None = None
    """Notation of what a hint would do; None if it has no advice."""


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
    """Key of the choice whose second step is shown; of a menu of cards with those chosen so far."""
    notice: str | None = None
    """One sentence above everything else, in the reader's language: the result of a press."""
    aid: Aid | None = None
    """The answer to what its owner asked about the question."""
    standing: bool = False
    """Whether this seat passes for the whole deal."""
    in_company: bool = True
    """Whether other people play or have played."""
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
    """The action that its owner has chosen for their next turn."""
    since: QuestionId = UNASKED
    """Ply of the next entry when they chose that; where they did not, now."""
    told: tuple[Phrase, ...] = ()
    """Recent events since this seat was last asked, newest last."""
    ticks: str | None = None
    """Ticks in a form that was refused, as `bot.render.cards_form.ticked` writes them."""
    learns: bool = False
    """Whether the owner is new to the game."""
    coached: bool = False
    """Whether this is the first question of its kind for a person who learns the game."""
    hints: bool = False
    """Whether its owner may ask what a computer player would do."""
    asking: Act | None = None
    """What its owner is asked to confirm before it is done."""
    take_back: TakeBackView | None = None
    """What its owner is shown of a wish to take the last play back."""


@dataclass(frozen=True, slots=True)
class WishesView:
    """Wishes that one person may have; None for those that they may not."""

    head: TableHead
    resting: bool | None = None
    """Whether the match rests, which they may vote about."""
    nudge: QuestionId | None = None
    """The question of others about which they may be nudged."""
    pace: Pace | None = None
    """That holds, or will from the next question on."""
    away: int | None = None
    """A seat whose owner is away, for which a substitute could be called."""
    take_back: QuestionId | None = None
    """Ply of the next entry, if they may take their last play back."""


@dataclass(frozen=True, slots=True)
class KickView:
    """The question whether to take a person's seat, or their place in line."""

    head: TableHead
    target: UserId
    seat: int | None
    waiting: str
    """The name of whoever has no seat and stands in line."""
    means: Removal
    votes: tuple[int, int] | None
    """Votes given and needed; None for a person who decides alone."""
    counts: bool = False
    """Whether the person began on that seat, whose result stays theirs."""


class NextView(NamedTuple):
    """Who of the people in line plays the rematch, and who sits it out."""

    comes: tuple[Named, ...]
    """Names of those in line who play."""
    sits_out: tuple[Named, ...]
    """Names of those who played and do not."""
    by_lot: bool
    """Whether the lot chose these among others who had sat out as often."""
    waits: tuple[Named, ...] = ()
    """Names of those in line for whom there is no seat either."""


@dataclass(frozen=True, slots=True)
class ResultView:
    """A match that has ended; `scores` and `ranking` are None if it counts for nobody."""

    head: TableHead
    scores: tuple[int, ...] | None
    ranking: tuple[int, ...] | None
    rounds: tuple[tuple[int, ...], ...]
    """Points of each complete round, by seat."""
    stop: Stop | None
    """Why it was stopped; None if it was not, or if the reason is unknown."""
    starters: tuple[Called, ...]
    """Names of the people and computer players who began the match."""
    beginners: Mapping[int, UserId] = field(default_factory=dict)
    """The people among those, by seat: on some seats others sit by its end."""
    stood_in: frozenset[int] = frozenset()
    """Seats that a stand-in was the last to play."""
    story: Story | None = None
    """Story of the last complete round, if the match ended with it."""
    ending: Layout | None = None
    """What everybody saw at its end, then."""
    told: tuple[Phrase, ...] = ()
    """What happened in the round played last, newest last."""
    conceded: tuple[Named, ...] = ()
    """Names of those of them who have conceded it, and so are last."""
    hinted: tuple[tuple[Named, int], ...] = ()
    """Names of those who have taken hints, and how many."""
    taken_back: int = 0
    """Number of plays that were taken back."""
    counting: Counting = USUAL_COUNTING
    """What counts on leaderboards."""
    words: tuple[str, ...] = ()
    """Words typed for a deal that was not made."""
    check: Check | None = None
    """The program's check of its own match; None if there is nothing to check or no check was
    made."""
    counts: bool = True
    """Whether it may count on a leaderboard: it was not played for fun."""
    records: tuple[Fallen, ...] = ()
    """The records of its server that it has set."""
    next: NextView | None = None
    """None if nobody was in line."""


@dataclass(frozen=True, slots=True)
class ClosedView:
    """A table that never started, or whose match cannot be read."""

    head: TableHead
    why: Literal["expired", "ended", "restored", "unreadable"]
    """Its time was up, a person closed it, the database was restored, or this program does not know
    its game, options or log."""


ChannelView: TypeAlias = LobbyView | ShufflingView | BoardView | ResultView | ClosedView
"""Every view of the table's message in the channel."""


class LotView(NamedTuple):
    """How it was drawn who sits out a rematch."""

    label: str
    seed: str
    """What is hashed with the id of a person, in that order."""
    people: tuple[tuple[Named, Lot], ...]
    """Everybody among whom it was drawn, with their names, in the order in which they sit out."""


@dataclass(frozen=True, slots=True)
class SeatsView:
    """The latest draw of seats by lot, whose seed is published."""

    number: int
    """Of the draw in the lobby, from 1; 0 for the one with which the match began."""
    before: tuple[Called, ...]
    """Who sat where until then; empty for free seats."""
    order: tuple[int, ...]
    """By seat, which of them sits there since."""
    seed: str
    """Of round 1, 64 hex digits."""
    text: str
    """What is mixed with it."""
    fits: bool
    """Whether that is what the seed gives."""


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
    """Whether the match has ended, so that there will be no more deals."""
    page: int = 0
    """From 0; one beyond the ends shows the nearest."""
    drawn: SeatsView | None = None
    lot: LotView | None = None
    """Of a match that is over; None if nobody sits out the next."""
    begun: TableHead | None = None
    """The head with those who began a match that is over on seats that were left.  Words go by
    `head`: whoever typed one may have sat there later."""


@dataclass(frozen=True, slots=True)
class LeaderboardView:
    """One page of a server's leaderboard."""

    period: Period
    game: str | None
    """None: all games together, without points per round."""
    games: tuple[str, ...]
    """All games, for the menu."""
    page: int
    """From 0."""
    pages: int
    lines: tuple[LeaderLine, ...]
    my_place: int | None
    """The reader's place."""
    computers: bool = False
    """Whether matches with computer players count."""
    order: Order = Order.RATING
    """The order that was asked for."""
    near: tuple[LeaderLine, ...] = ()
    """The reader's line and those beside it, if it is on another page."""

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders that there are."""
        return orders_of(self.game, self.period)

    @property
    def by(self) -> Order:
        """The order that is shown: where there is not the one that was asked for, that by wins."""
        return self.order if self.order in self.orders else Order.WINS


@dataclass(frozen=True, slots=True)
class StatsView:
    """A person's results on a server, by game."""

    name: str
    games: tuple[tuple[str, LeaderLine], ...]
    computers: tuple[ComputerLine, ...] = ()
    """Results with computer players that count on no leaderboard."""
    courses: Mapping[str, Sequence[float]] = field(default_factory=dict)
    """Ratings by game, match by match."""
    more: tuple[GameStats, ...] = ()
    """What else is known of their matches that count, by game."""


@dataclass(frozen=True, slots=True)
class RivalsView:
    """Two people's matches together on a server."""

    names: tuple[str, str]
    rivalry: Rivalry
