"""`/health` and `/metrics`: who is well, and who is not."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any

import aiohttp
import pytest

from bot.ids import TableId
from bot.operate import health
from bot.operate.health import SILENCE, Health, Parts, WriteCheck
from bot.operate.metrics import Metrics
from bot.storage.database import Database
from bot.storage.migrations import upgrade_open
from bot.storage.overview import SqlOverview
from bot.storage.tables import SqlTableStore
from bot.tables.ports import Unavailable
from bot.tables.stored import Person, Status
from tests.storage.values import ANNA, change, stored


class Watched:
    """A program as its endpoint sees it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.gateway = self.deadlines = True
        self.time = 10.0
        self.beat = WriteCheck(database)
        parts = Parts(
            SqlOverview(database),
            writes=lambda: self.beat.stands,
            gateway=lambda: self.gateway,
            deadlines=lambda: self.deadlines,
            shards=lambda: {0: True, 1: self.gateway},
        )
        self.health = Health(parts, Metrics(), lambda: self.time)
        self.port = 0

    async def ask(self, path: str = "/health") -> tuple[int, str, Mapping[str, str]]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}{path}") as response,
        ):
            return response.status, await response.text(), dict(response.headers)

    async def said(self) -> tuple[int, dict[str, Any]]:
        status, text, _ = await self.ask()
        return status, json.loads(text)


@pytest.fixture
async def watched(tmp_path: Path) -> AsyncIterator[Watched]:
    database = await Database.open(f"sqlite+aiosqlite:///{tmp_path}/x.sqlite3")
    await upgrade_open(database)
    made = Watched(database)
    made.port = await made.health.open(0)
    yield made
    await made.health.close()
    await database.close()


async def test_all_is_well(watched: Watched) -> None:
    watched.time += 90.04
    assert await watched.said() == (
        200,
        {
            "status": "ok",
            "gateway": True,
            "database": True,
            "deadlines": True,
            "shards": {"0": True, "1": True},
            "uptime_seconds": 90.0,
        },
    )


@pytest.mark.parametrize("part", ["gateway", "deadlines"])
async def test_a_part_that_is_away_is_named_with_503(watched: Watched, part: str) -> None:
    setattr(watched, part, False)
    status, said = await watched.said()
    assert (status, said["status"], said[part]) == (503, "unwell", False)
    assert said["shards"] == {"0": True, "1": part != "gateway"}
    assert [name for name in ("gateway", "database", "deadlines") if not said[name]] == [part]


async def test_a_database_that_is_away_is_named_with_503(watched: Watched) -> None:
    await watched.database.close()
    status, said = await watched.said()
    assert (status, said["database"], said["gateway"]) == (503, False, True)
    status, text, _ = await watched.ask("/metrics")
    assert status == 200
    assert 'stammtisch_up{part="database"} 0.0' in text
    assert 'stammtisch_shard_up{shard="1"} 1.0' in text


async def test_a_database_that_hangs_does_not_keep_the_watcher_waiting(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "DATABASE_TIME", 0.05)
    go = asyncio.Event()

    async def hangs(self: SqlOverview) -> int:
        await asyncio.wait([asyncio.create_task(go.wait())])
        return 1

    monkeypatch.setattr(SqlOverview, "size", hangs)
    assert (await watched.said())[1]["database"] is False
    go.set()


async def test_metrics_count_open_tables_and_bytes(watched: Watched) -> None:
    store = SqlTableStore(watched.database)
    for number, status in enumerate((Status.LOBBY, Status.LOBBY, Status.FINISHED)):
        await store.commit(change(stored(TableId(f"T{number}"), channel=number, status=status)))
    answer, text, headers = await watched.ask("/metrics")
    assert (answer, headers["Content-Type"].split(";")[0]) == (200, "text/plain")
    assert 'stammtisch_open_tables{status="lobby"} 2.0' in text
    assert 'stammtisch_open_tables{status="running"} 0.0' in text
    (size,) = (line for line in text.splitlines() if line.startswith("stammtisch_database_bytes "))
    assert float(size.split()[1]) > 50_000
    assert "process_resident_memory_bytes" in text


async def test_it_listens_on_loopback_only(watched: Watched) -> None:
    assert watched.health._runner is not None
    assert [address[0] for address in watched.health._runner.addresses] == ["127.0.0.1"]


async def test_closed_it_is_gone(watched: Watched) -> None:
    await watched.health.close()
    with pytest.raises(aiohttp.ClientError):
        await watched.said()
    await watched.health.close()


@pytest.mark.behaviour("The disk is full")
async def test_a_full_disk_is_said_and_is_over_when_there_is_room(watched: Watched) -> None:
    """SQLite's own limit of pages says what a full disk says."""
    store = SqlTableStore(watched.database)
    await store.commit(change(stored()))

    async def limit(pages: int) -> None:
        await watched.database.write(
            lambda writing: writing.exec_driver_sql(f"PRAGMA max_page_count={pages}")
        )

    assert (await watched.said())[1]["database"] is True
    await limit(1)
    for number in range(3):
        big = stored(
            TableId(f"B{number}"), channel=600 + number, people=(Person(ANNA.id, "A" * 99_999),)
        )
        with pytest.raises(Unavailable):
            await store.commit(change(big))
        assert await store.load(big.id) is None
    status, said = await watched.said()
    assert (status, said["database"]) == (503, False)
    await limit(1_000_000)
    await watched.beat.beat()
    assert (await watched.said())[0] == 200
    await store.commit(change(big))


async def test_a_database_that_takes_nothing_any_more_is_away(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Although it answers: a write that hangs neither succeeds nor fails."""
    now = monotonic()
    monkeypatch.setattr(health, "monotonic", lambda: now + SILENCE + 1)
    assert (await watched.said())[1]["database"] is False
    monkeypatch.undo()
    await watched.beat.beat()
    assert (await watched.said())[1]["database"] is True


async def test_where_somebody_writes_the_beat_adds_nothing(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = watched.database.written
    await watched.beat.beat()
    assert watched.database.written == written
    now = monotonic()
    monkeypatch.setattr(health, "monotonic", lambda: now + 11)
    await watched.beat.beat()
    assert watched.database.written != written
