"""Messages that are stored before they are sent, and found again after a crash.

Each carries a number of its own (`surfaces.mark_of`), since Discord keeps no nonces with messages.
If the program died, or the answer was lost, the channel is searched for it.  While Discord knows
its nonce (some minutes) it can also be sent again and stays one message: the only way where we may
not read the channel's history.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from typing import Final

import discord
import structlog

from bot.ids import ChannelId, GuildId, MessageId, TableId
from bot.publish.budget import Priority
from bot.publish.draw_state import DrawState
from bot.publish.messages import ShownMessages
from bot.publish.refusals import FAILURES, Meaning, Purpose, may_have_arrived, read
from bot.publish.requests import NO_MENTIONS, Requests, log_failure
from bot.publish.surfaces import BOARD, NONCE, RESULT, Kind, Slot, Surface, mark_of
from bot.render.message import Message

logger = structlog.get_logger(__name__)

HOLDS: Final = timedelta(minutes=2)
"""How long Discord surely knows a nonce; its documentation says *a few minutes*."""

SKEW: Final = timedelta(minutes=5)
"""How far our clock may be ahead of Discord's when a message is looked for."""

_CANNOT_LOOK: Final = frozenset({Meaning.VANISHED, Meaning.BARRED, Meaning.LOCKED, Meaning.CLOSED})
"""Meanings of a refusal after which a channel cannot be searched."""

_DIRECT: Final = (Kind.HAND, Kind.GREETING)


class Outbox:
    """Sends messages, and finds those that may or may not have been sent."""

    def __init__(
        self, requests: Requests, messages: ShownMessages, clock: Callable[[], datetime]
    ) -> None:
        self._requests = requests
        self._messages = messages
        self._clock = clock
        self._under_way: set[tuple[TableId, int]] = set()
        """Tables and numbers of messages that this run is sending."""

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
        nonce = secrets.token_hex(NONCE // 2) if before is None else before.nonce
        slot = Kind.SENDING, mark_of(nonce)
        async with self._recorded(table, meant, nonce):
            try:
                now = message if newest is None else await newest()
                sent = None
                if now is not None:
                    sent = await self._requests.send(
                        meant.channel,
                        now.marked(mark_of(nonce)),
                        nonce,
                        priority,
                        guild=guild,
                        mentions=mentions,
                        silent=silent,
                    )
            except FAILURES as error:
                if not may_have_arrived(error) and before is None:
                    self._messages.drop(table, slot)  # refused, so that it cannot have arrived
                raise
            if before is None or sent is not None:
                self._messages.drop(table, slot)
        if sent is None:
            return None
        return meant._replace(message=sent, posted=self._clock())

    def tried(self, table: TableId, meant: Surface) -> Surface | None:
        """The same message, if it may have been sent already: it keeps its nonce.

        A message that was withdrawn and is sent again is another: Discord might answer with the
        first.
        """
        for row in self._unsure(table):
            if _meant(row)._replace(message=meant.message, posted=meant.posted) == meant:
                return row
        return None

    def is_under_way(self, table: TableId, slot: Slot) -> bool:
        """Whether this run is sending a message of that slot just now."""
        rows = self._messages.of(table, Kind.SENDING)
        sending = (row for row in rows if (table, row.key) in self._under_way)
        return any((row.of_kind, row.of_key) == slot for row in sending)

    @asynccontextmanager
    async def posting(self, table: TableId, channel: ChannelId) -> AsyncIterator[int]:
        """While a command's answer becomes the table's message: the number that it carries."""
        nonce = secrets.token_hex(NONCE // 2)
        meant = Surface(*BOARD, channel, MessageId(0), self._clock())
        await self._messages.open(table)
        async with self._recorded(table, meant, nonce):
            yield mark_of(nonce)

    def posted(self, table: TableId, mark: int) -> None:
        """The message of that number is known."""
        self._messages.drop(table, (Kind.SENDING, mark))

    @asynccontextmanager
    async def _recorded(self, table: TableId, meant: Surface, nonce: str) -> AsyncIterator[None]:
        """The block sends a message that is noted; if it may exist afterwards, it is looked for
        later."""
        key = mark_of(nonce)
        row = meant._replace(
            kind=Kind.SENDING,
            key=key,
            message=MessageId(0),
            posted=self._clock(),
            nonce=nonce,
            of_kind=meant.kind,
            of_key=meant.key,
        )
        self._under_way.add((table, key))
        try:
            self._messages.put(table, row)
            await self._messages.flush()
            yield
        finally:
            self._under_way.discard((table, key))

    async def recover(self, table: TableId, guild: GuildId, state: DrawState) -> None:
        """Look for messages that may or may not have been sent.

        A message that is found takes its place, or is to be deleted if a newer one has it.  If
        Discord does not let us look, only the messages in `state.unverified` wait; everything else
        is drawn.
        """
        state.unverified.clear()
        for row in self._unsure(table):
            # Sent again it might be a second message; by its nonce only as long as that holds.
            meant = Kind(row.of_kind), row.of_key
            if self._may_look(row, guild) is None:  # soon it is known whether we may
                state.unverified.add(meant)
                continue
            try:
                found = await self._find(row, guild)
            except FAILURES as error:
                log_failure("message_not_looked_for", table, error)
                state.unverified.add(meant)
                continue
            if found is not None:
                self._adopt(table, row, found, state)
            elif abs(self._clock() - row.posted) < HOLDS:  # a clock may be set back
                if meant in (BOARD, RESULT) and not self._may_look(row, guild):
                    # What cannot be found is sent again, which brings it back; once.
                    board = self._messages.board(table)
                    state.repost |= board is None or board.posted <= row.posted
                continue
            self._messages.drop(table, row.slot)

    def is_unsure(self, table: TableId) -> bool:
        """Whether some message may or may not have been sent, and is to be looked for again.

        A message that was not found may still be on its way.
        """
        return bool(self._unsure(table))

    def _unsure(self, table: TableId) -> list[Surface]:
        rows = self._messages.of(table, Kind.SENDING)
        return [row for row in rows if (table, row.key) not in self._under_way]

    def _may_look(self, row: Surface, guild: GuildId) -> bool | None:
        """See `Requests.may_read`; in direct messages we always may."""
        return row.of_kind in _DIRECT or self._requests.may_read(guild, row.channel)

    async def _find(self, row: Surface, guild: GuildId) -> MessageId | None:
        """The id of the message; None also if we may not look.  Raises what else looking raises."""
        if not self._may_look(row, guild):
            return None
        try:
            return await self._requests.find(row.channel, row.posted - SKEW, row.key)
        except FAILURES as error:
            if read(error, Purpose.TIDY) in _CANNOT_LOOK:
                return None
            raise

    def _adopt(self, table: TableId, row: Surface, found: MessageId, state: DrawState) -> None:
        """Give the found message its place, unless it or a newer one has it already."""
        if self._messages.knows(table, found):
            return
        logger.info("message_found", table=table, what=row.of_kind)
        meant = _meant(row)._replace(message=found)
        on_board = meant.slot in (BOARD, RESULT)
        now = self._messages.board(table) if on_board else self._messages.find(table, meant.slot)
        old = now
        if now is None or now.message < found:
            self._messages.put(table, meant)
        else:
            old = meant
        if old is not None:
            (self._messages.replace if on_board else self._messages.retire)(table, old)
        if on_board:
            state.board.draws(None)
            state.repost = False


def _meant(row: Surface) -> Surface:
    """The surface that a message on its way is to be."""
    return row._replace(kind=Kind(row.of_kind), key=row.of_key, nonce="", of_kind="", of_key=0)
