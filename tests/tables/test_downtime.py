"""Time in which nobody could be heard is given back, once, and the table says so."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

import pytest

from bot.ids import TableId
from bot.tables.fold import fold
from bot.tables.model import Table
from bot.tables.phase import Pause
from bot.tables.ports import CREDITED, MOST_CREDITED, Change, Due
from bot.tables.stored import DeadlineKind, Entry, Pace, Status, StoredTable
from bot.tables.waiting import longest
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


async def far_away(house: House, kind: DeadlineKind) -> Table:
    """A table whose deadline of that kind was made by a clock that was a year ahead."""
    house.clock.now += timedelta(days=365)
    table = await waiting(house, kind)
    house.clock.now -= timedelta(days=365)
    return table


# What moves


@pytest.mark.parametrize("kind", CREDITED)
async def test_deadlines_of_people_move_by_the_gap(house: House, kind: DeadlineKind) -> None:
    table = await waiting(house, kind)
    before = deadline_of(table, kind)
    since = house.clock.now
    house.clock.now += GAP
    assert await given(house, GAP, since) == 1
    table = await house.service.table(table.id)
    assert deadline_of(table, kind) == before._replace(due=before.due + GAP)
    in_lobby = table.stored.status is Status.LOBBY
    assert table.stored.timing.credited == (timedelta() if in_lobby else GAP)
    house.agree()


async def test_deadlines_of_the_house_do_not_move(house: House) -> None:
    house.game.passes = {1}
    post = await house.service.start((await house.lobby(ANN, BEN, channel=1)).id, ANN.id)
    passed = await house.match(ANN, BEN, channel=2)
    await house.service.standing(passed.id, BEN.id, None, on=True)
    passed = await house.play(passed.id, ANN)
    stalled = await house.match(CAT, DAN, pace=Pace.LIVE60, channel=3)
    await house.service.stalled(stalled.id, [])
    before = [house.store.rows[table.id] for table in (post, passed, stalled)]
    assert await given(house, GAP, START) == 0
    assert [house.store.rows[table.id] for table in (post, passed, stalled)] == before


async def test_what_was_due_before_the_gap_does_not_move(house: House) -> None:
    table = await asked(house)
    due = deadline_of(table, DeadlineKind.TURN)
    warning = deadline_of(table, DeadlineKind.WARN)
    assert await given(house, GAP, warning.due + timedelta(seconds=1)) == 1
    table = await house.service.table(table.id)
    assert deadline_of(table, DeadlineKind.WARN) == warning
    assert deadline_of(table, DeadlineKind.TURN).due == due.due + GAP


async def test_less_than_five_seconds_is_no_gap_and_parts_of_a_second_count_for_people(
    house: House,
) -> None:
    table = await asked(house)
    due = deadline_of(table, DeadlineKind.TURN).due
    for gap in (timedelta(), timedelta(seconds=4.9)):
        assert await given(house, gap, START) == 0
    assert await given(house, timedelta(seconds=5.1), START) == 1
    table = await house.service.table(table.id)
    assert deadline_of(table, DeadlineKind.TURN).due == due + timedelta(seconds=6)
    assert table.stored.timing.credited == timedelta(seconds=6)


@pytest.mark.parametrize("kind", list(DeadlineKind))
async def test_nothing_is_further_away_than_a_table_ever_waits_for_it(
    house: House, kind: DeadlineKind
) -> None:
    table = await far_away(house, kind)
    assert await house.service.resume(None, house.clock.now) == 1
    table = await house.service.table(table.id)
    bound = longest(kind, table.stored.timing.pace)
    assert deadline_of(table, kind).due == house.clock.now + bound
    assert timedelta(seconds=2) <= bound <= timedelta(days=7)
    assert table.stored.timing.credited == timedelta()
    house.agree()


@pytest.mark.parametrize("pace", list(Pace))
async def test_a_new_deadline_is_never_further_away_than_that(house: House, pace: Pace) -> None:
    table = await house.match(ANN, BEN, pace=pace)
    table = await house.play_round(table.id)
    await house.lobby(CAT, DAN, EVE, channel=7, pace=pace)
    assert await house.service.resume(None, house.clock.now) == 0


async def test_what_a_table_says_it_was_given_is_at_most_a_week(house: House) -> None:
    table = await asked(house)
    for _ in range(2):
        house.clock.now += timedelta(days=365)
        await house.service.resume(None if _ else START, house.clock.now)
    table = await house.service.table(table.id)
    assert table.stored.timing.credited == MOST_CREDITED
    assert deadline_of(table, DeadlineKind.TURN).due == house.clock.now + timedelta(seconds=60)


async def test_the_same_gap_asked_for_twice_is_given_once(house: House) -> None:
    table = await asked(house)
    assert await given(house, GAP, START) == 1
    assert await given(house, GAP, START) == 0
    assert (await house.service.table(table.id)).stored.timing.credited == GAP


async def test_ended_tables_get_nothing(house: House) -> None:
    table = await asked(house)
    table = await house.stop(table.id)
    assert await given(house, GAP, START) == 0
    assert await house.service.table(table.id) == table


async def test_two_gaps_in_one_turn_add_up(house: House) -> None:
    table = await asked(house)
    for _ in range(2):
        await given(house, GAP, house.clock.now)
        house.clock.now += GAP
    assert (await house.service.table(table.id)).stored.timing.credited == 2 * GAP


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


async def test_a_credited_table_is_the_fold_of_what_is_stored(house: House) -> None:
    table = await asked(house)
    await house.play(table.id, ANN)
    await given(house, GAP, START)
    table = await house.service.table(table.id)
    stored, log = house.store.rows[table.id]
    assert table == fold(stored, house.game, log)
    assert table == await house.restarted().service.table(table.id)
    table = await house.play(table.id, BEN)
    assert isinstance(table.phase, Pause)
    assert house.store.refusals == 0


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


async def test_tables_with_a_clock_earliest_first(house: House) -> None:
    slow = await house.match(ANN, BEN, channel=1, pace=Pace.DAILY)
    fast = await house.match(CAT, DAN, channel=2, pace=Pace.LIVE60)
    pause = await house.match(EVE, ANN, channel=3)
    house.clock.forward(-30)
    await house.play_round(pause.id)
    await house.match(BEN, CAT, channel=4)
    await house.lobby(DAN, channel=5)
    assert await house.service.clocked() == [pause.id, fast.id, slow.id]
