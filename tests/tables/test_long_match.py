"""A long match in the service: taken up from a snapshot, and nobody waits for one."""

from __future__ import annotations

import asyncio
import json
import logging
from dataclasses import replace

import pytest

from bot.ids import TableId
from bot.tables.fold import fold
from bot.tables.growing import Growing
from bot.tables.model import ByPerson, ByStandIn, Table, TableError
from bot.tables.published import check
from bot.tables.service import TableService
from bot.tables.snapshots import EVERY
from bot.tables.stored import Snapshot, Status
from bot.views.building import verify_view
from bot.views.snapshot import snapshot_of
from engine.registry import games
from tests.tables.fakes import ANN, FakeClock, FakeStore, Recorder, SeededChance
from tests.tables.test_snapshots import known, long_match

TABLE = TableId("T1")
LENGTH = 2 * EVERY + 40


def service(store: FakeStore) -> TableService:
    return TableService(
        store,
        clock=FakeClock(),
        chance=SeededChance(),
        announcer=Recorder(),
        games=games(),
    )


def stored_match(plies: int = LENGTH) -> FakeStore:
    """A match of so many plies, of which nothing is in memory."""
    table, log = long_match("aufundab", LENGTH)
    store = FakeStore()
    store.rows[TABLE] = (replace(table.stored, version=1), log[:plies])
    return store


def whole(store: FakeStore) -> Table:
    stored, log = store.rows[TABLE]
    return fold(stored, games()["aufundab"], log)


async def ply(house: TableService, table: Table) -> Table:
    """Somebody who is asked does the first thing that may be done."""
    seat = table.actors[0]
    person = table.stored.seating.places[seat].person
    by = ByStandIn(seat) if person is None else ByPerson(person.id)
    return await house.act(table.id, None, by, next(iter(table.legal_texts(seat))), None)


@pytest.mark.behaviour("A match gets very long")
async def test_a_long_match_is_taken_up_from_its_snapshot_and_goes_on() -> None:
    store = stored_match()
    first = service(store)
    table = await first.table(TABLE)
    assert (table.first, table.ply) == (0, LENGTH)
    await first.aclose()
    assert store.snapshots[TABLE].ply == LENGTH
    second = service(store)
    table = await second.table(TABLE)
    assert (table.first, table.ply, len(table.log)) == (LENGTH, LENGTH, 0)
    assert known(table.played) == known(whole(store).played)
    for _ in range(5):
        table = await ply(second, table)
    assert (table.first, table.ply, len(store.rows[TABLE][1])) == (LENGTH, LENGTH + 5, LENGTH + 5)
    assert known(table.played) == known(whole(store).played)
    assert await second.whole(table) == whole(store)


async def test_whoever_asks_for_the_same_meanwhile_gets_what_is_found_for_the_first() -> None:
    """A press of Log, Verify or a record costs seconds at a long match: not one for each press."""
    store = stored_match()
    first = service(store)
    await first.table(TABLE)
    await first.aclose()
    house = service(store)
    table = await house.table(TABLE)
    assert table.first
    found = await asyncio.gather(*(house.whole(table) for _ in range(20)))
    assert all(one is found[0] for one in found)
    assert found[0] == whole(store)
    assert await house.whole(table) is not found[0], "it is not kept"
    checks = await asyncio.gather(*(house.checked(table) for _ in range(20)))
    assert all(one is checks[0] for one in checks)
    assert checks == [check(whole(store))] * 20


async def test_whoever_asks_for_what_fails_hears_it_and_the_next_one_asks_anew() -> None:
    house = service(stored_match())
    table = await house.table(TABLE)
    asked = [house.record(table) for _ in range(3)]
    for refusal in await asyncio.gather(*asked, return_exceptions=True):
        assert isinstance(refusal, TableError)
        assert refusal.code == "replay_running"
    ended = replace(table, stored=replace(table.stored, status=Status.STOPPED))
    assert json.loads(await house.record(ended))["stopped"] == "stopped"


async def test_one_is_written_every_so_many_plies_after_the_commit() -> None:
    store = stored_match(EVERY - 3)
    house = service(store)
    table = await house.table(TABLE)
    while table.ply < EVERY:
        assert not store.snapshots
        table = await ply(house, table)
    await house.aclose()
    assert store.snapshots[TABLE].ply == EVERY
    assert await house.table(TABLE) == table


class NothingIsKept(FakeStore):
    async def keep(self, table: TableId, ply: int, text: str) -> None:
        raise RuntimeError(text)


async def test_play_goes_on_where_none_can_be_written_and_no_card_is_logged(
    caplog: pytest.LogCaptureFixture,
) -> None:
    store = NothingIsKept(rows=stored_match(EVERY - 1).rows)
    house = service(store)
    with caplog.at_level(logging.DEBUG):
        table = await ply(house, await house.table(TABLE))
        await house.aclose()
        await ply(house, table)
    assert "no snapshot was kept (RuntimeError)" in caplog.text
    assert '"state"' not in caplog.text


@pytest.mark.parametrize("text", ["", "{}", '{"format":0}', "damaged"])
async def test_one_that_is_of_no_use_is_ignored_and_written_anew(
    text: str, caplog: pytest.LogCaptureFixture
) -> None:
    store = stored_match()
    await store.keep(TABLE, EVERY, text or "[")
    house = service(store)
    table = await house.table(TABLE)
    assert table == whole(store)
    await house.aclose()
    assert store.snapshots[TABLE].ply == LENGTH
    assert "is of no use" in caplog.text


async def test_one_of_another_log_is_ignored() -> None:
    store = stored_match()
    store.snapshots[TABLE] = Snapshot(EVERY, "another", "{}")
    assert await service(store).table(TABLE) == whole(store)


async def test_a_ply_and_a_draw_look_at_a_few_lines_however_long_the_match_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A law: any look over the whole log, or over all that was told, would be counted."""
    looked: list[int] = []
    get = Growing.__getitem__

    def counting(self: Growing[object], index: int | slice) -> object:
        looked.append(len(range(*index.indices(len(self)))) if isinstance(index, slice) else 1)
        return get(self, index)

    counts = []
    for plies in (EVERY - 40, LENGTH):
        store = stored_match(plies)
        house = service(store)
        table = await ply(house, await house.table(TABLE))
        looked.clear()
        with monkeypatch.context() as patched:
            patched.setattr(Growing, "__getitem__", counting)
            following = await ply(house, table)
            snapshot = snapshot_of(following)
            snapshot.hand(ANN.id, None)
            verify_view(following, 0)
        await house.aclose()
        counts.append(sum(looked))
    assert counts[1] <= counts[0] + 200
