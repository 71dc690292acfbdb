"""Messages of planned tables, their calendar events, and the calls when such a table opened.

They are stored, sent and tried again like those of tables, in a ledger of their own.
"""

from __future__ import annotations

from collections.abc import Collection
from datetime import timedelta
from typing import Final

from cachetools import LRUCache

from bot.i18n import texts
from bot.ids import Ids, MessageId, PlanId, UserId, drop
from bot.plain_text import plain_name
from bot.publish.desk import Desk
from bot.publish.draw_tasks import DrawState
from bot.publish.messages import BOARD, MAX_TABLES, NOTICE, Slot, Surface, Surfaces
from bot.publish.openings import Openings
from bot.publish.publisher import Publisher
from bot.publish.refusals import FAILURES, Meaning, Purpose, Refusal, is_settled, read
from bot.publish.requests import Priority, log_failure, worked
from bot.render.components import channel_url, jump_url
from bot.render.message import Message
from bot.render.planned import (
    calling_line,
    open_letter,
    open_line,
    plan_message,
    shut_letter,
    unseated_letter,
)
from bot.surfaces import Kind
from bot.tables.model import Table
from bot.tables.planning import Planning
from bot.tables.plans import (
    EVENT_TO_COME,
    Plan,
    PlanState,
    has_answered,
    has_had_its_day,
    still_called,
)
from bot.tables.queueing import turn_of
from bot.tables.service import TableService
from bot.tables.stored import DeadlineKind, Status
from bot.views.building import due_at, table_head
from bot.views.planned import plan_view

EVENT_TIME: Final = timedelta(hours=3)
"""How long an event in the calendar lasts, which has to say so."""


