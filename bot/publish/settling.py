"""Redrawing private hands whose question was answered, or whose owner is asked something else.

A question may be answered on another hand, on the board, by a command, by the clock or a stand-in;
a round or match may end, a person may leave.  The content of each hand is known (`Shows`), so that
one edit shows the newest state, and a hand that its own press has drawn is not drawn again.

People who are asked see it on every hand of theirs that can still be edited, even if they can only
pass.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from bot.ids import TableId, UserId
from bot.publish.budget import Priority
from bot.publish.counting import DrawCounts
from bot.publish.draw_tasks import DrawState
from bot.publish.messages import ShownMessages, Shows, Slot, Surface
from bot.publish.outbox import Outbox
from bot.publish.picture_cache import PictureCache
from bot.publish.readers import Readers
from bot.publish.refusals import FAILURES, Purpose, Refusal
from bot.publish.refused_emojis import send_or_without_emoji
from bot.publish.requests import Edited, log_failure
from bot.publish.whispers import MAX_SECONDS, Whispers
from bot.render.ended import ended_panel
from bot.render.hand import left_panel
from bot.render.message import Message
from bot.surfaces import Kind
from bot.views.snapshot import Mark, Snapshot
from bot.views.values import BoardView, ClosedView, ResultView


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

    def timed_anew(self, table: TableId, state: DrawState, snapshot: Snapshot) -> None:
        """Note that hands with a changed deadline are to be redrawn, without a new call.

        People who are warned of it have been sent a new one, or will be.
        """
        view = snapshot.view
        if not isinstance(view, BoardView):
            return
        letters = [hand for hand in snapshot.hands.values() if hand.by_letter and hand.asked]
        asked = [hand.calls_to for hand in letters]
        if snapshot.notice is not None:
            asked.append(snapshot.notice.question)
        question, before = min(asked, default=None), state.board.timed
        state.board.timed = question, view.due
        if question is None or before[0] != question or before[1] == view.due:
            return
        if any(hand.warned for hand in letters):
            return
        for hand in self._messages.of(table, Kind.HAND, Kind.WHISPER):
            if hand.question == question:
                self._messages.put(table, hand._replace(round=Mark.UNSURE))

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
            edited = await self._edit(table, before, settled.message, snapshot)
        except FAILURES as error:
            refusal = self._outbox.failed(table, before.slot, error, Purpose.EDIT)
            return self._gives_up(table, before.slot, refusal)
        now = self._messages.find(table, before.slot)
        if now is not None and now.message == before.message and now != before:
            # Its owner has pressed it meanwhile: nobody knows which of the two is seen.
            self._messages.put(table, now._replace(round=Mark.UNSURE))
            return False
        if edited is Edited.STUCK:  # too old for yet another edit: anew, and the old one goes
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
        if edited is Edited.DONE and settled.shows is not None:
            self._messages.put(table, before.telling(settled.shows))
            return True
        self._messages.drop(table, before.slot)
        # Whoever still plays needs a hand: the next draw sends one.
        return settled.shows is None or whispered

    async def _edit(
        self, table: TableId, before: Surface, message: Message, snapshot: Snapshot
    ) -> Edited:
        """Edit a hand: one in a channel is gone if that fails, of others it raises what failed."""
        if before.kind is Kind.HAND:
            edited = await self._outbox.edit(table, before, message, Priority.SETTLE)
            self._counts.settled("panel")
            return edited
        whisper = self._whispers.get(before.message)
        if whisper is None:
            return Edited.GONE
        edit = whisper.message.edit
        try:
            async with asyncio.timeout(MAX_SECONDS):
                await send_or_without_emoji(
                    message, lambda shown: edit(view=shown.view, attachments=shown.uploads())
                )
        except FAILURES as error:
            log_failure("settling_failed", table, error)
            return Edited.GONE
        if self._is_over(before, snapshot):
            self._counts.settled("whisper")
        return Edited.DONE

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
