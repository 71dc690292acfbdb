"""Quiet hours: when they are, and that no turn of a day ends in them."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest

from bot.ids import UserId
from bot.tables.model import Table
from bot.tables.preferences import Quiet, read_quiet
from bot.tables.stored import Actor, DeadlineKind, Pace
from bot.views.building import Reach
from bot.views.snapshot import snapshot_of
from tests.tables.fakes import ANN, BEN, CAT, House, deadline_of, refused

ZONES = ("Europe/Zurich", "America/New_York", "UTC")
NIGHT = Quiet(time(22), time(7), "Europe/Zurich")


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("moment", "end"),
    [
        ("2026-01-10 20:59", None),
        ("2026-01-10 21:00", "2026-01-11 06:00"),
        ("2026-01-11 05:59", "2026-01-11 06:00"),
        ("2026-01-11 06:00", None),
        ("2026-07-10 20:00", "2026-07-11 05:00"),  # in summer
        ("2026-10-24 21:00", "2026-10-25 06:00"),  # the clocks go back: ten hours
        ("2026-03-28 23:00", "2026-03-29 05:00"),  # and forward
    ],
)
def test_they_are_hours_of_the_clock_in_their_zone(moment: str, end: str | None) -> None:
    assert NIGHT.until(at(moment)) == (None if end is None else at(end))


def test_they_may_lie_within_a_day_and_a_zone_that_is_gone_has_none() -> None:
    noon = Quiet(time(12), time(13, 30), "UTC")
    assert noon.until(at("2026-01-10 13:00")) == at("2026-01-10 13:30")
    assert noon.until(at("2026-01-10 11:59")) is None
    assert Quiet(time(12), time(13), "Nowhere/Else").until(at("2026-01-10 12:30")) is None


def test_they_are_read_as_people_type_times_and_zones() -> None:
    assert read_quiet("22:00", "7 am", "europe/zurich", ZONES) == NIGHT
    night = Quiet(time(23, 30), time(6), "America/New_York")
    assert read_quiet(" 11:30 pm", "6:00", "america/new york", ZONES) == night
    assert read_quiet("22", "7", "Zürich", ZONES) == NIGHT
    for begin, end, zone, code in (
        ("25:00", "7:00", "UTC", "clock_unclear"),
        ("24", "7:00", "UTC", "clock_unclear"),
        ("", "7:00", "UTC", "clock_unclear"),
        ("22:00", "7:00", "Mars", "when_no_zone"),
        ("22:00", "7:00", "", "when_no_zone"),
        ("22:00", "8:01", "UTC", "quiet_long"),
        ("22:00", "22:00", "UTC", "quiet_long"),
    ):
        with refused(code):
            read_quiet(begin, end, zone, ZONES)


async def test_no_turn_of_a_day_ends_in_the_quiet_hours_of_whom_is_asked(house: House) -> None:
    now = house.clock.now
    night = Quiet((now - timedelta(hours=1)).time(), (now + timedelta(hours=6)).time(), "UTC")
    house.quiet[ANN.id] = night
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    turn = table.stored.timing.deadline(DeadlineKind.TURN)
    warning = table.stored.timing.deadline(DeadlineKind.WARN)
    assert turn is not None
    assert warning is not None
    assert turn.due - now == timedelta(hours=30), "at the end of the hours, a day later"
    assert warning.due - now == timedelta(hours=20)
    table = await house.play(table.id, ANN)
    turn = table.stored.timing.deadline(DeadlineKind.TURN)
    assert turn is not None
    assert turn.due - now == timedelta(hours=24), "Ben sleeps at no time"


async def test_a_turn_that_would_end_in_them_after_all_ends_after_them(house: House) -> None:
    """They were chosen after the question was put, or what it was moved by was lost."""
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    now = house.clock.now
    house.quiet[ANN.id] = Quiet(
        (now - timedelta(hours=1)).time(), (now + timedelta(hours=6)).time(), "UTC"
    )
    house.clock.forward(timedelta(hours=24, minutes=1).total_seconds())
    await house.service.deadlines.fire_due()
    table = await house.service.table(table.id)
    turn = table.stored.timing.deadline(DeadlineKind.TURN)
    assert turn is not None
    assert turn.due - now == timedelta(hours=30)
    question = turn.question
    house.clock.forward(timedelta(hours=6).total_seconds())
    await house.service.deadlines.fire_due()
    assert question not in (await house.service.table(table.id)).questions.values()


async def test_only_the_hours_of_whom_a_line_will_call_are_waited_for(house: House) -> None:
    end = house.clock.now + timedelta(hours=3)
    asleep = Reach(silent={ANN.id: end})
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    assert snapshot_of(table, reach=asleep).quiet_until is None, "a hand has come without a sound"
    by_line = asleep._replace(without=[ANN.id])
    assert snapshot_of(table, reach=by_line).quiet_until == end
    assert snapshot_of(table, reach=by_line._replace(silent={BEN.id: end})).quiet_until is None
    await house.service.set_reachable(table.id, ANN.id, reachable=False)
    table = await house.service.table(table.id)
    assert snapshot_of(table, reach=asleep).quiet_until == end
    unclocked = replace(table.stored, timing=replace(table.stored.timing, pace=Pace.NONE))
    table = replace(table, stored=unclocked)
    assert snapshot_of(table, reach=by_line).quiet_until is None, "nothing calls there"


def hours_over(due: datetime) -> Quiet:
    """Quiet hours as long as they may be, in which that moment is the first minute."""
    begin = due - timedelta(minutes=1)
    return Quiet(begin.time(), (begin + timedelta(hours=10)).time(), "UTC")


async def stall(house: House, table: Table, user: UserId) -> datetime:
    """When the question is answered for `user`, who chooses hours anew before time is up."""
    question = deadline_of(table, DeadlineKind.TURN).question
    for _ in range(9):
        table = await house.service.table(table.id)
        turn = table.stored.timing.deadline(DeadlineKind.TURN)
        if turn is None or turn.question != question:
            return house.clock()
        house.quiet[user] = hours_over(turn.due)
        await house.later(table, (turn.due - house.clock()).total_seconds())
    pytest.fail("the turn does not end")


@pytest.mark.behaviour("Somebody has quiet hours")
async def test_hours_that_are_chosen_again_and_again_move_a_turn_by_ten_hours_in_all(
    house: House,
) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    began = house.clock()
    assert await stall(house, table, ANN.id) - began == timedelta(hours=34)
    began, table = house.clock(), await house.service.table(table.id)
    assert table.log[-1].by is Actor.CLOCK
    assert await stall(house, table, BEN.id) - began == timedelta(hours=34), "each has as much"


async def test_time_given_back_is_not_taken_from_the_ten_hours(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    began = house.clock()
    house.clock.forward(timedelta(hours=20).total_seconds())
    away = house.clock()
    house.clock.forward(timedelta(days=3).total_seconds())
    await house.service.resume(away, house.clock())
    waited = await stall(house, await house.service.table(table.id), ANN.id) - began
    assert waited == timedelta(days=3, hours=34)


async def test_what_hours_had_moved_a_turn_by_is_not_lost_where_the_program_was_away(
    house: House,
) -> None:
    house.quiet[ANN.id] = hours_over(house.clock())
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    began = house.clock()
    house.clock.forward(60)
    await house.service.resume(began + timedelta(seconds=30), house.clock())
    turn = deadline_of(await house.service.table(table.id), DeadlineKind.TURN)
    assert turn.due - house.clock() == timedelta(hours=24)
    table = await house.later(table, timedelta(hours=24).total_seconds())
    assert deadline_of(table, DeadlineKind.TURN).due - began == timedelta(hours=33, minutes=59)


async def test_of_a_pace_that_was_changed_the_day_counts(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.RELAXED)
    began = house.clock()
    house.clock.forward(300)
    for person in (BEN, CAT):
        table = await house.service.choose_pace(table.id, person.id, Pace.DAILY)
    assert await stall(house, table, ANN.id) - began == timedelta(hours=34)


async def test_at_a_faster_table_the_clock_runs_on(house: House) -> None:
    house.quiet[ANN.id] = Quiet(
        house.clock.now.time(), (house.clock.now + timedelta(hours=9)).time(), "UTC"
    )
    table = await house.match(ANN, BEN, CAT, pace=Pace.RELAXED)
    turn = table.stored.timing.deadline(DeadlineKind.TURN)
    assert turn is not None
    assert turn.due - house.clock.now == Pace.RELAXED.time
