"""Draws tables where people see them: the board in the channel, hands by direct message.

Level-triggered: `changed` only says that something is new.  What is drawn is the table as it
stands when its turn comes, so that changes in between are coalesced and a draw that was lost
heals with the next one.  Each table has one worker; none waits for another's troubles.

Per ply at most one board edit, and for whoever is asked one message sent and one deleted.
Messages are edited by channel and message id, never through an interaction.

A round begins with a message of its own, posted before its cards are dealt: its id goes into the
deal.  The table is told the id (again after a restart, and None if nothing can be posted); the
board of the round is drawn into the same message.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol, TypeAlias

import discord
import structlog

from bot.i18n import Texts
from bot.present.channel import channel_message, retired_board
from bot.present.hand import hand_panel
from bot.present.kit import Message, jump_url
from bot.present.pages import greeting
from bot.present.surfaces import (
    BOARD,
    GREETED,
    LOBBY_MARK,
    RESULT_MARK,
    Surfaces,
    Where,
    carried,
    farewell,
    mark_of,
    same_message,
)
from bot.present.views import (
    ChannelView,
    ClosedView,
    HandView,
    LobbyView,
    ResultView,
    ShufflingView,
)

log = structlog.get_logger(__name__)

GRACE: Final = 1.0
"""Seconds that a change waits for its presser's answer to go out first.

Whoever has answered calls `flush`; only what nobody pressed for waits so long.
"""

UNPOSTED_GRACE: Final = 3.0
"""Seconds that a new table waits for the command's answer to become its message."""

RETRIES: Final = (2.0, 10.0, 60.0, 300.0)
"""Seconds after which a draw that failed is tried again, until the next change."""

PATIENCE: Final = 2.0
"""Seconds that the board waits for the hands of those who are asked."""

NONCE: Final = 24
"""Characters of a nonce of ours; Discord allows one more."""

CLOSING_TIME: Final = 6.0
"""Seconds that the last draws may take when the program ends."""

_GONE: Final = frozenset({10008, 30046, 50083})
"""Unknown message; too many edits of an old one; archived thread: post anew."""

_BARRED: Final = frozenset({10003, 10004, 50001, 50013})
"""Unknown channel or server, no access, no permission: leave it until the next change."""

_CLOSED: Final = frozenset({10013, 50007, 50278})
"""This person cannot be written to."""


class Source(Protocol):
    """What there is to draw."""

    async def channel_view(self, table: str) -> ChannelView | None: ...

    async def hand_view(
        self, table: str, user: int, board: tuple[int, int] | None
    ) -> HandView | None:
        """The hand of `user`; `board` is where the board is, for the link."""
        ...

    async def panels(self, table: str) -> Sequence[tuple[int, bool, int]]:
        """Everybody whose hand goes by DM: user, whether they are asked now, the mark due.

        The mark is the number of the question, or of the deal's ply for whoever is not asked:
        a panel that has it (or a later one) is up to date.  A seat that answers by itself
        (whoever passes for the whole deal) is not asked.
        """
        ...

    async def unreachable(self, table: str, user: int) -> None:
        """A DM to `user` did not arrive."""
        ...

    async def posted(self, table: str, round_number: int, message: int | None) -> None:
        """The message that carries a round is there: its cards can be dealt.

        None if it cannot be posted.  Told again, it changes nothing.
        """
        ...


Clock: TypeAlias = Callable[[], datetime]


@dataclass(slots=True)
class _Desk:
    """What the publisher remembers of one table; nothing of it is needed after a restart."""

    dirty: bool = False
    repost: bool = False
    drawn: bytes = b""
    """Digest of what the board shows; empty while unknown."""
    complained: bool = False
    """A lost permission was logged; again only after the board could be drawn."""
    answers: int = 0
    """How often the answer to a press has drawn the board."""
    unposted: asyncio.TimerHandle | None = None
    """A lobby without a message is given time to get one from its command."""
    waited: bool = False
    """That time is over."""
    failures: int = 0
    """Draws that failed one after the other."""
    timer: asyncio.TimerHandle | None = None
    task: asyncio.Task[None] | None = None


