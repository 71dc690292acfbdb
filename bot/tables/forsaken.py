"""Task that ends matches without a clock that everybody has left."""

from __future__ import annotations

import asyncio
from typing import Final

import structlog

from bot.tables.service import TableService

EVERY: Final = 3600.0
"""Seconds between two looks."""

logger = structlog.get_logger(__name__)


class Forsaken:
    """See `TableService.give_up_forsaken`."""

    def __init__(self, tables: TableService) -> None:
        self._tables = tables

    async def run(self) -> None:
        """Look for ever.  Ends only by being cancelled."""
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self._tables.give_up_forsaken()
            except Exception as error:  # the database: the next look tries again
                logger.error("forsaken_not_found", kind=type(error).__name__)
