"""Tasks whose caller may be gone when they end."""

from __future__ import annotations

import asyncio
from typing import Any


def ignore_error(task: asyncio.Future[Any]) -> None:
    """Retrieve the error of a task that is done; otherwise asyncio logs its words."""
    if not task.cancelled():
        task.exception()
