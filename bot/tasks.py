"""Tasks whose caller may be gone when they end."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import Any


def ignore_error(task: asyncio.Future[Any]) -> None:
    """Retrieve the error of a task that is done; otherwise asyncio logs its words."""
    if not task.cancelled():
        task.exception()


async def cancel_all(tasks: Iterable[asyncio.Task[Any]]) -> None:
    """Cancel those of the tasks that are not done, and wait for them."""
    running = [task for task in tasks if not task.done()]
    for task in running:
        task.cancel()
    if running:
        await asyncio.wait(running)
