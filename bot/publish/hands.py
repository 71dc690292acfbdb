"""Sending one hand by direct message, or one line that calls people to play."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final, NamedTuple

from cachetools import LRUCache

from bot.i18n import texts
from bot.ids import ChannelId, MessageId, TableId, UserId
from bot.publish.budget import Priority
from bot.publish.counting import DrawCounts
from bot.publish.draw_tasks import DrawState
from bot.publish.membership import Membership
from bot.publish.messages import DIRECT, NOTICE, Call, ShownMessages, Shows, Surface
from bot.publish.outbox import Outbox
from bot.publish.picture_cache import PictureCache
from bot.publish.readers import Readers
from bot.publish.refusals import PASSES, Meaning, Refusal, is_settled
from bot.publish.source import Source
from bot.render.board import notice_message
from bot.render.message import Message
from bot.render.pages import greeting
from bot.surfaces import Kind
from bot.views.snapshot import Snapshot, WantedHand
from bot.views.values import NoticeView

MAX_TABLES: Final = 10_000
"""Maximum number of tables whose calls by line are remembered."""


class CalledByLine(NamedTuple):
    """People called by a line in the channel, and the question."""

    call: Call
    users: frozenset[UserId]


@dataclass
class Hands:
    """One hand for each person by DM, and one line for the people who get none."""

    _source: Source
    _messages: ShownMessages
    _membership: Membership
    _readers: Readers
    _pictures: PictureCache
    _clock: Callable[[], datetime]
    _outbox: Outbox
    _counts: DrawCounts
    _named: LRUCache[TableId, CalledByLine] = field(default_factory=lambda: LRUCache(MAX_TABLES))
    """By table: people called by the line in the channel."""

    # Hands

    def due(self, table: TableId, snapshot: Snapshot) -> Mapping[UserId, WantedHand]:
        """Hands to be sent again, by owner."""
        found = {}
        for user, wanted in snapshot.hands.items():
            before = self._messages.find(table, (Kind.HAND, user))
            if wanted.by_letter and (before is None or not before.shows(_call(wanted))):
                found[user] = wanted
        return found

    async def draw(
        self, table: TableId, user: UserId, wanted: WantedHand, snapshot: Snapshot
    ) -> bool:
        """Sends one hand; the old one goes once the new is there.  Returns whether all is well."""
        refusal = await self._draw(table, user, wanted, snapshot)
        if refusal is None:
            self._source.untold.pop((table, user), None)
            return True
        if not refusal.passes:
            await self._close(table, user, snapshot)
            return True
        if self._source.letters.refused:
            self._source.hold_back(table, user)
        return False

    async def _close(self, table: TableId, user: UserId, snapshot: Snapshot) -> None:
        """Discord takes no hand for them: they have left, or find it in the channel from now on."""
        view = snapshot.view
        if view is not None and not await self._membership.has_left(
            table, view.head.guild, user, doubted=True
        ):
            await self._source.unreachable(table, user)

    async def _draw(
        self, table: TableId, user: UserId, wanted: WantedHand, snapshot: Snapshot
    ) -> Refusal | None:
        call = _call(wanted)
        place = self._messages.place(table)
        view = snapshot.hand(user, place)
        if view is None:
            return None
        if self._source.letters.held:
            return PASSES
        if await self._membership.has_left(table, view.head.guild, user, call=call):
            return None
        if user in snapshot.newcomers:
            refusal = await self.greet(table, user)
            if refusal is not None:
                return refusal
        drawn = await self._pictures.hand_message(view, user)

        async def newest() -> Message | None:
            """The newest hand; None if its owner has left the seat."""
            now = await self._source.snapshot(table, snapshot.version)
            if now is None:
                return drawn
            still = now.hands.get(user)
            if still is None or not still.by_letter:
                return None
            same = (still.asked, _call(still)) == (wanted.asked, call)
            view = now.hand(user, place) if same else None
            return None if view is None else await self._pictures.hand_message(view, user)

        # Whoever is not asked is not called: the one that asks them rings.  Whom a line has called
        # to this question meanwhile has heard of it.
        named = self._named.get(table)
        told = named is not None and named.call == call and user in named.users
        before = self._messages.find(table, (Kind.HAND, user))
        refusal = await self._outbox.post(
            table,
            Surface(Kind.HAND, user)._replace(**call._asdict()),
            drawn,
            priority=Priority.CALL if wanted.asked else Priority.BOARD,
            silent=not wanted.asked or told,
            newest=newest,
        )
        if wanted.asked and self._messages.find(table, (Kind.HAND, user)) is not before:
            self._counts.noticed("panel")
        return refusal

    async def introduce(self, table: TableId, user: UserId) -> bool:
        """Greet a person before a deal if they were not yet.  Returns whether all is well."""
        refusal = await self.greet(table, user)
        if refusal is None or refusal.passes:
            return refusal is None
        await self._source.unreachable(table, user)
        return True

    async def greet(self, table: TableId, user: UserId) -> Refusal | None:
        """Tell a person who sat down that their hand will come by DM, and the commitment to the
        deals.

        Only once, and before any hand; it stays as it is, so that nobody can say it read otherwise.
        A refusal says that no hand can come by DM, or none now.
        """
        if any(self._messages.find(table, (kind, user)) for kind in DIRECT):
            return None
        snapshot = await self._source.snapshot(table)
        if snapshot is None or snapshot.view is None:
            return None
        head = snapshot.view.head
        await self._readers.ask(head)
        hello = greeting(head, self._readers.texts(user, head))
        meant = Surface(Kind.GREETING, user)
        refusal = await self._outbox.post(table, meant, hello, priority=Priority.BOARD)
        if refusal is None or refusal.meaning is Meaning.CLOSED:
            return refusal
        # Sitting down has succeeded, whatever becomes of this.
        return PASSES if self._source.letters.refused else None

    def note(
        self,
        table: TableId,
        user: UserId,
        channel: ChannelId,
        message: MessageId,
        shows: Shows,
    ) -> None:
        """The answer to a press has drawn a panel in the person's DM."""
        before = self._messages.find(table, (Kind.HAND, user))
        now = Surface(Kind.HAND, user, channel, message, self._clock()).telling(shows)
        if before is not None and before.message != message:
            if before.shows(Call(shows.question)):
                # A newer panel was sent meanwhile: the one that was pressed goes.
                self._messages.retire(table, now)
                return
        elif before is not None and before.question == shows.question:
            now = now._replace(warned=before.warned)
        self._messages.renew(table, now)

    def done(self, table: TableId, user: UserId, message: MessageId) -> None:
        """The answer to a press has drawn how the match ended: nothing comes after that."""
        before = self._messages.find(table, (Kind.HAND, user))
        if before is not None and before.message == message:
            self._messages.drop(table, before.slot)

    # The line in the channel

    def called(self, table: TableId, view: NoticeView | None) -> NoticeView | None:
        """`view` if its line has to be posted now: once for a question, and once as a warning.

        If there is nobody left to call, the posted line is deleted.
        """
        before = self._messages.find(table, NOTICE)
        view = self._uncalled(table, view)
        if view is None:
            if before is not None:
                self._messages.drop(table, NOTICE)
                self._messages.retire(table, before)
            return None
        if before is None or before.call != _call(view):
            return view
        named = self._named.get(table)
        users = {view.head.sitters[seat].user for seat in view.seats}
        # In the same moment Discord may refuse direct messages: then more people need the line.
        return view if named is not None and not users <= named.users else None

    def _uncalled(self, table: TableId, view: NoticeView | None) -> NoticeView | None:
        """`view` without people whom a hand by DM has called; None if nobody is left."""
        if view is None:
            return None
        seats = []
        for seat in view.seats:
            hand = self._messages.find(table, (Kind.HAND, view.head.sitters[seat].user or 0))
            if hand is None or not hand.shows(_call(view)):
                seats.append(seat)
        return replace(view, seats=tuple(seats)) if seats else None

    async def call(
        self, table: TableId, state: DrawState, view: NoticeView, snapshot: Snapshot
    ) -> bool:
        """Posts the line; the one before goes once the new one is there.

        Returns whether all is well; that we may not is left in `state.trouble.refused`.
        """
        head, users = view.head, []
        call = _call(view)
        for seat in view.seats:
            user = head.sitters[seat].user
            if user is not None:
                if await self._membership.has_left(table, head.guild, user, call=call):
                    return True  # the table has changed by that, and is drawn again
                users.append(user)
        line = notice_message(view, self._messages.url(table, head.guild), texts(head.locale))

        async def newest() -> Message | None:
            """The newest line; None if its question is over.  Other people are called by the next
            draw."""
            now = await self._source.snapshot(table, snapshot.version)
            if now is None:
                return line
            notice = self._uncalled(table, now.notice)
            same = notice is not None and (_call(notice), notice.seats) == (call, view.seats)
            return line if same else None

        before = self._messages.find(table, NOTICE)
        refusal = await self._outbox.post(
            table,
            Surface(*NOTICE, head.channel)._replace(**call._asdict()),
            line,
            head.guild,
            called=users,
            newest=newest,
        )
        if self._messages.find(table, NOTICE) is not before:
            self._counts.noticed("line")
            self._named[table] = CalledByLine(call, frozenset(users))
        if refusal is not None and not refusal.passes:
            state.trouble.refused = refusal
        return is_settled(refusal)


def _call(of: WantedHand | NoticeView) -> Call:
    question = of.question if isinstance(of, NoticeView) else of.calls_to
    return Call(question, of.warned)
