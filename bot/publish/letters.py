"""Direct messages: one backoff for all of them while Discord refuses them to the program itself.

Such a refusal says nothing of the addressee.  Until a message arrives again people are called in
the channel, and one message at a time tests whether Discord takes them.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import TypeVar

import structlog

from bot.publish.refusals import FAILURES, Held, Meaning, Purpose, numbers, read
from bot.publish.timings import TIMINGS, Timings

logger = structlog.get_logger(__name__)

T = TypeVar("T")


class Letters:
    """The gate through which every direct message goes."""

    def __init__(self, clock: Callable[[], datetime], timings: Timings = TIMINGS) -> None:
        self._clock, self._pauses = clock, timings.letters
        self._failures = 0
        """How often Discord refused them, since one arrived."""
        self._since = clock()
        """When it did so last."""
        self._trying = False

    @property
    def refused(self) -> bool:
        """Whether Discord refused the last one to the program."""
        return self._failures > 0

    @property
    def held(self) -> bool:
        """Whether none is sent just now."""
        if not self._failures:
            return False
        pause = self._pauses[min(self._failures, len(self._pauses)) - 1]
        # A clock may be set back.
        return self._trying or abs(self._clock() - self._since) < timedelta(seconds=pause)

    async def through(self, write: Callable[[], Awaitable[T]], *, opens: bool = False) -> T:
        """The result of `write`; raises Held while writing is no use.

        `opens`: it only opens a channel, which does not prove that a message would be taken there.
        """
        if self.held:
            raise Held
        begun = self._failures
        self._trying = begun > 0
        try:
            done = await write()
        except FAILURES as error:
            if read(error, Purpose.LETTER) is not Meaning.LATER:
                self._arrived(opens=opens)
            elif self._failures == begun:  # else another that was under way has found out
                self._failures, self._since = begun + 1, self._clock()
                status, code = numbers(error)
                kind = type(error).__name__
                logger.warning("letters_refused", kind=kind, status=status, code=code)
            raise
        else:
            self._arrived(opens=opens)
            return done
        finally:
            self._trying = False

    def _arrived(self, *, opens: bool) -> None:
        if not opens:
            self._failures = 0
