"""Thinking in a thread of the program, by rules of thumb: for hosts that want no more processes."""

from __future__ import annotations

import asyncio
import threading
from contextlib import suppress
from queue import SimpleQueue
from typing import Final, NamedTuple

import structlog

from bot.computers import thinking
from bot.computers.frames import Question

logger = structlog.get_logger(__name__)

MOST: Final = 64
"""Maximum number of waiting questions: one takes a millisecond or so."""


class _Asked(NamedTuple):
    question: Question
    answer: asyncio.Future[str | None]
    loop: asyncio.AbstractEventLoop


class Aside:
    """One thread, from the first question on.  It does not keep the program from ending."""

    def __init__(self) -> None:
        self._queue: SimpleQueue[_Asked] = SimpleQueue()
        self._thread: threading.Thread | None = None

    async def ask(self, question: Question) -> str | None:
        """The answer; None if the player raises something, or too many wait."""
        if self._queue.qsize() >= MOST:
            return None
        if self._thread is None:
            self._thread = threading.Thread(target=self._run, name="computers", daemon=True)
            self._thread.start()
        loop = asyncio.get_running_loop()
        answer: asyncio.Future[str | None] = loop.create_future()
        self._queue.put(_Asked(question, answer, loop))
        return await answer

    def _run(self) -> None:
        thinking.interpreted()
        while True:
            asked = self._queue.get()
            if asked.answer.cancelled():
                continue
            text: str | None = None
            try:
                text = thinking.think(asked.question).does
            except Exception as error:  # whatever a player raises
                kind = type(error).__name__
                logger.error("computer_failed", game=asked.question.game, kind=kind)
            with suppress(RuntimeError):  # the loop is closed: nobody waits
                asked.loop.call_soon_threadsafe(_answer, asked.answer, text)


def _answer(answer: asyncio.Future[str | None], text: str | None) -> None:
    if not answer.done():
        answer.set_result(text)
