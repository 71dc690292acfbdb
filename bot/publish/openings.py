"""Tells a role of the server, and followers of the game, that a table has opened."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Collection
from dataclasses import dataclass, field
from typing import Final

import structlog
from cachetools import FIFOCache

from bot.ids import ALONE, Ids, TableId, UserId, drop
from bot.publish.doors import Doors
from bot.publish.publisher import Publisher
from bot.publish.refusals import Meaning, is_settled
from bot.publish.requests import Priority, worked
from bot.render.components import channel_url, jump_url
from bot.render.offers import opening_letter
from bot.tables.model import Table, TableError
from bot.tables.ports import Blocks, Followers
from bot.tables.service import TableService
from bot.tables.stored import Status
from bot.tasks import cancel_all
from bot.views.building import table_head

MOST_LETTERS: Final = 25
"""Maximum number of followers who are told of one table: no more could sit down, and Discord takes
many alike for spam."""

MOST_TOLD: Final = 1_000
"""Maximum number of tables that are remembered."""

MOST_ASKED: Final = 2 * MOST_LETTERS
"""Maximum number of followers of whom Discord is asked whether they see the channel."""

_FAILED: Final = "opening_not_told"
"""Event of the log for whatever fails about an opening."""


@dataclass(slots=True)
class _News:
    """What has been done about a table that has opened."""

    table: TableId
    done: set[UserId]
    """People who need not be told any more."""
    noted: set[UserId] = field(default_factory=set)
    """Followers of whom it is stored that they are told of this table."""
    asked: int = 0
    """How many times Discord has answered whether a follower sees the channel."""
    told: int = 0
    """Letters that have arrived."""
    calls: bool = False
    """Whether it is this table to which the role is called."""


class Openings:
    """Tells of each table once, beside whatever opened it: a role by a line in the channel,
    followers by direct message.

    What fails about one of them is theirs alone.  It is tried again, a number of times, as long as
    the table offers a seat.
    """

    def __init__(
        self,
        tables: TableService,
        followers: Followers,
        blocks: Blocks,
        publisher: Publisher,
        doors: Doors,
    ) -> None:
        self._tables, self._followers, self._blocks = tables, followers, blocks
        self._publisher, self._doors = publisher, doors
        self._telling: dict[TableId, asyncio.Task[None]] = {}
        self._told: FIFOCache[TableId, None] = FIFOCache(MOST_TOLD)
        """Tables that were told of: a plan says at each of its draws that its table has opened."""

    def opened(self, table: TableId, called: Collection[UserId] = ()) -> None:
        """Begins to tell of the table, whose message is posted; `called` know of it already."""
        if table in self._told or table in self._telling:
            return
        telling = self._tell(_News(table, done=set(called)))
        self._telling[table] = task = asyncio.create_task(telling, name=f"opened-{table}")
        task.add_done_callback(lambda _: self._telling.pop(table, None))

    def drop(self, tables: Ids) -> None:
        """These tables were forgotten."""
        drop(self._told, tables)

    async def aclose(self) -> None:
        """End what is under way: whoever was not told is not told."""
        await cancel_all(self._telling.values())

    async def _tell(self, news: _News) -> None:
        structlog.contextvars.clear_contextvars()  # of the press that opened it
        for pause in (0.0, *self._publisher.timings.retries):
            await asyncio.sleep(pause)
            if await worked(self._tell_once(news), _FAILED, news.table):
                self._told[news.table] = None
                return

    async def _tell_once(self, news: _News) -> bool:
        """Tell whoever was not told yet; returns whether there is no use in trying again."""
        table = await self._open(news.table)
        if table is None:
            return True
        called = await worked(self._call_role(table, news), _FAILED, news.table)
        return await worked(self._tell_followers(table, news), _FAILED, news.table) and called

    async def _open(self, table_id: TableId) -> Table | None:
        """The table, as long as anybody could sit down there.  Raises what reading it raises."""
        try:
            table = await self._tables.find(table_id)
        except TableError as error:
            if error.code != "no_such_table":
                raise
            return None
        return table if offers_a_seat(table) else None

    async def _call_role(self, table: Table, news: _News) -> bool:
        """Returns whether all is well, as when nobody is to be called."""
        guild = table.stored.guild
        role = await self._doors.called(guild)
        if role is None:
            return True
        if not news.calls:
            if await self._publisher.lines.has_called(table.id):  # before a restart
                return True
            news.calls = await self._followers.call_role(guild, self._publisher.clock())
        return not news.calls or await self._publisher.lines.call(table_head(table), role)

    async def _tell_followers(self, table: Table, news: _News) -> bool:
        """Write to followers, in an order that is another for each table, as long as it is open.

        Returns whether that worked for all of them.
        """
        guild, failures = table.stored.guild, 0
        found = await self._followers.to_tell(guild, table.stored.game, self._publisher.clock())
        left = {*found, *news.noted} - news.done
        if not left or await self._publisher.requests.place(guild, table.stored.channel) is None:
            return True
        await self._publisher.readers.meet([*left])
        for user in sorted(left, key=lambda one: _lot(news.table, one)):
            now = await self._open(news.table)
            if now is None or news.told >= MOST_LETTERS or news.asked + failures >= MOST_ASKED:
                break
            if await worked(self._tell_one(now, user, news), _FAILED, news.table):
                news.done.add(user)
            else:
                failures += 1
        return not failures

    async def _tell_one(self, table: Table, user: UserId, news: _News) -> bool:
        """Tell a follower, if they are to be told; returns whether there is no use in trying
        again."""
        if not await self._wants(table, user):
            return True
        may_sit = await self._may_sit(table, user)
        news.asked += 1
        return not may_sit or await self._write_to(table, user, news)

    async def _wants(self, table: Table, user: UserId) -> bool:
        """Whether `user` is to be told at this hour of a table with these people."""
        seating = table.stored.seating
        people = [one.id for one in seating.people]
        if user in people or user in seating.kicked:
            return False
        if self._publisher.readers.preferences(user).is_quiet(self._publisher.clock()):
            return False
        return (await self._blocks.apart(user)).welcomes(people)

    async def _may_sit(self, table: Table, user: UserId) -> bool:
        """Whether `user` sees the channel and may sit down; if they have left the server, they
        follow nothing there any more."""
        guild, channel = table.stored.guild, table.stored.channel
        guest = await self._publisher.requests.guest(guild, channel, user)
        if guest is None:
            await self._followers.stop(user, guild)
        if guest is None or guest.bot or not guest.sees:
            return False
        return not await self._doors.wanted_to_sit(guild, guest.roles)

    async def _write_to(self, table: Table, user: UserId, news: _News) -> bool:
        """Write to a follower, unless they were told already; returns whether there is no use in
        trying again."""
        head, guild, channel = table_head(table), table.stored.guild, table.stored.channel
        board = await self._publisher.board_place(table.id)
        url = channel_url(guild, channel) if board is None else jump_url(guild, *board)
        server = self._publisher.requests.server_name(guild)
        letter = opening_letter(head, server, url, self._publisher.readers.texts(user, head))
        if user not in news.noted:
            try:
                if not await self._followers.tell(user, table.id, self._publisher.clock()):
                    return True
            finally:  # also where nobody knows whether it is stored: the letter is sent once
                news.noted.add(user)
        refusal = await self._publisher.outbox.write(
            table.id, user, letter, Priority.SETTLE, "opening"
        )
        news.told += refusal is None
        if refusal is not None and refusal.meaning is Meaning.CLOSED:
            await self._followers.stop(user, guild)  # the next would not arrive either
        return is_settled(refusal)


def _lot(table: TableId, user: UserId) -> bytes:
    return hashlib.sha256(f"{table} {user}".encode()).digest()


def offers_a_seat(table: Table) -> bool:
    """Whether anybody who is told of the table could sit down: a public lobby on a server."""
    stored, seating = table.stored, table.stored.seating
    public = stored.guild != ALONE and not seating.private
    return public and stored.status is Status.LOBBY and bool(seating.open_to())
