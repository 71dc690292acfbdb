"""A call for a substitute: once for a seat and an absence, until somebody sits there."""

from __future__ import annotations

import pytest

from bot.tables.model import Table
from bot.tables.queueing import seekable
from bot.tables.stored import Pace
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, House, refused


async def left(house: House) -> Table:
    """A match of Ann, Ben and Cat whose seat 1 is free."""
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    return await house.service.leave(table.id, BEN.id)


async def test_a_free_seat_is_called_for_once_until_somebody_has_it(house: House) -> None:
    table = await left(house)
    assert seekable(table.stored.seating) == (1,)
    table = await house.service.seek(table.id, CAT.id, 1)
    assert set(table.stored.seating.sought) == {1}
    assert seekable(table.stored.seating) == ()
    house = house.restarted()
    with refused("seek_done"):
        await house.service.seek(table.id, ANN.id, 1)
    table = await house.service.sit(table.id, DAN, 1)
    assert table.stored.seating.sought == {}
    table = await house.service.leave(table.id, DAN.id)
    again = await house.service.seek(table.id, ANN.id, 1)
    assert set(again.stored.seating.sought) == {1}, "another absence, another call"


async def test_nobody_is_called_where_nobody_is_missing_or_may_come(house: House) -> None:
    table = await left(house)
    with refused("seek_taken"):
        await house.service.seek(table.id, ANN.id, 2)
    with refused("no_such_place"):
        await house.service.seek(table.id, ANN.id, 9)
    private = await house.lobby(DAN, channel=78, seats=2, private=True)
    await house.service.invite(private.id, DAN.id, EVE.id)
    await house.service.sit(private.id, EVE)
    private = await house.begin(private.id)
    await house.service.leave(private.id, EVE.id)
    with refused("seek_private"):
        await house.service.seek(private.id, DAN.id, 1)


@pytest.mark.behaviour("A seat of a running match is free")
async def test_nobody_is_called_to_a_seat_that_is_kept_for_the_line(house: House) -> None:
    """The button was there before it was offered."""
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    await house.service.sit(table.id, DAN)
    table = await house.service.leave(table.id, CAT.id)
    assert table.stored.seating.kept == {2: DAN}
    with refused("seek_taken"):
        await house.service.seek(table.id, ANN.id, 2)
    table = await house.service.get_out(table.id, DAN.id)
    table = await house.service.seek(table.id, ANN.id, 2)
    assert set(table.stored.seating.sought) == {2}


async def test_a_call_is_over_once_its_seat_is_kept_for_the_line(house: House) -> None:
    """In this round Ben, who is in line, has seen another hand."""
    table = await left(house)
    await house.service.sit(table.id, DAN)
    await house.service.sit(table.id, BEN)
    await house.service.leave(table.id, CAT.id)
    table = await house.service.seek(table.id, ANN.id, 2)
    assert set(table.stored.seating.sought) == {2}
    await house.play(table.id, ANN)
    await house.play(table.id, DAN)
    table = await house.later(table, 2)
    assert table.stored.seating.kept == {2: BEN}
    assert table.stored.seating.sought == {}


async def test_with_the_match_every_call_is_over(house: House) -> None:
    table = await left(house)
    await house.service.seek(table.id, CAT.id, 1)
    table = await house.stop(table.id)
    assert table.stored.seating.sought == {}
