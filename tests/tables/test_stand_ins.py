"""Free seats of a running match: a stand-in plays at once, and who may take them."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest

from bot.tables.model import Table
from bot.tables.phase import Closing
from bot.tables.stored import Actor, DeadlineKind, Pace, Status
from bot.tables.waiting import SELF_ANSWER_TIME
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, House, deadline_of


async def left(house: House, table: Table) -> Table:
    return await house.service.leave(table.id, BEN.id)


async def kicked(house: House, table: Table) -> Table:
    return await house.send_away(table.id, BEN)


async def gone(house: House, table: Table) -> Table:
    return await house.service.left_server(table.id, BEN.id)


ways = pytest.mark.parametrize("goes", [left, kicked, gone])
Goes = Callable[[House, Table], Awaitable[Table]]


@ways
@pytest.mark.parametrize("pace", [Pace.NONE, Pace.LIVE60])
async def test_who_leaves_in_their_turn_is_played_for_after_two_seconds(
    house: House, goes: Goes, pace: Pace
) -> None:
    table = await house.match(ANN, BEN, CAT, pace=pace)
    await house.play(table.id, ANN)
    house.clock.forward(20)
    table = await goes(house, table)
    assert deadline_of(table, DeadlineKind.SELF_ANSWER) == (
        DeadlineKind.SELF_ANSWER,
        table.questions[1],
        house.clock.now + SELF_ANSWER_TIME,
    )
    table = await house.later(table, 2)
    assert (table.log[-1].seat, table.log[-1].by) == (1, Actor.STAND_IN)
    assert table.asked == (2,)
    assert table.stored.seating.free_places == (1,)
    house.agree()


@ways
async def test_the_stand_in_plays_on_in_the_next_rounds_and_the_match_counts(
    house: House, goes: Goes
) -> None:
    table = await house.match(ANN, BEN, CAT, rounds=2)
    await goes(house, table)
    for number in range(2):
        await house.play(table.id, ANN)
        await house.later(table, 2)
        table = await house.play(table.id, CAT)
        if number == 0:
            await house.service.ready(table.id, ANN.id, None)
            assert isinstance((await house.service.ready(table.id, CAT.id, None)).phase, Closing)
            await house.post(table.id)
    assert table.stored.status is Status.FINISHED
    (result,) = house.store.results
    assert [row.user for row in result.rows] == [ANN.id, BEN.id, CAT.id]
    assert [entry.by for entry in table.log if entry.seat == 1] == [Actor.STAND_IN] * 2


@ways
async def test_anybody_takes_the_seat_and_is_asked_afresh(house: House, goes: Goes) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    await house.play(table.id, ANN)
    await goes(house, table)
    house.clock.forward(1)
    table = await house.service.sit(table.id, DAN, 1)
    place = table.stored.seating.places[1]
    assert (place.person, place.misses, place.away) == (DAN, 0, False)
    assert table.asked == (1,)
    assert {d.kind for d in table.stored.timing.deadlines} == {DeadlineKind.WARN, DeadlineKind.TURN}
    assert (await house.play(table.id, DAN)).log[-1].by is Actor.PERSON


async def test_misses_of_who_left_are_not_held_against_the_next(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60, rounds=9)
    await house.later(table, 60)
    await house.service.leave(table.id, ANN.id)
    await house.service.sit(table.id, DAN)
    await house.play(table.id, BEN)
    await house.later(table, 60)
    await house.post(table.id)
    table = await house.later(table, 60)
    assert table.stored.seating.places[0].misses == 1
    assert table.log[-1].by is Actor.CLOCK
    assert [phrase.code for phrase in table.told].count("table.stand_in") == 0
    house.agree()


async def test_who_has_left_the_server_and_sits_nowhere_changes_nothing(house: House) -> None:
    table = await house.match(ANN, BEN)
    assert await house.service.left_server(table.id, EVE.id) == table
    table = await house.stop(table.id)
    assert await house.service.left_server(table.id, BEN.id) == table


async def test_who_has_left_the_server_leaves_a_lobby_too(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    table = await house.service.left_server(table.id, ANN.id)
    assert table.stored.seating.people == (BEN, CAT)
    assert table.stored.seating.host == BEN.id


async def test_who_leaves_a_table_nobody_can_read_is_not_in_its_way(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    house = house.restarted(type(house.game)(rules_version=2))
    await house.service.left_server(table.id, ANN.id)
    found = await house.service.find(table.id)
    assert found.stored.seating.people == (BEN,)
    assert found.played is None
