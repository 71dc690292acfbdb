"""The table's message in its channel: edited in place, posted anew, retired.

A round begins with a message of its own, posted before its cards are dealt: its id goes into the
deal.  The table is told the id (again after a restart, and None if nothing can be posted); the
board of the round is drawn into the same message.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable
from datetime import datetime

import aiohttp
import discord

from bot.i18n import Texts
from bot.present.budget import Priority
from bot.present.calls import NO_CHANNEL, Calls, is_barred, log_failure
from bot.present.channel import channel_message, retired_board
from bot.present.desk import Desk
from bot.present.healing import Traffic
from bot.present.kept import Kept
from bot.present.kit import Message, jump_url
from bot.present.source import Source
from bot.present.surfaces import (
    BOARD,
    NONCE,
    RESULT_MARK,
    Where,
    carried,
    farewell,
    known_by,
    mark_of,
    same_message,
)
from bot.present.views import ChannelView, ClosedView, ResultView, ShufflingView


class Drawing:
    """Draws boards."""

    def __init__(
        self,
        calls: Calls,
        source: Source,
        kept: Kept,
        traffic: Traffic,
        clock: Callable[[], datetime],
        texts: Texts,
    ) -> None:
        self._calls = calls
        self._source = source
        self._kept = kept
        self._traffic = traffic
        self._clock = clock
        self._texts = texts

    def sinks(self, desk: Desk, view: ChannelView, where: Where | None, *, late: bool) -> None:
        """Has the board posted anew if a turn begins and it is out of sight (`Traffic`)."""
        if where is not None and self._traffic.has_sunk(desk, view, where, late=late):
            desk.repost = True

    async def draw(self, table: str, desk: Desk, view: ChannelView) -> bool:
        """Draws the table's message; whether that opened a round, so that there is more to draw.

        What Discord does not let us do is left in `desk.refused`.
        """
        before = self._kept.find(table, BOARD)
        if isinstance(view, ShufflingView):
            return await self._open_round(table, desk, view, before)
        try:
            await self._draw(table, desk, view, before)
        except discord.HTTPException as error:
            over = isinstance(view, ResultView | ClosedView)
            if error.code == NO_CHANNEL and not over:
                await self._source.vanished(table)
                return False
            if error.code != NO_CHANNEL and not is_barred(error):
                raise
            if over and before is not None:
                # Nobody can be shown how it ended: that is the end of it.
                self._kept.put(table, BOARD, before._replace(mark=RESULT_MARK))
            elif not over:
                desk.refused = error
        return False

    async def say_farewell(self, table: str, desk: Desk, view: ChannelView) -> None:
        """The board says that the program will be back.  Raises what the call raises."""
        where = self._kept.find(table, BOARD)
        if where is None or not same_message(view, where.mark):
            return
        desk.drawn, desk.version, desk.bidden = b"", None, True
        self._kept.drawn(table, None)  # first, so that it is drawn anew whatever becomes of this
        await self._calls.edit(where, channel_message(view, self._texts, farewell=True))

    async def _open_round(
        self, table: str, desk: Desk, view: ShufflingView, before: Where | None
    ) -> bool:
        """Posts the message that carries a round, once, and tells the table its id."""
        message: int | None = None
        if before is not None and before.mark == view.round:
            # Posted already; whatever came between, the table has not heard of it.
            message = before.message
        else:
            try:
                drawn = channel_message(view, self._texts)
                message = await self._post(table, desk, view, drawn, before, before)
            except discord.HTTPException as error:
                if error.code == NO_CHANNEL:
                    await self._source.vanished(table)
                    return False
                if not is_barred(error):
                    raise
                desk.refused = error
        await self._source.posted(table, view.round, message)
        return True

    async def _draw(self, table: str, desk: Desk, view: ChannelView, before: Where | None) -> None:
        mark, known, anew = mark_of(view), before, desk.repost
        if before is not None and before.mark == RESULT_MARK and not anew:
            return
        message = channel_message(view, self._texts)
        if before is not None and not anew and same_message(view, before.mark):
            digest = digest_of(message)
            if before.mark == mark and digest == desk.drawn and not desk.is_in_doubt:
                return
            if await self._edit(desk, before, message, digest):
                if before.mark != mark:
                    self._kept.put(table, BOARD, before._replace(mark=mark))
                return
            before = None  # it is gone: nothing is left to retire
        try:
            await self._post(table, desk, view, message, before, known)
        except discord.HTTPException as error:
            if before is not None and is_barred(error):
                # What is there can still be edited, mostly: better there than nowhere.
                digest = digest_of(message)
                if digest != desk.drawn:
                    await self._edit(desk, before, message, digest)
            raise

    async def _edit(self, desk: Desk, where: Where, message: Message, digest: bytes) -> bool:
        """Whether the message was there to be edited."""
        answers = desk.answers
        if not await self._calls.edit(where, message):
            return False
        # An answer that was on its way at the same time may have come after this.
        overtaken = desk.answers != answers
        desk.drawn = b"" if overtaken else digest
        desk.dirty = desk.dirty or overtaken
        return True

    async def _post(
        self,
        table: str,
        desk: Desk,
        view: ChannelView,
        message: Message,
        before: Where | None,
        known: Where | None,
    ) -> int:
        """Sends the table's message anew and retires the one `before`; its id.

        `known` is the surface that was stored when this draw began.
        """
        head, mark = view.head, mark_of(view)
        again = bool(desk.nonce)
        desk.nonce = _nonce(view, desk)
        try:
            sent = await self._calls.send(
                head.channel, message, desk.nonce, Priority.BOARD, guild=head.guild
            )
        except discord.HTTPException as error:
            if error.status < 500:  # refused, so that it cannot have arrived
                desk.nonce = ""
            raise
        adopted = self._kept.find(table, BOARD)
        self._kept.put(table, BOARD, Where(head.channel, sent, self._clock(), mark))
        self._traffic.posted(head.channel)
        # What arrived at the first try may show what the table was like then.
        desk.drawn, desk.dirty = b"" if again else digest_of(message), desk.dirty or again
        desk.repost, desk.nonce = False, ""
        if adopted is not None and adopted != known:
            self._kept.doom(table, adopted)  # a command's answer became the message meanwhile
        await self._kept.flush()  # before anything depends on it
        if before is not None and before.mark != RESULT_MARK and before.message != sent:
            await self._retire(before, view, sent)
        return sent

    async def _retire(self, before: Where, view: ChannelView, message: int) -> None:
        """Leaves one line and a link where the board was, with what it said of a deal."""
        head = view.head
        url = jump_url(head.guild, head.channel, message)
        commitment, words = carried(view, before.mark)
        line = retired_board(
            url,
            farewell(view, before.mark),
            self._texts,
            head,
            before.mark,
            commitment=commitment,
            words=words,
        )
        try:
            await self._calls.edit(before, line)
        except (discord.HTTPException, aiohttp.ClientError, OSError) as error:
            log_failure("retire_failed", head.table, error)


def digest_of(message: Message) -> bytes:
    """What a message shows: equal for two that look and act alike."""
    shown = json.dumps(message.shown(), sort_keys=True)
    return hashlib.sha256(shown.encode()).digest()


def _nonce(view: ChannelView, desk: Desk) -> str:
    """By which Discord knows for some minutes that a message was sent before.

    A round keeps its one message although the answer was lost, or the program died before it was
    stored: two would leave open which of them the deal depends on.  So does a result.  Whatever
    else is sent is new, unless the sending before failed: then it may have arrived all the same.
    """
    if isinstance(view, ShufflingView):
        return f"{view.head.table}-{view.round}"
    if isinstance(view, ResultView) and not desk.repost:
        return known_by(view.head.table, "result")
    return desk.nonce or secrets.token_hex(NONCE // 2)
