"""`Outbox`: sends and edits messages, reads refusals, and finds messages again after a crash.

Messages are stored before they are sent.

Each carries a number of its own (`Sending.mark`), since Discord keeps no nonces with messages.
If the program died, or the answer was lost, the channel is searched for it.  While Discord knows
its nonce (some minutes) it can also be sent again and stays one message: the only way where we may
not read the channel's history.
"""

from __future__ import annotations

import asyncio
import hashlib
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog
from cachetools import LRUCache

from bot.ids import ChannelId, GuildId, MessageId, RoleId, TableId, UserId
from bot.publish.draw_tasks import DrawState
from bot.publish.messages import (
    BOARD,
    DIRECT,
    RENEWED,
    RESULT,
    Sending,
    ShownMessages,
    Slot,
    Surface,
)
from bot.publish.readers import Readers
from bot.publish.refusals import (
    FAILURES,
    MAX_REFUSALS,
    PASSES,
    Held,
    Meaning,
    Purpose,
    Refusal,
    is_settled,
    may_have_arrived,
    numbers,
    read,
)
from bot.publish.requests import NO_MENTIONS, Priority, Requests, calling, log_failure
from bot.render.message import Message

logger = structlog.get_logger(__name__)

NONCE: Final = 24
"""Number of characters in our nonces; Discord allows one more."""

HOLDS: Final = timedelta(minutes=2)
"""How long Discord surely knows a nonce; its documentation says *a few minutes*."""

SKEW: Final = timedelta(minutes=5)
"""How far our clock may be ahead of Discord's when a message is looked for."""

_CANNOT_LOOK: Final = frozenset({Meaning.VANISHED, Meaning.BARRED, Meaning.LOCKED, Meaning.CLOSED})
"""Meanings of a refusal after which a channel cannot be searched."""

_KEEPS: Final = (Meaning.BARRED, Meaning.LOCKED)
"""Meanings of a refusal after which a message is not given up: it stands there, to be seen."""

MAX_REFUSED: Final = 10_000
"""Maximum number of messages whose refusals are counted."""


