"""A match without a clock in which nobody plays any more is given up, and that is said before."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.tables.model import Table
from bot.tables.stored import DeadlineKind, Pace, Status, Stop
from bot.tables.waiting import IDLE_WARNING, QUIET_TIME
from tests.tables.fakes import ANN, BEN, CAT, House, deadline_of

HOUR = timedelta(hours=1)


async def later(house: House, table: Table, time: timedelta) -> Table:
    return await house.later(table, time.total_seconds())


async def test_a_fortnight_without_an_action_ends_it_said_a_day_before(house: House) -> None:
    table = await house.match(ANN, BEN)
    await house.play(table.id, ANN)
    table = await later(house, table, QUIET_TIME - HOUR)
    assert table.stored.timing.warned is None
    table = await later(house, table, HOUR)
    question = table.questions[1]
    assert table.stored.timing.warned == question
    due = deadline_of(table, DeadlineKind.IDLE)
    assert (due.question, due.due) == (question, house.clock() + IDLE_WARNING)
    house = house.restarted()
    table = await later(house, table, IDLE_WARNING - HOUR)
    assert table.stored.status is Status.RUNNING
    table = await later(house, table, HOUR)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.IDLE)
    assert house.store.results == []
    house.agree()


async def test_whoever_plays_keeps_it_for_another_fortnight(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    table = await later(house, table, QUIET_TIME)
    assert table.stored.timing.warned == table.questions[0]
    table = await house.play(table.id, ANN)
    assert table.stored.timing.warned is None
    table = await later(house, table, IDLE_WARNING)
    assert table.stored.status is Status.RUNNING
    assert (await later(house, table, QUIET_TIME)).stored.timing.warned == table.questions[1]


async def test_of_several_who_are_asked_one_is_enough(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, secret=True)
    assert len(table.asked) == 3
    await later(house, table, QUIET_TIME)
    table = await house.play(table.id, CAT)
    assert (await later(house, table, IDLE_WARNING)).stored.status is Status.RUNNING


async def test_a_vote_and_somebody_who_comes_change_nothing(house: House) -> None:
    table = await house.match(ANN, BEN, CAT)
    table = await later(house, table, QUIET_TIME)
    before = table.stored.timing
    await house.service.leave(table.id, CAT.id)
    await house.service.sit(table.id, CAT)
    table = await house.service.end(table.id, BEN.id, moderator=False)
    assert table.stored.timing == before


@pytest.mark.parametrize("pace", [Pace.DAILY, Pace.NONE])
async def test_a_rest_and_a_clock_have_times_of_their_own(house: House, pace: Pace) -> None:
    table = await house.match(ANN, BEN, pace=pace)
    if pace is Pace.NONE:
        for person in (ANN, BEN):
            await house.service.rest(table.id, person.id, resting=False)
        table = await house.service.table(table.id)
    assert table.stored.timing.deadline(DeadlineKind.IDLE) is None


async def test_another_pace_begins_its_own_time(house: House) -> None:
    table = await house.match(ANN, BEN)
    table = await later(house, table, QUIET_TIME)
    for person in (ANN, BEN):
        table = await house.service.choose_pace(table.id, person.id, Pace.DAILY)
    assert table.stored.timing.pace is Pace.DAILY
    assert table.stored.timing.deadline(DeadlineKind.IDLE) is None
    assert table.stored.timing.warned is None
    turn = deadline_of(table, DeadlineKind.TURN)
    assert turn.due == house.clock() + timedelta(days=1)


async def test_the_day_that_was_announced_is_a_day_in_which_people_can_press(house: House) -> None:
    table = await house.match(ANN, BEN)
    table = await later(house, table, QUIET_TIME)
    before, since = deadline_of(table, DeadlineKind.IDLE), house.clock()
    house.clock.forward((IDLE_WARNING - HOUR).total_seconds())
    await house.service.resume(since, house.clock())
    table = await later(house, table, 2 * HOUR)
    assert table.stored.status is Status.RUNNING
    assert deadline_of(table, DeadlineKind.IDLE).due == before.due + IDLE_WARNING - HOUR


async def test_before_that_is_announced_an_outage_moves_nothing(house: House) -> None:
    table = await house.match(ANN, BEN)
    since = house.clock()
    house.clock.forward(IDLE_WARNING.total_seconds())
    assert await house.service.resume(since, house.clock()) == 0
    assert (await house.service.table(table.id)).stored == table.stored


async def test_there_is_a_day_again_where_nobody_could_press_as_it_ended(house: House) -> None:
    table = await house.match(ANN, BEN)
    table = await later(house, table, QUIET_TIME)
    table = await later(house, table, 2 * IDLE_WARNING)
    assert deadline_of(table, DeadlineKind.IDLE).due == house.clock() + IDLE_WARNING
    assert (await later(house, table, IDLE_WARNING)).stored.stop is Stop.IDLE
