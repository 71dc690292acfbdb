"""`StoredTable` and `Entry`: what the database keeps of a table and of its match log.

A record is stored as one JSON document (`bot.storage.rows`): a new field needs a default, which
older records have, and nothing else.  Named tuples are lists in it: what is new in one comes last.
An older program drops what it does not know; where that would be wrong, a migration, an empty one
too, makes it refuse the database.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from enum import StrEnum
from itertools import zip_longest
from typing import Annotated, Final, NamedTuple, TypeAlias

from bot.ids import ALONE, ChannelId, Computer, GuildId, QuestionId, TableId, UserId
from bot.tables.customs import USUAL_COUNTING, USUAL_CUSTOMS, Counting, Customs
from bot.tables.customs import Pace as Pace  # what is stored of a table is found here
from engine.deal import Chain, commitment
from engine.game import CHANCE, Options, Outcome, Seat
from engine.players.levels import Level


class _InUtc:
    """How pydantic, which only the database loads, writes and reads a time: aware, and in UTC."""

    @staticmethod
    def __get_pydantic_core_schema__(*_: object) -> dict[str, object]:
        return {
            "type": "function-after",
            "schema": {"type": "datetime", "tz_constraint": "aware"},
            "function": {"type": "no-info", "function": lambda at: at.astimezone(UTC)},
            "serialization": {"type": "function-plain", "function": _as_text},
        }


def _as_text(at: datetime) -> str:
    if at.tzinfo is None:
        raise ValueError("a naive time cannot be stored")
    return at.astimezone(UTC).isoformat()


Utc: TypeAlias = Annotated[datetime, _InUtc]
"""A moment in a record."""


class Person(NamedTuple):
    """Somebody on Discord: the id counts, the name is what they were called when they sat down."""

    id: UserId
    name: str


SOMEBODY: Final = "somebody"
"""The name of everybody who was forgotten."""


class Status(StrEnum):
    LOBBY = "lobby"
    RUNNING = "running"
    FINISHED = "finished"
    STOPPED = "stopped"
    """Ended before its outcome: what it counts for is `bot.tables.verdict`'s."""
    EXPIRED = "expired"
    """Never started."""

    @property
    def is_open(self) -> bool:
        return self in (Status.LOBBY, Status.RUNNING)


class Stop(StrEnum):
    """Why a table ended before its outcome."""

    HOST = "host"
    MODERATOR = "moderator"
    VOTE = "vote"
    EMPTY = "empty"
    """Nobody was left: stand-ins would have played among themselves."""
    CONCEDED = "conceded"
    """All gave up but one, or one team, which so has won."""
    CHANNEL = "channel"
    """Its channel or thread was deleted."""
    IDLE = "idle"
    """It has no clock, and nobody answered for too long."""
    UNSEEN = "unseen"
    """It could not be shown for too long."""
    UNREADABLE = "unreadable"
    """Its game, options or log are not known to this program."""
    RESTORED = "restored"
    """The database was restored: what people saw since its backup was made may tell the hands."""


@dataclass(frozen=True, slots=True)
class Place:
    """A place at the table; in a running match place i is seat i."""

    person: Person | None = None
    reachable: bool | None = None
    """Whether a DM arrives; None until it was tried."""
    misses: int = 0
    """Decisions in a row for which its person's time ran out."""
    away: bool = False
    """In a running match: a stand-in plays until the person takes the seat back."""
    computer: Level | None = None
    """How strong a computer player sits here, where no person does."""
    since: int = 0
    """Ply of the next entry when its person sat down: they have pressed none before."""

    @property
    def free(self) -> bool:
        """Whether neither a person nor a computer player sits here."""
        return self.person is None and self.computer is None

    @property
    def stand_in(self) -> bool:
        """In a running match: whether nobody is there to be asked."""
        return self.free or self.away


@dataclass(frozen=True, slots=True)
class Stall:
    """The table cannot be shown: its match waits, and so does its clock."""

    since: Utc
    missing: tuple[str, ...]
    """Permissions that are missing, as discord.py names them; () if the channel is out of sight."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A free place that is offered to somebody in line."""

    until: Utc
    since: int
    """The version of the table when it was made."""


