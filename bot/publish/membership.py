"""Membership of servers and threads, and who may be invited.

Discord does not tell the bot who leaves, so it asks from time to time.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final, NamedTuple, TypeVar

from cachetools import LRUCache

from bot.ids import ChannelId, GuildId, Ids, TableId, UserId, drop
from bot.publish.messages import Call
from bot.publish.refusals import FAILURES
from bot.publish.requests import Guest, Priority, Requests, Somewhere, log_failure
from bot.publish.source import Source

T = TypeVar("T")
U = TypeVar("U")

FRESH_TIME: Final = timedelta(minutes=5)
"""How long a positive answer about a server or thread is kept."""

MAX_PEOPLE: Final = 50_000
"""Maximum number of people whose membership is remembered."""


class LookUp(NamedTuple):
    """Answer of Discord about one person."""

    at: datetime
    there: bool


class Membership:
    """Membership of servers: proven by what people do there, else looked up, once in `FRESH_TIME`.

    What people do elsewhere, on another server or in a direct message, proves nothing.
    """

    def __init__(self, requests: Requests, source: Source, clock: Callable[[], datetime]) -> None:
        self._requests = requests
        self._source = source
        self._clock = clock
        self._members: LRUCache[tuple[GuildId, UserId], LookUp] = LRUCache(MAX_PEOPLE)
        self._joined: LRUCache[tuple[ChannelId, UserId], LookUp] = LRUCache(MAX_PEOPLE)
        """By private thread and user."""
        self._warned: LRUCache[tuple[TableId, UserId], Call] = LRUCache(MAX_PEOPLE)
        """By table and user: the last warning before which they were looked up."""

    def heard(self, guild: GuildId | None, user: UserId) -> None:
        """Note that `user` did something on that server (None: in a DM)."""
        if guild is not None:
            self._members[guild, user] = LookUp(self._clock(), there=True)

    async def has_left(
        self,
        table: TableId,
        guild: GuildId,
        user: UserId,
        *,
        doubted: bool = False,
        call: Call | None = None,
    ) -> bool:
        """Whether `user` has left the server; then the tables there are told.

        A recent answer is used unless it is `doubted`.  `call` is what they are about to be called
        to: before a warning they are looked up in any case, once, since their time runs whether
        they are there or not.
        """
        known = self._lately(self._members.get((guild, user)))
        if call is not None and call.warned and self._warned.get((table, user)) != call:
            self._warned[(table, user)] = call
        elif known is not None and not doubted:
            if not known:
                await self._source.left(table, user)
            return not known
        try:
            left = await self._requests.has_left(guild, user)
        except FAILURES as error:
            # Whoever cannot be looked for is called.
            log_failure("member_not_found_out", table, error)
            left = False
        self._members[guild, user] = LookUp(self._clock(), not left)
        if left:
            await self._source.left(table, user)
        return left

    async def compare(self, table: TableId, guild: GuildId, user: UserId) -> None:
        """Tell the tables there if `user` left the server while the program was not connected.

        People who are still there are looked up again when they are called.
        """
        if self._lately(self._members.get((guild, user))) is not None:
            return
        try:
            left = await self._requests.has_left(guild, user, Priority.TIDY)
        except FAILURES as error:
            log_failure("member_not_found_out", table, error)
            return
        if left:
            self._members[guild, user] = LookUp(self._clock(), there=False)
            await self._source.left(table, user)

    async def in_thread(self, guild: GuildId, thread: ChannelId, user: UserId) -> bool:
        """Whether `user` is a member of a private thread.  False if that cannot be found out."""
        known = self._lately(self._joined.get((thread, user)))
        if known is not None:
            return known
        try:
            joined = await self._requests.in_thread(guild, thread, user)
        except FAILURES as error:
            log_failure("thread_member_not_found_out", TableId(""), error)
            return False
        self._joined[thread, user] = LookUp(self._clock(), joined)
        return joined

    async def place(self, guild: GuildId, channel: ChannelId) -> Somewhere | None:
        """See `Requests.place`; None too if that cannot be found out."""
        return await _answer(
            self._requests.place(guild, channel), "place_not_found_out", unknown=None
        )

    async def is_let_in(self, guild: GuildId, thread: ChannelId) -> bool:
        """See `Requests.is_let_in`; true if that cannot be found out."""
        asked = self._requests.is_let_in(guild, thread)
        return await _answer(asked, "place_not_found_out", unknown=True)

    async def may_post(self, guild: GuildId, channel: ChannelId) -> bool:
        """See `Requests.may_post`; true if that cannot be found out."""
        asked = self._requests.may_post(guild, channel)
        return await _answer(asked, "place_not_found_out", unknown=True)

    async def guest(self, guild: GuildId, channel: ChannelId, user: UserId) -> Guest | None:
        """See `Requests.guest`; None too if that cannot be found out."""
        asked = self._requests.guest(guild, channel, user)
        return await _answer(asked, "guest_not_found_out", unknown=None)

    def drop(self, ids: Ids) -> None:
        """These servers, tables and people were forgotten."""
        for known in (self._members, self._joined, self._warned):
            drop(known, ids)

    def _lately(self, found: LookUp | None) -> bool | None:
        """The recent answer; None if there is none."""
        if found is None or abs(self._clock() - found.at) >= FRESH_TIME:  # it may be set back
            return None
        return found.there


async def _answer(asked: Awaitable[T], event: str, *, unknown: U) -> T | U:
    """What Discord answers; `unknown` where that cannot be found out."""
    try:
        return await asked
    except FAILURES as error:
        log_failure(event, TableId(""), error)
        return unknown
