"""Clocks run only while people can press: a process that is stopped, a line that says nothing."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.wire.matches import Evening, evening, lobby

AWAY: float = 10
"""Seconds: longer than a full table waits, and than it takes to notice."""


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


def due(e: Evening, channel: int) -> datetime | None:
    """When the full table in the channel starts by itself; None if it has started."""
    query = (
        "SELECT due FROM deadlines JOIN tables ON id = table_id"
        " WHERE channel_id = ? AND kind = 'auto_start' AND status = 'lobby'"
    )
    rows = e.ledger.rows(query, channel)
    return datetime.fromisoformat(rows[0]["due"]).replace(tzinfo=UTC) if rows else None


async def changed(e: Evening, channel: int, before: datetime) -> datetime | None:
    """When it starts, once that is another time."""
    async with asyncio.timeout(30):
        while True:
            after = due(e, channel)
            if after != before:
                return after
            await asyncio.sleep(0.05)  # a database tells nobody that it has changed


@pytest.mark.slow
@pytest.mark.parametrize("away", [stopped, silent])
@pytest.mark.behaviour("The machine sleeps")
async def test_nobodys_time_ends_while_they_cannot_press(
    away: Callable[[Evening], Awaitable[None]], tmp_path: Path
) -> None:
    """A full table waits for five seconds, in which its host may stop it from starting."""
    async with evening(tmp_path, begun=False) as e:
        for _ in range(5):
            channel = e.wire.channel()
            await lobby(e.wire, channel, e.people)
            before, begun = due(e, channel), datetime.now(UTC)
            if before is not None and (before - begun).total_seconds() > 2:
                break  # else the machine is so busy that nothing can be seen
            await e.people[0].slash(channel, "endgame")
        assert before is not None
        left = before - begun
        await away(e)
        ended = datetime.now(UTC)
        after = await changed(e, channel, before)
        assert after is not None, "it started although nobody could have stopped it"
        assert 0.8 * left.total_seconds() <= (after - ended).total_seconds() <= 15
        assert await changed(e, channel, after) is None
        assert e.errors() == []
