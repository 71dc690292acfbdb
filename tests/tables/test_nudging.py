"""A nudge: after half of the time, once a question, by the others, in place of the warning."""

from __future__ import annotations

from bot.tables.model import Table
from bot.tables.stored import DeadlineKind, Pace
from bot.views.snapshot import snapshot_of
from tests.tables.fakes import ANN, BEN, CAT, House, refused


async def waiting(house: House, seconds: float, pace: Pace = Pace.LIVE60) -> Table:
    """A match of Ann, Ben and Cat where Ann has been asked for so long."""
    table = await house.match(ANN, BEN, CAT, pace=pace)
    house.clock.forward(seconds)
    return table


def called(table: Table) -> set[int]:
    return {user for user, hand in snapshot_of(table).hands.items() if hand.warned}


async def test_after_half_of_the_time_whoever_is_asked_is_called_and_the_warning_is_dropped(
    house: House,
) -> None:
    table = await waiting(house, 30)
    question = table.questions[0]
    assert called(table) == set()
    turn = table.stored.timing.deadline(DeadlineKind.TURN)
    table = await house.service.nudge(table.id, BEN.id, question)
    assert called(table) == {ANN.id}
    assert table.stored.timing.deadline(DeadlineKind.WARN) is None
    assert table.stored.timing.deadline(DeadlineKind.TURN) == turn, "nobody has less time by it"
    house = house.restarted()
    with refused("nudge_done"):
        await house.service.nudge(table.id, CAT.id, question)


async def test_before_that_it_says_from_when(house: House) -> None:
    table = await waiting(house, 29)
    with refused("nudge_early") as refusals:
        await house.service.nudge(table.id, BEN.id, table.questions[0])
    house.clock.forward(2)
    assert refusals[0].params["at"] == house.clock().timestamp()
    await house.service.nudge(table.id, BEN.id, table.questions[0])


async def test_after_the_warning_nobody_is_called_a_second_time(house: House) -> None:
    table = await waiting(house, 46)
    await house.service.deadlines.fire_due()
    with refused("nudge_done"):
        await house.service.nudge(table.id, BEN.id, table.questions[0])


async def test_only_others_and_only_about_what_is_still_asked(house: House) -> None:
    table = await waiting(house, 40)
    question = table.questions[0]
    with refused("nudge_self"):
        await house.service.nudge(table.id, ANN.id, question)
    table = await house.play(table.id, ANN)
    with refused("nudge_played"):
        await house.service.nudge(table.id, CAT.id, question)
    with refused("nudge_early"):
        await house.service.nudge(table.id, CAT.id, table.questions[1])


async def test_where_no_clock_runs_nobody_is_called(house: House) -> None:
    table = await waiting(house, 40, Pace.NONE)
    with refused("nudge_nobody"):
        await house.service.nudge(table.id, BEN.id, table.questions[0])
    other = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60, channel=77)
    house.clock.forward(40)
    for person in (ANN, CAT):
        await house.service.rest(other.id, person.id, resting=False)
    with refused("nudge_nobody"):
        await house.service.nudge(other.id, BEN.id, other.questions[0])
