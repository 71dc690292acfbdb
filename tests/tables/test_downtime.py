"""Time in which nobody could be heard is given back, once, and the table says so."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

import pytest

from bot.ids import TableId
from bot.tables.downtime import BEAT, Downtime
from bot.tables.fold import fold
from bot.tables.model import Table
from bot.tables.phase import Pause
from bot.tables.ports import Change, Due
from bot.tables.stored import Deadline, DeadlineKind, Entry, Pace, Status, StoredTable
from tests.tables.fakes import ANN, BEN, CAT, DAN, EVE, START, House

GAP = timedelta(minutes=30)


def deadline(table: Table, kind: DeadlineKind) -> Deadline:
    found = table.stored.timing.deadline(kind)
    assert found is not None
    return found


async def asked(house: House) -> Table:
    return await house.match(ANN, BEN, pace=Pace.LIVE60)


async def paused(house: House) -> Table:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    return await house.play_round(table.id)


async def in_lobby(house: House) -> Table:
    return await house.lobby(ANN, BEN, CAT, pace=Pace.LIVE60)


# What moves


@pytest.mark.parametrize(
    ("make", "kind", "credited"),
    [
        (in_lobby, DeadlineKind.LOBBY, timedelta()),
        (in_lobby, DeadlineKind.AUTO_START, timedelta()),
        (paused, DeadlineKind.NEXT_ROUND, GAP),
        (asked, DeadlineKind.WARN, GAP),
        (asked, DeadlineKind.TURN, GAP),
    ],
)
async def test_deadlines_of_people_move_by_the_gap(
    make: Callable[[House], Awaitable[Table]], kind: DeadlineKind, credited: timedelta
) -> None:
    house = House()
    table = await make(house)
    before = deadline(table, kind)
    since = house.clock.now
    house.clock.now += GAP
    assert await house.service.resume(GAP, since) == 1
    table = await house.service.table(table.id)
    assert deadline(table, kind) == before._replace(due=before.due + GAP)
    assert table.stored.timing.credited == credited
    house.agree()


async def test_deadlines_of_the_house_do_not_move() -> None:
    house = House()
    house.game.passes = {1}
    post = await house.service.start((await house.lobby(ANN, BEN, channel=1)).id, ANN.id)
    passed = await house.match(ANN, BEN, channel=2)
    await house.service.standing(passed.id, BEN.id, True, None)
    passed = await house.play(passed.id, ANN)
    stalled = await house.match(CAT, DAN, pace=Pace.LIVE60, channel=3)
    await house.service.stalled(stalled.id, [])
    before = [house.store.rows[table.id] for table in (post, passed, stalled)]
    assert await house.service.resume(GAP, START) == 0
    assert [house.store.rows[table.id] for table in (post, passed, stalled)] == before


async def test_what_was_due_before_the_gap_does_not_move() -> None:
    house = House()
    table = await asked(house)
    due = deadline(table, DeadlineKind.TURN)
    warning = deadline(table, DeadlineKind.WARN)
    assert await house.service.resume(GAP, warning.due + timedelta(seconds=1)) == 1
    table = await house.service.table(table.id)
    assert deadline(table, DeadlineKind.WARN) == warning
    assert deadline(table, DeadlineKind.TURN).due == due.due + GAP


async def test_less_than_five_seconds_is_no_gap_and_parts_of_a_second_count_for_people() -> None:
    house = House()
    table = await asked(house)
    due = deadline(table, DeadlineKind.TURN).due
    for gap in (timedelta(seconds=-9), timedelta(), timedelta(seconds=4.9)):
        assert await house.service.resume(gap, START) == 0
    assert await house.service.resume(timedelta(seconds=5.1), START) == 1
    table = await house.service.table(table.id)
    assert deadline(table, DeadlineKind.TURN).due == due + timedelta(seconds=6)
    assert table.stored.timing.credited == timedelta(seconds=6)


async def test_ended_tables_get_nothing() -> None:
    house = House()
    table = await asked(house)
    table = await house.stop(table.id)
    assert await house.service.resume(GAP, START) == 0
    assert await house.service.table(table.id) == table


async def test_two_gaps_in_one_turn_add_up() -> None:
    house = House()
    table = await asked(house)
    for _ in range(2):
        await house.service.resume(GAP, house.clock.now)
    assert (await house.service.table(table.id)).stored.timing.credited == 2 * GAP


async def test_what_was_credited_is_said_as_long_as_its_deadline_stands() -> None:
    house = House()
    table = await house.match(ANN, BEN, CAT, pace=Pace.LIVE60)
    await house.service.resume(GAP, START)
    table = await house.service.end(table.id, BEN.id, moderator=False)
    assert table.stored.timing.credited == GAP
    table = await house.play(table.id, ANN)
    assert table.stored.timing.credited == timedelta()


async def test_what_was_credited_to_a_pause_ends_with_it() -> None:
    house = House()
    table = await paused(house)
    await house.service.resume(GAP, START)
    await house.service.ready(table.id, ANN.id, None)
    assert (await house.service.table(table.id)).stored.timing.credited == GAP
    table = await house.service.ready(table.id, BEN.id, None)
    assert table.stored.timing.credited == timedelta()


async def test_a_credited_table_is_the_fold_of_what_is_stored() -> None:
    house = House()
    table = await asked(house)
    await house.play(table.id, ANN)
    await house.service.resume(GAP, START)
    table = await house.service.table(table.id)
    stored, log = house.store.rows[table.id]
    assert table == fold(stored, house.game, log)
    assert table == await house.restarted().service.table(table.id)
    table = await house.play(table.id, BEN)
    assert isinstance(table.phase, Pause)
    assert house.store.refusals == 0


# Races


async def test_a_deadline_read_before_the_credit_fires_no_more() -> None:
    house = House()
    table = await asked(house)
    old = deadline(table, DeadlineKind.TURN)
    house.clock.now = old.due
    await house.service.resume(GAP, START)
    await house.service.fire(Due(table.id, old))
    assert len((await house.service.table(table.id)).log) == 1


async def test_a_press_decided_before_the_credit_is_decided_again_and_counts_once() -> None:
    house = House()
    table = await asked(house)
    house.store.gate = asyncio.Event()
    press = asyncio.create_task(house.play(table.id, ANN, "play 6"))
    await house.store.at_gate.wait()
    assert await house.service.resume(GAP, START) == 1
    house.store.gate.set()
    table = await press
    assert [entry.text for entry in table.log[1:]] == ["play 6"]
    assert house.store.refusals == 1
    house.agree()


async def test_what_was_read_before_the_credit_and_arrives_after_it_is_read_again() -> None:
    house = House()
    table = await asked(house)
    house = house.restarted()
    load, late = house.store.load, asyncio.Event()

    async def slow(table: TableId) -> tuple[StoredTable, tuple[Entry, ...]] | None:
        found = await load(table)
        await late.wait()
        return found

    house.store.load = slow  # type: ignore[method-assign] # the answer takes its time
    reading = asyncio.create_task(house.service.table(table.id))
    for _ in range(5):
        await asyncio.sleep(0)
    await house.service.resume(GAP, START)
    late.set()
    assert (await reading).stored.timing.credited == GAP
    house.agree()


async def test_what_was_written_before_the_credit_and_heard_of_after_it_is_read_again() -> None:
    house = House()
    table = await asked(house)
    commit, late = house.store.commit, asyncio.Event()

    async def slow(change: Change) -> None:
        await commit(change)
        await late.wait()

    house.store.commit = slow  # type: ignore[method-assign] # the answer takes its time
    press = asyncio.create_task(house.play(table.id, ANN))
    for _ in range(8):
        await asyncio.sleep(0)
    await house.service.resume(GAP, START)
    late.set()
    await press
    house.agree()
    found = await house.service.table(table.id)
    assert found.stored.timing.credited == GAP
    assert len(found.log) == 2


async def test_a_credit_that_fails_leaves_nothing_old_in_mind() -> None:
    house = House()
    table = await asked(house)
    credit = house.store.credit

    async def lost(gap: timedelta, since: datetime) -> int:
        await credit(gap, since)
        raise OSError

    house.store.credit = lost  # type: ignore[method-assign] # the answer is lost
    with pytest.raises(OSError):  # noqa: PT011 - it has no words
        await house.service.resume(GAP, START)
    assert (await house.service.table(table.id)).stored.timing.credited == GAP


async def test_tables_with_a_clock_earliest_first() -> None:
    house = House()
    slow = await house.match(ANN, BEN, channel=1, pace=Pace.DAILY)
    fast = await house.match(CAT, DAN, channel=2, pace=Pace.LIVE60)
    pause = await house.match(EVE, ANN, channel=3)
    house.clock.forward(-30)
    await house.play_round(pause.id)
    await house.match(BEN, CAT, channel=4)
    await house.lobby(DAN, channel=5)
    assert await house.service.clocked() == [pause.id, fast.id, slow.id]


# Downtime


class Memory:
    """Port `LastSeen` that remembers."""

    def __init__(self, alive: datetime | None = None) -> None:
        self.alive = alive
        self.failures = 0

    async def read(self) -> datetime | None:
        await asyncio.sleep(0)
        return self.alive

    async def write(self, at: datetime) -> None:
        await asyncio.sleep(0)
        if self.failures:
            self.failures -= 1
            raise OSError
        self.alive = at


def is_up(downtime: Downtime) -> bool:
    return downtime.up


async def test_nothing_fires_before_people_can_be_heard() -> None:
    house = House()
    table = await asked(house)
    downtime = Downtime(Memory(), house.service, house.clock)
    house.clock.forward(100)
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).asked == (0,)
    assert not is_up(downtime)
    assert await downtime.back() == 0
    assert is_up(downtime)
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).asked == (1,)


async def test_after_a_start_the_time_since_the_last_beat_is_given_back() -> None:
    house = House()
    table = await asked(house)
    last_seen = Memory(house.clock.now)
    house = house.restarted()
    downtime = Downtime(last_seen, house.service, house.clock)
    house.clock.now += GAP
    assert await downtime.back() == 1
    assert last_seen.alive == house.clock.now
    await house.service.deadlines.fire_due()
    table = await house.service.table(table.id)
    assert table.asked == (0,)
    assert table.stored.timing.credited == GAP


async def test_a_connection_that_was_lost_stops_the_clocks_until_it_is_back() -> None:
    house = House()
    table = await asked(house)
    downtime = Downtime(Memory(), house.service, house.clock)
    await downtime.back()
    downtime.lost()
    house.clock.forward(40)
    downtime.lost()
    house.clock.forward(40)
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).asked == (0,)
    assert await downtime.back() == 1
    assert await downtime.back() == 0
    table = await house.service.table(table.id)
    assert table.stored.timing.credited == timedelta(seconds=80)
    house.clock.forward(60)
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).asked == (1,)


async def test_it_beats_only_while_people_can_be_heard() -> None:
    house = House()
    last_seen = Memory()
    naps: list[float] = []
    over = asyncio.Event()

    async def sleep(seconds: float) -> None:
        naps.append(seconds)
        house.clock.forward(seconds)
        if len(naps) == 3:
            downtime.lost()
        if len(naps) == 6:
            over.set()
            await asyncio.Event().wait()

    downtime = Downtime(last_seen, house.service, house.clock, sleep)
    await downtime.back()
    task = asyncio.create_task(downtime.run())
    await over.wait()
    task.cancel()
    await asyncio.wait({task})
    assert naps == [BEAT.total_seconds()] * 6
    assert last_seen.alive == START + 2 * BEAT


async def test_a_beat_that_cannot_be_noted_does_not_end_the_heart(
    caplog: pytest.LogCaptureFixture,
) -> None:
    house = House()
    last_seen = Memory()
    downtime = Downtime(last_seen, house.service, house.clock)
    await downtime.back()
    last_seen.failures = 1
    house.clock.forward(10)
    await downtime.beat()
    assert "OSError" in caplog.text
    await downtime.beat()
    assert last_seen.alive == house.clock.now


async def test_a_connection_lost_again_while_time_is_given_back_stays_lost() -> None:
    house = House()
    table = await asked(house)
    downtime = Downtime(Memory(START), house.service, house.clock)
    house.clock.now += GAP
    coming = asyncio.create_task(downtime.back())
    await asyncio.sleep(0)
    downtime.lost()
    assert await coming == 1
    assert not is_up(downtime)
    house.clock.forward(100)
    await house.service.deadlines.fire_due()
    await downtime.back()
    assert is_up(downtime)
    table = await house.service.table(table.id)
    assert table.stored.timing.credited == GAP + timedelta(seconds=100)


async def test_time_is_given_back_once_although_the_beat_failed() -> None:
    house = House()
    table = await asked(house)
    last_seen = Memory(START)
    downtime = Downtime(last_seen, house.service, house.clock)
    house.clock.now += GAP
    last_seen.failures = 1
    with pytest.raises(OSError):  # noqa: PT011 - it has no words
        await downtime.back()
    assert not is_up(downtime)
    assert await downtime.back() == 0
    assert is_up(downtime)
    assert (await house.service.table(table.id)).stored.timing.credited == GAP


async def test_a_lobby_that_waited_for_the_program_does_not_expire() -> None:
    house = House()
    table = await house.lobby(ANN, BEN)
    last_seen = Memory(house.clock.now)
    house = house.restarted()
    house.clock.now += timedelta(days=1)
    await Downtime(last_seen, house.service, house.clock).back()
    await house.service.deadlines.fire_due()
    assert (await house.service.table(table.id)).stored.status is Status.LOBBY