class DeadlineKind(StrEnum):
    LOBBY = "lobby"
    """The table expires unstarted."""
    HOST = "host"
    """Others wait in a lobby for a host who has not been seen: somebody else leads it."""
    KEPT = "kept"
    """Places that were kept for the people of the match before are free."""
    PLANNED = "planned"
    """A planned table begins with whoever is ready, if they are enough."""
    OFFERED = "offered"
    """The earliest of the places that are offered to people in line is offered no longer."""
    NEXT_ROUND = "next_round"
    """The seats are closed for the next round although not everybody pressed."""
    POST = "post"
    """No message that carries the round was named: who plays alone is dealt it all the same."""
    SELF_ANSWER = "standing"
    """A seat that answers itself (a stand-in, or whose answer is the table's own) is asked; its
    value is the word that databases hold."""
    WARN = "warn"
    """Whoever is asked is warned."""
    COMPUTER = "computer"
    """A seat where a computer player sits is asked."""
    TURN = "turn"
    """The time for a decision is up: the default action is played."""
    STALL = "stall"
    """A table that cannot be shown is given up."""
    REST = "rest"
    """A rest that the table voted for is over at the latest."""
    IDLE = "idle"
    """A match without a clock is given up in which nobody has answered for long."""
    VOTED = "voted"
    """A match ends for which more than half of those present voted to end it.

    Once it has outlasted the round of their votes its question is that of the pause after it.
    """


class Deadline(NamedTuple):
    """Something that happens to a table at `due` if its question still has that number."""

    kind: DeadlineKind
    question: QuestionId
    due: datetime


COMPUTER_TIME: Final = timedelta(seconds=1)
"""How long after its question a computer player answers, unless the table says otherwise."""

UNASKED: Final = QuestionId(0)
"""Question number of deadlines that belong to no question: only their `due` changes."""


class Actor(StrEnum):
    """Who brought an action."""

    PERSON = "person"
    STANDING = "standing"
    """Nobody pressed: the person passes for the whole deal, or could do nothing else."""
    CLOCK = "clock"
    """The person's time was up."""
    CLOCK_AWAY = "clock_away"
    """It was up for the second time in a row: from now on a stand-in plays."""
    STAND_IN = "stand_in"
    COMPUTER = "computer"
    """A computer player that sits there from the beginning."""


class Entry(NamedTuple):
    """One line of the append-only log: a seat's action as notation, a deal as JSON text, or that a
    seat takes the line before back (`UNDO`)."""

    ply: int
    """0 for the first deal; the primary key of the log together with the table."""
    seat: Seat
    text: str
    at: datetime
    interaction: int | None = None
    """The Discord interaction that brought it: the same one is never applied twice."""
    by: Actor = Actor.PERSON
    """Deals too are their people's."""

    @property
    def is_deal(self) -> bool:
        return self.seat == CHANCE

    @property
    def is_undo(self) -> bool:
        """Whether its seat takes back the line before."""
        return self.text.startswith(UNDO)


UNDO: Final = "undo to "
"""What the text of a line that takes the one before back begins with; the ply of that follows.

No game has such an action.
"""


def standing(log: Sequence[Entry]) -> Iterator[Entry]:
    """The lines of a log that stand: none that was taken back, and none that takes one back."""
    for entry, following in zip_longest(log, log[1:]):
        if not (entry.is_undo or (following is not None and following.is_undo)):
            yield entry


# Presses that are no actions of the match: votes, readiness, wishes; hints that were taken.


class Ahead(NamedTuple):
    """An action chosen before one's turn."""

    since: QuestionId
    """Ply of the next entry when they chose: it is for their first question from there on."""
    text: str
    """As secret as the hand of its owner."""

    def __repr__(self) -> str:
        return f"Ahead({self.since})"


class Hinted(NamedTuple):
    """Hints that a person took in a match, which are public at its end."""

    name: str
    """Their name."""
    taken: int
    """Questions at which they took one."""
    last: QuestionId
    """The latest of these: asking again does not count."""


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A person's wish to take their last play back, about which the others are asked."""

    question: QuestionId
    """Ply of the next entry then: the wish is over once there is one."""
    user: UserId
    """Whose wish it is."""
    agreed: frozenset[UserId] = frozenset()
    """The others who have agreed."""
    refused: bool = False
    """Whether one of them has not: the play stands."""