class Outbox:
    """Sends messages, and finds those that may or may not have been sent."""

    def __init__(
        self,
        requests: Requests,
        messages: ShownMessages,
        readers: Readers,
        clock: Callable[[], datetime],
    ) -> None:
        self._requests, self._messages, self._readers = requests, messages, readers
        self._clock = clock
        self._under_way: set[tuple[TableId, int]] = set()
        """Tables and numbers of messages that this run is sending."""
        self._posting: WeakValueDictionary[tuple[TableId, Slot], asyncio.Lock] = (
            WeakValueDictionary()
        )
        """Locks of the messages that are being posted."""
        self._unverified: set[tuple[TableId, Slot]] = set()
        """Messages that an earlier run may have sent, and that cannot be looked for now."""
        self._refused: LRUCache[tuple[TableId, Slot], int] = LRUCache(MAX_REFUSED)
        """Number of refusals in a row for an unknown reason, by message."""

    # What may fail, which nobody has to hear of but the caller

    async def post(
        self,
        table: TableId,
        meant: Surface,
        message: Message,
        guild: GuildId | None = None,
        *,
        priority: Priority = Priority.CALL,
        called: Collection[UserId] | RoleId = (),
        silent: bool = False,
        newest: Callable[[], Awaitable[Message | None]] | None = None,
    ) -> Refusal | None:
        """Send a message and note that it is there; None if all is well, else why not.

        One that is not `RENEWED` is sent once.  Without a `guild` it goes to its person's direct
        messages.  It calls the people or the role `called`, but nobody in their quiet hours.
        """
        kind, key = slot = meant.slot
        async with self._posting.setdefault((table, slot), asyncio.Lock()):
            if self.is_unverified(table, slot):
                return PASSES
            if kind not in RENEWED and self._messages.find(table, slot) is not None:
                return None
            if kind in DIRECT:
                silent = silent or not await self.awake([UserId(key)])
            elif not isinstance(called, int):
                called = await self.awake(called)
            try:
                if guild is None:  # never to a channel that was read from somewhere
                    meant = meant._replace(channel=await self._requests.dm(UserId(key)))
                sent = await self.send(
                    table,
                    meant,
                    message,
                    priority,
                    guild=guild,
                    mentions=calling(called),
                    silent=silent,
                    newest=newest,
                )
            except Exception as error:  # no message keeps others back
                purpose = Purpose.LETTER if guild is None else Purpose.POST
                return self.failed(table, slot, error, purpose)
            if sent is not None:
                self._messages.renew(table, sent)
            return None

    async def awake(self, users: Collection[UserId]) -> list[UserId]:
        """Those of the users who may be called now: they are not in their quiet hours."""
        now = self._clock()
        return [user for user in users if not await self._readers.is_quiet(user, now)]

    async def write(
        self, table: TableId, user: UserId, letter: Message, priority: Priority, *about: str
    ) -> Refusal | None:
        """Send a direct message of which nothing is stored, once for what it is `about`.

        It rings, but not in their quiet hours.  One that may have arrived is not tried again.
        """
        try:
            quiet = await self._readers.is_quiet(user, self._clock())
            channel, nonce = await self._requests.dm(user), known_by(table, user, *about)
            await self._requests.send(channel, letter, nonce, priority, silent=quiet)
        except FAILURES as error:
            log_failure("letter_failed", table, error, what=about[0])
            why = read(error, Purpose.LETTER)
            return Refusal(why, passes=why is Meaning.LATER and not may_have_arrived(error))
        return None

    async def finish(
        self, table: TableId, where: Surface, message: Message, priority: Priority = Priority.SETTLE
    ) -> bool:
        """Edit a message for the last time, and forget it.

        Returns whether there is no use in trying again soon: it may stay stored until we may.
        """
        try:
            if await self.edit(table, where, message, priority) is Meaning.STUCK:
                self._messages.retire(table, where)
        except Exception as error:  # no message keeps others back
            refusal = self.failed(table, where.slot, error, Purpose.EDIT)
            if refusal.passes or refusal.meaning in _KEEPS:
                return not refusal.passes
        self._messages.drop(table, where.slot)
        return True

    def failed(self, table: TableId, slot: Slot, error: Exception, purpose: Purpose) -> Refusal:
        """The same as `refusal`, of which the log hears."""
        if not isinstance(error, Held):
            log_failure("message_failed", table, error, what=slot[0])
        return self.refusal(table, slot, error, purpose)

    # What may fail, which the caller reads by `refusal`

    def refusal(self, table: TableId, slot: Slot, error: Exception, purpose: Purpose) -> Refusal:
        """What it means for a message that it was refused so.

        For an unknown reason trying again is no use after `MAX_REFUSALS`.
        """
        meaning = read(error, purpose)
        passes = meaning is Meaning.LATER
        if meaning is Meaning.UNKNOWN:
            count = self._refused[table, slot] = self._refused.get((table, slot), 0) + 1
            passes = count < MAX_REFUSALS
        return Refusal(meaning, passes, numbers(error)[1] or 0)

    async def edit(
        self, table: TableId, where: Surface, message: Message, priority: Priority = Priority.BOARD
    ) -> Meaning | None:
        """See `Requests.edit`."""
        refused = await self._requests.edit(where, message, priority)
        self._refused.pop((table, where.slot), None)
        return refused

    async def renew(
        self, table: TableId, found: Surface, now: Surface, message: Message, guild: GuildId
    ) -> bool:
        """Edit a line that holds, which is stored as `now` then; one that is too old comes anew,
        and calls nobody.  Returns whether all is well."""
        try:
            refused = await self.edit(table, found, message, Priority.SETTLE)
        except FAILURES as error:
            return not self.failed(table, found.slot, error, Purpose.EDIT).passes
        if self._messages.find(table, found.slot) != found:
            return True
        if refused is not Meaning.STUCK:
            self._messages.put(table, now)
            return True
        self._messages.drop(table, found.slot)
        self._messages.retire(table, found)
        return is_settled(await self.post(table, now, message, guild))

    async def send(
        self,
        table: TableId,
        meant: Surface,
        message: Message,
        priority: Priority,
        *,
        guild: GuildId | None = None,
        mentions: discord.AllowedMentions = NO_MENTIONS,
        silent: bool = False,
        newest: Callable[[], Awaitable[Message | None]] | None = None,
    ) -> Surface | None:
        """Send `message` and return `meant` with its id, for the caller to store at once.

        `silent`: no device rings, as it calls nobody.

        `newest` is asked once the message is noted: its result is sent instead; if that is None
        nothing is sent, and None returned.  Raises what sending and storing raise.

        The note stays if the message may exist: if the answer was lost, or that of an earlier try.
        """
        before = self.tried(table, meant)
        async with self._noted(table, meant, before) as sending:
            try:
                now = message if newest is None else await newest()
                sent = None
                if now is not None:
                    sent = await self._requests.send(
                        meant.channel,
                        now.marked(sending.mark),
                        sending.nonce,
                        priority,
                        guild=guild,
                        mentions=mentions,
                        silent=silent,
                    )
            except FAILURES as error:
                if not may_have_arrived(error) and before is None:
                    self._messages.unnote(table, sending.mark)  # it cannot have arrived
                raise
            self._refused.pop((table, meant.slot), None)
            if before is None or sent is not None:
                self._messages.unnote(table, sending.mark)
        if sent is None:
            return None
        return meant._replace(message=sent, posted=self._clock())

    def tried(self, table: TableId, meant: Surface) -> Sending | None:
        """The same message, if it may have been sent already: it keeps its nonce.

        A message that was withdrawn and is sent again is another: Discord might answer with the
        first.
        """
        for before in self.unsure(table):
            if before.meant._replace(message=meant.message, posted=meant.posted) == meant:
                return before
        return None

    @asynccontextmanager
    async def posting(self, table: TableId, channel: ChannelId) -> AsyncIterator[int]:
        """While a command's answer becomes the table's message: the number that it carries."""
        await self._messages.open(table)
        async with self._noted(table, Surface(*BOARD, channel)) as sending:
            yield sending.mark

    def posted(
        self, table: TableId, channel: ChannelId, message: MessageId, mark: int | None
    ) -> bool:
        """A command's answer, that of the number `mark`, becomes the table's message.

        False if it came too late, as a round or the result has a message: it is to be deleted.
        """
        answer = Surface(*BOARD, channel, message, self._clock())
        board = self._messages.board(table)
        opens = board is None or (board.slot == BOARD and not board.round)
        if opens:
            self._messages.renew(table, answer)
        else:
            self._messages.retire(table, answer)
        if mark is not None:
            self._messages.unnote(table, mark)
        return opens

    @asynccontextmanager
    async def _noted(
        self, table: TableId, meant: Surface, before: Sending | None = None
    ) -> AsyncIterator[Sending]:
        """The block sends a message that is noted; if it may exist afterwards, it is looked for
        later.  The same one `before` gives it its nonce."""
        nonce = secrets.token_hex(NONCE // 2) if before is None else before.nonce
        sending = Sending(meant._replace(message=MessageId(0), posted=self._clock()), nonce)
        self._under_way.add((table, sending.mark))
        try:
            self._messages.note(table, sending)
            await self._messages.flush()
            yield sending
        finally:
            self._under_way.discard((table, sending.mark))

    async def recover(self, state: DrawState, guild: GuildId) -> None:
        """Look for messages that may or may not have been sent.

        A message that is found takes its place, or is to be deleted if a newer one has it.  If
        Discord does not let us look, only these messages wait; everything else is drawn.
        """
        table = state.table
        self._unverified = {one for one in self._unverified if one[0] != table}
        for sending in self.unsure(table):
            meant, found = sending.meant, None
            may_look = meant.kind in DIRECT or self._requests.may_read(guild, meant.channel)
            try:
                if may_look:
                    found = await self._requests.find(
                        meant.channel, meant.posted - SKEW, sending.mark
                    )
            except FAILURES as error:
                if read(error, Purpose.TIDY) not in _CANNOT_LOOK:
                    log_failure("message_not_looked_for", table, error)
                    may_look = None
            if may_look is None:  # soon it is known whether it is there, or whether we may look
                self._unverified.add((table, meant.slot))
            elif found is None and abs(self._clock() - meant.posted) < HOLDS:
                # Sent again it might be a second message; by its nonce only as long as that holds.
                # A clock may be set back.
                if meant.slot in (BOARD, RESULT) and not may_look:
                    # What cannot be found is sent again, which brings it back; once.
                    board = self._messages.board(table)
                    state.repost |= board is None or board.posted <= meant.posted
            else:
                if found is not None:
                    self._adopt(state, meant._replace(message=found))
                self._messages.unnote(table, sending.mark)

    def is_unverified(self, table: TableId, *slots: Slot) -> bool:
        """Whether one of these was sent, perhaps, and cannot be looked for now."""
        return any((table, slot) in self._unverified for slot in slots)

    def unsure(self, table: TableId) -> list[Sending]:
        """Messages that may or may not have been sent, and are to be looked for again.

        A message that was not found may still be on its way.
        """
        noted = self._messages.sending(table)
        return [one for one in noted if (table, one.mark) not in self._under_way]

    def _adopt(self, state: DrawState, found: Surface) -> None:
        """Give the found message its place, unless it or a newer one has it already."""
        table = state.table
        if self._messages.knows(table, found.message):
            return
        logger.info("message_found", table=table, what=found.kind)
        on_board = found.slot in (BOARD, RESULT)
        now = self._messages.board(table) if on_board else self._messages.find(table, found.slot)
        old = now
        if now is None or now.message < found.message:
            self._messages.put(table, found)
        else:
            old = found
        if old is not None:
            (self._messages.replace if on_board else self._messages.retire)(table, old)
        if on_board:
            state.board.draws(None)
            state.repost = False


def known_by(*parts: object) -> str:
    """The nonce of a message that is sent once and no more, by what it is for.

    Sent again because the answer was lost, or the program died before it was stored, it is still
    the same message to Discord, for some minutes.
    """
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:NONCE]