class Publisher:
    """Draws tables; `bot.tables` calls it through its port `Announcer`."""

    def __init__(
        self,
        client: discord.Client,
        source: Source,
        surfaces: Surfaces,
        clock: Clock,
        texts: Texts,
        *,
        grace: float = GRACE,
    ) -> None:
        self._client = client
        self._source = source
        self._surfaces = surfaces
        self._clock = clock
        self._texts = texts
        self._grace = grace
        self._desks: dict[str, _Desk] = {}
        self._dms: dict[int, int] = {}
        self._closing = False
        self._closed = False

    # What others call

    def changed(self, table: str) -> None:
        """Something about the table was committed: draw it soon.  Never raises."""
        if self._closed:
            return
        desk = self._desks.setdefault(table, _Desk())
        desk.dirty = True
        desk.failures = 0
        try:
            self._later(table, desk, self._grace)
        except RuntimeError:
            log.warning("draw_outside_loop", table=table)

    async def flush(self, table: str) -> None:
        """The presser has been answered: draws now, if there is anything to draw."""
        while (desk := self._desks.get(table)) is not None and not self._closed:
            if desk.dirty:
                self._begin(table, desk)
            if desk.task is None:
                return
            await asyncio.wait([desk.task])

    async def repost(self, table: str) -> None:
        """Posts the table's message anew, at the bottom of its channel."""
        self._desks.setdefault(table, _Desk()).repost = True
        self.changed(table)
        await self.flush(table)

    async def where(self, table: str) -> tuple[int, int] | None:
        """Channel and message of the board."""
        found = await self._find(table, BOARD)
        return None if found is None else (found.channel, found.message)

    async def adopt(
        self, table: str, channel: int, message: int, view: Message, mark: int = LOBBY_MARK
    ) -> None:
        """A command's answer has become the table's message and shows `view`."""
        before = await self._find(table, BOARD)
        await self._surfaces.put(table, BOARD, channel, message, self._clock(), mark)
        self._desks.setdefault(table, _Desk()).drawn = _digest(view)
        if before is not None and before.message != message:
            await self._delete(before)

    def note_board(self, table: str, view: Message) -> None:
        """The answer to a press has drawn the board: it shows `view` now.

        Whether that is still the newest is for the next draw to see: a draw may have overtaken it.
        """
        desk = self._desks.setdefault(table, _Desk())
        desk.answers += 1
        desk.drawn = _digest(view)
        desk.dirty = True

    async def note_panel(
        self, table: str, user: int, channel: int, message: int, question: int | None
    ) -> None:
        """The answer to a press has drawn a panel in the person's DM: it shows `question`.

        None if they are asked nothing: then the panel is up to date for as long as it was.
        Only for DMs: what only one person sees in a channel cannot be edited later.
        """
        before = await self._find(table, user)
        mark = question or GREETED
        if before is not None:
            if before.message != message and before.mark >= mark:
                # A newer panel was sent meanwhile: the one that was pressed goes.
                await self._delete(before._replace(channel=channel, message=message))
                return
            mark = max(mark, before.mark)
        await self._surfaces.put(table, user, channel, message, self._clock(), mark)
        if before is not None and before.message != message:
            await self._delete(before)

    async def greet(self, table: str, user: int) -> bool:
        """Tells somebody who sat down that their hand will come by DM; False if it cannot."""
        if await self._find(table, user) is not None:
            return True
        view = await self._source.channel_view(table)
        if view is None:
            return True
        try:
            await self._send_panel(table, user, greeting(view.head, self._texts), GREETED)
        except Exception as error:  # sitting down has succeeded, whatever becomes of this
            if isinstance(error, discord.HTTPException) and error.code in _CLOSED:
                return False
            _log_failure("greeting_failed", table, error)
        return True

    async def aclose(self) -> None:
        """Draws what is queued, without waiting for anything, and ends."""
        self._closing = True
        loop = asyncio.get_running_loop()
        end = loop.time() + CLOSING_TIME
        while tasks := self._busy():
            await asyncio.wait(tasks, timeout=max(0.0, end - loop.time()))
            if loop.time() >= end:
                late = [task for task in tasks if not task.done()]
                for task in late:
                    task.cancel()
                log.warning("draws_given_up", count=len(late))
                break
        self._closed = True
        for desk in self._desks.values():
            for timer in (desk.timer, desk.unposted):
                if timer is not None:
                    timer.cancel()

    def _busy(self) -> list[asyncio.Task[None]]:
        """Everything that is being drawn; what is queued begins."""
        for table, desk in list(self._desks.items()):
            if desk.dirty:
                self._begin(table, desk)
        return [desk.task for desk in self._desks.values() if desk.task is not None]

    # The worker of a table

    def _later(self, table: str, desk: _Desk, seconds: float) -> None:
        """Draws after some seconds, unless it happens sooner anyway."""
        loop = asyncio.get_running_loop()
        due = loop.time() + seconds
        if desk.task is not None or self._closed:
            return
        if desk.timer is not None:
            if desk.timer.when() <= due:
                return
            desk.timer.cancel()
        desk.timer = loop.call_at(due, self._begin, table, desk)

    def _begin(self, table: str, desk: _Desk) -> None:
        if desk.timer is not None:
            desk.timer.cancel()
            desk.timer = None
        if desk.task is None:
            desk.task = asyncio.create_task(self._work(table, desk), name=f"draw-{table}")

    async def _work(self, table: str, desk: _Desk) -> None:
        """One draw; what changed meanwhile is drawn by the next, what failed again later."""
        desk.dirty = False
        drawn = False
        try:
            drawn = await self._draw(table, desk)
        except Exception as error:  # whatever it is, other tables and later draws go on
            _log_failure("draw_failed", table, error)
        finally:
            desk.task = None
            desk.failures = 0 if drawn else desk.failures + 1
            if desk.dirty:
                self._later(table, desk, self._grace)
            elif 0 < desk.failures <= len(RETRIES) and not self._closing:
                self._later(table, desk, RETRIES[desk.failures - 1])

    async def _draw(self, table: str, desk: _Desk, *, opening: bool = True) -> bool:
        """Hands of those who are asked, then the board, then the hands of the others.

        Returns whether all of it worked.  Somebody's slow hand does not hold up the board.
        A message that opens a round is followed by the round at once, if `opening`.
        """
        due = await self._source.panels(table)
        asked = [asyncio.create_task(self._panel(table, user, m)) for user, now, m in due if now]
        if asked:
            await asyncio.wait(asked, timeout=PATIENCE)
        try:
            opened = await self._board(table, desk)
        finally:
            done = await asyncio.gather(
                *asked, *(self._panel(table, user, mark) for user, now, mark in due if not now)
            )
        if opened and opening:
            desk.dirty = False
            return await self._draw(table, desk, opening=False) and all(done)
        return all(done)

    # Panels

    async def _panel(self, table: str, user: int, mark: int) -> bool:
        """Draws one hand; its troubles must not keep the table from the others."""
        try:
            try:
                await self._draw_panel(table, user, mark)
            except discord.HTTPException as error:
                if error.code not in _CLOSED:
                    raise
                await self._source.unreachable(table, user)
        except Exception as error:  # see above
            _log_failure("panel_failed", table, error)
            return False
        return True

    async def _draw_panel(self, table: str, user: int, mark: int) -> None:
        """Sends a hand anew unless its owner has it; the old one goes once the new is there."""
        before = await self._find(table, user)
        if before is not None and before.mark >= mark:
            return
        view = await self._source.hand_view(table, user, await self.where(table))
        if view is None:
            return
        await self._send_panel(table, user, hand_panel(view, self._texts), mark)
        if before is not None:
            await self._delete(before)

    async def _send_panel(self, table: str, user: int, panel: Message, mark: int) -> None:
        # Never to a channel that was read from somewhere: a hand goes to its owner's DM.
        channel = self._dms.get(user)
        if channel is None:
            channel = (await self._client.create_dm(discord.Object(user))).id
            self._dms[user] = channel
        message = await self._client.get_partial_messageable(channel).send(
            view=panel, allowed_mentions=discord.AllowedMentions.none()
        )
        await self._surfaces.put(table, user, channel, message.id, self._clock(), mark)

    async def _delete(self, where: Where) -> None:
        try:
            await self._message(where).delete()
        except discord.HTTPException as error:
            if error.code not in _GONE | _BARRED | _CLOSED:
                _log_failure("delete_failed", "", error)

    # The board

    async def _board(self, table: str, desk: _Desk) -> bool:
        """Draws the table's message; whether that opened a round, so that there is more to draw."""
        view = await self._source.channel_view(table)
        if view is None:
            return False
        before = await self._find(table, BOARD)
        if isinstance(view, ShufflingView):
            await self._open_round(table, desk, view, before)
            return True
        if before is None and isinstance(view, LobbyView) and not self._may_post(table, desk):
            return False
        try:
            await self._draw_board(table, desk, view, before)
            desk.complained = False
        except discord.HTTPException as error:
            self._barred(table, desk, error)
            if before is not None and isinstance(view, ResultView | ClosedView):
                # Nobody can be shown how it ended: that is the end of it.
                await self._surfaces.put(table, BOARD, *before._replace(mark=RESULT_MARK))
        if isinstance(view, ResultView | ClosedView) and not desk.dirty:
            await self._forget(table)
        return False

    def _barred(self, table: str, desk: _Desk, error: discord.HTTPException) -> None:
        """Raises `error` unless it says that we may not; that is logged once."""
        if error.code not in _BARRED and not isinstance(error, discord.Forbidden):
            raise error
        if not desk.complained:
            desk.complained = True
            _log_failure("board_barred", table, error)

    async def _open_round(
        self, table: str, desk: _Desk, view: ShufflingView, before: Where | None
    ) -> None:
        """Posts the message that carries a round, once, and tells the table its id."""
        message: int | None = None
        if before is not None and before.mark == view.round:
            # Posted already; whatever came between, the table has not heard of it.
            message = before.message
        else:
            try:
                drawn = channel_message(view, self._texts)
                message = await self._post(table, desk, view, drawn, before, before)
                desk.complained = False
            except discord.HTTPException as error:
                self._barred(table, desk, error)
        await self._source.posted(table, view.round, message)

    async def _forget(self, table: str) -> None:
        """The table is over: its hands stay as they are, and nothing more will be drawn."""
        self._desks.pop(table, None)
        for viewer, *_ in await self._surfaces.all_of(table):
            if viewer != BOARD:
                await self._surfaces.drop(table, viewer)

    def _may_post(self, table: str, desk: _Desk) -> bool:
        """Whether a lobby without a message has waited long enough for its command's answer."""
        if desk.waited or self._closing:
            return True
        if desk.unposted is None:
            loop = asyncio.get_running_loop()
            desk.unposted = loop.call_later(UNPOSTED_GRACE, self._waited, table, desk)
        return False

    def _waited(self, table: str, desk: _Desk) -> None:
        desk.waited = True
        self._begin(table, desk)

    async def _draw_board(
        self, table: str, desk: _Desk, view: ChannelView, before: Where | None
    ) -> None:
        mark, known, anew = mark_of(view), before, desk.repost
        if before is not None and before.mark == RESULT_MARK and not anew:
            return
        message = channel_message(view, self._texts)
        digest = _digest(message)
        if before is not None and not anew and same_message(view, before.mark):
            if before.mark == mark and digest == desk.drawn:
                return
            answers = desk.answers
            if await self._edit(before, message):
                # An answer that was on its way at the same time may have come after this.
                overtaken = desk.answers != answers
                desk.drawn = b"" if overtaken else digest
                desk.dirty = desk.dirty or overtaken
                if before.mark != mark:
                    where = before._replace(mark=mark)
                    await self._surfaces.put(table, BOARD, *where)
                return
            before = None  # it is gone: nothing is left to retire
        await self._post(table, desk, view, message, before, known)

    async def _post(
        self,
        table: str,
        desk: _Desk,
        view: ChannelView,
        message: Message,
        before: Where | None,
        known: Where | None,
    ) -> int:
        """Sends the table's message anew and retires the one `before`; its id.

        `known` is the surface that was stored when this draw began.
        """
        channel = self._client.get_partial_messageable(view.head.channel, guild_id=view.head.guild)
        sent = await channel.send(
            view=message, allowed_mentions=discord.AllowedMentions.none(), nonce=_nonce(view)
        )
        adopted = await self._find(table, BOARD)
        mark = mark_of(view)
        await self._surfaces.put(table, BOARD, view.head.channel, sent.id, self._clock(), mark)
        desk.drawn, desk.repost = _digest(message), False
        if adopted is not None and adopted != known:
            await self._delete(adopted)  # a command's answer became the message meanwhile
        if before is not None and before.mark != RESULT_MARK:
            await self._retire(before, view, sent.id)
        return sent.id

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
            await self._edit(before, line)
        except discord.HTTPException as error:
            _log_failure("retire_failed", head.table, error)

    async def _edit(self, where: Where, view: Message) -> bool:
        """Whether the message was there to be edited."""
        try:
            await self._message(where).edit(
                view=view, allowed_mentions=discord.AllowedMentions.none()
            )
        except discord.HTTPException as error:
            if error.code in _GONE:
                return False
            raise
        return True

    def _message(self, where: Where) -> discord.PartialMessage:
        channel = self._client.get_partial_messageable(where.channel)
        return channel.get_partial_message(where.message)

    async def _find(self, table: str, viewer: int) -> Where | None:
        found = await self._surfaces.find(table, viewer)
        return None if found is None else Where(*found)


def _nonce(view: ChannelView) -> str:
    """By which Discord knows for some minutes that a message was sent before.

    A round keeps its one message although the answer was lost, or the program died before it was
    stored: two would leave open which of them the deal depends on.  Whatever else is sent is new.
    """
    if isinstance(view, ShufflingView):
        return f"{view.head.table}-{view.round}"
    return secrets.token_hex(NONCE // 2)


def _digest(view: Message) -> bytes:
    shown = json.dumps(view.shown(), sort_keys=True)
    return hashlib.sha256(shown.encode()).digest()


def _log_failure(event: str, table: str, error: Exception) -> None:
    """What kind of failure it was.  Its message stays out: it might quote what was drawn."""
    status = error.status if isinstance(error, discord.HTTPException) else None
    code = error.code if isinstance(error, discord.HTTPException) else None
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    at = "" if trace is None else f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
    log.warning(event, table=table, kind=type(error).__name__, status=status, code=code, at=at)