@dataclass(frozen=True, slots=True)
class Votes:
    """Presses of people, by user."""

    ready: frozenset[UserId] = frozenset()
    """People who have pressed Next round since the round ended; in the lobby: Ready."""
    end_votes: frozenset[UserId] = frozenset()
    standing: frozenset[UserId] = frozenset()
    """People who pass for the whole deal."""
    rest_votes: frozenset[UserId] = frozenset()
    """People who want the match to rest; during a rest, those who want it to go on."""
    paces: Mapping[UserId, Pace] = field(default_factory=dict)
    """Other paces that people want."""
    away_votes: Mapping[UserId, frozenset[UserId]] = field(default_factory=dict)
    """By person who is away: the people who want their seat to be free."""
    ahead: Mapping[UserId, Ahead] = field(default_factory=dict)
    """Cards chosen ahead, by user."""
    take_back: TakeBack | None = None
    """The last wish to take a play back; `Table.take_back` says whether it still is one."""

    def without(self, user: UserId) -> Votes:
        """Without the presses of `user`, and those of others about them."""
        mine = {user}
        away = {whom: votes - mine for whom, votes in self.away_votes.items() if whom != user}
        return Votes(
            self.ready - mine,
            self.end_votes - mine,
            self.standing - mine,
            self.rest_votes - mine,
            {whom: pace for whom, pace in self.paces.items() if whom != user},
            {whom: votes for whom, votes in away.items() if votes},
            {whom: chosen for whom, chosen in self.ahead.items() if whom != user},
            _without(self.take_back, user),
        )

    def with_ahead(self, user: UserId, chosen: Ahead | None) -> Votes:
        """With what `user` has chosen ahead; None: with nothing."""
        others = {whom: one for whom, one in self.ahead.items() if whom != user}
        return replace(self, ahead={**others, user: chosen} if chosen else others)

    def with_away_votes(self, user: UserId, votes: frozenset[UserId]) -> Votes:
        """With these votes for taking the seat of `user`, who is away."""
        others = {whom: those for whom, those in self.away_votes.items() if whom != user}
        return replace(self, away_votes={**others, user: votes} if votes else others)


def _without(wish: TakeBack | None, user: UserId) -> TakeBack | None:
    """A wish without what `user` has said about it; None if it was theirs."""
    if wish is None or wish.user == user:
        return None
    return replace(wish, agreed=wish.agreed - {user})


# Randomness of the deals of a match: the chain of seeds, words of people, message ids.


@dataclass(frozen=True, slots=True)
class Shuffle:
    """Randomness of one round (`data/docs/notation.md`, verifiable deal)."""

    seed: str = field(repr=False)
    """32 bytes as 64 hex digits.  Secret: only `bot.tables.deals` says when it may be shown."""
    post: str | None = None
    """Id of the message that carries the round, empty if there is none; None until it is dealt."""
    words: tuple[str, ...] = ()
    """By seat, once the seats are closed."""


@dataclass(frozen=True, slots=True)
class Shuffling:
    """Everything that the deals of a match depend on."""

    chain: Chain
    """Chain of seeds: each round is dealt from the link of its number.  Secret."""
    shuffles: tuple[Shuffle, ...] = ()
    """By round: every one dealt and the coming one; while the seats are closed also the one after,
    so that each seed is bound before the first action of the round before it."""
    words: Mapping[UserId, str] = field(default_factory=dict)
    """Words that users typed behind *Cut* for the coming deal; closing the seats moves them into
    the round's shuffle."""
    closed: bool = False
    """Whether seats and words are fixed: the round is dealt once its message is known."""

    @property
    def commitment(self) -> str:
        """The commitment to all deals, 64 hex digits; empty before there is a round to come."""
        return commitment(bytes.fromhex(self.shuffles[0].seed)) if self.shuffles else ""

    def following(self) -> Shuffling:
        """With a seed for one more round.  Raises ValueError if the chain has none left, which
        takes more rounds than anybody plays."""
        drawn = Shuffle(self.chain.seed(len(self.shuffles) + 1).hex())
        return replace(self, shuffles=(*self.shuffles, drawn))

    def with_word(self, user: UserId, word: str) -> Shuffling:
        """With `word` of `user` for the coming deal; an empty one takes theirs back."""
        words = {other: said for other, said in self.words.items() if other != user}
        return replace(self, words={**words, user: word} if word else words)


