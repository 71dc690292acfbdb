"""`Publisher`: draws tables where people see them, in channels and direct messages.

`changed` only says that something is new: the newest table is drawn, so changes are coalesced and a
lost draw heals with the next one.  Each table has a draw task; none waits for another, or for ever.

Per ply at most one board edit, and for each person asked one message sent and one deleted.  These
calls go first, boards next, and deletions last.  Messages are edited by their id, never through an
interaction.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import discord

from bot.ids import ChannelId, Ids, MessageId, TableId, UserId, drop
from bot.publish.boards import Boards, Traffic
from bot.publish.desk import Desk
from bot.publish.doors import Doors
from bot.publish.draw_tasks import UNCOUNTED, DrawCounts, DrawState, finish
from bot.publish.hands import Calls, Hands, Settling, patiently
from bot.publish.healing import Healing
from bot.publish.lines import Lines, Reports
from bot.publish.membership import Membership
from bot.publish.messages import (
    BOARD,
    RESULT,
    Call,
    SentWhisper,
    Shows,
    Surface,
    Surfaces,
    Whisper,
    editable_whispers,
)
from bot.publish.picture_cache import PictureCache
from bot.publish.readers import Readers
from bot.publish.requests import Requests, log_failure
from bot.publish.source import Source
from bot.publish.timings import TIMINGS, Timings
from bot.render.message import Message
from bot.surfaces import Kind
from bot.tables.ports import Clock
from bot.tables.servers import Servers
from bot.tasks import cancel_all
from bot.views.snapshot import Snapshot
from bot.views.values import ChannelView, ClosedView, LobbyView, ResultView, ShufflingView

FAREWELLS: Final = 16
"""Maximum number of boards that are edited at a time to say that the program will be back."""


class Publisher(Desk):
    """Draws tables; `bot.tables` calls it through its port `Announcer`."""

    def __init__(
        self,
        client: discord.Client,
        source: Source,
        surfaces: Surfaces,
        readers: Readers,
        servers: Servers,
        pictures: PictureCache,
        clock: Clock,
        *,
        timings: Timings = TIMINGS,
        counts: DrawCounts = UNCOUNTED,
    ) -> None:
        requests = Requests(client, source.letters, timings)
        super().__init__(requests, readers, surfaces, clock, timings, counts)
        self._source, outbox = source, self.outbox
        self.membership = Membership(requests, source, clock)
        """Membership of servers and threads."""
        self._healing = Healing(requests, source, readers, outbox)
        self._boards = Boards(
            requests, source, self._messages, readers, pictures, Traffic(clock), outbox
        )
        self.lines = Lines(
            source, self._messages, readers, outbox, self.membership, Doors(client, servers), clock
        )
        """Calls guests, a role and people in line."""
        self._reports = Reports(requests, self._messages, readers, servers, outbox, clock)
        self._whispers = editable_whispers(clock)
        self._calls = Calls(
            Hands(source, self._messages, self.membership, readers, pictures, outbox, counts),
            Settling(self._messages, readers, pictures, outbox, self._whispers, counts),
            self._draw_tasks,
        )

    # What others call

    def changed(self, table: TableId) -> None:
        """Something about the table was committed: draw it soon.  Never raises."""
        self._draw_tasks.changed(table)

    async def flush(self, table: TableId) -> None:
        """The presser has been answered: draws now, if there is anything to draw."""
        await self._draw_tasks.flush(table)

    async def repost(self, table: TableId) -> None:
        """Post the table's message again, at the bottom of its channel."""
        self._draw_tasks.state(table).repost = True
        self.changed(table)
        await self.flush(table)

    @property
    def held(self) -> bool:
        """Whether Discord refuses all direct messages just now."""
        return self._source.letters.refused

    async def adopt(
        self,
        table: TableId,
        channel: ChannelId,
        message: MessageId,
        view: Message,
        mark: int | None = None,
    ) -> None:
        """An answer, that of the number `mark`, is the message of a lobby and shows `view`.

        Once a round or the result has a message, the answer goes instead.
        """
        await self._messages.open(table)
        if self.outbox.posted(table, channel, message, mark):
            self._boards.traffic.posted(channel)
            state = self._draw_tasks.state(table)
            state.repost = False
            state.board.draws(view)
        self._tidying.begin(table)
        await self._messages.flush()

    def note_board(self, table: TableId, view: Message | None, version: int | None = None) -> None:
        """The answer to a press has drawn the board: it shows `view` now, of that version.

        None where that is not certain: then it is drawn once more.  Whether that is still the
        newest is for the next draw to see: a draw may have overtaken it.
        """
        state = self._draw_tasks.state(table)
        state.board.answers += 1
        if (board := self._messages.board(table)) is not None:
            self.requests.redrawn(board.message)
        state.board.draws(view, version)
        state.schedule.version, state.schedule.dirty = None, True

    async def note_direct_hand(
        self,
        table: TableId,
        user: UserId,
        channel: ChannelId,
        message: MessageId,
        shows: Shows | None,
    ) -> None:
        """The answer to a press has drawn a panel in the person's DM; None: how the match ended."""
        self.requests.redrawn(message)
        await self._messages.open(table)
        there = self._messages.find(table, (Kind.HAND, user))
        same = there if there is not None and there.message == message else None
        if shows is not None:
            now = same or Surface(Kind.HAND, user, channel, message)
            now = now._replace(posted=self.clock()).telling(shows)
            if same is None and there is not None and there.shows(Call(shows.question)):
                self._messages.retire(table, now)  # a newer panel was sent meanwhile
            else:
                self._messages.renew(table, now)
        elif same is not None:
            self._messages.drop(table, same.slot)
        self._tidying.begin(table)

    async def note_whisper(
        self,
        table: TableId,
        user: UserId,
        message: SentWhisper,
        shows: Shows,
        *,
        files: bool = True,
    ) -> None:
        """The answer to a press has drawn a hand that only that person sees in a channel.

        The one before goes.  `files`: it may have pictures.
        """
        await self._messages.open(table)
        before = self._messages.find(table, (Kind.WHISPER, user))
        now = Surface(Kind.WHISPER, user, message=MessageId(message.id), posted=self.clock())
        self._messages.put(table, now.telling(shows))
        self._whispers[now.message] = Whisper(message, files)
        if before is not None and before.message != now.message:
            old = self._whispers.pop(before.message, None)
            if old is not None:
                self._tidying.take_away(table, old)

    def let_go(self, table: TableId, user: UserId) -> None:
        """Forget the hand that `user` sees in a channel: another message takes its place."""
        self._messages.drop(table, (Kind.WHISPER, user))

    @contextmanager
    def answering(self, table: TableId, user: UserId | None = None) -> Iterator[None]:
        """Note that the block draws the hand of `user` beside the draws, or without one the board,
        as the answer to a press does.

        If another message takes the board's place meanwhile, it becomes a line only afterwards: an
        answer that comes late would bring it back.
        """
        answering = self._draw_tasks.state(table).answering
        slot = BOARD if user is None else (Kind.HAND, user)
        answering.append(slot)
        try:
            yield
        finally:
            answering.remove(slot)
            self._draw_tasks.let_go(table)

    async def declined(self, table: TableId, guest: UserId) -> None:
        """Note that an invited person does not come to the table."""
        await self.flush(table)  # the line that invites them may be on its way
        snapshot = await self._source.snapshot(table)
        if snapshot is not None and await self.lines.declined(table, guest, snapshot):
            self.draw_anew(table)
            await self.flush(table)

    async def greet(self, table: TableId, user: UserId) -> bool | None:
        """Tell a person who sat down that their hand will come by DM.

        False if it cannot; None if that is not known yet, since Discord refuses all direct messages
        now.
        """
        await self._messages.open(table)
        refusal = await self._calls.hands.greet(table, user)
        return True if refusal is None else None if refusal.passes else False

    def passed(self, channel: ChannelId, author: UserId | None = None) -> None:
        """A message was written in a channel: boards above it sink.  Our own do not count."""
        if author is None or author != self.requests.me:
            self._boards.traffic.passed(channel)

    def drop(self, ids: Ids) -> None:
        """The same, and what Discord has said of these people and servers."""
        super().drop(ids)
        self.membership.drop(ids)
        self.requests.drop(ids)
        self.lines.drop(ids)
        drop(self._source.untold, ids)

    async def farewell(self, tables: Sequence[TableId], seconds: float) -> None:
        """Have the boards of these tables say that the program will be back, the first ones first.

        As many as `seconds` allow; half of them are left to queued draws, which come before.  At
        the next start all these boards are drawn again.
        """
        now = asyncio.get_running_loop().time()
        self._draw_tasks.closing = True
        await self._draw_tasks.draw_until(now + seconds / 2)
        waiting = iter(tables)
        says = [asyncio.create_task(self._say_farewell(waiting)) for _ in range(FAREWELLS)]
        await finish(says, now + seconds)

    async def _say_farewell(self, tables: Iterator[TableId]) -> None:
        for table in tables:
            try:
                await self._messages.open(table)
                snapshot = await self._source.snapshot(table)
                if snapshot is not None and snapshot.view is not None:
                    state = self._draw_tasks.state(table)
                    with self.answering(table):
                        await self._boards.say_farewell(state, snapshot.view)
            except Exception as error:  # the others are told all the same
                log_failure("farewell_failed", table, error)

    async def aclose(self, seconds: float | None = None) -> None:
        """The same, and store what was learnt of people."""
        try:
            await super().aclose(seconds)
        finally:
            await self.readers.aclose()

    # One draw

    async def _draw(self, state: DrawState) -> bool:
        """Draws everything there is; returns whether all of it worked."""
        table, until = state.table, state.schedule.quiet_until
        is_over = until is not None and until <= self.clock()
        anew = state.repost or state.trouble.lost or is_over
        seen = None if anew else state.schedule.version
        snapshot = await self._source.snapshot(table, seen)
        if snapshot is None:
            self._tidying.begin(table)
            return True
        await self._messages.open(table)
        done, opened = await self._draw_once(state, snapshot)
        if opened:
            # The round follows its message at once: that is a new draw.
            state.schedule.dirty = False
            snapshot = await self._source.snapshot(table) or snapshot
            rest, unheard = await self._draw_once(state, snapshot)
            done = done and rest and not unheard
        self._tidying.begin(table)
        if done and not state.trouble.lost and not state.schedule.dirty:
            state.schedule.version = snapshot.version
            state.schedule.quiet_until = snapshot.quiet_until
            passes = state.board.shows_farewell or snapshot.quiet_until is not None
            self._messages.drawn(table, None if passes else snapshot.version)
            if isinstance(snapshot.view, ResultView | ClosedView):
                self._forget(table)
        return done

    async def _draw_once(self, state: DrawState, snapshot: Snapshot) -> tuple[bool, bool]:
        """Call the people who are asked, then draw the board, then the hands of the others.

        A slow hand does not hold up the board.  Returns whether all went well, and whether that
        opened a round, so that there is more to draw.
        """
        table = state.table
        if snapshot.view is not None:
            await self.readers.ask(snapshot.view.head)
            await self.outbox.recover(state, snapshot.view.head.guild)
        earlier = list(state.calls.values())
        calls = self._calls.first(state, snapshot)
        await patiently(calls, self.timings.patience)
        if state.schedule.dirty:
            # Nobody is shown what is over by now; whoever is asked since is called by the next.
            snapshot = await self._source.snapshot(table) or snapshot
        view = snapshot.view
        if view is None:
            return True, False
        opened = False
        board = self._messages.board(table)
        if board is not None and self._boards.traffic.has_sunk(state, view, board):
            state.repost = True
        if snapshot.waits:  # whoever told it: an event, or a run before this one
            state.trouble.lost, state.trouble.guild = True, view.head.guild
        tried = board is not None or state.repost or not isinstance(view, LobbyView)
        tried = tried or self._may_post(state)
        tried = tried and not self.outbox.is_unverified(table, BOARD, RESULT)
        if isinstance(view, ShufflingView):
            greetings = self._calls.introduce(state, snapshot)
            await patiently(greetings, self.timings.request)
        try:
            if tried:
                opened = await self._draw_board(state, view, snapshot)
        finally:
            # A press may have drawn a hand of what came since: that is not drawn as it was before.
            newest = await self._source.snapshot(table) if state.schedule.dirty else None
            others = self._calls.others(state, snapshot, view.head.guild)
            others += self._calls.settle(state, newest or snapshot)
            await patiently(others, self.timings.patience)
        went = [self._calls.went_well(state, call) for call in (*calls, *others)]
        done = all(went) and all(call.done() for call in earlier)
        done = await self._boards.replace(state, view) and done
        done = await self.lines.draw(table, snapshot) and done
        done = await self._reports.draw(table, snapshot) and done
        done = done and not self.outbox.unsure(table)
        if tried and not opened:
            await self._healing.pass_on(state, view.head, self._messages.board(table))
        return done, opened

    async def _draw_board(self, state: DrawState, view: ChannelView, snapshot: Snapshot) -> bool:
        """Draw the board; while that takes long, people asked meanwhile are called already.

        Returns whether that opened a round.
        """
        drawing = asyncio.create_task(
            self._boards.draw(state, view, snapshot), name=f"board-{state.table}"
        )
        try:
            dirty, version = False, snapshot.version
            while not (await asyncio.wait([drawing], timeout=self.timings.glance))[0]:
                # The second look that finds something new: its presser was answered meanwhile.
                new = dirty and state.schedule.dirty
                dirty = state.schedule.dirty
                now = await self._source.snapshot(state.table, version) if new else None
                if now is not None and now.view is not None:
                    version = now.version
                    self._calls.first(state, now)
            return drawing.result()
        finally:
            await cancel_all([drawing])

    def _may_post(self, state: DrawState) -> bool:
        """Whether a lobby without a message need not wait for its command's answer: it is given
        some time to become it."""
        if not self._draw_tasks.closing:
            loop = asyncio.get_running_loop()
            loop.call_later(self.timings.unposted, self._waited, state.table)
        return self._draw_tasks.closing

    def _waited(self, table: TableId) -> None:
        if self._messages.board(table) is None:
            state = self._draw_tasks.state(table)
            state.repost = True
            self._draw_tasks.again(state)

    def _forget(self, table: TableId) -> None:
        """The table is over: its hands stay as they are, and nothing more will be drawn."""
        where = self._messages.board(table)
        if where is not None:
            self._boards.traffic.forget(where.channel)
        self._messages.forget_hands(table)
        self._draw_tasks.forget(table)
