"""A rest by vote: who begins it, who ends it, and that no clock runs meanwhile."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.tables.model import Table
from bot.tables.stored import DeadlineKind, Pace
from bot.tables.voting import REST_TIME
from tests.tables.fakes import ANN, BEN, CAT, DAN, MODERATOR, House, deadline_of, refused


async def resting(house: House) -> Table:
    """A match of Ann, Ben and Cat that rests because Ann and Cat wanted it."""
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    house.clock.forward(50)
    await house.service.rest(table.id, ANN.id, resting=False)
    return await house.service.rest(table.id, CAT.id, resting=False)


def kinds(table: Table) -> set[DeadlineKind]:
    return {deadline.kind for deadline in table.stored.timing.deadlines}


async def test_more_than_half_of_those_present_begin_it_and_no_clock_runs(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    for _ in range(2):
        table = await house.service.rest(table.id, ANN.id, resting=False)
        assert table.stored.timing.rest is None
    table = await house.service.rest(table.id, CAT.id, resting=False)
    assert table.stored.timing.rest == house.clock()
    assert kinds(table) == {DeadlineKind.REST}
    house.clock.forward(REST_TIME.total_seconds() - 1)
    house = house.restarted()
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).ply == table.ply


async def test_two_of_them_end_it_and_everybody_has_all_their_time(house: House) -> None:
    table = await resting(house)
    house.clock.forward(3600)
    for _ in range(2):
        table = await house.service.rest(table.id, BEN.id, resting=True)
        assert table.stored.timing.rest is not None
    table = await house.service.rest(table.id, ANN.id, resting=True)
    assert table.stored.timing.rest is None
    turn = deadline_of(table, DeadlineKind.TURN)
    assert turn.due == house.clock() + timedelta(seconds=60)


async def test_a_vote_for_what_is_so_already_changes_nothing(house: House) -> None:
    table = await resting(house)
    assert await house.service.rest(table.id, BEN.id, resting=False) == table
    match = await house.match(ANN, BEN, channel=77)
    assert await house.service.rest(match.id, BEN.id, resting=True) == match


async def test_after_a_week_it_goes_on_by_itself(house: House) -> None:
    table = await resting(house)
    table = await house.later(table, REST_TIME.total_seconds())
    assert table.stored.timing.rest is None
    assert table.ply == 1
    assert DeadlineKind.TURN in kinds(table)


@pytest.mark.behaviour("The table wants to go on another day")
async def test_one_rest_after_the_other_holds_nobody_up(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.DAILY)
    for person in (ANN, CAT):
        await house.service.rest(table.id, person.id, resting=False)
    table = await house.later(table, REST_TIME.total_seconds())
    for person in (ANN, BEN):
        with refused("rested"):
            await house.service.rest(table.id, person.id, resting=False)
    await house.play(table.id, ANN)
    for person in (ANN, CAT):
        table = await house.service.rest(table.id, person.id, resting=False)
    assert table.stored.timing.rest is not None


async def test_without_a_clock_it_may_rest_again(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.NONE)
    house.clock.forward(REST_TIME.total_seconds())
    for person in (ANN, CAT):
        table = await house.service.rest(table.id, person.id, resting=False)
    assert table.stored.timing.rest is not None


async def test_whoever_is_asked_may_play_and_the_clock_still_stands(house: House) -> None:
    table = await resting(house)
    table = await house.play(table.id, ANN)
    assert kinds(table) == {DeadlineKind.REST}
    assert table.actors == (1,)


async def test_alone_at_the_table_one_vote_is_enough(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    await house.service.leave(table.id, BEN.id)
    await house.service.leave(table.id, CAT.id)
    table = await house.service.rest(table.id, ANN.id, resting=False)
    assert table.stored.timing.rest is not None
    assert kinds(table) == {DeadlineKind.REST}, "stand-ins wait too"
    table = await house.service.rest(table.id, ANN.id, resting=True)
    assert table.stored.timing.rest is None


async def test_the_vote_of_whoever_is_left_alone_lapses(house: House) -> None:
    """Nothing is said of a vote that is enough and does not count."""
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    await house.service.rest(table.id, ANN.id, resting=False)
    await house.service.choose_pace(table.id, ANN.id, Pace.DAILY)
    await house.service.leave(table.id, BEN.id)
    table = await house.service.leave(table.id, CAT.id)
    assert table.stored.timing.rest is None
    assert table.stored.timing.pace is Pace.LIVE60
    assert not table.stored.votes.rest_votes
    assert not table.stored.votes.paces


async def test_a_vote_leaves_with_its_voter(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, DAN, pace=Pace.LIVE60)
    await house.service.rest(table.id, ANN.id, resting=False)
    await house.service.leave(table.id, ANN.id)
    table = await house.service.rest(table.id, BEN.id, resting=False)
    assert table.stored.timing.rest is None


async def test_a_moderator_who_does_not_play_stops_and_starts_it_at_once(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    table = await house.service.rest(table.id, MODERATOR.id, resting=False, moderator=True)
    assert table.stored.timing.rest == house.clock()
    assert kinds(table) == {DeadlineKind.REST}
    again = await house.service.rest(table.id, MODERATOR.id, resting=False, moderator=True)
    assert again == table
    house = house.restarted()
    table = await house.service.rest(table.id, MODERATOR.id, resting=True, moderator=True)
    assert table.stored.timing.rest is None
    with refused("not_seated"):
        await house.service.rest(table.id, MODERATOR.id, resting=False)
    table = await house.service.rest(table.id, ANN.id, resting=False, moderator=True)
    assert table.stored.timing.rest is None, "who plays has one vote"
    await house.service.leave(table.id, ANN.id)
    with refused("not_seated"):
        await house.service.rest(table.id, ANN.id, resting=False, moderator=True)