# The record.


@dataclass(frozen=True, slots=True)
class SeatsDrawn:
    """An order of the places that was drawn by lot (`bot.tables.lots`)."""

    number: int
    """Of the draw in the lobby, from 1; 0 for the one with which the match began."""
    before: tuple[Person | Level | None, ...]
    """Who sat where until then: people, computer players by strength; None: nobody."""
    order: tuple[int, ...]
    """By place: which of them sits there since."""


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits at a table, and who may."""

    places: tuple[Place, ...]
    host: UserId
    private: bool = False
    invited: frozenset[UserId] = frozenset()
    kicked: frozenset[UserId] = frozenset()
    seen: Mapping[UserId, Seat] = field(default_factory=dict)
    """Who has sat where since the last deal, while its round was played, whether they still do.

    They know what was secret of that seat in that round, and of no other: until it is over they
    sit down nowhere else, and whoever comes afterwards is shown what spectators are.  Empty in
    the lobby.
    """
    starters: tuple[Person | Computer, ...] = ()
    """Who sat where when the seats were closed for the first deal: the match counts for them."""
    conceded: frozenset[UserId] = frozenset()
    """Who of them has left it for good after half of it, and not come back; of a match that is over
    whoever gave it up."""
    voted_out: frozenset[UserId] = frozenset()
    """Who was voted out while they were away, after half of it: they wanted to go on."""
    called: frozenset[UserId] = frozenset()
    """Who is sent an invitation to this table, and has not left its server since; nobody is sent a
    second one."""
    sought: Mapping[Seat, int] = field(default_factory=dict)
    """Free seats of a running match for which a substitute was called, and the version of the table
    then."""
    kept: Mapping[int, Person] = field(default_factory=dict)
    """Free places, and for whom they are kept: for people in line to whom they are offered, and in
    the lobby of a rematch for the former people."""
    offers: Mapping[int, Offer] = field(default_factory=dict)
    """Those of them that are offered."""
    waiting: tuple[Person, ...] = ()
    """The line: whoever waits for a place, in their order; of a match that is over those who belong
    to the next one."""
    sat_out: Mapping[UserId, int] = field(default_factory=dict)
    """How many matches before this one, of those that were played one after another, people spent
    in line."""
    drawn: SeatsDrawn | None = None
    """The latest draw of seats by lot."""

    @property
    def people(self) -> tuple[Person, ...]:
        """Whoever sits here, in the order of the places."""
        return tuple(place.person for place in self.places if place.person is not None)

    def person_at(self, place: int) -> Person | None:
        """Who sits at `place`, if there is such a place and it is a person."""
        return self.places[place].person if 0 <= place < len(self.places) else None

    def place_of(self, user: UserId) -> int | None:
        """Index of the place where `user` sits."""
        for index, place in enumerate(self.places):
            if place.person is not None and place.person.id == user:
                return index
        return None

    def began(self, user: UserId) -> bool:
        """Whether the match counts for `user`."""
        return any(person.id == user for person in self.beginners.values())

    @property
    def beginners(self) -> Mapping[Seat, Person]:
        """The people among those who began, by seat."""
        began = enumerate(self.starters)
        return {seat: one for seat, one in began if isinstance(one, Person)}

    @property
    def in_company(self) -> bool:
        """Whether the match is of several people: of those who sit here or began it."""
        here = {person.id for person in self.people}
        return len(here | {person.id for person in self.beginners.values()}) > 1

    @property
    def computers(self) -> Mapping[int, Computer]:
        """The computer players that sit here, by place."""
        levels = ((i, place.computer) for i, place in enumerate(self.places))
        seated = [(i, level) for i, level in levels if level is not None]
        return {i: Computer(number, level) for number, (i, level) in enumerate(seated, 1)}

    @property
    def sitters(self) -> tuple[Person | Computer, ...]:
        """Whoever sits here, computer players too, in the order of the places."""
        computers = self.computers
        seated = (place.person or computers.get(i) for i, place in enumerate(self.places))
        return tuple(one for one in seated if one is not None)

    @property
    def taken(self) -> int:
        """Number of places where somebody sits, person or computer player."""
        return len(self.places) - len(self.free_places)

    @property
    def free_places(self) -> tuple[int, ...]:
        return tuple(i for i, place in enumerate(self.places) if place.free)

    def open_to(self, user: UserId | None = None) -> tuple[int, ...]:
        """Free places where `user` (None: anybody) may sit down: those kept for nobody else."""
        free = ((i, self.kept.get(i)) for i in self.free_places)
        return tuple(i for i, former in free if former is None or former.id == user)

    def kept_for(self, user: UserId) -> int | None:
        """The place that is kept for `user`."""
        return next((i for i, former in self.kept.items() if former.id == user), None)

    def waits(self, user: UserId) -> bool:
        """Whether `user` stands in line."""
        return any(one.id == user for one in self.waiting)

    def expects(self, user: UserId) -> bool:
        """Whether `user` stands in line, was sent an invitation, or has a place kept for them."""
        return self.waits(user) or user in self.called or self.kept_for(user) is not None

    @property
    def in_line(self) -> tuple[Person, ...]:
        """Those in line to whom no place is offered."""
        offered = {self.kept[place].id for place in self.offers}
        return tuple(one for one in self.waiting if one.id not in offered)

    @property
    def present(self) -> tuple[Person, ...]:
        """Whoever sits here and plays in person, in the order of the places."""
        places = (place for place in self.places if not place.away)
        return tuple(place.person for place in places if place.person is not None)

    @property
    def absent(self) -> frozenset[UserId]:
        """Whoever sits here and is away."""
        return frozenset(p.person.id for p in self.places if p.person is not None and p.away)

    @property
    def votes_needed(self) -> int:
        """Votes that end the table: more than half of the people present."""
        return len(self.present) // 2 + 1

    @property
    def votes_to_remove(self) -> int:
        """Votes that send somebody away who is: nobody alone keeps another from coming back."""
        return max(2, self.votes_needed)

    def with_place(self, index: int, place: Place) -> Seating:
        """With `place` instead of the one at `index`."""
        places = (*self.places[:index], place, *self.places[index + 1 :])
        return replace(self, places=places)


@dataclass(frozen=True, slots=True)
class Timing:
    """What a table waits for, and until when."""

    pace: Pace = Pace.NONE
    coming: Pace | None = None
    """The pace from the next question on, which was voted for and is shorter."""
    warned: QuestionId | None = None
    """Number of the question whose people were warned that their time runs out."""
    credited: timedelta = timedelta()
    """Time that the present deadlines were given because the program was down."""
    stalled: Stall | None = None
    rest: Utc | None = None
    """Since when a running match rests because people voted for it: its clock stands still."""
    computers: timedelta = COMPUTER_TIME
    """How long after its question a computer player answers, whatever it is asked."""
    deadlines: tuple[Deadline, ...] = ()
    overdue: bool = False
    """Whether a planned table should have begun: it does as soon as those ready are enough."""
    clock_changes: tuple[int, ...] = ()
    """Plies of the next entry whenever the running match got a clock, or lost it."""

    def clocked(self, ply: int) -> bool:
        """Whether there was a clock as that line was played."""
        changes = sum(change > ply for change in self.clock_changes)
        return (self.pace.time is not None) == (changes % 2 == 0)

    def deadline(self, kind: DeadlineKind) -> Deadline | None:
        return next((d for d in self.deadlines if d.kind is kind), None)


@dataclass(frozen=True, slots=True)
class DealAgain:
    """A round of another match that is played again, alone and with the same cards."""

    table: TableId
    """Where it was played first."""
    round: int
    """Its number there, from 1."""
    seat: Seat
    """Where the person sits."""
    opening: str = field(repr=False)
    """The line of that table's log that is the deal.  Secret again while it is played."""
    points: tuple[int, ...]
    """What everybody took there in that round, by seat."""


