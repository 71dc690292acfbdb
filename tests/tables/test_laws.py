"""Laws of tables with clocks: whatever people do or fail to do, no table is stuck.

People act, leave, come back, are kicked, and miss their time in a random order that a seed
repeats; every game is played so, with and without a clock.
"""

from __future__ import annotations

from datetime import timedelta
from random import Random

import pytest

from bot.ids import ChannelId, GuildId, MessageId, TableId, UserId
from bot.tables.deals import match_record
from bot.tables.fold import fold
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing
from bot.tables.plans import Wish
from bot.tables.service import TableService
from bot.tables.stored import Actor, DeadlineKind, Pace, Person, Status
from engine.game import AnyGame, Options
from engine.record import to_text
from engine.registry import games
from engine.verify import verify_text
from tests.tables.fakes import FakeClock, FakeStore, Recorder, SeededChance

PEOPLE = tuple(Person(UserId(100 + number), f"Person {number}") for number in range(8))
LONGEST = 4000
"""Steps after which nobody does anything any more but time, which must end the match."""


class Evening:
    """One table, and what may happen to it."""

    def __init__(self, game: AnyGame, pace: Pace, seed: int) -> None:
        self.game, self.pace = game, pace
        self.numbers = Random(seed)
        self.store, self.clock, self.chance = FakeStore(), FakeClock(), SeededChance(seed)
        self.tables = self.service()
        self.name = TableId("")
        self.interaction = 0
        self.given: Options = {}

    def service(self) -> TableService:
        return TableService(
            self.store, clock=self.clock, chance=self.chance, announcer=Recorder(), games=games()
        )

    async def begin(self) -> None:
        seats = self.numbers.choice(self.game.info.seats)
        table = await self.tables.open(
            Wish(self.game.info.id, seats, self.given, pace=self.pace),
            GuildId(1),
            ChannelId(2),
            PEOPLE[0],
        )
        self.name = table.id
        for person in PEOPLE[1:seats]:
            await self.tables.sit(self.name, person)
        await self.tables.start(self.name, PEOPLE[0].id)

    async def table(self) -> Table:
        return await self.tables.table(self.name)

    async def time(self) -> None:
        """Until the earliest deadline, or a little."""
        table = await self.table()
        if isinstance(table.phase, Closing):  # what posts the message has its time, too
            await self.tables.posted(self.name, table.round + 1, MessageId(5_000 + table.round))
            return
        due = await self.store.earliest_deadline()
        if due is not None and due.deadline.kind is not DeadlineKind.IDLE:  # they come back in time
            self.clock.now = max(self.clock.now, due.deadline.due)
        await self.tables.deadlines.fire_due()

    async def act(self, table: Table) -> None:
        """Somebody who may act does; also who is away."""
        seat = self.numbers.choice(table.actors)
        person = table.stored.seating.places[seat].person
        if person is None:
            await self.time()
            return
        text = self.numbers.choice(list(table.legal_texts(seat)))
        self.interaction += 1
        await self.tables.act(self.name, table.questions[seat], person.id, text, self.interaction)

    async def come_or_go(self, table: Table) -> None:
        person, other = self.numbers.sample(PEOPLE, 2)
        match self.numbers.randrange(9):
            case 0:
                await self.tables.leave(self.name, person.id)
            case 1:
                await self.tables.left_server(self.name, person.id)
            case 2 | 3 | 4:
                await self.tables.sit(self.name, person)
            case 5:
                await self.tables.come_back(self.name, person.id)
            case 6:
                await self.tables.set_standing_pass(self.name, person.id, None, on=True)
            case 7:
                await self.tables.kick(self.name, table.stored.seating.host, other.id)
            case _:
                await self.tables.stalled(self.name, ["send_messages"])
                await self.tables.resume(self.clock.now, self.clock.now + timedelta(seconds=90))
                await self.tables.unstalled(self.name)

    async def step(self, table: Table) -> None:
        """Anything that may happen now."""
        chosen = self.numbers.random()
        try:
            if chosen < 0.06:
                await self.come_or_go(table)
            elif chosen < 0.09:
                self.tables = self.service()
            elif chosen < (0.25 if self.pace is Pace.NONE else 0.45):
                await self.time()
            elif isinstance(table.phase, Closing):
                await self.tables.posted(self.name, table.round + 1, MessageId(5_000 + table.round))
            elif isinstance(table.phase, BetweenRounds):
                person = self.numbers.choice(table.stored.seating.people)
                await self.tables.ready(self.name, person.id, None)
            else:
                await self.act(table)
        except TableError as refusal:
            if refusal.code in ("busy", "unreadable"):
                raise

    def check(self, table: Table) -> None:
        """What holds of a table at any time."""
        stored, log = self.store.rows[self.name]
        assert (table.stored, table.log) == (stored, log)
        if self.numbers.random() < 0.05 or not stored.status.is_open:
            assert table == fold(stored, self.game, log)
        kinds = {deadline.kind for deadline in stored.timing.deadlines}
        assert len(kinds) == len(stored.timing.deadlines)
        if stored.status is not Status.RUNNING:
            assert kinds == set()
            return
        assert stored.seating.present, "stand-ins play among themselves"
        here = {person.id for person in stored.seating.present}
        asked = [table.stored.seating.places[seat].person for seat in table.asked]
        assert all(person is not None and person.id in here for person in asked)
        assert (DeadlineKind.SELF_ANSWER in kinds) == (set(table.asked) != set(table.actors))
        assert (DeadlineKind.NEXT_ROUND in kinds) == isinstance(table.phase, BetweenRounds)
        turn = stored.timing.deadline(DeadlineKind.TURN)
        if stored.timing.pace is Pace.NONE:
            turn = stored.timing.deadline(DeadlineKind.IDLE)
        assert not asked or turn is not None
        assert kinds, "nothing will happen"
        if turn is not None:
            open_questions = {table.questions[seat] for seat in table.not_computing}
            assert turn.question in open_questions
            assert not asked or turn.question <= min(table.questions[seat] for seat in table.asked)
        assert stored.timing.warned in (None, None if turn is None else turn.question)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pace", [Pace.LIVE60, Pace.NONE])
