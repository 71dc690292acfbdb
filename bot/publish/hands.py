"""Private hands: whom a change calls, sending a hand, and redrawing those that are open."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, NamedTuple, TypeAlias

from cachetools import LRUCache

from bot.i18n import texts
from bot.ids import ALONE, GuildId, TableId, UserId
from bot.publish.draw_tasks import DrawCounts, DrawState, DrawTasks
from bot.publish.membership import Membership
from bot.publish.messages import (
    DIRECT,
    NOTICE,
    WHISPER_SECONDS,
    Call,
    ShownMessages,
    Shows,
    Slot,
    Surface,
    Whispers,
)
from bot.publish.outbox import Outbox
from bot.publish.picture_cache import PictureCache
from bot.publish.readers import Readers
from bot.publish.refusals import (
    FAILURES,
    PASSES,
    Meaning,
    Purpose,
    Refusal,
    is_settled,
    send_or_without_emoji,
)
from bot.publish.requests import Priority, log_failure, worked
from bot.publish.source import Source
from bot.render.board import notice_message
from bot.render.ended import ended_panel
from bot.render.hand import left_panel
from bot.render.message import Message
from bot.render.pages import greeting
from bot.surfaces import Kind
from bot.views.snapshot import Mark, Snapshot, WantedHand
from bot.views.values import BoardView, ClosedView, NoticeView, ResultView

MAX_TABLES: Final = 10_000
"""Maximum number of tables whose calls by line are remembered."""


class CalledByLine(NamedTuple):
    """Whom lines in the channel have called, and to what."""

    calls: Mapping[UserId, Call]
    """People whom one of this run has called, and what to last."""
    before: Surface | None
    """The line that stood there at its start."""
    said: tuple[str, frozenset[UserId]] | None = None
    """The language of the present one, and whom it names; None: it is that one."""


@dataclass
class Hands:
    """One hand for each person by DM, and one line for the people who get none."""

    _source: Source
    _messages: ShownMessages
    _membership: Membership
    _readers: Readers
    _pictures: PictureCache
    _outbox: Outbox
    _counts: DrawCounts
    _called: LRUCache[TableId, CalledByLine] = field(default_factory=lambda: LRUCache(MAX_TABLES))
    """By table."""

    # Hands

    def due(self, table: TableId, snapshot: Snapshot) -> Mapping[UserId, WantedHand]:
        """Hands to be sent again, by owner."""
        found = {}
        for user, wanted in snapshot.hands.items():
            before = self._messages.find(table, (Kind.HAND, user))
            if wanted.by_letter and (before is None or not before.shows(wanted.call)):
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
            # Discord takes no hand for them: they have left, or find it in the channel from now on.
            view = snapshot.view
            if view is not None and not await self._membership.has_left(
                table, view.head.guild, user, doubted=True
            ):
                await self._source.unreachable(table, user)
            return True
        if self._source.letters.refused:
            self._source.hold_back(table, user)
        return False

    async def _draw(
        self, table: TableId, user: UserId, wanted: WantedHand, snapshot: Snapshot
    ) -> Refusal | None:
        call, place = wanted.call, self._messages.place(table)
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
            """The newest hand; None if its owner is to be sent another, or none."""
            now = await self._source.snapshot(table, snapshot.version)
            if now is None:
                return drawn
            still = now.hands.get(user)
            same = still and still.by_letter and (still.asked, still.call) == (wanted.asked, call)
            view = now.hand(user, place) if same else None
            return None if view is None else await self._pictures.hand_message(view, user)

        # Whoever is not asked is not called: the one that asks them rings.  Whom a line has called
        # to this question meanwhile has heard of it.
        told = self._lines(table).calls.get(user) == call
        before = self._messages.find(table, (Kind.HAND, user))
        refusal = await self._outbox.post(
            table,
            Surface(Kind.HAND, user, question=call.question, warned=call.warned),
            drawn,
            priority=Priority.CALL if wanted.asked else Priority.BOARD,
            silent=not wanted.asked or told,
            newest=newest,
        )
        if wanted.asked and self._messages.find(table, (Kind.HAND, user)) is not before:
            self._counts.noticed("panel")
        return refusal

    async def seek(self, table: TableId, guild: GuildId, user: UserId) -> bool:
        """Find out whether a person whom nothing calls has left; that always goes well."""
        await self._membership.has_left(table, guild, user)
        return True

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

    # The line in the channel

    def called(self, table: TableId, view: NoticeView | None) -> NoticeView | None:
        """`view` if its line has to be posted now: it calls somebody to what no line has called
        them to yet.

        If there is nobody left to call, the posted line is deleted.
        """
        before = self._messages.find(table, NOTICE)
        view = self._uncalled(table, view)
        if view is None:
            if before is not None:
                self._messages.drop(table, NOTICE)
                self._messages.retire(table, before)
            return None
        heard = all(self._has_named(table, *one) for one in view.calls.items())
        return None if before is not None and heard else view

    def _has_named(self, table: TableId, user: UserId, call: Call) -> bool:
        """Whether a line has called that person to the same.

        One of before the start has called whoever was not in their quiet hours then to what was
        asked then.
        """
        calls, line, _ = self._lines(table)
        if user in calls:
            return calls[user] == call
        if line is None or line.question is None:
            return False
        shown = call.question <= line.question and call.warned <= line.warned
        return shown and not self._readers.preferences(user).is_quiet(line.posted)

    def _lines(self, table: TableId) -> CalledByLine:
        return self._called.get(table) or CalledByLine({}, self._messages.find(table, NOTICE))

    def _uncalled(self, table: TableId, view: NoticeView | None) -> NoticeView | None:
        """`view` without people whom a hand by DM has called, and without those whom a line has
        called if it warns others; None if nobody is left."""
        if view is None:
            return None
        calls = {}
        for user, call in view.calls.items():
            hand = self._messages.find(table, (Kind.HAND, user))
            if hand is None or not hand.has_called(call):
                calls[user] = call
        if any(call.warned for call in calls.values()):
            calls = {
                user: call
                for user, call in calls.items()
                if call.warned or not self._has_named(table, user, call)
            }
        return replace(view, calls=calls) if calls else None

    async def call(self, state: DrawState, view: NoticeView, snapshot: Snapshot) -> bool:
        """Posts the line; the one before goes once the new one is there.  Whom that has called to
        the same is named, and not called again.

        Returns whether all is well; that we may not is left in `state.trouble.refused`.
        """
        table, head, calls = state.table, view.head, view.calls
        for user, call in calls.items():
            if await self._membership.has_left(table, head.guild, user, call=call):
                return True  # the table has changed by that, and is drawn again
        if len(await self._outbox.awake(calls.keys())) < len(calls):
            # Since the snapshot: the next one leaves them out until the end of their quiet hours.
            state.schedule.version, state.schedule.dirty = None, True
            return True
        line = notice_message(view, self._messages.url(table, head.guild), texts(head.locale))

        async def newest() -> Message | None:
            """The newest line; None if its question is over.  Other people are called by the next
            draw."""
            now = await self._source.snapshot(table, snapshot.version)
            if now is None:
                return line
            notice = self._uncalled(table, now.notice)
            return line if notice is not None and notice.calls == calls else None

        before, lines = self._messages.find(table, NOTICE), self._lines(table)
        latest = max(call.question for call in calls.values())
        refusal = await self._outbox.post(
            table,
            Surface(
                *NOTICE, head.channel, round=_minutes(view), question=latest, warned=view.warned
            ),
            line,
            head.guild,
            called=[user for user in calls if not self._has_named(table, user, calls[user])],
            newest=newest,
        )
        if self._messages.find(table, NOTICE) is not before:
            self._counts.noticed("line")
            self._called[table] = CalledByLine({**lines.calls, **calls}, lines.before, _said(view))
        if refusal is not None and not refusal.passes:
            state.trouble.refused = refusal
        return is_settled(refusal)

    def misnames(self, table: TableId, snapshot: Snapshot) -> NoticeView | None:
        """What a line that warns has to say now that one of those it names has answered, while
        others are asked still: these have heard of it.  Or any one, in another language or of
        another time: of none in a pause, a longer one at a slower pace.

        None if there is none, or it says that.  Whom else one that warns nobody names was asked.
        """
        before, view = self._messages.find(table, NOTICE), self._uncalled(table, snapshot.notice)
        if before is None or view is None:
            return None
        if before.round != _minutes(view):
            return view
        said, hands = self._lines(table).said, snapshot.hands
        if said == _said(view):
            return None
        if said is not None and said[0] != view.head.locale:
            return view
        # Of one of before the start it is unknown whom it names.
        known = said is not None and all(user in hands and hands[user].asked for user in said[1])
        return None if known or not before.warned else view

    async def name_anew(self, table: TableId, view: NoticeView) -> bool:
        """Edits the line to that.  Returns whether all is well."""
        before, lines, head = self._messages.find(table, NOTICE), self._called.get(table), view.head
        if before is None:
            return True
        line = notice_message(view, self._messages.url(table, head.guild), texts(head.locale))
        now = before._replace(round=_minutes(view), warned=view.warned)
        well = await self._outbox.renew(table, before, now, line, head.guild)
        if well and self._called.get(table) == lines:
            self._called[table] = self._lines(table)._replace(said=_said(view))
        return well


def _said(view: NoticeView) -> tuple[str, frozenset[UserId]]:
    return view.head.locale, frozenset(view.calls)


def _minutes(view: NoticeView) -> int:
    """When time runs out, as it is stored of the line: since 1970; 0 if it says no time."""
    return 0 if view.due is None else int(view.due.timestamp()) // 60


# Redrawing hands.
#
# A question may be answered on another hand, on the board, by a command, by the clock or a stand-
# in; a round or match may end, a person may leave.  The content of each hand is known (`Shows`), so
# that one edit shows the newest state, and a hand that its own press has drawn is not drawn again.
#
# People who are asked see it on every hand of theirs that can still be edited, even if they can
# only pass.


class Settled(NamedTuple):
    """The last content of a hand that is over."""

    message: Message
    shows: Shows | None
    """None if nothing will come after it."""


@dataclass
class Settling:
    """Finds hands that are over, and redraws them."""

    _messages: ShownMessages
    _readers: Readers
    _pictures: PictureCache
    _outbox: Outbox
    _whispers: Whispers
    _counts: DrawCounts

    # What is over

    def stale(self, table: TableId, snapshot: Snapshot) -> Iterator[Surface]:
        """The hands that are over, or do not ask what their owner is asked, and can be edited."""
        for hand in self._messages.of(table, Kind.HAND, Kind.WHISPER):
            if hand.kind is Kind.HAND:
                stays = hand.key in snapshot.told
            else:
                stays = hand.message not in self._whispers
            if not stays and self._is_past(hand, snapshot):
                yield hand

    def _is_past(self, hand: Surface, snapshot: Snapshot) -> bool:
        """Whether it is over, or does not ask what its owner is asked."""
        now = snapshot.hands.get(UserId(hand.key))
        if now is None or not now.asked or now.question == hand.told.question:
            return self._is_over(hand, snapshot)
        return True

    @staticmethod
    def _is_over(hand: Surface, snapshot: Snapshot) -> bool:
        match snapshot.view:
            case ResultView() | ClosedView():
                return True
            case BoardView():
                now = snapshot.hands.get(UserId(hand.key))
                return now is None or hand.told.is_over(now)
            case _:
                return False  # the cards are being shuffled, or there are none

    def untold(self, table: TableId, snapshot: Snapshot) -> Iterator[UserId]:
        """People who are still to be told that a restoration ended the table."""
        for user in snapshot.told:
            hand = self._messages.find(table, (Kind.HAND, user))
            if hand is None or hand.round != Mark.RESTORATION_TOLD:
                yield user

    def timed_anew(self, state: DrawState, snapshot: Snapshot) -> None:
        """Note that hands with a changed deadline are to be redrawn, without a new call.

        People who are warned of it have been sent a new one, or will be; who was warned of the time
        before, perhaps before a restart, is warned again of this one.
        """
        view = snapshot.view
        if not isinstance(view, BoardView):
            return
        letters = [one.call for one in snapshot.hands.values() if one.by_letter and one.asked]
        lines = () if snapshot.notice is None else snapshot.notice.calls.values()
        question = min((call.question for call in (*letters, *lines)), default=None)
        before = state.board.timed
        state.board.timed = question, view.due
        if question is None or any(call.warned for call in letters):
            return
        changed = before[0] == question and before[1] != view.due
        for hand in self._messages.of(state.table, Kind.HAND, Kind.WHISPER):
            owner = snapshot.hands.get(UserId(hand.key))
            warned = hand.warned and owner is not None and owner.warned  # also in quiet hours
            if hand.question == question and (changed or warned != hand.warned):
                stale = hand._replace(round=Mark.UNSURE, warned=warned)
                self._messages.put(state.table, stale)

    # Drawing it anew

    async def tell(self, table: TableId, user: UserId, snapshot: Snapshot) -> bool:
        """Tell a person that a restoration ended the table; their known hand is deleted.

        Returns whether all is well.
        """
        settled = await self._settled(table, user, snapshot)
        if settled is None:
            return True
        meant, settle = Surface(Kind.HAND, user, round=Mark.RESTORATION_TOLD), Priority.SETTLE
        refusal = await self._outbox.post(table, meant, settled.message, priority=settle)
        return refusal is None or self._gives_up(table, meant.slot, refusal)

    def _gives_up(self, table: TableId, slot: Slot, refusal: Refusal) -> bool:
        """Forgets a direct message where nobody can draw anything."""
        if not refusal.passes:
            self._messages.drop(table, slot)
        return not refusal.passes

    async def redraw(self, table: TableId, before: Surface, snapshot: Snapshot) -> bool:
        """Redraw a hand.  Returns whether all is well.

        After a refusal one in a channel is not tried again: a press on it shows the present table.
        """
        whispered, whisper = before.kind is Kind.WHISPER, self._whispers.get(before.message)
        pictured = whisper is None or whisper.files
        settled = await self._settled(table, UserId(before.key), snapshot, pictured=pictured)
        if settled is None:
            return True
        now = self._messages.find(table, before.slot)
        if whispered and now != before:
            # While it was drawn its owner has pressed it, or opened a newer one.
            return now is None or not self._is_past(now, snapshot)
        try:
            refused = await self._edit(table, before, settled.message, snapshot)
        except FAILURES as error:
            refusal = self._outbox.failed(table, before.slot, error, Purpose.EDIT)
            return self._gives_up(table, before.slot, refusal)
        now = self._messages.find(table, before.slot)
        if now is not None and now.message == before.message and now != before:
            # Its owner has pressed it meanwhile: nobody knows which of the two is seen.
            self._messages.put(table, now._replace(round=Mark.UNSURE))
            return False
        if refused is Meaning.STUCK:  # too old for yet another edit: anew, and the old one goes
            if settled.shows is None:
                meant, settle = Surface(*before.slot), Priority.SETTLE
                why = await self._outbox.post(
                    table, meant, settled.message, priority=settle, silent=True
                )
                if why is not None:
                    return self._gives_up(table, before.slot, why)
            self._messages.retire(table, before)
        if now != before:
            return True
        if refused is None and settled.shows is not None:
            self._messages.put(table, before.edited(settled.shows))
            return True
        self._messages.drop(table, before.slot)
        # Whoever still plays needs a hand: the next draw sends one.
        return settled.shows is None or whispered

    async def _edit(
        self, table: TableId, before: Surface, message: Message, snapshot: Snapshot
    ) -> Meaning | None:
        """Edit a hand: one in a channel is gone if that fails, of others it raises what failed."""
        if before.kind is Kind.HAND:
            refused = await self._outbox.edit(table, before, message, Priority.SETTLE)
            self._counts.settled("panel")
            return refused
        whisper = self._whispers.get(before.message)
        if whisper is None:
            return Meaning.GONE
        edit = whisper.message.edit
        try:
            async with asyncio.timeout(WHISPER_SECONDS):
                await send_or_without_emoji(
                    message, lambda shown: edit(view=shown.view, attachments=shown.uploads())
                )
        except FAILURES as error:
            log_failure("settling_failed", table, error)
            return Meaning.GONE
        if self._is_over(before, snapshot):
            self._counts.settled("whisper")
        return None

    async def _settled(
        self, table: TableId, user: UserId, snapshot: Snapshot, *, pictured: bool = True
    ) -> Settled | None:
        view = snapshot.view
        if view is None:
            return None
        place, url = self._messages.place(table), self._messages.url(table, view.head.guild)
        texts = self._readers.texts(user, view.head)
        if isinstance(view, ResultView | ClosedView):
            deck = self._readers.deck(user)
            return Settled(ended_panel(view, user, url, texts, deck=deck), None)
        hand = snapshot.hand(user, place)
        if hand is None:
            return Settled(left_panel(view.head, url, texts), None)
        panel = await self._pictures.hand_message(hand, user, pictured=pictured)
        return Settled(panel, Shows.of(hand))


# The order of hands and calls: first to the people who are asked.

Begun: TypeAlias = "list[asyncio.Task[bool] | None]"
"""Calls; None for one that could not begin, since one of its slot is still under way."""


@dataclass
class Calls:
    """Begins calls, and sees to it that what failed is tried again."""

    hands: Hands
    _settling: Settling
    _draw_tasks: DrawTasks

    def first(self, state: DrawState, snapshot: Snapshot) -> Begun:
        """Begin the calls of the people who are asked."""
        calls = self._send_hands(state, snapshot, asked=True)
        called = self.hands.called(state.table, snapshot.notice)
        if called is not None:
            line = self.hands.call(state, called, snapshot)
            calls.append(_begin(state.table, state.calls, NOTICE, line))
        return calls

    def others(self, state: DrawState, snapshot: Snapshot, guild: GuildId) -> Begun:
        """Send the hands of the other people; check membership of those who cannot be called."""
        calls = self._send_hands(state, snapshot, asked=False)
        uncalled = [*snapshot.kept]
        if snapshot.notice is None and guild != ALONE:
            # Nothing calls whoever is asked and gets no letter.
            hands = snapshot.hands.items()
            uncalled += [user for user, hand in hands if hand.asked and not hand.by_letter]
        for user in uncalled:
            seek = self.hands.seek(state.table, guild, user)
            calls.append(_begin(state.table, state.calls, (Kind.NOTICE, user), seek))
        return calls

    def settle(self, state: DrawState, snapshot: Snapshot) -> Begun:
        """Redraw messages whose question is over, except those that are replaced or redrawn by the
        answer to their owner's press."""
        table = state.table
        sent = set(self.hands.due(table, snapshot))
        sent |= {UserId(key) for kind, key in state.calls if kind is Kind.HAND}
        begun: Begun = []
        if (line := self.hands.misnames(table, snapshot)) and NOTICE not in state.calls:
            edit = self.hands.name_anew(table, line)
            begun.append(_begin(table, state.settling, NOTICE, edit))
        self._settling.timed_anew(state, snapshot)
        for hand in self._settling.stale(table, snapshot):
            if hand.kind is Kind.WHISPER or hand.key not in sent:
                edit = self._settling.redraw(table, hand, snapshot)
                drawn = (Kind.HAND, hand.key) in state.answering
                begun.append(_begin(table, state.settling, hand.slot, edit, spared=drawn))
        for user in self._settling.untold(table, snapshot):
            tell = self._settling.tell(table, user, snapshot)
            begun.append(_begin(table, state.settling, (Kind.HAND, user), tell))
        return begun

    def introduce(self, state: DrawState, snapshot: Snapshot) -> Begun:
        """Greet people who were not greeted yet, before a deal."""
        table, greet = state.table, self.hands.introduce
        return [
            _begin(table, state.calls, (Kind.GREETING, user), greet(table, user))
            for user in snapshot.newcomers
        ]

    def _send_hands(self, state: DrawState, snapshot: Snapshot, *, asked: bool) -> Begun:
        """Begins to send hands that are not up to date: of those who are asked, or the others."""
        table, draw = state.table, self.hands.draw
        return [
            _begin(table, state.calls, (Kind.HAND, user), draw(table, user, wanted, snapshot))
            for user, wanted in self.hands.due(table, snapshot).items()
            if wanted.asked is asked
        ]

    def went_well(self, state: DrawState, call: asyncio.Task[bool] | None) -> bool:
        """Whether the call has worked.  One that takes long is looked at again when it has."""
        if call is None:
            return False
        if call.done():
            return not call.cancelled() and call.result()

        def finished(call: asyncio.Task[bool]) -> None:
            if call.cancelled():
                return
            if call.result():
                self._draw_tasks.again(state)
            else:
                # What only waited for this call has not failed by itself.
                self._draw_tasks.retry(state)

        call.add_done_callback(finished)
        return False


async def patiently(calls: Begun, seconds: float) -> None:
    """Wait for these calls, so long at most; slower ones go on."""
    begun = [call for call in calls if call is not None]
    if begun:
        await asyncio.wait(begun, timeout=seconds)


def _begin(
    table: TableId,
    under_way: dict[Slot, asyncio.Task[bool]],
    slot: Slot,
    call: Coroutine[None, None, bool],
    *,
    spared: bool = False,
) -> asyncio.Task[bool] | None:
    """Begins a call, unless it is spared or one of the same slot is still under way."""
    if spared or slot in under_way:
        call.close()
        return None
    working = worked(call, "call_failed", table)
    task = under_way[slot] = asyncio.create_task(working, name="call")
    task.add_done_callback(lambda _: under_way.pop(slot))
    return task
