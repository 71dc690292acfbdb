"""A match as long as options allow: folded beside the loop, and as right as any other."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from bot.tables import loaded
from bot.tables import service as services
from bot.tables.deals import Check
from bot.tables.fold import fold
from bot.tables.loaded import MAX_LINES_AT_ONCE
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds
from bot.tables.service import TableService
from bot.tables.stored import Status
from bot.tables.stories import RoundTold
from engine.registry import games
from engine.verify import verify_text
from tests.tables.fakes import FakeStore, House
from tests.tables.recorded import long_match, running

TABLE = running(long_match(), 1)[0].id


def service(store: FakeStore) -> TableService:
    return House(store, games=games()).service


def stored_match(plies: int | None = None) -> FakeStore:
    """A match after so many plies (None: before its last), of which nothing is in memory."""
    store = FakeStore()
    store.rows[TABLE] = running(long_match(), plies)
    return store


def folded(store: FakeStore) -> Table:
    stored, log = store.rows[TABLE]
    return fold(stored, games()[stored.game], log)


async def ply(house: TableService, table: Table) -> Table:
    """Somebody who is asked does the first thing that may be done."""
    seat = table.actors[0]
    user = table.stored.seating.people[seat].id
    return await house.act(table.id, None, user, next(iter(table.legal_texts(seat))), None)


@pytest.mark.behaviour("A match gets very long")
async def test_a_match_as_long_as_can_be_is_taken_up_and_played_to_its_end() -> None:
    store = stored_match()
    house = service(store)
    table = await house.table(TABLE)
    assert table.ply > 7_000
    while table.stored.status is Status.RUNNING:
        assert table == folded(store)
        table = await ply(house, table)
    assert table == folded(store)
    assert table.stored.status is Status.FINISHED
    assert len(await house.rounds(table)) == table.round
    assert await house.checked(table) == Check(table.round, fits=True)
    record = await house.record(table)
    assert verify_text(record, 1) == []
    assert json.loads(record) == long_match()


@pytest.mark.parametrize("plies", [MAX_LINES_AT_ONCE, MAX_LINES_AT_ONCE + 1])
async def test_a_long_log_is_folded_in_a_thread(
    plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loop is free meanwhile; a short one is folded sooner than a thread has its turn."""
    threads: list[threading.Thread] = []

    def noted(*what: Any) -> Table:
        threads.append(threading.current_thread())
        return fold(*what)

    monkeypatch.setattr(loaded, "fold", noted)
    store = stored_match(plies)
    assert await service(store).table(TABLE) == folded(store)
    (thread,) = threads
    assert (thread is threading.main_thread()) == (plies <= MAX_LINES_AT_ONCE)


async def test_whoever_asks_for_what_fails_hears_it_and_the_next_one_asks_anew() -> None:
    house = service(stored_match(300))
    table = await house.table(TABLE)
    assert not isinstance(table.phase, BetweenRounds)
    for _ in range(2):
        with pytest.raises(TableError, match="replay_running"):
            await house.record(table)
    assert len(await house.rounds(table)) == len(table.rounds) > 0


async def test_those_who_look_at_a_whole_match_do_so_one_after_the_other(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Several threads that compute would take the interpreter from the loop in turn."""
    looks: list[Table] = []
    begun, gate = threading.Event(), threading.Event()

    def looking(table: Table) -> tuple[RoundTold, ...]:
        looks.append(table)
        begun.set()
        gate.wait()
        return ()

    monkeypatch.setattr(services, "rounds_told", looking)
    house = service(stored_match(5))
    table = await house.table(TABLE)
    asking = [asyncio.create_task(house.rounds(table)) for _ in range(3)]
    await asyncio.to_thread(begun.wait)
    assert len(looks) == 1
    gate.set()
    await asyncio.gather(*asking)
    assert len(looks) == 3
