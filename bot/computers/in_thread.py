"""Rules of thumb in a thread of the program, for machines without worker processes."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Final

import structlog

from bot.computers import thinking
from bot.computers.frames import Question

logger = structlog.get_logger(__name__)

MAX_QUEUED: Final = 64
"""Maximum number of waiting questions; one takes about a millisecond."""


class InThread:
    """One thinking thread, started by the first question."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "computers", thinking.play_interpreted)
        self._waiting = 0

    async def ask(self, question: Question) -> str | None:
        """The answer; None if the player raises an exception, or too many questions wait."""
        if self._waiting >= MAX_QUEUED:
            return None
        self._waiting += 1
        loop = asyncio.get_running_loop()
        try:
            return (await loop.run_in_executor(self._thread, thinking.think, question)).does
        except Exception as error:  # whatever a player raises
            logger.error("computer_failed", game=question.game, kind=type(error).__name__)
            return None
        finally:
            self._waiting -= 1
