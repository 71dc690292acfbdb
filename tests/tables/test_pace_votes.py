"""Another pace by vote: nobody has less time for what they are asked, and more counts at once."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.tables.model import Table
from bot.tables.phase import BetweenRounds
from bot.tables.stored import DeadlineKind, Pace
from bot.tables.waiting import longest
from tests.tables.fakes import ANN, BEN, CAT, DAN, House


async def at(house: House, pace: Pace, seconds: float = 20) -> Table:
    """A match of Ann, Ben and Cat at that pace, where Ann has been asked for so long."""
    table = await house.match(ANN, BEN, CAT, pace=pace)
    house.clock.forward(seconds)
    return table


async def chosen(house: House, table: Table, pace: Pace) -> Table:
    """Once Ben and Cat have voted for it."""
    await house.service.choose_pace(table.id, BEN.id, pace)
    return await house.service.choose_pace(table.id, CAT.id, pace)


def left(house: House, table: Table, kind: DeadlineKind = DeadlineKind.TURN) -> float | None:
    """Seconds that are left until then."""
    found = table.stored.timing.deadline(kind)
    return None if found is None else (found.due - house.clock()).total_seconds()


async def test_more_than_half_of_those_present_have_to_choose_the_same_one(house: House) -> None:
    table = await at(house, Pace.LIVE60)
    await house.service.choose_pace(table.id, ANN.id, Pace.DAILY)
    table = await house.service.choose_pace(table.id, BEN.id, Pace.RELAXED)
    assert table.stored.timing.pace is Pace.LIVE60
    house = house.restarted()
    table = await house.service.choose_pace(table.id, BEN.id, Pace.DAILY)
    assert table.stored.timing.pace is Pace.DAILY
    assert table.stored.votes.paces == {}


async def test_whoever_chooses_what_holds_takes_their_vote_back(house: House) -> None:
    table = await at(house, Pace.LIVE60)
    await house.service.choose_pace(table.id, ANN.id, Pace.DAILY)
    table = await house.service.choose_pace(table.id, ANN.id, Pace.LIVE60)
    assert table.stored.votes.paces == {}
    table = await house.service.choose_pace(table.id, BEN.id, Pace.DAILY)
    assert table.stored.timing.pace is Pace.LIVE60


async def test_at_a_faster_pace_no_less_time_is_left_to_agree_to_the_end(house: House) -> None:
    table = await at(house, Pace.DAILY)
    for person in (BEN, CAT):
        await house.service.end(table.id, person.id, moderator=False)
    await chosen(house, table, Pace.LIVE60)
    table = await house.play(table.id, ANN)
    assert table.stored.timing.pace is Pace.LIVE60
    before, since = left(house, table, DeadlineKind.VOTED), house.clock()
    house.clock.forward(60)
    await house.service.resume(since, house.clock())
    assert left(house, await house.service.table(table.id), DeadlineKind.VOTED) == before


async def test_a_longer_pace_counts_for_the_turn_that_is_running(house: House) -> None:
    table = await chosen(house, await at(house, Pace.LIVE60), Pace.DAILY)
    assert left(house, table) == 24 * 3600 - 20
    assert left(house, table, DeadlineKind.WARN) == 20 * 3600 - 20
    house = house.restarted()
    assert (await house.later(table, 61)).ply == table.ply


async def test_a_shorter_one_counts_from_the_next_turn_on(house: House) -> None:
    table = await chosen(house, await at(house, Pace.DAILY, 3600), Pace.LIVE60)
    assert left(house, table) == 23 * 3600, "what was promised is kept"
    assert (table.stored.timing.pace, table.stored.timing.coming) == (Pace.DAILY, Pace.LIVE60)
    house = house.restarted()
    table = await house.play(table.id, ANN)
    assert (table.stored.timing.pace, table.stored.timing.coming) == (Pace.LIVE60, None)
    assert left(house, table) == 60


async def test_what_was_voted_for_and_is_still_to_come_can_be_voted_away(house: House) -> None:
    table = await chosen(house, await at(house, Pace.DAILY), Pace.LIVE60)
    table = await chosen(house, table, Pace.DAILY)
    assert (table.stored.timing.pace, table.stored.timing.coming) == (Pace.DAILY, None)
    table = await house.play(table.id, ANN)
    assert left(house, table) == 24 * 3600


async def test_with_and_without_a_clock(house: House) -> None:
    table = await chosen(house, await at(house, Pace.NONE), Pace.RELAXED)
    assert left(house, table) == 600
    table = await chosen(house, table, Pace.NONE)
    assert left(house, table) is None
    assert left(house, table, DeadlineKind.WARN) is None
    table = await house.play(table.id, ANN)
    assert left(house, table) is None


async def test_the_pause_between_two_rounds_is_not_cut_short_either(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY, rounds=2)
    while table.actors:
        table = await house.play(table.id, (ANN, BEN, CAT)[table.actors[0]])
    assert isinstance(table.phase, BetweenRounds)
    table = await chosen(house, table, Pace.LIVE60)
    assert left(house, table, DeadlineKind.NEXT_ROUND) == 600
    table = await chosen(house, table, Pace.DAILY)
    assert left(house, table, DeadlineKind.NEXT_ROUND) == 600


@pytest.mark.parametrize("before", Pace)
@pytest.mark.parametrize("after", Pace)
async def test_every_change_keeps_what_was_promised_and_what_a_clock_may_show(
    house: House, before: Pace, after: Pace
) -> None:
    table = await at(house, before)
    promised = left(house, table)
    table = await chosen(house, table, after)
    now, pace = left(house, table), table.stored.timing.pace
    if promised is not None and now is not None:
        assert now >= promised
    if now is not None:
        assert timedelta(seconds=now) <= longest(DeadlineKind.TURN, pace)
    if promised is not None and now is None:
        assert after is Pace.NONE
    warn = left(house, table, DeadlineKind.WARN)
    assert warn is None or (now is not None and warn <= now)
    table = await house.play(table.id, ANN)
    following = None if after.time is None else after.time.total_seconds()
    assert left(house, table) == following


async def test_votes_are_counted_anew_when_somebody_leaves(house: House) -> None:
    """Of four present three are needed, of three two; that holds for a pause as for a pace."""
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60)
    for person in (ANN, BEN):
        await house.service.rest(table.id, person.id, resting=False)
        table = await house.service.choose_pace(table.id, person.id, Pace.DAILY)
    assert table.stored.timing.rest is None
    table = await house.service.leave(table.id, DAN.id)
    assert table.stored.timing.rest == house.clock()
    assert table.stored.timing.pace is Pace.DAILY


async def test_votes_are_counted_anew_when_somebody_is_away(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60, rounds=2)
    for number in range(2):
        if number:
            house.clock.forward(60)
            await house.service.deadlines.fire_due()
            table = await house.post(table.id)
        for person in (BEN, CAT):
            table = await house.service.choose_pace(table.id, person.id, Pace.DAILY)
        assert table.stored.timing.pace is Pace.LIVE60
        assert table.actors[0] == 0
        house.clock.forward(61)
        await house.service.deadlines.fire_due()
        for person in () if number else (BEN, CAT, DAN):
            table = await house.play(table.id, person)
    table = await house.service.table(table.id)
    assert table.stored.seating.places[0].away
    assert table.stored.timing.pace is Pace.DAILY