class PlanBoards(Desk):
    """Draws plans as they are stored."""

    def __init__(
        self,
        planning: Planning,
        tables: TableService,
        publisher: Publisher,
        openings: Openings,
        surfaces: Surfaces,
    ) -> None:
        requests, readers = publisher.requests, publisher.readers
        super().__init__(requests, readers, surfaces, publisher.clock, publisher.timings)
        self._planning, self._tables, self._publisher = planning, tables, publisher
        self._openings = openings
        self._spoken: LRUCache[PlanId, str] = LRUCache(MAX_TABLES)
        """The language in which this run has found or drawn the lines of a plan."""
        planning.changed = self.changed

    # What others call

    def changed(self, plan: PlanId) -> None:
        """Draws it now, and again until that works.  Never raises."""
        self._draw_tasks.again(self._draw_tasks.state(plan))

    async def wake(self) -> None:
        """Draw plans that changed while nobody drew.  Raises what the database raises."""
        for plan in await self._planning.store.undrawn():
            self.changed(plan)

    async def adopt(self, plan: Plan, message: MessageId, mark: int | None = None) -> None:
        """An answer, that of the number `mark`, is the plan's message and shows it."""
        await self._messages.open(plan.id)
        self.outbox.posted(plan.id, plan.channel, message, mark)
        self._draw_tasks.state(plan.id).schedule.version = plan.version
        await self._messages.flush()

    def drop(self, ids: Ids) -> None:
        super().drop(ids)
        drop(self._spoken, ids)

    # One draw

    async def _draw(self, state: DrawState) -> bool:
        """Draws all there is; returns whether that worked, or there is no use in trying soon."""
        plan = await self._planning.store.find(state.table)
        if plan is None:
            self._draw_tasks.forget(state.table)
            return True
        await self._messages.open(plan.id)
        await self.outbox.recover(state, plan.guild)
        # Its message may have been sent twice.
        past = [
            line
            for line in self._messages.of(plan.id, Kind.CALL)
            if has_had_its_day(plan, plan.lines[line.key - 1])
        ]
        for old in (*self._messages.of(plan.id, Kind.REPLACED), *past):
            self._messages.drop(plan.id, old.slot)
            self._messages.retire(plan.id, old)
        state.trouble.guild, done = plan.guild, True  # for the calendar, too
        if state.trouble.lost or state.schedule.version != plan.version:
            done = await self._draw_version(plan, state)
        done = await self._keep_listed(plan) and done
        self._tidying.begin(plan.id)
        done = done and not self.outbox.unsure(plan.id)
        if done and not state.trouble.lost and not state.schedule.dirty:
            state.schedule.version = plan.version
            self._messages.drawn(plan.id, plan.version)
            if not plan.is_open:
                self._draw_tasks.forget(plan.id)
        return done

    async def _draw_version(self, plan: Plan, state: DrawState) -> bool:
        """Draw the message of a plan; if its table has opened, call the people who come first."""
        url, called = None, True
        if plan.state is PlanState.OPENED and plan.table is not None:
            # The board first: nobody is called to what they cannot see.
            board = await self._publisher.board_place(plan.table)
            if board is None:  # no command's answer becomes it, which others wait for
                await self._publisher.repost(plan.table)
                board = await self._publisher.board_place(plan.table)
            there = channel_url(plan.guild, plan.channel)
            url = there if board is None else jump_url(plan.guild, *board)
            called = await self._call(plan, url)
            self._openings.opened(plan.table, has_answered(plan))
        why = await self._show(plan, state, url)
        barred = why is not None and not why.passes
        state.trouble.lost = plan.is_open and barred
        if plan.is_open and why is not None and why.meaning is Meaning.VANISHED:
            await self._planning.vanished(channel=plan.channel)
        elif barred and plan.state is PlanState.SHUT:
            # Where its channel cannot read it, whoever planned it is told.
            letter = shut_letter(plan_view(plan), texts(plan.wish.locale))
            why = await self._post(plan, (Kind.GREETING, plan.by.id), letter)
        elif plan.is_open and why is None:
            called = await self._post_lines(plan)
        return called and is_settled(why)

    async def _show(self, plan: Plan, state: DrawState, url: str | None) -> Refusal | None:
        """Draw the plan's message; None if that worked or is not needed, else why not."""
        message = plan_message(plan_view(plan, url), texts(plan.wish.locale))
        board = self._messages.board(plan.id)
        try:
            refused: Meaning | None = Meaning.GONE
            if board is not None:
                refused = await self.outbox.edit(plan.id, board, message)
        except FAILURES as error:
            return self.outbox.failed(plan.id, BOARD, error, Purpose.EDIT)
        if refused is None:
            return None
        if refused is Meaning.GONE:
            self._messages.drop(plan.id, BOARD)
            if not plan.is_open:  # what is over need not stand anywhere
                return None
        # What arrived at the first try may show what the plan was like then.
        meant = Surface(*BOARD, plan.channel)
        state.schedule.dirty |= self.outbox.tried(plan.id, meant) is not None
        return await self.outbox.post(
            plan.id, meant, message, plan.guild, priority=Priority.BOARD, silent=True
        )

    async def _post_lines(self, plan: Plan) -> bool:
        """Post what calls people to a plan and is not there yet, and edit what is there in another
        language, or from before a time was found; returns whether all is well.

        Each names whom it concerns, so that nobody can tell who is not called.
        """
        view, url, well = plan_view(plan), self._messages.url(plan.id, plan.guild), True
        locale = plan.wish.locale
        translates = self._spoken.setdefault(plan.id, locale) != locale
        asks = int(plan.state is PlanState.ASKING)
        for number, line in enumerate(plan.lines, 1):
            slot = Kind.CALL, number
            there = self._messages.find(plan.id, slot)
            people = still_called(plan, line) if there is None else line.people
            message = calling_line(view, line.why, people, url, texts(locale))
            if not people:
                continue
            if there is None:
                called = [user for user in people if await self._planning.welcomes(plan, user)]
                posting = self._post(plan, slot, message, called, asks)
                well = is_settled(await posting) and well
            elif translates or there.round > asks:
                edited = await self._edit(plan, there, message)
                if edited and self._messages.find(plan.id, slot) == there:
                    self._messages.put(plan.id, there._replace(round=asks))
                well = edited and well
        if well:
            self._spoken[plan.id] = locale
        return well

    async def _edit(self, plan: Plan, line: Surface, message: Message) -> bool:
        """Edit a line; one that Discord lets nobody edit any more stays as it is.  Returns whether
        all is well."""
        try:
            await self.outbox.edit(plan.id, line, message, Priority.SETTLE)
        except FAILURES as error:
            return not self.outbox.failed(plan.id, line.slot, error, Purpose.EDIT).passes
        return True

    async def _call(self, plan: Plan, url: str) -> bool:
        """Send a line in the channel, and a direct message to each who takes these; returns whether
        all is well.

        The line names all who come, so that nobody can tell who is not called.
        """
        table = await self._tables.find(plan.id if plan.table is None else plan.table)
        if table.stored.status is not Status.LOBBY or not plan.coming:
            return True
        head, people = table_head(table), [person.id for person in plan.coming]
        starts = due_at(table, DeadlineKind.PLANNED)
        line = open_line(head, people, starts, texts(plan.wish.locale))
        well = is_settled(await self._post(plan, NOTICE, line, plan.called))
        for user in plan.called:
            writing = self._write_to(user, plan, table, url)
            well = await worked(writing, "call_failed", plan.id) and well
        return well

    async def _write_to(self, user: UserId, plan: Plan, table: Table, url: str) -> bool:
        """Write to one who comes that the table has opened; returns whether all is well."""
        if not await self.readers.takes_letters(user):
            return True
        head, seating = table_head(table), table.stored.seating
        seated, words = seating.place_of(user) is not None, self.readers.texts(user, head)
        # To whom a seat is offered already, they are called in the channel: they come first.
        turn = turn_of(seating, user) or int(seating.waits(user))
        letter = (
            open_letter(head, url, due_at(table, DeadlineKind.PLANNED), words)
            if seated
            else unseated_letter(head, url, turn, table.stored.timing.pace.waits.offer, words)
        )
        why = await self._post(plan, (Kind.GREETING, user), letter)
        if seated and (why is None or why.meaning is Meaning.CLOSED):
            await self._tables.set_reachable(table.id, user, reachable=why is None)
        return is_settled(why)  # else their hand finds it out

    async def _post(
        self,
        plan: Plan,
        slot: Slot,
        message: Message,
        called: Collection[UserId] = (),
        asks: int = 0,
    ) -> Refusal | None:
        """Send a message once: a line in the channel, a greeting as a direct message.

        `asks`: 1 for a line that is posted while a time is looked for.
        """
        if self._messages.find(plan.id, slot) is not None:
            return None
        if slot[0] is Kind.GREETING:
            return await self.outbox.post(plan.id, Surface(*slot), message)
        meant = Surface(*slot, plan.channel, round=asks)
        return await self.outbox.post(plan.id, meant, message, plan.guild, called=called)

    # The calendar

    async def _keep_listed(self, plan: Plan) -> bool:
        """Keeps it in the server's calendar while it is planned and everybody sees its channel.

        It stays there when its table has opened.  That this fails is no failure of the plan:
        returns whether it need not be tried again.
        """
        url, stands = self._messages.url(plan.id, plan.guild), plan.event != EVENT_TO_COME
        if plan.event is None or plan.state is PlanState.OPENED or (url is None and not stands):
            return True
        try:
            planned = plan.state is PlanState.PLANNED
            wanted = planned and await self.requests.is_public(plan.guild, plan.channel)
            if wanted == stands:
                return True
            event: int | None = EVENT_TO_COME
            if stands:
                await self.requests.unlist_event(plan.guild, plan.event)
            elif url is not None:
                event = await self._list(plan, url)
        except FAILURES as error:
            log_failure("event_not_kept", plan.id, error)
            if read(error, Purpose.PLACE) is Meaning.LATER:
                return False
            event = None
        await self._planning.store.listed(plan.id, event)
        return True

    async def _list(self, plan: Plan, place: str) -> int | None:
        """The id of its event; None where that is not allowed (any more)."""
        by = await self.requests.guest(plan.guild, plan.channel, plan.by.id)
        if by is None or not by.lists:
            return None
        words = texts(plan.wish.locale)
        told = words.get("plan.event", name=plain_name(plan.by.name), url=place)
        name, due = words.game_name(plan.wish.game), plan.when.due
        return await self.requests.list_event(plan.guild, name, told, place, due, due + EVENT_TIME)
