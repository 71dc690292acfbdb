"""In which language people read: learnt from whatever they do, and known after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

import structlog
from cachetools import LRUCache

from bot.i18n import Texts, texts
from bot.ids import UserId
from bot.publish.membership import PEOPLE
from bot.publish.timings import TIMINGS, Timings
from bot.views.values import TableHead

log = structlog.get_logger(__name__)


class Locales(Protocol):
    """Where people's locales are stored."""

    async def locales(self, users: Sequence[UserId]) -> Mapping[UserId, str]:
        """Of those of whom it was learnt, as Discord names it (`en-GB`)."""

    async def learn(self, heard: Mapping[UserId, str]) -> None:
        """Stores them, by user, in place of those before; in one go."""
        ...


class Readers:
    """Whose words are in which language.

    Locales change rarely: they are asked for in memory, and what was heard is stored a moment
    later, that of many people at once.
    """

    def __init__(self, stored: Locales, timings: Timings = TIMINGS) -> None:
        self._stored = stored
        self._timings = timings
        self._known: LRUCache[UserId, str | None] = LRUCache(PEOPLE)
        self._heard: dict[UserId, str] = {}
        """What is to be stored."""
        self._timer: asyncio.TimerHandle | None = None
        self._task: asyncio.Task[None] | None = None

    def heard(self, user: UserId, locale: str) -> None:
        """They did something and use Discord in that language."""
        if self._known.get(user) != locale:
            self._known[user] = self._heard[user] = locale
            if self._timer is None:
                loop = asyncio.get_running_loop()
                self._timer = loop.call_later(self._timings.store_lag, self._begin)

    async def ask(self, head: TableHead) -> None:
        """Finds out what everybody at a table reads; once for each of them after a start."""
        users = [one.user for one in head.sitters if one.user not in self._known]
        unknown = [user for user in users if user is not None]
        if not unknown:
            return
        try:
            found = await self._stored.locales(unknown)
        except Exception as error:  # a hand in the table's language is better than none
            log.warning("locales_not_found", kind=type(error).__name__)
            return
        for user in unknown:
            self._known.setdefault(user, found.get(user))

    def texts(self, user: UserId, head: TableHead) -> Texts:
        """The words for `user` alone; those of the table if nobody knows what they read."""
        return texts(self._known.get(user) or head.locale)

    async def flush(self) -> None:
        """Stores what was heard."""
        heard, self._heard = self._heard, {}
        if not heard:
            return
        try:
            await self._stored.learn(heard)
        except Exception as error:  # stored when they are heard again
            log.warning("locales_not_stored", kind=type(error).__name__)
            for user in heard:
                self._known.pop(user, None)

    async def aclose(self) -> None:
        """Stores what is left."""
        if self._timer is not None:
            self._timer.cancel()
        if self._task is not None:
            await asyncio.wait([self._task])
        await self.flush()

    def _begin(self) -> None:
        self._timer = None
        self._task = asyncio.create_task(self.flush(), name="store-locales")
