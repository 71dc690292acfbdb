"""A wait for a lock ends in words, whatever becomes of whoever holds it."""

from __future__ import annotations

import asyncio

import pytest

from bot.tables import loaded
from tests.patience import PATIENCE
from tests.tables.fakes import ANN, BEN, CAT, House, refused


async def test_whoever_waits_too_long_for_a_table_is_told_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await house.lobby(ANN)
    house.store.gate = asyncio.Event()
    sitting = asyncio.create_task(house.service.sit(table.id, BEN))
    await house.store.at_gate.wait()
    monkeypatch.setattr(loaded, "LONGEST_WAIT", 0.0)
    with refused("busy"):
        await house.service.sit(table.id, CAT)
    with refused("busy"):
        await house.service.table(table.id)
    house.store.gate.set()
    assert [person.name for person in (await sitting).stored.seating.people] == ["Ann", "Ben"]
    assert len((await house.service.sit(table.id, CAT)).stored.seating.people) == 3


async def test_whoever_waits_too_long_to_open_a_table_is_told_so(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.store.gate = asyncio.Event()
    first = asyncio.create_task(house.lobby(ANN, channel=1))
    await house.store.at_gate.wait()
    monkeypatch.setattr(loaded, "LONGEST_WAIT", 0.0)
    with refused("busy"):
        await house.lobby(BEN, channel=2)
    house.store.gate.set()
    await first
    await house.lobby(BEN, channel=2)


async def test_the_channel_is_busy_while_the_table_there_is_ending(house: House) -> None:
    """Whoever opens one waits for that table, and nobody else on the server for them."""
    table = await house.match(ANN, BEN)
    gate = house.store.gate = asyncio.Event()
    ending = asyncio.create_task(house.stop(table.id))
    await house.store.at_gate.wait()
    house.store.gate = None
    waiting = asyncio.create_task(house.lobby(CAT))
    async with asyncio.timeout(PATIENCE):
        await house.lobby(ANN, channel=77)
        assert not waiting.done()
        gate.set()
        await ending
        opened = await waiting
    assert opened.stored.seating.host == CAT.id