@pytest.mark.parametrize("game", games().values(), ids=games())
async def test_whatever_people_do_or_fail_to_do_the_match_ends(
    game: AnyGame, pace: Pace, seed: int
) -> None:
    evening = Evening(game, pace, seed)
    await evening.begin()
    steps = 0
    while (table := await evening.table()).stored.status is Status.RUNNING:
        evening.check(table)
        steps += 1
        assert steps < LONGEST, "this seed says nothing about the end"
        await evening.step(table)
    evening.check(table)
    counts = table.stored.outcome is not None  # as one may that was stopped past half of it
    assert counts == (len(evening.store.results) == 1)
    assert counts or table.stored.status is Status.STOPPED
    assert verify_text(to_text(match_record(table)), 1) == []


@pytest.mark.parametrize("game", games().values(), ids=games())
async def test_a_match_that_everybody_walks_away_from_is_over_by_time_alone(game: AnyGame) -> None:
    evening = Evening(game, Pace.DAILY, 1)
    await evening.begin()
    for _ in range(LONGEST):
        table = await evening.table()
        evening.check(table)
        if table.stored.status is not Status.RUNNING:
            break
        await evening.time()
    assert not table.stored.status.is_open
    by = [entry.by for entry in table.log if not entry.is_deal]
    assert set(by) <= {Actor.CLOCK, Actor.CLOCK_AWAY, Actor.STAND_IN}


@pytest.mark.parametrize("game", games().values(), ids=games())
async def test_one_person_among_stand_ins_plays_the_match_to_its_end(game: AnyGame) -> None:
    evening = Evening(game, Pace.NONE, 2)
    await evening.begin()
    table = await evening.table()
    for person in table.stored.seating.people[1:]:
        await evening.tables.leave(evening.name, person.id)
    for _ in range(LONGEST):
        table = await evening.table()
        evening.check(table)
        if table.stored.status is not Status.RUNNING:
            break
        if table.asked:
            await evening.act(table)
        elif isinstance(table.phase, BetweenRounds):
            await evening.tables.ready(evening.name, PEOPLE[0].id, None)
        else:
            await evening.time()
    assert table.stored.status is Status.FINISHED
    assert {entry.by for entry in table.log if entry.seat > 0} == {Actor.STAND_IN}
