"""Time in which nobody could be heard is given back, once, and the table says so."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from bot.ids import TableId
from bot.tables.model import Table
from bot.tables.ports import Change, Due
from bot.tables.stored import DeadlineKind, Entry, Pace, StoredTable
from bot.tables.waiting import QUIET_TIME, longest
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, START, House, deadline_of
from tests.tables.test_deadlines import waiting

GAP = timedelta(minutes=30)


async def asked(house: House) -> Table:
    return await house.match(ANN, BEN, pace=Pace.LIVE60)


async def paused(house: House) -> Table:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    return await house.play_round(table.id)


async def given(house: House, gap: timedelta, since: datetime) -> int:
    return await house.service.resume(since, since + gap)


@pytest.mark.parametrize("kind", list(DeadlineKind))
async def test_nothing_is_waited_for_longer_than_is_said(house: House, kind: DeadlineKind) -> None:
    table = await waiting(house, kind)
    bound = longest(kind, table.stored.timing.pace)
    assert timedelta(seconds=2) <= bound <= QUIET_TIME
    assert deadline_of(table, kind).due <= house.clock.now + bound


@pytest.mark.parametrize("pace", list(Pace))
async def test_at_no_pace_is_anything_too_far_away(house: House, pace: Pace) -> None:
    table = await house.match(ANN, BEN, pace=pace)
    table = await house.play_round(table.id)
    await house.lobby(CAT, DAN, EVE, channel=7, pace=pace)
    assert await house.service.resume(None, house.clock.now) == 0


async def test_what_was_credited_is_said_as_long_as_its_deadline_stands(house: House) -> None:
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    await given(house, GAP, START)
    table = await house.service.end(table.id, BEN.id, moderator=False)
    assert table.stored.timing.credited == GAP
    table = await house.play(table.id, ANN)
    assert table.stored.timing.credited == timedelta()


async def test_what_was_credited_to_a_pause_ends_with_it(house: House) -> None:
    table = await paused(house)
    await given(house, GAP, START)
    await house.service.ready(table.id, ANN.id, None)
    assert (await house.service.table(table.id)).stored.timing.credited == GAP
    table = await house.service.ready(table.id, BEN.id, None)
    assert table.stored.timing.credited == timedelta()


# Races


async def test_a_deadline_read_before_the_credit_fires_no_more(house: House) -> None:
    table = await asked(house)
    old = deadline_of(table, DeadlineKind.TURN)
    house.clock.now = old.due
    await given(house, GAP, START)
    await house.service.fire(Due(table.id, old))
    assert len((await house.service.table(table.id)).log) == 1


async def test_a_press_decided_before_the_credit_is_decided_again_and_counts_once(
    house: House,
) -> None:
    table = await asked(house)
    house.store.gate = asyncio.Event()
    press = asyncio.create_task(house.play(table.id, ANN, "play 6"))
    await house.store.at_gate.wait()
    assert await given(house, GAP, START) == 1
    house.store.gate.set()
    table = await press
    assert [entry.text for entry in table.log[1:]] == ["play 6"]
    assert house.store.refusals == 1
    house.agree()


async def test_what_was_read_before_the_credit_and_arrives_after_it_is_read_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await asked(house)
    house = house.restarted()
    load, late = house.store.load, asyncio.Event()

    async def slow(table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        found = await load(table)
        await late.wait()
        return found

    monkeypatch.setattr(house.store, "load", slow)
    reading = asyncio.create_task(house.service.table(table.id))
    for _ in range(5):
        await asyncio.sleep(0)
    await given(house, GAP, START)
    late.set()
    assert (await reading).stored.timing.credited == GAP
    house.agree()


async def test_what_was_written_before_the_credit_and_heard_of_after_it_is_read_again(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await asked(house)
    commit, late = house.store.commit, asyncio.Event()

    async def slow(change: Change) -> None:
        await commit(change)
        await late.wait()

    monkeypatch.setattr(house.store, "commit", slow)
    press = asyncio.create_task(house.play(table.id, ANN))
    for _ in range(8):
        await asyncio.sleep(0)
    await given(house, GAP, START)
    late.set()
    await press
    house.agree()
    found = await house.service.table(table.id)
    assert found.stored.timing.credited == GAP
    assert len(found.log) == 2


async def test_a_credit_that_fails_leaves_nothing_old_in_mind(house: House) -> None:
    table = await asked(house)
    house.store.failures_after = [OSError("gone")]
    with pytest.raises(OSError, match="gone"):
        await given(house, GAP, START)
    assert (await house.service.table(table.id)).stored.timing.credited == GAP
