"""In which language people read: learnt from whatever they do, and known after a restart."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Protocol

import structlog
from cachetools import LRUCache

from bot.i18n import Texts, texts
from bot.publish.membership import PEOPLE
from bot.views.values import TableHead

log = structlog.get_logger(__name__)


class Locales(Protocol):
    """Where people's locales are stored."""

    async def locales(self, users: Sequence[int]) -> Mapping[int, str]:
        """Of those of whom it was learnt, as Discord names it (`en-GB`)."""
        ...

    async def learn(self, user: int, locale: str) -> None:
        """Stores it in place of the one before."""
        ...


class Readers:
    """Whose words are in which language.  Locales change rarely: they are asked for in memory."""

    def __init__(self, stored: Locales) -> None:
        self._stored = stored
        self._known: LRUCache[int, str | None] = LRUCache(PEOPLE)
        self.storing: set[asyncio.Task[None]] = set()
        """What is being stored."""

    def heard(self, user: int, locale: str) -> None:
        """They did something and use Discord in that language."""
        if self._known.get(user) != locale:
            self._known[user] = locale
            task = asyncio.create_task(self._store(user, locale), name="store-locale")
            self.storing.add(task)
            task.add_done_callback(self.storing.discard)

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

    def texts(self, user: int, head: TableHead) -> Texts:
        """The words for `user` alone; those of the table if nobody knows what they read."""
        return texts(self._known.get(user) or head.locale)

    async def _store(self, user: int, locale: str) -> None:
        try:
            if (await self._stored.locales([user])).get(user) != locale:
                await self._stored.learn(user, locale)
        except Exception as error:  # stored when they are heard again
            log.warning("locale_not_stored", kind=type(error).__name__)
            self._known.pop(user, None)
