"""Tells a role of the server, and followers of the game, that a table has opened."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Collection, Sequence
from datetime import datetime
from typing import Final

import structlog
from cachetools import FIFOCache

from bot.ids import ALONE, TableId, UserId
from bot.publish.budget import Priority
from bot.publish.doors import Doors
from bot.publish.publisher import Publisher
from bot.publish.refusals import Meaning
from bot.publish.requests import log_failure
from bot.render.components import channel_url, jump_url
from bot.render.offers import opening_letter
from bot.tables.model import Table, TableError
from bot.tables.ports import Blocks, Followers
from bot.tables.servers import Servers
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


class Openings:
    """Tells of each table once, beside whatever opened it: a role by a line in the channel,
    followers by direct message."""

    def __init__(
        self,
        tables: TableService,
        servers: Servers,
        followers: Followers,
        blocks: Blocks,
        publisher: Publisher,
        doors: Doors,
        clock: Callable[[], datetime],
    ) -> None:
        self._tables, self._servers, self._followers = tables, servers, followers
        self._blocks, self._publisher, self._doors = blocks, publisher, doors
        self._requests, self._readers, self._clock = publisher.requests, publisher.readers, clock
        self._outbox = publisher.outbox
        self._telling: set[asyncio.Task[None]] = set()
        self._told: FIFOCache[TableId, None] = FIFOCache(MOST_TOLD)
        """Tables that were told of: a plan says at each of its draws that its table has opened."""

    def opened(self, table: TableId, called: Collection[UserId] = ()) -> None:
        """Begins to tell of the table, whose message is posted; `called` know of it already."""
        if table in self._told:
            return
        self._told[table] = None
        task = asyncio.create_task(self._tell(table, called), name=f"opened-{table}")
        self._telling.add(task)
        task.add_done_callback(self._telling.discard)

    async def aclose(self) -> None:
        """End what is under way: whoever was not told is not told."""
        await cancel_all(self._telling)

    async def _tell(self, table_id: TableId, called: Collection[UserId]) -> None:
        structlog.contextvars.clear_contextvars()  # of the press that opened it
        try:
            table = await self._open(table_id)
            if table is None:
                return
            await self._call_role(table)
            game, guild = table.stored.game, table.stored.guild
            found = await self._followers.to_tell(guild, game, self._clock())
            if found and await self._requests.place(guild, table.stored.channel) is not None:
                await self._write(table_id, [one for one in found if one not in called])
        except Exception as error:  # the table is open all the same
            log_failure("opening_not_told", table_id, error)

    async def _open(self, table_id: TableId) -> Table | None:
        """The table, as long as anybody could sit down there."""
        try:
            table = await self._tables.find(table_id)
        except TableError:
            return None
        return table if offers_a_seat(table) else None

    async def _call_role(self, table: Table) -> None:
        guild = table.stored.guild
        role = (await self._servers.settings(guild)).called
        if role is None or not self._doors.roles(guild, [role]):
            return
        if await self._publisher.lines.has_called(table.id):  # before a restart
            return
        if await self._followers.call_role(guild, self._clock()):
            await self._publisher.lines.call(table_head(table), role)

    async def _write(self, table_id: TableId, found: Sequence[UserId]) -> None:
        """Write to followers, in an order that is another for each table, as long as it is open."""
        await self._readers.meet(found)
        asked = told = 0
        for user in sorted(found, key=lambda one: _lot(table_id, one)):
            table = await self._open(table_id)
            if table is None or told >= MOST_LETTERS or asked >= MOST_ASKED:
                return
            if not await self._wants(table, user):
                continue
            asked += 1
            if await self._may_sit(table, user):
                told += await self._write_to(table, user)

    async def _wants(self, table: Table, user: UserId) -> bool:
        """Whether `user` is to be told at this hour of a table with these people."""
        seating = table.stored.seating
        people = [one.id for one in seating.people]
        if user in people or user in seating.kicked:
            return False
        if self._readers.preferences(user).is_quiet(self._clock()):
            return False
        return (await self._blocks.apart(user)).welcomes(people)

    async def _may_sit(self, table: Table, user: UserId) -> bool:
        """Whether `user` sees the channel and may sit down; if they have left the server, they
        follow nothing there any more."""
        guild, channel = table.stored.guild, table.stored.channel
        guest = await self._requests.guest(guild, channel, user)
        if guest is None:
            await self._followers.stop(user, guild)
        if guest is None or guest.bot or not guest.sees:
            return False
        return not await self._doors.wanted_to_sit(guild, guest.roles)

    async def _write_to(self, table: Table, user: UserId) -> bool:
        """Write to a follower, unless they were told already; whether that arrived."""
        if not await self._followers.tell(user, table.id, self._clock()):
            return False
        head, guild, channel = table_head(table), table.stored.guild, table.stored.channel
        board = await self._publisher.board_place(table.id)
        url = channel_url(guild, channel) if board is None else jump_url(guild, *board)
        server = self._requests.server_name(guild)
        letter = opening_letter(head, server, url, self._readers.texts(user, head))
        refusal = await self._outbox.write(table.id, user, letter, Priority.SETTLE, "opening")
        if refusal is not None and refusal.meaning is Meaning.CLOSED:
            await self._followers.stop(user, guild)  # the next would not arrive either
        return refusal is None


def _lot(table: TableId, user: UserId) -> bytes:
    return hashlib.sha256(f"{table} {user}".encode()).digest()


def offers_a_seat(table: Table) -> bool:
    """Whether anybody who is told of the table could sit down: a public lobby on a server."""
    stored, seating = table.stored, table.stored.seating
    public = stored.guild != ALONE and not seating.private
    return public and stored.status is Status.LOBBY and bool(seating.free_places)