@dataclass(frozen=True, slots=True)
class StoredTable:
    """Everything about a table except its log.  Times are aware and in UTC."""

    id: TableId
    guild: GuildId
    channel: ChannelId
    """Channel or thread: at most one open table in each."""
    game: str
    rules_version: int
    given: Options
    """Options as the host gave them; `options` completes them when the seats are known."""
    created: Utc
    opener: UserId
    """Who opened it, or planned that: for the limits it is theirs, whoever leads it by now."""
    seating: Seating
    shuffling: Shuffling
    timing: Timing = Timing()
    votes: Votes = field(default_factory=Votes)
    status: Status = Status.LOBBY
    stop: Stop | None = None
    options: Options = field(default_factory=dict)
    """Complete options of the match; empty until it starts."""
    customs: Customs = USUAL_CUSTOMS
    counting: Counting = USUAL_COUNTING
    hinted: Mapping[UserId, Hinted] = field(default_factory=dict)
    """Who has taken hints in this match."""
    locale: str = "en"
    """Of the server when the table was opened, as Discord names it (`en-GB`)."""
    rematch_of: TableId | None = None
    again: DealAgain | None = None
    """What is played again here: one round, which counts nowhere."""
    started: Utc | None = None
    ended: Utc | None = None
    outcome: Outcome | None = None
    """What a match that is over counts for (`bot.tables.verdict`); None: for nobody."""
    version: int = 0
    """Counts the commits of this table; the compare-and-set key of everything but the log."""

    @property
    def alone(self) -> bool:
        """Whether one person plays here alone, in their direct messages."""
        return self.guild == ALONE

    @property
    def endless(self) -> bool:
        """Whether one person keeps the channel of others for ever: no clock, nobody else there."""
        seating, pace = self.seating, self.timing.pace
        return not self.alone and pace.time is None and len(seating.present) == 1

    @property
    def words_by_place(self) -> tuple[str, ...]:
        """Words for the coming deal, empty where nobody sits or cut."""
        people = (place.person for place in self.seating.places)
        return tuple("" if p is None else self.shuffling.words.get(p.id, "") for p in people)

    def ended_as(self, status: Status, stop: Stop | None, now: datetime) -> StoredTable:
        """This table, ended at `now`: no deadline and no pass remains."""
        return replace(
            self,
            status=status,
            stop=stop,
            ended=now,
            seating=replace(self.seating, kept={}, offers={}, sought={}),
            shuffling=replace(self.shuffling, closed=False),
            timing=Timing(self.timing.pace, clock_changes=self.timing.clock_changes),
            votes=replace(self.votes, standing=frozenset(), ahead={}, take_back=None),
        )

    def broken_off(self, stop: Stop | None, now: datetime) -> StoredTable:
        """This table, ended without a result: stopped if it was running, else expired."""
        status = Status.STOPPED if self.status is Status.RUNNING else Status.EXPIRED
        return self.ended_as(status, stop, now)

    def with_deadline(self, deadline: Deadline) -> StoredTable:
        """`deadline` in place of another of its kind."""
        others = (d for d in self.timing.deadlines if d.kind is not deadline.kind)
        return replace(self, timing=replace(self.timing, deadlines=(*others, deadline)))

    def without_deadline(self, kind: DeadlineKind) -> StoredTable:
        if self.timing.deadline(kind) is None:
            return self
        others = tuple(d for d in self.timing.deadlines if d.kind is not kind)
        return replace(self, timing=replace(self.timing, deadlines=others))


class ResultRow(NamedTuple):
    """One person's part of a finished match; all rows of a match are written in one go."""

    user: UserId
    name: str
    seat: Seat
    place: int
    points: int
    counts: bool = True
    """Whether it counts on leaderboards for them."""
    best_round: int | None = None
    """Most points of a complete round.  This and what follows is as `bot.tables.stories` has it,
    None if that knows nothing of it."""
    worst_round: int | None = None
    deficit: int | None = None
    hints: int | None = None
    asked: int | None = None
    in_time: int | None = None


class ComputerRow(NamedTuple):
    """A computer player's part of a finished match."""

    computer: Computer
    seat: Seat
    place: int
    points: int


class Result(NamedTuple):
    """A finished match as the leaderboards keep it."""

    table: TableId
    guild: GuildId
    game: str
    rounds: int
    ended: datetime
    rows: tuple[ResultRow, ...]
    computers: tuple[ComputerRow, ...] = ()
    """The computer players that began it too."""
    plays: int | None = None
    """Number of actions, without deals; None of matches from before they were counted."""
