"""Who is still there.  Discord does not tell us who leaves a server: now and then we ask."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import aiohttp
import discord
from cachetools import LRUCache

from bot.ids import GuildId, TableId, UserId
from bot.publish.requests import Requests, log_failure
from bot.publish.source import Source
from bot.publish.surfaces import Call

SILENCE: Final = timedelta(minutes=30)
"""Before somebody is called of whom nothing was heard for so long, they are looked for."""

PEOPLE: Final = 50_000
"""Of so many people it is remembered when they were heard of or looked for."""


class Membership:
    """Looks for people before they are called: at most once in `SILENCE` for each."""

    def __init__(self, requests: Requests, source: Source, clock: Callable[[], datetime]) -> None:
        self._requests = requests
        self._source = source
        self._clock = clock
        self._heard: LRUCache[UserId, datetime] = LRUCache(PEOPLE)
        self._sought: LRUCache[tuple[GuildId, UserId], datetime] = LRUCache(PEOPLE)
        self._warned: LRUCache[tuple[TableId, UserId], Call] = LRUCache(PEOPLE)
        """By table and user: the last warning before which they were looked for."""

    def heard(self, user: UserId) -> None:
        """They did something: they are there."""
        self._heard[user] = self._clock()

    async def has_left(
        self,
        table: TableId,
        guild: GuildId,
        user: UserId,
        *,
        doubted: bool = False,
        call: Call | None = None,
    ) -> bool:
        """Whether `user` has left the server; then the table is told.

        Asks nobody if they were heard of lately, unless that is `doubted`, or looked for lately.
        `call` is what they are about to be called to: before a warning they are looked for in any
        case, once, since their time goes by whether they are there or not.
        """
        now = self._clock()
        if call is not None and call.warned and self._warned.get((table, user)) != call:
            self._warned[(table, user)] = call
        else:
            if not doubted and _lately(self._heard.get(user), now):
                return False
            if _lately(self._sought.get((guild, user)), now):
                return False
        self._sought[(guild, user)] = now
        try:
            left = await self._requests.has_left(guild, user)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            # Whoever cannot be looked for is called.
            log_failure("member_not_found_out", table, error)
            return False
        if left:
            await self._source.left(table, user)
        return left


def _lately(when: datetime | None, now: datetime) -> bool:
    return when is not None and now - when < SILENCE
