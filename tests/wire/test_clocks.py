"""Clocks run only while people can press: a process that is stopped, a line that says nothing."""

from __future__ import annotations

import asyncio
import signal
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.patience import until
from tests.wire.matches import Evening, evening

AWAY: float = 12
"""Seconds: longer than somebody has left, and than it takes to notice."""
LEFT: float = 5
"""Seconds that somebody has left to decide."""


async def stopped(e: Evening) -> None:
    e.program.send(signal.SIGSTOP)
    try:
        await asyncio.sleep(AWAY)
    finally:
        e.program.send(signal.SIGCONT)


async def silent(e: Evening) -> None:
    e.front.gateway.flowing.clear()
    await asyncio.sleep(AWAY)
    e.front.gateway.flowing.set()


async def nearly_up(e: Evening) -> None:
    """The program is started again with a question that has little time left."""
    await e.program.terminate()
    soon = (datetime.now(UTC) + timedelta(seconds=LEFT)).replace(tzinfo=None)
    with closing(sqlite3.connect(e.program.database.partition("///")[2])) as file, file:
        file.execute("UPDATE deadlines SET due = ? WHERE kind = 'turn'", (soon.isoformat(" "),))
    await e.program.start()


def due(e: Evening, channel: int) -> datetime | None:
    """When the time of whoever is asked at the table in the channel is up; None if it is."""
    query = (
        "SELECT due FROM deadlines JOIN tables ON id = table_id"
        " WHERE channel_id = ? AND kind = 'turn' AND status = 'running'"
    )
    rows = e.ledger.rows(query, channel)
    return datetime.fromisoformat(rows[0]["due"]).replace(tzinfo=UTC) if rows else None


async def changed(e: Evening, channel: int, before: datetime) -> datetime | None:
    """When it is up, once that is another time."""
    return (await until(lambda: [x for x in (due(e, channel),) if x != before]))[0]


@pytest.mark.nightly
@pytest.mark.slow
@pytest.mark.parametrize("away", [stopped, silent])
@pytest.mark.behaviour("The machine sleeps")
async def test_nobodys_time_ends_while_they_cannot_press(
    away: Callable[[Evening], Awaitable[None]], tmp_path: Path
) -> None:
    """A time that would be over meanwhile is not over afterwards either."""
    async with evening(tmp_path, pace="live60") as e:
        await nearly_up(e)
        before, begun = due(e, e.channel), datetime.now(UTC)
        assert before is not None
        left = (before - begun).total_seconds()
        assert left < AWAY
        await away(e)
        ended = datetime.now(UTC)
        after = await changed(e, e.channel, before)
        assert after is not None, "time was up although nobody could have pressed"
        assert 0.8 * left <= (after - ended).total_seconds()
        await e.play(1)
        assert e.errors() == []
