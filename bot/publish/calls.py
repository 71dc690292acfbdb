"""Order in which hands and calls are sent after an action: first to the people who are asked."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass
from typing import TypeAlias, TypeVar

from bot.ids import ALONE, GuildId, TableId, UserId
from bot.publish.draw_tasks import DrawState, DrawTasks
from bot.publish.hands import Hands
from bot.publish.membership import Membership
from bot.publish.messages import NOTICE
from bot.publish.requests import log_failure
from bot.publish.settling import Settling
from bot.publish.timings import Timings
from bot.surfaces import Kind
from bot.views.snapshot import Snapshot

K = TypeVar("K")

Begun: TypeAlias = "list[asyncio.Task[bool] | None]"
"""Calls; None for one that could not begin, since one of its slot is still under way."""


@dataclass
class Calls:
    """Begins calls, gives them their time, and sees to it that what failed is tried again."""

    _hands: Hands
    _membership: Membership
    _settling: Settling
    _draw_tasks: DrawTasks
    _timings: Timings

    def first(self, table: TableId, state: DrawState, snapshot: Snapshot) -> Begun:
        """Begin the calls of the people who are asked."""
        calls = self._send_hands(table, state, snapshot, asked=True)
        called = self._hands.called(table, snapshot.notice)
        if called is not None:
            line = self._hands.call(table, state, called, snapshot)
            calls.append(_begin(table, state.calls, NOTICE, line))
        return calls

    def others(self, table: TableId, state: DrawState, snapshot: Snapshot, guild: GuildId) -> Begun:
        """Send the hands of the other people; check membership of those who cannot be called."""
        calls = self._send_hands(table, state, snapshot, asked=False)
        uncalled = [*snapshot.kept]
        if snapshot.notice is None and guild != ALONE:
            # Nothing calls whoever is asked and gets no letter.
            hands = snapshot.hands.items()
            uncalled += [user for user, hand in hands if hand.asked and not hand.by_letter]
        for user in uncalled:
            seek = self._seek(table, guild, user)
            calls.append(_begin(table, state.calls, (Kind.NOTICE, user), seek))
        return calls

    def settle(self, table: TableId, state: DrawState, snapshot: Snapshot) -> Begun:
        """Redraw messages whose question is over, except those that are replaced or redrawn by the
        answer to their owner's press."""
        sent = set(self._hands.due(table, snapshot))
        sent |= {UserId(key) for kind, key in state.calls if kind is Kind.HAND}
        begun: Begun = []
        self._settling.timed_anew(table, state, snapshot)
        for hand in self._settling.stale(table, snapshot):
            if hand.kind is Kind.WHISPER or hand.key not in sent:
                edit = self._settling.redraw(table, hand, snapshot)
                drawn = hand.key in state.answering
                begun.append(_begin(table, state.settling, hand.slot, edit, spared=drawn))
        for user in self._settling.untold(table, snapshot):
            tell = self._settling.tell(table, user, snapshot)
            begun.append(_begin(table, state.settling, (Kind.HAND, user), tell))
        return begun

    async def introduce(self, table: TableId, state: DrawState, snapshot: Snapshot) -> None:
        """Greet people who were not greeted yet, before a deal."""
        begun = [
            _begin(table, state.calls, (Kind.GREETING, user), self._hands.introduce(table, user))
            for user in snapshot.newcomers
        ]
        if calls := [call for call in begun if call is not None]:
            await asyncio.wait(calls, timeout=self._timings.request)

    async def patiently(self, calls: Sequence[asyncio.Task[bool] | None]) -> None:
        """Wait for these calls, for a limited time."""
        begun = [call for call in calls if call is not None]
        if begun:
            await asyncio.wait(begun, timeout=self._timings.patience)

    def _send_hands(
        self, table: TableId, state: DrawState, snapshot: Snapshot, *, asked: bool
    ) -> Begun:
        """Begins to send hands that are not up to date: of those who are asked, or the others."""
        return [
            _begin(
                table,
                state.calls,
                (Kind.HAND, user),
                self._hands.draw(table, user, wanted, snapshot),
            )
            for user, wanted in self._hands.due(table, snapshot).items()
            if wanted.asked is asked
        ]

    async def _seek(self, table: TableId, guild: GuildId, user: UserId) -> bool:
        """Check whether a person who cannot be called has left."""
        await self._membership.has_left(table, guild, user)
        return True

    def went_well(self, table: TableId, state: DrawState, call: asyncio.Task[bool] | None) -> bool:
        """Whether the call has worked.  One that takes long is looked at again when it has."""
        if call is None:
            return False
        if call.done():
            return not call.cancelled() and call.result()

        def finished(call: asyncio.Task[bool]) -> None:
            if call.cancelled():
                return
            if call.result():
                self._draw_tasks.again(table, state)
            else:
                # What only waited for this call has not failed by itself.
                self._draw_tasks.retry(table, state)

        call.add_done_callback(finished)
        return False


def _begin(
    table: TableId,
    under_way: dict[K, asyncio.Task[bool]],
    key: K,
    call: Coroutine[None, None, bool],
    *,
    spared: bool = False,
) -> asyncio.Task[bool] | None:
    """Begins a call, unless it is spared or one of the same key is still under way."""
    if spared or key in under_way:
        call.close()
        return None
    task = under_way[key] = asyncio.create_task(_work(table, call), name="call")
    task.add_done_callback(lambda _: under_way.pop(key))
    return task


async def _work(table: TableId, call: Coroutine[None, None, bool]) -> bool:
    try:
        return await call
    except Exception as error:  # its troubles must not keep the table from the others
        log_failure("call_failed", table, error)
        return False
