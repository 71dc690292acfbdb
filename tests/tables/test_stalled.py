"""Tables that cannot be shown: their matches wait, for a time."""

from __future__ import annotations

from datetime import timedelta

import pytest

from bot.tables.stored import Actor, DeadlineKind, Pace, Stall, Status, Stop
from bot.tables.waiting import STALL_TIME
from tests.tables.fakes import ANN, BEN, CAT, DAN, House, deadline_of


async def test_the_host_is_told_once_what_is_missing(house: House) -> None:
    table = await house.match(ANN, BEN)
    assert await house.service.stalled(table.id, ["send_messages"])
    changes = len(house.store.changes)
    assert not await house.service.stalled(table.id, ["send_messages"])
    assert not await house.service.stalled(table.id, [])
    assert len(house.store.changes) == changes
    stored = (await house.service.table(table.id)).stored
    assert stored.timing.stalled == Stall(house.clock.now, ("send_messages",))
    await house.service.unstalled(table.id)
    assert await house.service.stalled(table.id, [])


@pytest.mark.parametrize("paused", [False, True])
async def test_while_a_table_cannot_be_shown_its_match_waits(house: House, paused: bool) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    if paused:
        await house.play_round(table.id)
    await house.service.stalled(table.id, ["send_messages"])
    before = await house.service.table(table.id)
    (waits,) = before.stored.timing.deadlines
    assert (waits.kind, waits.due) == (DeadlineKind.STALL, house.clock.now + STALL_TIME)
    assert await house.later(table, 6 * 24 * 3600) == before


async def test_a_stand_in_waits_too(house: House) -> None:
    table = await house.match(ANN, BEN)
    await house.service.stalled(table.id, [])
    await house.service.leave(table.id, ANN.id)
    table = await house.later(table, 1000)
    assert table.actors == (0,)
    await house.service.unstalled(table.id)
    assert (await house.later(table, 2)).log[-1].by is Actor.STAND_IN


async def test_who_finds_a_way_may_act_meanwhile(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    await house.service.stalled(table.id, ["send_messages"])
    stalled = (await house.service.table(table.id)).stored.timing.deadlines
    table = await house.play(table.id, ANN)
    assert table.asked == (1,)
    assert table.stored.timing.deadlines == stalled
    house.agree()


async def test_once_it_is_shown_again_the_clock_starts_afresh(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    await house.later(table, 50)
    await house.service.stalled(table.id, ["send_messages"])
    assert (await house.service.table(table.id)).stored.timing.warned is None
    await house.later(table, 3600)
    table = await house.service.unstalled(table.id)
    assert table.stored.timing.stalled is None
    assert table.stored.timing.warned is None
    turn = deadline_of(table, DeadlineKind.TURN)
    assert turn.due == house.clock.now + timedelta(seconds=60)
    assert table.stored.timing.deadline(DeadlineKind.STALL) is None


async def test_showing_a_table_that_was_in_sight_changes_nothing(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    changes = len(house.store.changes)
    assert await house.service.unstalled(table.id) == table
    table = await house.stop(table.id)
    assert await house.service.unstalled(table.id) == table
    assert not await house.service.stalled(table.id, [])
    assert len(house.store.changes) == changes + 1


async def test_after_a_week_out_of_sight_the_match_is_given_up(house: House) -> None:
    table = await house.match(ANN, BEN)
    await house.service.stalled(table.id, [])
    await house.later(table, STALL_TIME.total_seconds() - 1)
    table = await house.later(table, 1)
    assert (table.stored.status, table.stored.stop) == (Status.STOPPED, Stop.UNSEEN)
    assert table.stored.timing.stalled is None
    assert house.store.results == []


async def test_a_lobby_out_of_sight_expires_as_ever(house: House) -> None:
    table = await house.lobby(ANN, BEN, CAT)
    assert await house.service.stalled(table.id, ["send_messages"])
    await house.service.unstalled(table.id)
    await house.service.stalled(table.id, ["send_messages"])
    assert (await house.later(table, 15 * 60)).stored.status is Status.EXPIRED


async def test_a_match_that_starts_out_of_sight_waits_once_it_is_dealt(house: House) -> None:
    table = await house.lobby(ANN, BEN, pace=Pace.LIVE60)
    await house.service.stalled(table.id, ["send_messages"])
    await house.service.kick(table.id, ANN.id, BEN.id)
    await house.service.sit(table.id, CAT)
    table = await house.begin(table.id)
    assert [d.kind for d in table.stored.timing.deadlines] == [DeadlineKind.STALL]


# The channel is no more


async def test_with_its_channel_a_match_is_stopped_and_a_lobby_expires(house: House) -> None:
    running = await house.match(ANN, BEN, channel=1)
    lobby = await house.lobby(CAT, DAN, channel=2)
    stored = (await house.service.vanished(running.id)).stored
    assert (stored.status, stored.stop) == (Status.STOPPED, Stop.CHANNEL)
    stored = (await house.service.vanished(lobby.id)).stored
    assert (stored.status, stored.stop) == (Status.EXPIRED, Stop.CHANNEL)
    assert await house.service.open_tables() == []
    assert house.store.results == []


async def test_what_has_ended_in_a_channel_that_is_deleted_stays_as_it_was(house: House) -> None:
    table = await house.match(ANN, BEN)
    table = await house.stop(table.id)
    assert await house.service.vanished(table.id) == table


async def test_a_table_that_nobody_can_read_vanishes_with_its_channel(house: House) -> None:
    table = await house.match(ANN, BEN)
    house = house.restarted(type(house.game)(rules_version=2))
    assert (await house.service.vanished(table.id)).stored.stop is Stop.CHANNEL
