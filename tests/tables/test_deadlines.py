"""What time does to a table, late, twice, and in spite of a broken one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest

from bot.ids import QuestionId, TableId
from bot.tables.deadlines import LONGEST_BACKOFF, LONGEST_SLEEP, Alarm, Deadlines, NotYet
from bot.tables.deals import POST_TIME
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds
from bot.tables.ports import Due, Unavailable
from bot.tables.stored import Deadline, DeadlineKind, Pace, Status
from bot.tables.waiting import longest
from tests.patience import PATIENCE
from tests.tables.conftest import Logged
from tests.tables.fakes import ANN, BEN, CAT, DAN, START, FakeClock, House, deadline_of


async def test_a_lobby_expires_after_its_time(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    assert (await house.later(table, 15 * 60 - 1)).stored.status is Status.LOBBY
    house.clock.forward(1)
    announced = len(house.announcer.calls)
    await house.service.deadlines.fire_due()
    stored = (await house.service.table(table.id)).stored
    assert (stored.status, stored.stop) == (Status.EXPIRED, None)
    assert stored.ended == house.clock.now
    assert stored.timing.deadlines == ()
    assert len(house.announcer.calls) == announced + 1
    assert house.store.results == []


async def waiting(house: House, kind: DeadlineKind, pace: Pace = Pace.LIVE60) -> Table:
    """A table that has a deadline of that kind."""
    match kind:
        case DeadlineKind.LOBBY | DeadlineKind.HOST:
            return await house.lobby(ANN, BEN, CAT, pace=pace)
        case DeadlineKind.IDLE:
            return await house.match(ANN, BEN, pace=Pace.NONE)
        case DeadlineKind.KEPT:
            table = await house.match(ANN, BEN, pace=pace)
            await house.stop(table.id)
            return await house.service.rematch(table.id, ANN)
        case DeadlineKind.PLANNED:
            return await house.planned(ANN, BEN, pace=pace)
        case DeadlineKind.OFFERED:
            table = await house.lobby(ANN, BEN, CAT, pace=pace)
            await house.service.sit(table.id, DAN)
            return await house.service.leave(table.id, CAT.id)
        case DeadlineKind.NEXT_ROUND:
            table = await house.match(ANN, BEN, pace=pace)
            return await house.play_round(table.id)
        case DeadlineKind.POST:
            table = await house.lobby(ANN, BEN, pace=pace)
            return await house.service.start(table.id, ANN.id)
        case DeadlineKind.SELF_ANSWER:
            house.game.passes = {1}
            table = await house.match(ANN, BEN, pace=pace)
            await house.service.set_standing_pass(table.id, BEN.id, None, on=True)
            return await house.play(table.id, ANN)
        case DeadlineKind.COMPUTER:
            table = await house.against(ANN, pace=pace)
            return await house.play(table.id, ANN)
        case DeadlineKind.WARN | DeadlineKind.TURN:
            return await house.match(ANN, BEN, pace=pace)
        case DeadlineKind.STALL:
            table = await house.match(ANN, BEN, pace=pace)
            await house.service.stalled(table.id, ["send_messages"])
            return await house.service.table(table.id)
        case DeadlineKind.REST:
            table = await house.match(ANN, BEN, pace=pace)
            await house.service.rest(table.id, ANN.id, resting=False)
            return await house.service.rest(table.id, BEN.id, resting=False)
        case DeadlineKind.VOTED:
            table = await house.match(ANN, BEN, CAT, pace=pace)
            await house.service.end(table.id, ANN.id, moderator=False)
            return await house.service.end(table.id, BEN.id, moderator=False)


HASTY = {
    DeadlineKind.NEXT_ROUND: "whoever is not there misses nothing: the first decision has its day",
    DeadlineKind.POST: "a message is waited for",
    DeadlineKind.SELF_ANSWER: "the table answers itself",
    DeadlineKind.COMPUTER: "a computer player does",
}
"""What is waited for less than an hour at a daily pace, and why that hurries nobody."""


@pytest.mark.parametrize("kind", [*DeadlineKind])
async def test_at_a_daily_pace_nobody_has_to_look_in_within_the_hour(
    house: House, kind: DeadlineKind
) -> None:
    left = deadline_of(await waiting(house, kind, Pace.DAILY), kind).due - house.clock.now
    assert (left < timedelta(hours=1)) == (kind in HASTY), left
    assert left <= longest(kind, Pace.DAILY), "a longer one is taken for that of a wrong clock"


@pytest.mark.parametrize("kind", list(DeadlineKind))
async def test_a_deadline_that_fires_twice_does_no_harm(house: House, kind: DeadlineKind) -> None:
    table = await waiting(house, kind)
    waits = deadline_of(table, kind)
    house.clock.now = waits.due
    await house.service.fire(Due(table.id, waits))
    once = await house.service.table(table.id)
    changes = len(house.store.changes)
    assert once != table
    await asyncio.gather(*(house.service.fire(Due(table.id, waits)) for _ in range(3)))
    assert await house.service.table(table.id) == once
    assert len(house.store.changes) == changes


async def test_the_expiry_of_a_lobby_does_not_fire_once_somebody_sat_down_later(
    house: House,
) -> None:
    table = await house.lobby(ANN)
    old = deadline_of(table, DeadlineKind.LOBBY)
    house.clock.forward(14 * 60)
    await house.service.sit(table.id, BEN)
    house.clock.now = old.due
    await house.service.fire(Due(table.id, old))
    assert (await house.service.table(table.id)).stored.status is Status.LOBBY


async def test_the_time_of_one_pause_does_not_deal_in_the_next(house: House) -> None:
    table = await house.match(ANN, BEN, rounds=3)
    table = await house.play_round(table.id)
    old = table.stored.timing.deadlines[0]
    await house.next_round(table.id)
    await house.play_round(table.id)
    house.clock.forward(3600)
    await house.service.fire(Due(table.id, old))
    assert isinstance((await house.service.table(table.id)).phase, BetweenRounds)


@pytest.mark.parametrize("kind", list(DeadlineKind))
async def test_a_stored_deadline_that_fits_the_table_no_longer_is_dropped(
    house: House, kind: DeadlineKind
) -> None:
    table = await house.match(ANN, BEN)
    stored, log = house.store.rows[table.id]
    odd = replace(
        stored, timing=replace(stored.timing, deadlines=(Deadline(kind, QuestionId(0), START),))
    )
    house.store.rows[table.id] = (odd, log)
    house = house.restarted()
    await house.service.deadlines.fire_due()
    table = await house.service.table(table.id)
    assert all(waits.question == table.questions[0] for waits in table.stored.timing.deadlines)
    assert (table.stored.status, table.round) == (Status.RUNNING, 1)


async def test_a_deadline_that_does_not_fit_is_replaced_by_the_one_that_does(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    stored, log = house.store.rows[table.id]
    waits = Deadline(DeadlineKind.TURN, QuestionId(0), START)
    odd = replace(stored, timing=replace(stored.timing, deadlines=(waits,)))
    house.store.rows[table.id] = (odd, log)
    house = house.restarted()
    await house.service.deadlines.fire_due()
    turn = (await house.service.table(table.id)).stored.timing.deadline(DeadlineKind.TURN)
    assert turn == (DeadlineKind.TURN, table.questions[0], house.clock.now + timedelta(seconds=60))


async def test_while_held_nothing_fires_and_afterwards_what_came_due(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    house.service.deadlines.hold()
    house.clock.forward(3600)
    again = await house.service.deadlines.fire_due()
    assert again > house.clock.now
    assert (await house.service.table(table.id)).stored.status is Status.LOBBY
    house.service.deadlines.release()
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).stored.status is Status.EXPIRED


async def test_release_wakes_the_task() -> None:
    house, nap = House(), Nap()
    await house.lobby(ANN, BEN)
    house.service.deadlines.hold()
    house.clock.forward(3600)
    house.service.deadlines._sleep = nap
    async with running(house.service.deadlines):
        assert await nap.next() == LONGEST_SLEEP.total_seconds()
        house.service.deadlines.release()
        await nap.next()
        assert await house.service.open_tables() == []


async def test_what_was_read_just_before_the_hold_does_not_fire(house: House) -> None:
    fired: list[Due] = []

    async def earliest(skip: object = ()) -> Due | None:
        deadlines.hold()
        return Due(TableId("T1"), Deadline(DeadlineKind.LOBBY, QuestionId(0), START))

    async def fire(due: Due) -> None:
        fired.append(due)

    deadlines = Deadlines(earliest, fire, house.clock)
    await deadlines.fire_due()
    assert fired == []


async def test_it_says_when_to_look_again(house: House) -> None:
    assert await house.service.deadlines.fire_due() == START + LONGEST_SLEEP
    await waiting(house, DeadlineKind.POST)
    assert await house.service.deadlines.fire_due() == START + POST_TIME


# Trouble


async def test_a_broken_table_does_not_stop_the_others_and_is_tried_again_ever_later(
    house: House, logged: Logged
) -> None:
    broken = await house.lobby(ANN, BEN, CAT)
    sound = await house.lobby(DAN, channel=77)
    house = house.restarted()
    house.store.broken = {broken.id}
    house.clock.forward(3600)
    waits, failures = [], 0
    for _ in range(10):
        again = await house.service.deadlines.fire_due()
        failures = sum(line.get("table") == broken.id for line in logged)
        waits.append((again - house.clock.now).total_seconds())
        house.clock.now = again
    assert (await house.service.table(sound.id)).stored.status is Status.EXPIRED
    assert waits[:4] == [5, 10, 20, 40]
    assert 1 <= failures <= 10
    house.store.broken = set()
    house.clock.now += LONGEST_BACKOFF
    await house.service.deadlines.fire_due()
    assert (await house.service.table(broken.id)).stored.status is Status.EXPIRED
    assert house.service.deadlines._trouble == {}


async def test_after_the_clock_was_set_back_a_table_in_trouble_is_soon_tried_again(
    house: House,
) -> None:
    broken = await house.lobby(ANN, BEN, CAT)
    house = house.restarted()
    house.store.broken = {broken.id}
    house.clock.forward(86_400)
    await house.service.deadlines.fire_due()
    house.clock.forward(-80_000)  # its deadline was earlier
    house.store.broken = set()
    await house.service.deadlines.fire_due()
    assert (await house.service.table(broken.id)).stored.status is Status.EXPIRED


async def test_trouble_that_ended_otherwise_is_forgotten(house: House) -> None:
    table = await house.lobby(ANN)
    house = house.restarted()
    house.clock.forward(3600)
    house.store.broken = {table.id}
    house.clock.now = await house.service.deadlines.fire_due()
    house.store.broken = set()
    await house.service.end(table.id, ANN.id, moderator=False)
    await house.service.deadlines.fire_due()
    assert house.service.deadlines._trouble == {}


async def test_the_words_of_an_error_are_not_logged_but_its_place_is(
    house: House, logged: Logged
) -> None:
    table = await house.lobby(ANN)
    house = house.restarted()
    house.store.broken = {table.id}
    house.clock.forward(3600)
    await house.service.deadlines.fire_due()
    assert "RuntimeError" in repr(logged)
    assert "service.py" in repr(logged)
    assert table.id in repr(logged)
    assert "3-4" not in repr(logged)


async def test_a_deadline_whose_effect_is_not_stored_is_logged_by_its_code(
    house: House, logged: Logged
) -> None:
    table = await house.lobby(ANN)
    house.clock.forward(3600)
    house.store.failures = [Unavailable()]
    await house.service.deadlines.fire_due()
    assert [(line["table"], line["kind"]) for line in logged] == [(table.id, "not_stored")]


async def test_a_deadline_that_stays_although_it_was_fired_does_not_spin(house: House) -> None:
    due = Due(TableId("T1"), Deadline(DeadlineKind.LOBBY, QuestionId(0), START))
    fired = []

    async def earliest(skip: object = ()) -> Due | None:
        return None if skip else due

    async def fire(due: Due) -> None:
        fired.append(due)

    deadlines = Deadlines(earliest, fire, house.clock)
    assert await deadlines.fire_due() == START + timedelta(seconds=5)
    assert fired == [due]


async def test_a_deadline_whose_failure_took_its_time_is_left_alone_as_long_as_any_other(
    house: House, logged: Logged
) -> None:
    """A store gives up later than a table is tried again: that it is still there is no fault."""
    due = Due(TableId("T1"), Deadline(DeadlineKind.LOBBY, QuestionId(0), START))
    fired = []

    async def earliest(skip: Collection[TableId] = ()) -> Due | None:
        return None if due.table in skip else due

    async def fire(due: Due) -> None:
        fired.append(house.clock.now)
        house.clock.forward(8)
        raise Unavailable

    deadlines = Deadlines(earliest, fire, house.clock)
    for number, pause in enumerate((5, 10, 20), start=1):
        again = await deadlines.fire_due()
        assert again == house.clock.now + timedelta(seconds=pause)
        assert len(fired) == number
        house.clock.now = again
    assert {line["kind"] for line in logged} == {"Unavailable"}


# The task


@asynccontextmanager
async def running(deadlines: Deadlines) -> AsyncIterator[None]:
    task = asyncio.create_task(deadlines.run())
    try:
        yield
    finally:
        task.cancel()
        await asyncio.wait({task})


class Nap:
    """In place of sleeping: remembers how long, and hands over to the test."""

    def __init__(self) -> None:
        self.seconds: list[float] = []
        self.asleep = asyncio.Event()
        self.over = asyncio.Event()

    async def __call__(self, woken: Alarm, seconds: float) -> None:
        self.seconds.append(seconds)
        self.asleep.set()
        waits = [asyncio.ensure_future(event.wait()) for event in (woken, self.over)]
        await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for wait in waits:
            wait.cancel()
        self.over.clear()

    async def next(self) -> float:
        """Until the task sleeps (again); how long it wants to."""
        async with asyncio.timeout(PATIENCE):
            await self.asleep.wait()
        self.asleep.clear()
        return self.seconds[-1]


async def test_the_task_sleeps_until_the_earliest_deadline_and_wakes_for_an_earlier_one() -> None:
    house, nap = House(), Nap()
    deadlines = house.service.deadlines
    deadlines._sleep = nap
    async with running(deadlines):
        assert await nap.next() == LONGEST_SLEEP.total_seconds()
        table = await house.lobby(ANN, BEN)
        house.clock.forward(1)
        await house.service.start(table.id, ANN.id)
        assert await nap.next() == POST_TIME.total_seconds()
        house.clock.forward(POST_TIME.total_seconds())
        nap.over.set()
        await nap.next()
        # Nobody named the message that carries the round: the match waits for it.
        assert (await house.service.table(table.id)).stored.timing.stalled is not None


async def test_the_task_outlives_a_store_that_does_not_answer() -> None:
    house, nap = House(), Nap()
    answers: list[Exception | None] = [OSError(), OSError(), None]

    async def earliest(skip: object = ()) -> Due | None:
        answer = answers.pop(0)
        if answer is not None:
            raise answer
        return None

    deadlines = Deadlines(earliest, house.service.fire, house.clock, nap)
    async with running(deadlines):
        seconds = []
        for _ in range(3):
            seconds.append(await nap.next())
            nap.over.set()
        assert seconds == [5, 10, 60]


async def test_the_real_sleep_ends_by_time_or_by_being_woken() -> None:
    woken = Alarm()
    await woken.sleep(0)
    sleeping = asyncio.create_task(woken.sleep(3600))
    await asyncio.sleep(0)
    woken.set()
    await sleeping
    await woken.sleep(3600)


async def test_what_is_being_made_ready_fires_as_soon_as_it_is() -> None:
    clock = FakeClock()
    due = Due(TableId("T1"), Deadline(DeadlineKind.COMPUTER, QuestionId(3), START))
    gate, fired, asked = asyncio.Event(), asyncio.Event(), asyncio.Event()

    async def ready() -> None:
        await gate.wait()

    thought = asyncio.create_task(ready())

    async def earliest(skip: Collection[TableId] = ()) -> Due | None:
        return None if due.table in skip or fired.is_set() else due

    async def fire(due: Due) -> None:
        if not thought.done():
            asked.set()
            raise NotYet(thought)
        fired.set()

    deadlines = Deadlines(earliest, fire, clock)
    running = asyncio.create_task(deadlines.run())
    await asked.wait()
    assert not fired.is_set()
    gate.set()
    await asyncio.wait_for(fired.wait(), PATIENCE)
    running.cancel()
