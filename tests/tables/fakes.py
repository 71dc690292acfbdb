"""The ports of the tables, in memory: a store that is as strict as a database, and can fail."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from random import Random

import pytest

from bot.ids import ChannelId, GuildId, Ids, MessageId, TableId, UserId
from bot.tables.downtime import given_back
from bot.tables.fold import fold
from bot.tables.lobby import Apart
from bot.tables.model import Table, TableError
from bot.tables.plans import Wish
from bot.tables.ports import (
    Advice,
    AlreadyApplied,
    Change,
    ChannelTaken,
    Conflict,
    Due,
    Thought,
)
from bot.tables.preferences import Quiet
from bot.tables.service import TableService
from bot.tables.stored import (
    COMPUTER_TIME,
    Deadline,
    DeadlineKind,
    Entry,
    Pace,
    Person,
    Result,
    Status,
    StoredTable,
)
from engine.deal import SEED_BYTES, Chain
from engine.game import AnyGame
from engine.players.levels import Level
from tests.tables.stub import StubGame

ZERO = timedelta()
START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
GUILD, CHANNEL = GuildId(900), ChannelId(901)
FIRST_POST = 130_700
ANN, BEN, CAT, DAN, EVE, FAY = (
    Person(UserId(index), name)
    for index, name in enumerate(("Ann", "Ben", "Cat", "Dan", "Eve", "Fay"), start=11)
)

MODERATOR = Person(UserId(99), "Mod")
"""Sits nowhere."""


class FakeClock:
    """A wall clock and a steady one: `now` is set, `forward` moves both."""

    def __init__(self) -> None:
        self.now = START
        self.ran = 1000.0

    def __call__(self) -> datetime:
        return self.now

    def steady(self) -> float:
        return self.ran

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)
        self.ran += seconds


class SeededChance:
    def __init__(self, seed: int = 7) -> None:
        self._random = Random(seed)
        self.tips: list[bytes] = []
        """Of chains: all that were drawn."""
        self.ids = [f"T{number}" for number in range(499, 0, -1)]

    def seed(self) -> bytes:
        self.tips.append(self._random.randbytes(SEED_BYTES))
        return self.tips[-1]

    def seeds(self, rounds: int) -> list[str]:
        """What the first rounds of the first table are dealt from, in hex."""
        return [Chain(self.tips[0]).seed(number).hex() for number in range(1, rounds + 1)]

    def table_id(self) -> TableId:
        return TableId(self.ids.pop())


@dataclass
class FakeComputers:
    """Computer players that say at once what a test wants, or wait at a gate."""

    say: Callable[[Thought], str | None] = lambda thought: None
    gate: asyncio.Event | None = None
    think: Callable[[Thought], Advice | None] = lambda thought: None
    """What they say for hints."""
    thoughts: list[Thought] = field(default_factory=list)
    woken: list[str] = field(default_factory=list)
    thinking: int = 0
    most: int = 0
    """So many thoughts at once there were at most."""
    given_up: int = 0

    async def decide(self, thought: Thought) -> str | None:
        self.thoughts.append(thought)
        self.thinking += 1
        self.most = max(self.most, self.thinking)
        try:
            if self.gate is not None:
                await self.gate.wait()
        except asyncio.CancelledError:
            self.given_up += 1
            raise
        finally:
            self.thinking -= 1
        return self.say(thought)

    async def advise(self, thought: Thought) -> Advice | None:
        await self.decide(thought)
        return self.think(thought)

    def wake(self, games: Collection[str]) -> None:
        self.woken += games


class Recorder:
    """An announcer that remembers; in the end every commit must have been announced once."""

    def __init__(self) -> None:
        self.calls: list[TableId] = []

    def changed(self, table: TableId) -> None:
        self.calls.append(table)


@dataclass
class FakeStore:
    """All writes are atomic; `failures` are raised first come, first served.

    A gate, if there is one, holds every commit between the decision of its caller and the
    write; `failures_after` are raised although the write went through.
    """

    rows: dict[TableId, tuple[StoredTable, tuple[Entry, ...]]] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    changes: list[Change] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)
    failures_after: list[Exception] = field(default_factory=list)
    away: list[Exception] = field(default_factory=list)
    """Raised when it is asked whether a commit stands."""
    gate: asyncio.Event | None = None
    at_gate: asyncio.Event = field(default_factory=asyncio.Event)
    loads: int = 0
    refusals: int = 0
    """Commits that came too late: none while one process has the tables for itself."""
    broken: set[TableId] = field(default_factory=set)
    alive: datetime | None = None
    """When people could last press, as was noted last."""

    async def commit(self, change: Change) -> None:
        await asyncio.sleep(0)
        if self.gate is not None:
            self.at_gate.set()
            await self.gate.wait()
        if self.failures:
            raise self.failures.pop(0)
        try:
            self._write(change)
        except (AlreadyApplied, ChannelTaken, Conflict):
            self.refusals += 1
            raise
        await asyncio.sleep(0)
        if self.failures_after:
            raise self.failures_after.pop(0)

    def _write(self, change: Change) -> None:
        stored = change.stored
        before, log = self.rows.get(stored.id, (None, ()))
        known = {entry.interaction for _, other in self.rows.values() for entry in other} - {None}
        if known & {entry.interaction for entry in change.entries}:
            raise AlreadyApplied
        if (0 if before is None else before.version) != change.expected:
            raise Conflict
        assert stored.version == change.expected + 1
        if [entry.ply for entry in change.entries] != [
            len(log) + index for index in range(len(change.entries))
        ]:
            raise Conflict
        for other, _ in self.rows.values():
            if (
                stored.status.is_open
                and other.id != stored.id
                and other.channel == stored.channel
                and other.status.is_open
            ):
                raise ChannelTaken
        self.rows[stored.id] = (stored, log + change.entries)
        self.changes.append(change)
        if change.result is not None:
            assert all(result.table != stored.id for result in self.results)
            self.results.append(change.result)

    async def load(self, table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        self.loads += 1
        await asyncio.sleep(0)
        if table in self.broken:
            raise RuntimeError("hand " + "-".join("34"))
        return self.rows.get(table)

    async def load_after_commits(
        self, table: TableId
    ) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        if self.away:
            raise self.away.pop(0)
        return await self.load(table)

    def drop(self, tables: Ids | None = None) -> None:
        """Nothing is known beside the rows."""

    def _records(self) -> list[StoredTable]:
        """Newest first."""
        return [stored for stored, _ in self.rows.values()][::-1]

    async def open_in_channel(self, channel: int) -> TableId | None:
        found = [r.id for r in self._records() if r.channel == channel and r.status.is_open]
        return found[0] if found else None

    async def latest_in_channel(self, channel: int) -> TableId | None:
        found = [r.id for r in self._records() if r.channel == channel]
        return found[0] if found else None

    async def open_of(self, user: int) -> Sequence[TableId]:
        return [
            r.id
            for r in self._records()
            if r.status.is_open and r.seating.place_of(UserId(user)) is not None
        ]

    async def open_tables(
        self, guild: int | None = None, channel: int | None = None
    ) -> Sequence[TableId]:
        return [
            r.id
            for r in self._records()
            if r.status.is_open and guild in (None, r.guild) and channel in (None, r.channel)
        ]

    async def open_count(
        self, guild: int, opener: int, also: Collection[TableId] = ()
    ) -> tuple[int, int]:
        await asyncio.sleep(0)
        found = [r for r in self._records() if r.status.is_open and r.guild == guild]
        return sum(r.opener == opener or r.id in also for r in found), len(found)

    async def clocked(self) -> Sequence[TableId]:
        kinds = (DeadlineKind.TURN, DeadlineKind.NEXT_ROUND)
        found = sorted(
            (deadline.due, stored.id)
            for stored in self._records()
            if stored.status is Status.RUNNING
            for deadline in stored.timing.deadlines
            if deadline.kind in kinds
        )
        return list(dict.fromkeys(table for _, table in found))

    async def credit(self, since: datetime | None, until: datetime) -> int:
        await asyncio.sleep(0)
        if self.alive == until:
            return 0
        if self.failures:
            raise self.failures.pop(0)
        since, self.alive = since or self.alive or until, until
        count = 0
        for stored, log in list(self.rows.values()):
            after = given_back(stored, since, until)
            if not stored.status.is_open or after.timing.deadlines == stored.timing.deadlines:
                continue
            changed = replace(after, version=stored.version + 1)
            self.rows[stored.id] = (changed, log)
            count += 1
        await asyncio.sleep(0)
        if self.failures_after:
            raise self.failures_after.pop(0)
        return count

    async def note_reachable(self, at: datetime) -> None:
        await asyncio.sleep(0)
        if self.failures:
            raise self.failures.pop(0)
        self.alive = at if self.alive is None else max(at, self.alive)

    async def rematch_of(self, table: TableId) -> TableId | None:
        found = [r.id for r in self._records() if r.rematch_of == table]
        return found[0] if found else None

    async def earliest_deadline(self, skip: Collection[TableId] = ()) -> Due | None:
        await asyncio.sleep(0)
        dues = [
            Due(stored.id, deadline)
            for stored in self._records()
            if stored.id not in skip
            for deadline in stored.timing.deadlines
        ]
        return min(dues, key=lambda due: (due.deadline.due, due.table), default=None)


class FakeBlocks:
    """With whom people want no table, in memory."""

    def __init__(self) -> None:
        self.chosen: set[tuple[UserId, UserId]] = set()
        """Who chose it, and of whom."""

    async def apart(self, user: UserId) -> Apart:
        never = frozenset(other for who, other in self.chosen if who == user)
        barred = frozenset(who for who, other in self.chosen if other == user)
        return Apart(never, barred)

    async def block(self, user: UserId, other: UserId, *, on: bool) -> None:
        (self.chosen.add if on else self.chosen.discard)((user, other))


class House:
    """A service over fakes, and short words for what the tests do all the time."""

    def __init__(
        self,
        store: FakeStore | None = None,
        game: StubGame | None = None,
        computers: FakeComputers | None = None,
        computer_time: timedelta = COMPUTER_TIME,
        games: Mapping[str, AnyGame] | None = None,
    ) -> None:
        """`games` in place of the stub."""
        self.quiet: dict[UserId, Quiet] = {}
        self.blocks = FakeBlocks()
        self.computers = FakeComputers() if computers is None else computers
        self.store = FakeStore() if store is None else store
        self.clock = FakeClock()
        self.chance = SeededChance()
        self.announcer = Recorder()
        self.posts = FIRST_POST - 1
        """Id of the message posted last."""
        self.game = StubGame() if game is None else game
        self.given = games
        self.games: Mapping[str, AnyGame] = games or {"stub": self.game}
        self.service = TableService(
            self.store,
            clock=self.clock,
            chance=self.chance,
            announcer=self.announcer,
            games=self.games,
            computers=self.computers,
            computer_time=computer_time,
            quiet_of=self.quiet.get,
            blocks=self.blocks,
        )

    def restarted(self, game: StubGame | None = None) -> House:
        """The same store and time under a new process."""
        game = self.game if game is None else game
        house = House(self.store, game, self.computers, games=self.given)
        house.clock.now, house.clock.ran = self.clock.now, self.clock.ran
        house.chance = self.chance
        house.service._chance = house.service._loaded._chance = self.chance
        house.posts = self.posts
        return house

    async def lobby(
        self,
        *people: Person,
        seats: int | None = 3,
        channel: int = CHANNEL,
        private: bool = False,
        pace: Pace = Pace.NONE,
        **given: int | bool,
    ) -> Table:
        """A lobby where these people sit; the first of them is host."""
        table = await self.service.open(
            Wish("stub", seats, given, private=private, pace=pace),
            GUILD,
            ChannelId(channel),
            people[0],
        )
        for person in people[1:]:
            table = await self.service.sit(table.id, person)
        return table

    async def planned(
        self,
        *people: Person,
        seats: int = 4,
        pace: Pace = Pace.LIVE60,
        computers: int = 0,
    ) -> Table:
        """The lobby of a plan that has just opened, with these people seated."""
        wish = Wish("stub", seats, {}, pace=pace, computers=(computers, Level.NORMAL))
        table = await self.service.open(wish, GUILD, CHANNEL, people[0], planned=True)
        for person in people[1:]:
            table = await self.service.sit(table.id, person)
        return table

    async def ready(self, table: Table, *people: Person) -> Table:
        """The table once these have pressed *Ready*, in that order."""
        for person in people:
            table = await self.service.ready_to_begin(table.id, person.id)
        return table

    async def match(
        self,
        *people: Person,
        channel: int = CHANNEL,
        private: bool = False,
        pace: Pace = Pace.NONE,
        **given: int | bool,
    ) -> Table:
        """A match that these people have begun."""
        table = await self.lobby(
            *people, seats=len(people), channel=channel, private=private, pace=pace, **given
        )
        return await self.begin(table.id)

    async def against(
        self,
        *people: Person,
        computers: int = 2,
        level: Level = Level.NORMAL,
        private: bool = False,
        pace: Pace = Pace.DAILY,
        **given: int | bool,
    ) -> Table:
        """A match of these people, who sit first, and of computer players."""
        seats = len(people) + computers
        table = await self.lobby(*people, seats=seats, private=private, pace=pace, **given)
        for _ in range(computers):
            await self.service.seat_computer(table.id, people[0].id, level)
        return await self.begin(table.id)

    async def later(self, table: Table, seconds: float) -> Table:
        """The table when so much time is over."""
        self.clock.forward(seconds)
        await self.service.deadlines.fire_due()
        return await self.service.table(table.id)

    async def begin(self, table: TableId) -> Table:
        """The host starts the match, and the first round is dealt."""
        host = (await self.service.table(table)).stored.seating.host
        await self.service.start(table, host)
        return await self.post(table)

    async def post(self, table: TableId) -> Table:
        """The message that carries the round stands: it is dealt."""
        now = await self.service.table(table)
        self.posts += 1
        return await self.service.posted(table, now.round + 1, MessageId(self.posts))

    async def play(self, table: TableId, person: Person, text: str = "play 1") -> Table:
        """A typed action."""
        return await self.service.act(table, None, person.id, text, None)

    async def stop(self, table: TableId) -> Table:
        """A moderator who does not play ends it."""
        return await self.service.end(table, MODERATOR.id, moderator=True)

    async def send_away(self, table: TableId, target: Person) -> Table:
        """A moderator who does not play sends somebody away."""
        return await self.service.kick(table, MODERATOR.id, target.id, moderator=True)

    async def vote_over(self, table: TableId) -> Table:
        """Nobody else votes in the time after more than half have: the match is over."""
        voted = deadline_of(await self.service.table(table), DeadlineKind.VOTED)
        self.clock.forward((voted.due - self.clock.now).total_seconds() - 1)
        await self.service.fire(Due(table, voted))
        assert (await self.service.table(table)).stored.status is Status.RUNNING
        self.clock.forward(1)
        await self.service.fire(Due(table, voted))
        return await self.service.table(table)

    async def play_round(self, table: TableId, *numbers: int) -> Table:
        """Everybody in order of the seats; without numbers everybody plays a 1."""
        stored = (await self.service.table(table)).stored
        chosen = numbers or (1,) * len(stored.seating.places)
        for person, number in zip(stored.seating.people, chosen, strict=True):
            result = await self.play(table, person, f"play {number}")
        return result

    async def next_round(self, table: TableId) -> Table:
        """Everybody presses, and the round is dealt."""
        for person in (await self.service.table(table)).stored.seating.people:
            await self.service.ready(table, person.id, None)
        return await self.post(table)

    def agree(self) -> None:
        """What is cached is what is stored, and folds to the same state."""
        for table in self.service._loaded._cache.values():
            stored, log = self.store.rows[table.id]
            assert table == fold(stored, self.games[stored.game], log)


def deadline_of(table: Table, kind: DeadlineKind) -> Deadline:
    """A table without one of that kind fails the test."""
    found = table.stored.timing.deadline(kind)
    assert found is not None
    return found


@contextmanager
def refused(code: str, **params: int | str) -> Iterator[list[TableError]]:
    """The block is refused with this code and, if any are named, these parameters."""
    caught: list[TableError] = []
    with pytest.raises(TableError) as info:
        yield caught
    assert info.value.code == code
    if params:
        assert info.value.params == params
    caught.append(info.value)
