"""`/health` and `/metrics`: who is well, and who is not."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from bot.ids import TableId
from bot.operate import health
from bot.operate.health import Health, Parts, PortTaken
from bot.operate.metrics import Metrics
from bot.storage.database import Database
from bot.storage.migrations import upgrade_open
from bot.storage.overview import SqlOverview
from bot.storage.tables import SqlTableStore
from bot.tables.stored import Status
from tests.storage.values import change, stored


class Watched:
    """A program as its endpoint sees it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.gateway = self.deadlines = True
        self.time = 10.0
        parts = Parts(SqlOverview(database), lambda: self.gateway, lambda: self.deadlines)
        self.health = Health(parts, Metrics(), lambda: self.time)
        self.port = 0

    async def ask(self, path: str = "/health") -> tuple[int, str, Mapping[str, str]]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}{path}") as response,
        ):
            return response.status, await response.text(), dict(response.headers)

    async def said(self) -> tuple[int, dict[str, Any]]:
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://127.0.0.1:{self.port}/health") as response,
        ):
            return response.status, await response.json()


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
            "uptime_seconds": 90.0,
        },
    )


@pytest.mark.parametrize("part", ["gateway", "deadlines"])
async def test_a_part_that_is_away_is_named_with_503(watched: Watched, part: str) -> None:
    setattr(watched, part, False)
    status, said = await watched.said()
    assert (status, said["status"], said[part]) == (503, "unwell", False)
    assert [name for name in ("gateway", "database", "deadlines") if not said[name]] == [part]


async def test_a_database_that_is_away_is_named_with_503(watched: Watched) -> None:
    await watched.database.close()
    status, said = await watched.said()
    assert (status, said["database"], said["gateway"]) == (503, False, True)
    status, text, _ = await watched.ask("/metrics")
    assert status == 200
    assert 'stammtisch_up{part="database"} 0.0' in text


async def test_a_database_that_hangs_does_not_keep_the_watcher_waiting(
    watched: Watched, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "PATIENCE", 0.05)
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


async def test_a_port_that_is_taken_is_one_sentence(watched: Watched) -> None:
    other = Watched(watched.database)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(PortTaken, match=r"^METRICS_PORT: port \d+ is in use: .*\.$"):
            await other.health.open(taken.getsockname()[1])
