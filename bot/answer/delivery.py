"""Ways to deliver an answer to Discord, tried until one is taken.

A first answer is a callback, which Discord takes once and within three seconds.  If one kind is
refused, the next is tried while there is time: Discord takes only one of them, so there are never
two answers.  If it is unknown which was taken, the message is read and drawn again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Final, TypeAlias, TypeVar

import discord
import structlog

from bot.publish.refusals import (
    FAILURES,
    Meaning,
    Purpose,
    may_have_arrived,
    numbers,
    read,
    wait_of,
)

logger = structlog.get_logger(__name__)

FIRST_ANSWER_TIME: Final = 2.9
"""Seconds in which a first answer can be given, but for the way."""

ATTEMPT_TIME: Final = 1.2
"""Seconds that one kind of first answer may take while another could still be tried."""

LAST_ATTEMPT_TIME: Final = 5.0
"""Seconds that the last of them may take; Discord takes none that comes later than three."""

REPEAT_TIME: Final = 1.0
"""Minimum number of seconds before discord.py repeats a failed answer by itself."""

LATER_ANSWER_TIME: Final = 15.0
"""Seconds that an answer after the first one may take."""

_BAD_REQUEST: Final = 400

T = TypeVar("T")

Send: TypeAlias = Callable[[], Awaitable[T]]
"""One kind of answer: a request that can be made again."""

Delivered: TypeAlias = "discord.InteractionCallbackResponse[discord.Client] | discord.Message"
"""Discord's reply to an answer that it has taken."""


class Undelivered(Exception):
    """No kind of answer was taken, for that `reason`.

    That is certain if it is `definite`; otherwise one of them may have been taken.
    """

    def __init__(self, reason: Exception, *, definite: bool) -> None:
        super().__init__(type(reason).__name__)
        self.reason = reason
        self.definite = definite


class Delivery:
    """The answers to one interaction, from its arrival on."""

    def __init__(self, number: int, *, fresh: bool) -> None:
        """`fresh`: the interaction cannot have been answered before, such as by an earlier run."""
        self._number, self._fresh = number, fresh
        self._until = asyncio.get_running_loop().time() + FIRST_ANSWER_TIME
        self.lost = False
        """Whether an answer was lost: no other is tried."""
        self.taken = False
        """Whether another program with the same token has answered."""

    async def first(self, kinds: Sequence[Send[T]]) -> T:
        """Discord's reply to the first of `kinds` that it takes.

        Raises Undelivered.
        """
        loop, definite = asyncio.get_running_loop(), True
        reason: Exception | None = None
        for place, send in enumerate(kinds):
            begun = loop.time()
            left = self._until - begun
            if reason is not None and left <= 0:
                break
            more = place + 1 < len(kinds) and left > 0
            try:
                async with asyncio.timeout(min(ATTEMPT_TIME, left) if more else LAST_ATTEMPT_TIME):
                    return await send()
            except FAILURES as error:
                taken = read(error, Purpose.ANSWER) is Meaning.ANSWERED
                # Not by a try of ours before: discord.py repeats none within a second.
                fresh = self._fresh and loop.time() - begun < REPEAT_TIME
                self.taken = self.taken or (taken and fresh)
                self._fresh = False
                reason = error
                definite = definite and not (taken or may_have_arrived(error))
                self._log("answer_kind_failed", error)
                await self._wait_out(error)
        if reason is None:
            raise ValueError("an answer is of some kind")
        raise Undelivered(reason, definite=definite)

    async def later(self, kinds: Sequence[Send[T]]) -> T | None:
        """The same for an answer after the first one; None if it is lost.

        Raises HTTPException for a malformed answer: another may still arrive.
        """
        if self.lost:
            return None
        reason: Exception | None = None
        for send in kinds:
            try:
                async with asyncio.timeout(LATER_ANSWER_TIME):
                    return await send()
            except FAILURES as error:
                reason = error
        if reason is not None:
            self.give_up(reason)
        return None

    async def find(self, ask: Send[T]) -> T | None:
        """Discord's reply to a question; None if there is none, or a refusal."""
        try:
            async with asyncio.timeout(LATER_ANSWER_TIME):
                return await ask()
        except FAILURES:
            return None

    def give_up(self, reason: Exception) -> None:
        """The answer is lost.  Raises `reason` instead if that says that it was malformed."""
        malformed = numbers(reason)[0] == _BAD_REQUEST
        if malformed and read(reason, Purpose.ANSWER) is Meaning.UNKNOWN:
            raise reason
        self.lose(reason)

    def lose(self, reason: Exception) -> None:
        """The answer is lost."""
        self.lost = True
        self._log("answer_lost", reason)

    async def _wait_out(self, error: Exception) -> None:
        """Wait as long as Discord says, if there is time."""
        seconds = wait_of(error)
        if seconds is not None and seconds < self._until - asyncio.get_running_loop().time():
            await asyncio.sleep(seconds)

    def _log(self, event: str, error: Exception) -> None:
        # What kind of failure it was, but not its words: they could quote what was answered.
        kind, (status, code) = type(error).__name__, numbers(error)
        logger.warning(event, interaction=self._number, kind=kind, status=status, code=code)


def message_of(said: Delivered) -> discord.Message | None:
    """The message that an answer has made or redrawn."""
    if not isinstance(said, discord.InteractionCallbackResponse):
        return said
    return said.resource if isinstance(said.resource, discord.InteractionMessage) else None
