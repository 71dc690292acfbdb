"""Messages of planned tables, and the calls when such a table has opened; uses `Publisher`."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Final
from weakref import WeakValueDictionary

import discord
import structlog

from bot.i18n import texts
from bot.ids import PlanId, TableId, UserId
from bot.publish.budget import Priority
from bot.publish.publisher import Publisher
from bot.publish.refusals import FAILURES, Meaning, Where, read
from bot.publish.requests import Edited, calling, log_failure
from bot.publish.surfaces import Kind, Surface, known_by
from bot.render.components import channel_url, jump_url
from bot.render.message import Message
from bot.render.planned import invited_line, open_letter, open_line, plan_message, shut_letter
from bot.tables.model import Table, TableError
from bot.tables.planning import Planning
from bot.tables.plans import TO_COME, Plan, PlanState
from bot.tables.ports import Blocks
from bot.tables.service import TableService
from bot.tables.stored import Status
from bot.views.building import table_head
from bot.views.planned import plan_view
from bot.visible import plain_name

logger = structlog.get_logger(__name__)

EVENING: Final = timedelta(hours=3)
"""How long an event in the calendar lasts, which has to say so."""

LINE: Final = "plan"
"""What the nonces of these messages are of."""


class PlanBoards:
    """Draws plans as they are stored: what fails is drawn with the next change or start."""

    def __init__(
        self,
        planning: Planning,
        tables: TableService,
        publisher: Publisher,
        blocks: Blocks,
    ) -> None:
        self._requests, self._readers = publisher.requests, publisher.readers
        self._planning = planning
        self._tables = tables
        self._publisher = publisher
        self._blocks = blocks
        self._drawing: WeakValueDictionary[PlanId, asyncio.Lock] = WeakValueDictionary()
        self._tasks: set[asyncio.Task[None]] = set()
        planning.changed = self.changed

    def changed(self, plan: PlanId) -> None:
        """Draws it soon.  Never raises."""
        task = asyncio.create_task(self._draw(plan), name="plan")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def wake(self) -> None:
        """Draws what changed while nobody drew.  Never raises."""
        try:
            for plan in await self._planning.store.undrawn():
                await self._draw(plan)
        except Exception as error:  # the database: the next change tries again
            logger.error("plans_not_found", kind=type(error).__name__)

    async def aclose(self) -> None:
        """Ends what is being drawn: it is drawn after the next start."""
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _draw(self, plan: PlanId) -> None:
        try:
            async with self._drawing.setdefault(plan, asyncio.Lock()):
                while True:
                    found = await self._planning.store.find(plan)
                    if found is None:
                        return
                    if found.is_open and found.event == TO_COME:
                        await self._list(found)
                    elif found.drawn != found.version:
                        await self._show(found)
                    else:
                        return
        except FAILURES as error:
            log_failure("plan_not_drawn", plan, error)
            meaning = read(error, Where.POST)
            if found is None or meaning is Meaning.LATER:
                return
            if not found.is_open:  # what is over need not be shown
                await self._tell_planner(found)
                await self._planning.store.note_shown(found.id, found.version, found.message)
            elif meaning is Meaning.VANISHED:
                await self._planning.vanished(channel=found.channel)
        except Exception as error:
            log_failure("plan_not_drawn", plan, error)

    async def _show(self, plan: Plan) -> None:
        """Draws the message of a plan; if its table has opened, calls whoever comes first."""
        url = None
        if plan.event and not plan.is_open and plan.state is not PlanState.OPENED:
            await self._unlist(plan, plan.event)
        if plan.state is PlanState.OPENED and plan.table is not None:
            # The board first: nobody is called to what they cannot see.
            self._publisher.changed(plan.table)
            await self._publisher.flush(plan.table)
            board = await self._publisher.where(plan.table)
            there = channel_url(plan.guild, plan.channel)
            url = there if board is None else jump_url(plan.guild, *board)
            await self._call(plan, plan.table, url)
        view = plan_view(plan, url)
        message = plan_message(view, texts(plan.wish.locale))
        shown = plan.message
        if shown is not None:
            where = Surface(Kind.NOTICE, 0, plan.channel, shown, plan.created)
            edited = await self._requests.edit(where, message)
            # Somebody deleted it: what is over need not stand anywhere.
            forgotten = edited is Edited.GONE and not plan.is_open
            shown = shown if edited is Edited.DONE or forgotten else None
        if shown is None:
            nonce = known_by(LINE, plan.id, plan.message)
            shown = await self._requests.send(
                plan.channel, message, nonce, Priority.BOARD, guild=plan.guild, silent=True
            )
        await self._planning.store.note_shown(plan.id, plan.version, shown)

    async def _list(self, plan: Plan) -> None:
        """Puts it into the server's calendar, if that is allowed and everybody sees the channel;
        that it fails is no failure of the plan.

        Once: were the program to die meanwhile, there would be one event that nobody takes away.
        """
        await self._planning.store.listed(plan.id, None)
        words = texts(plan.wish.locale)
        place = channel_url(plan.guild, plan.channel)
        told = words.get("plan.event", name=plain_name(plan.by.name), url=place)
        name = words.game_name(plan.wish.game)
        try:
            by = await self._requests.guest(plan.guild, plan.channel, plan.by.id)
            if by is None or not by.lists:
                return
            if plan.wish.private or not await self._requests.is_public(plan.guild, plan.channel):
                return
            event = await self._requests.list_event(
                plan.guild, name, told, place, plan.when.due, plan.when.due + EVENING
            )
        except FAILURES as error:
            log_failure("event_not_made", plan.id, error)
        else:
            await self._planning.store.listed(plan.id, event)

    async def _unlist(self, plan: Plan, event: int) -> None:
        try:
            await self._requests.unlist_event(plan.guild, event)
        except FAILURES as error:
            log_failure("event_not_deleted", plan.id, error)

    async def _tell_planner(self, plan: Plan) -> None:
        """Where its channel cannot read it: that the program may not write there any more."""
        if plan.state is not PlanState.SHUT:
            return
        letter = shut_letter(plan_view(plan), texts(plan.wish.locale))
        try:
            channel = await self._requests.dm(plan.by.id)
            await self._requests.send(
                channel, letter, known_by(LINE, plan.id, "shut"), Priority.CALL
            )
        except FAILURES as error:
            log_failure("plan_letter_failed", plan.id, error)

    async def invite(self, plan: Plan, guest: UserId, *, wanted: bool) -> None:
        """A line in the channel that invites `guest` to a private one.

        Who has not `wanted` to be is in the same line, for nobody to tell, and not called.
        """
        url = jump_url(plan.guild, plan.channel, plan.message) if plan.message else None
        line = invited_line(plan_view(plan), guest, url, texts(plan.wish.locale))
        called = calling((guest,) if wanted else ())
        await self._say(plan, line, known_by(LINE, plan.id, "guest", guest), called)

    async def _call(self, plan: Plan, table: TableId, url: str) -> None:
        """A line in the channel and a direct message each, as invitations go, and by their limits.

        The line names all who come, that nobody can tell who is not called.
        """
        found = await self._tables.find(table)
        if found.stored.status is not Status.LOBBY or not plan.coming:
            return
        people = [person.id for person in plan.coming]
        called = [user for user in people if await self._may_call(plan, user)]
        line = open_line(table_head(found), people, texts(plan.wish.locale))
        await self._say(plan, line, known_by(LINE, plan.id, "line"), calling(called))
        for user in called:
            await self._write(plan, found, user, url)

    async def _say(
        self, plan: Plan, line: Message, nonce: str, mentions: discord.AllowedMentions
    ) -> None:
        try:
            await self._requests.send(
                plan.channel, line, nonce, Priority.CALL, guild=plan.guild, mentions=mentions
            )
        except FAILURES as error:
            log_failure("plan_line_failed", plan.id, error)

    async def _may_call(self, plan: Plan, user: UserId) -> bool:
        """Whether one more is called in the name of whoever planned it.

        Counted whether they want to be or not: else the rest of the hour would tell.
        """
        if user == plan.by.id:
            return True
        try:
            self._tables.may_invite(plan.by.id)
        except TableError:
            return False
        return not await self._blocks.blocks(user, plan.by.id)

    async def _write(self, plan: Plan, table: Table, user: UserId, url: str) -> None:
        head = table_head(table)
        seated = table.stored.seating.place_of(user) is not None
        try:
            channel = await self._requests.dm(user)
            letter = open_letter(head, url, self._readers.texts(user, head), seated=seated)
            nonce = known_by(LINE, plan.id, user)
            await self._requests.send(channel, letter, nonce, Priority.CALL)
            reachable = True
        except FAILURES as error:
            log_failure("plan_letter_failed", table.id, error)
            if read(error, Where.LETTER) is not Meaning.CLOSED:
                return  # that says nothing of them: their hand finds it out
            reachable = False
        if seated:
            await self._tables.set_reachable(table.id, user, reachable=reachable)
