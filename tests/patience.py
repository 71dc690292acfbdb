"""How long tests wait for what is not theirs: another process, a page, a server, a database."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Awaitable, Callable
from inspect import isawaitable
from typing import Any, Final, TypeVar, overload

T = TypeVar("T")

PATIENCE: Final = float(os.environ.get("TEST_PATIENCE", "60"))
"""Seconds that only what hangs takes, however busy the machine is; none of them is waited for in a
test that passes."""


@overload
async def until(found: Callable[[], Awaitable[T | None]], seconds: float = PATIENCE) -> T: ...
@overload
async def until(found: Callable[[], T | None], seconds: float = PATIENCE) -> T: ...
async def until(found: Callable[[], Any], seconds: float = PATIENCE) -> Any:
    """What `found` comes to once it is true: asked again and again, of what tells nobody.

    Raises TimeoutError.
    """
    async with asyncio.timeout(seconds):
        while True:
            value = found()
            if isawaitable(value):
                value = await value
            if value:
                return value
            await asyncio.sleep(0.01)
