"""Tasks whose caller may be gone when they end."""

from __future__ import annotations

import asyncio
from typing import Any


def ignore_error(task: asyncio.Future[Any]) -> None:
    """Look at the error of a task that is done; asyncio logs the words of one nobody looks at."""
    if not task.cancelled():
        task.exception()
