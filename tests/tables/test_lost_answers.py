"""A commit whose answer is lost: what stands is read again and drawn, and its player is told it."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Final

import pytest

from bot.tables import loaded
from bot.tables.deadlines import LONGEST_SLEEP
from bot.tables.loaded import is_stored
from bot.tables.model import Table, TableError
from bot.tables.ports import Due, NotWritten, Unavailable
from bot.tables.stored import DeadlineKind, Pace
from bot.tables.waiting import SELF_ANSWER_TIME
from tests.tables.fakes import ANN, BEN, CAT, House, deadline_of
from tests.tables.test_deadlines import Nap, running

Operation = Callable[[House, Table], Awaitable[object]]

OPERATIONS: Final[dict[str, Operation]] = {
    "sit": lambda house, table: house.service.sit(table.id, CAT),
    "leave": lambda house, table: house.service.leave(table.id, BEN.id),
    "invite": lambda house, table: house.service.invite(table.id, ANN.id, CAT.id),
    "cut": lambda house, table: house.service.cut(table.id, ANN.id, "kuckuck"),
    "start": lambda house, table: house.service.start(table.id, ANN.id),
}
"""What two people in a lobby of three may do."""


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loaded, "FIRST_LOOKS", (0.0, 0.0, 0.0))
    monkeypatch.setattr(loaded, "LATER_LOOKS", 0.0)


@pytest.mark.behaviour("The database's answer is lost")
@pytest.mark.parametrize("away", [0, 1, 2])
@pytest.mark.parametrize("error", [Unavailable, OSError, RuntimeError])
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_what_was_written_is_accepted_and_told_although_the_answer_was_lost(
    house: House, operation: str, error: type[Exception], away: int
) -> None:
    """However often it is asked in vain whether it stands."""
    table = await house.lobby(ANN, BEN)
    house.store.failures_after = [error()]
    house.store.away = [Unavailable() for _ in range(away)]
    announced, version = len(house.announcer.calls), table.stored.version
    await OPERATIONS[operation](house, table)
    assert len(house.announcer.calls) == announced + 1
    assert house.store.rows[table.id][0].version == version + 1
    house.agree()


@pytest.mark.behaviour("The disk is full")
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_what_was_not_written_is_told_as_not_accepted(house: House, operation: str) -> None:
    table = await house.lobby(ANN, BEN)
    house.store.failures = [Unavailable()]
    announced = len(house.announcer.calls)
    with pytest.raises(TableError) as refused:
        await OPERATIONS[operation](house, table)
    assert refused.value.code == "not_stored"
    assert len(house.announcer.calls) == announced + 1
    assert house.store.rows[table.id][0] == table.stored
    await OPERATIONS[operation](house, table)  # and as soon as it can be written, it is
    house.agree()


@pytest.mark.behaviour("Another program holds the database")
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_of_what_was_surely_not_written_nobody_asks_the_store(
    house: House, operation: str
) -> None:
    """It would be asked in vain for as long as whoever pressed waits."""
    table = await house.lobby(ANN, BEN)
    house.store.failures = [NotWritten()]
    house.store.away = [Unavailable()]
    with pytest.raises(TableError, match="not_stored"):
        await OPERATIONS[operation](house, table)
    assert house.store.away
    house.store.away.clear()
    await OPERATIONS[operation](house, table)
    house.agree()


@pytest.mark.behaviour("The database's answer is lost")
@pytest.mark.parametrize("stored", [True, False])
async def test_nobody_is_told_what_nobody_knows_and_the_truth_is_drawn_later(
    house: House, stored: bool
) -> None:
    table = await house.match(ANN, BEN)
    (house.store.failures_after if stored else house.store.failures).append(Unavailable())
    house.store.away = [Unavailable() for _ in range(5)]
    announced = len(house.announcer.calls)
    with pytest.raises(TableError) as refused:
        await house.play(table.id, ANN, "play 8")
    assert refused.value.code == "unsure"
    assert len(house.announcer.calls) == announced
    (doubt,) = [task for task in asyncio.all_tasks() if task.get_name() == f"doubt {table.id}"]
    await doubt
    assert len(house.announcer.calls) == announced + 1
    now = await house.service.table(table.id)
    assert (now.ply > table.ply) is stored
    house.agree()
    await house.service.aclose()


async def test_what_was_read_before_a_doubt_was_settled_is_read_again(house: House) -> None:
    """The commit arrives when its connection was long given up."""
    table = await house.match(ANN, BEN)
    before = house.store.rows[table.id]
    house.store.failures_after = [Unavailable()]
    house.store.away = [Unavailable() for _ in range(5)]
    with pytest.raises(TableError, match="unsure"):
        await house.play(table.id, ANN, "play 8")
    after = house.store.rows[table.id]
    house.store.rows[table.id] = before
    assert (await house.service.table(table.id)).ply == table.ply
    house.store.rows[table.id] = after
    (doubt,) = [task for task in asyncio.all_tasks() if task.get_name() == f"doubt {table.id}"]
    await doubt
    assert (await house.service.table(table.id)).ply == table.ply + 1
    house.agree()


async def test_a_deadline_whose_commit_was_in_doubt_wakes_the_task() -> None:
    house, nap = House(), Nap()
    house.service.deadlines._sleep = nap
    house.game.passes = {1}
    table = await house.match(ANN, BEN)
    await house.service.set_standing_pass(table.id, BEN.id, None, on=True)
    async with running(house.service.deadlines):
        assert await nap.next() == LONGEST_SLEEP.total_seconds()
        house.store.failures_after = [Unavailable()]
        house.store.away = [Unavailable() for _ in range(5)]
        with pytest.raises(TableError, match="unsure"):
            await house.play(table.id, ANN)
        assert await nap.next() == SELF_ANSWER_TIME.total_seconds()


async def test_a_doubt_does_not_outlive_the_program(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    house.store.failures = [Unavailable()]
    house.store.away = [Unavailable() for _ in range(100_000)]
    with pytest.raises(TableError, match="unsure"):
        await house.service.sit(table.id, CAT)
    await house.service.aclose()
    await asyncio.sleep(0)
    left = len(house.store.away)
    for _ in range(10):
        await asyncio.sleep(0)
    assert len(house.store.away) == left


async def test_a_table_that_was_opened_although_the_answer_was_lost_is_there(house: House) -> None:
    house.store.failures_after = [Unavailable()]
    table = await house.lobby(ANN)
    assert table.id in house.store.rows
    house.agree()


async def test_a_deadline_whose_answer_was_lost_is_told_and_not_fired_twice(house: House) -> None:
    table = await house.match(ANN, BEN, pace=Pace.LIVE60)
    house.clock.forward(61)
    house.store.failures_after = [Unavailable()]
    due = deadline_of(table, DeadlineKind.TURN)
    await house.service.fire(Due(table.id, due))
    after = await house.service.table(table.id)
    assert after.ply == table.ply + 1
    await house.service.fire(Due(table.id, due))
    assert (await house.service.table(table.id)).ply == after.ply
    house.agree()


async def test_time_that_was_given_back_meanwhile_does_not_hide_a_change(house: House) -> None:
    table = await house.lobby(ANN, BEN)
    await house.service.invite(table.id, ANN.id, CAT.id)
    change = house.store.changes[-1]
    house.clock.forward(300)
    await house.store.credit(house.clock() - timedelta(minutes=5), house.clock())
    found = house.store.rows[table.id]
    assert found[0].version == change.stored.version + 1
    assert is_stored(change, found)
    assert not is_stored(change, (table.stored, ()))
    assert not is_stored(change, None)
