"""`Planning`: plans of tables that open at a time, and opening them."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import datetime
from typing import Final, NamedTuple

import structlog

from bot.ids import ChannelId, GuildId, PlanId, TableId, UserId
from bot.tables import new_tables, plans
from bot.tables.deadlines import NotYet
from bot.tables.lobby import NOBODY, Apart
from bot.tables.model import Table, TableCode, TableError
from bot.tables.plans import MAX_LATE, RETRY_PAUSE, Decide, Plan, PlanState, PlanStore, Room, Wish
from bot.tables.ports import Blocks, Chance, Clock, Due, Right, Rights, RightsUnknown, Unavailable
from bot.tables.service import TableService
from bot.tables.stored import UNASKED, Deadline, DeadlineKind, Person
from bot.tables.when import When
from engine.game import AnyGame, NotationError

logger = structlog.get_logger(__name__)

TRY_AGAIN: Final[frozenset[TableCode]] = frozenset(
    {"channel_busy", "restarting", "too_many_tables", "server_full", "too_fast", "server_too_fast"}
)
"""Refusals to open a table that may pass."""

UNPLAYABLE: Final[frozenset[TableCode]] = frozenset(
    {"no_such_game", "seats_range", "seats_exactly", "too_many_computers", "endless"}
)
"""Refusals to open a table that do not pass."""


class Admission(NamedTuple):
    """Rights around a plan, found out as its time came."""

    end: PlanState | None = None
    """Its last state, if its table may not be opened there, or not for the person who planned
    it."""
    barred: frozenset[UserId] = frozenset()
    """People who pressed on it and may not sit down there."""


class _Tried(NamedTuple):
    """What the first try to open the table of a plan has done."""

    people: tuple[Person, ...]
    """Those who came then, and have a seat there or stand in line."""
    called: frozenset[UserId]


async def admission_of(rights: Rights, plan: Plan) -> Admission | None:
    """The present rights of the program and the people of a plan; None if they cannot be found
    out."""
    try:
        return await _admission_of(rights, plan)
    except RightsUnknown:
        return None


async def _admission_of(rights: Rights, plan: Plan) -> Admission:
    async def may(user: UserId) -> Right:
        return await rights.right(plan.guild, plan.channel, user)

    if not await rights.may_open(plan.guild, plan.channel):
        return Admission(PlanState.SHUT)
    if await may(plan.by.id) is not Right.OPEN:
        return Admission(PlanState.FORBIDDEN)
    coming = [person.id for person in plan.coming if person.id != plan.by.id]
    found = dict(zip(coming, await asyncio.gather(*map(may, coming)), strict=True))
    barred = {user for user, right in found.items() if right is Right.NONE}
    others = plan.pressed - {plan.by.id, *coming}  # who cannot come this time
    if plan.when.weekly and plan.pressed <= barred | others:
        for user in others:  # one who may is enough
            if await may(user) is not Right.NONE:
                break
            barred.add(user)
    return Admission(barred=frozenset(barred))


class Planning:
    """Plans are committed before anybody is told; then `changed` is called, once for every
    change."""

    def __init__(
        self,
        store: PlanStore,
        tables: TableService,
        *,
        games: Mapping[str, AnyGame],
        clock: Clock,
        chance: Chance,
        rights: Rights | None = None,
        blocks: Blocks | None = None,
    ) -> None:
        """Without `rights` everybody may, and without `blocks` everybody wants to be called."""
        self.store = store
        self._tables = tables
        self._games = games
        self._clock = clock
        self._chance = chance
        self._rights, self._blocks = rights, blocks
        self._asked: dict[PlanId, tuple[datetime, asyncio.Task[Admission | None]]] = {}
        """Since when the rights of its people are being asked, by plan whose time has come."""
        self._tried: dict[PlanId, _Tried] = {}
        """By plan whose table is open, as long as it is not stored that it is."""
        self.changed: Callable[[PlanId], None] = lambda plan: None
        """Told of every plan to be drawn; must not block and must not raise."""
        tables.deadlines.add_source(self._earliest, self._fire)

    async def plan(
        self,
        guild: GuildId,
        channel: ChannelId,
        by: Person,
        wish: Wish,
        when: When,
        *,
        times: Sequence[datetime] = (),
        named: bool,
        event: bool = False,
    ) -> Plan:
        """Store a new plan; a `named` zone becomes the zone of `by`.

        `times`: about which of them it asks, if a time is to be found first; `when` is the last.
        `event`: whether `by` may put events into the server's calendar.

        Raises what `require_playable` and `PlanStore.add` raise.
        """
        self.require_playable(guild, channel, by, wish)
        new, now, room = self._new(), self._clock(), self._room(wish)
        plan = plans.new_plan(new, guild, channel, by, wish, when, now, event=event, room=room)
        if times:
            plan = plans.asking(plan, times)
        with self._drawn_in_doubt(plan.id):
            await self.store.add(plan)
            if named and plan.when.zone is not None:
                await self.store.learn_zone(plan.by.id, plan.when.zone)
        self._tables.deadlines.stored([_deadline(plan)])
        return plan

    def _room(self, wish: Wish) -> Room | None:
        """None for a game that there is no more."""
        game = self._games.get(wish.game)
        return None if game is None else plans.room_of(wish, game.info.seats)

    def require_playable(self, guild: GuildId, channel: ChannelId, by: Person, wish: Wish) -> None:
        """Raises TableError and NotationError for tables that could never be opened
        (`new_tables.new_table`), and `no_such_game`."""
        if wish.game not in self._games:
            raise TableError("no_such_game", game=wish.game)
        new_tables.new_table(
            TableId(""),
            wish,
            game=self._games[wish.game],
            guild=guild,
            channel=channel,
            host=by,
            tip=b"",
            now=self._clock(),
        )

    async def answer(self, plan: PlanId, person: Person, *, comes: bool) -> Plan:
        """See `plans.answer`.  Raises TableError `no_such_plan` too."""
        apart = await self._apart(person.id)
        return await self._revise(plan, lambda p: plans.answer(p, person, comes=comes, apart=apart))

    async def tick(self, plan: PlanId, person: Person, chosen: Collection[datetime]) -> Plan:
        """See `plans.tick`.  Raises TableError `no_such_plan` too."""
        apart, now = await self._apart(person.id), self._clock()
        return await self._revise(plan, lambda p: plans.tick(p, person, chosen, now, apart))

    async def take(self, plan: PlanId, user: UserId) -> Plan:
        """See `plans.take`.  Raises TableError `no_such_plan` too."""
        now = self._clock()
        return await self._revise(plan, lambda p: plans.take(p, user, now))

    async def _apart(self, user: UserId) -> Apart:
        return NOBODY if self._blocks is None else await self._blocks.apart(user)

    async def invite(self, plan: PlanId, user: UserId, guest: UserId) -> Plan:
        """See `plans.invite`.

        Raises TableError `no_such_plan`, `too_many_invitations` (seconds, limit) too.
        """
        before = _known(await self.store.find(plan))
        plans.invite(before, user, guest)  # may they?
        if guest not in before.invited:
            self._tables.may_invite(user)
        return await self._revise(plan, lambda p: plans.invite(p, user, guest))

    async def call_off(self, plan: PlanId, user: UserId, *, moderator: bool) -> Plan:
        """See `plans.call_off`.  Raises TableError `no_such_plan` too."""
        now = self._clock()
        found = await self._change(
            plan, lambda p: [plans.call_off(p, user, now, moderator=moderator)]
        )
        self.changed(plan)
        return _known(found)

    async def withdraw(self, plan: PlanId) -> None:
        """Call off a plan that nobody has seen, without telling anybody."""
        now = self._clock()
        await self._change(plan, lambda p: [plans.end(p, PlanState.OFF, now)])

    async def vanished(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> None:
        """A channel, thread or server was deleted: nothing opens there, this week or any other."""
        now, found = self._clock(), await self.store.open_in(guild, channel)
        await self._revise_open(found, lambda p: plans.end(p, PlanState.OFF, now))

    async def speak(self, guild: GuildId, locale: str) -> None:
        """Open plans of a server are in that language from now on, and their tables too."""
        await self._revise_open(await self.store.open_in(guild), lambda p: plans.spoken(p, locale))

    async def forget(self, user: UserId) -> None:
        """See `plans.without_person`, of all open plans."""
        now, found = self._clock(), await self.store.naming(user)
        await self._revise_open(found, lambda p: plans.without_person(p, user, now))

    async def welcomes(self, plan: Plan, user: UserId) -> bool:
        """Whether somebody may be called in the name of the planner, and to where others come."""
        if user == plan.by.id:
            return True
        apart, coming = await self._apart(user), [person.id for person in plan.coming]
        if user in coming:  # where both come already nothing changes
            return plan.by.id not in apart.never
        return apart.welcomes([plan.by.id, *coming])

    # Opening

    async def _earliest(self, skip: Collection[TableId] = ()) -> Due | None:
        plan = await self.store.earliest(skip)
        return None if plan is None else Due(plan.id, _deadline(plan))

    async def _fire(self, due: Due) -> None:
        """Open the table of a plan whose time has come, if that is allowed and there is room; ask
        before that.

        Discord is asked about rights; other deadlines do not wait for its answer.
        """
        plan = await self.store.find(due.table)
        now = self._clock()
        if plan is None or not plan.is_open or plan.again > now:
            return
        if now < plan.when.due or plan.state is PlanState.ASKING:
            await self._look(plan, now)
            return
        late = now - plan.when.due > MAX_LATE
        asked = await self._allowed(plan)
        if asked is None and not late:
            raise RightsUnknown
        asked = asked or Admission()  # nothing opens any more
        plan = plan.without(asked.barred)
        if asked.end is not None:
            await self._end(plan, asked.end, asked)
        elif not plan.coming:
            await self._end(plan, PlanState.NOBODY, asked)
        elif late:
            await self._end(plan, PlanState.BUSY if plan.waits else PlanState.LATE, asked)
        else:
            await self._try(plan, asked)

    async def _look(self, plan: Plan, now: datetime) -> None:
        """Look at a plan before its time: at one that asks for a time, or at a weekly one.

        Nobody is asked in the name of a planner who may plan nothing there any more.
        """
        over = now >= plan.when.due
        asked = await self._allowed(plan)
        if asked is None and not over:
            raise RightsUnknown
        end, barred = Admission() if asked is None else asked

        def decide(found: Plan) -> Sequence[Plan]:
            if found.state is not plan.state or found.again > now:
                return ()
            if found.state is not PlanState.ASKING:
                quiet = replace(found, again=found.when.due)
                return [plans.ask_regulars(found, barred) if end is None else quiet]
            if end is not None and not over:
                return [plans.end(found, end, now)]
            return [plans.look(found, now)]

        await self._change(plan.id, decide)
        self.changed(plan.id)

    async def _allowed(self, plan: Plan) -> Admission | None:
        """The rights around a plan; None if they cannot be found out now.  Raises NotYet."""
        if self._rights is None:
            return Admission()
        since, asking = self._asked.pop(plan.id, (self._clock(), None))
        if asking is None or (asking.done() and self._clock() - since > RETRY_PAUSE):
            since = self._clock()
            asking = asyncio.create_task(admission_of(self._rights, plan), name="rights")
            await asyncio.sleep(0)
        if not asking.done():
            self._asked[plan.id] = since, asking
            raise NotYet(asking)
        return asking.result()

    async def _try(self, plan: Plan, asked: Admission) -> None:
        try:
            table = await self._opened_before(plan) or await self._open(plan)
        except NotationError:
            await self._end(plan, PlanState.UNPLAYABLE, asked)
        except TableError as error:
            if error.code in UNPLAYABLE:
                await self._end(plan, PlanState.UNPLAYABLE, asked)
                return
            if error.code not in TRY_AGAIN:
                raise
            now = self._clock()
            await self._change(plan.id, lambda p: [plans.postpone(p, now)] if p.is_open else [])
            if not plan.waits:
                self.changed(plan.id)
        else:
            tried = self._tried.get(plan.id) or await self._trying(plan)
            latest = await self._end(plan, PlanState.OPENED, asked, table.id, tried.called)
            await self._follow(table, tried, latest)
            self._tried.pop(plan.id, None)

    async def _trying(self, plan: Plan) -> _Tried:
        """Note who had a seat as the table was opened, and who is called to it: once for a plan,
        since calls are counted."""
        welcome = {one.id for one in plan.coming if await self.welcomes(plan, one.id)}
        called = welcome.intersection(one.id for one in plan.coming if self._may_call(plan, one.id))
        tried = self._tried[plan.id] = _Tried(plan.coming, frozenset(called))
        return tried

    async def _opened_before(self, plan: Plan) -> Table | None:
        """The table of the plan, if an earlier try has opened it.

        It has the id of the plan, so that no other is taken for it.
        """
        with suppress(TableError):
            found = await self._tables.find(plan.id)
            if found.stored.channel == plan.channel and found.stored.created >= plan.when.due:
                return found
        return None

    async def _open(self, plan: Plan) -> Table:
        """A new table with everybody who comes, in the order in which they said so.

        In one go: whoever leaves it before the plan is stored as opened is not seated once more.
        """
        # Whoever planned it and could not come may still sit down where another leads.
        invited = plan.invited | {plan.by.id, *(person.id for person in plan.coming)}
        coming = [(person, await self._apart(person.id)) for person in plan.coming]
        return await self._tables.open(
            plan.wish, plan.guild, plan.channel, plan.host, invited, plan.by.id, plan.id,
            planned=True, coming=coming,
        )  # fmt: skip

    async def _follow(self, table: Table, tried: _Tried, latest: Plan | None) -> None:
        """Do at the table what people did to the plan since it was opened, up to the `latest`."""
        if latest is None or not latest.is_open:
            return
        before, now = ({one.id for one in people} for people in (tried.people, latest.coming))
        for person in tried.people:
            if person.id not in now:
                waits = table.stored.seating.waits(person.id)
                out = self._tables.get_out if waits else self._tables.leave
                await self._followed(table.id, out(table.id, person.id))
        for person in latest.coming:
            if person.id not in before:
                await self._followed(table.id, self._tables.sit(table.id, person))

    async def _followed(self, plan: PlanId, step: Awaitable[object]) -> None:
        """A refusal is logged: who has acted at the table themselves sees what is there."""
        try:
            await step
        except TableError as error:
            logger.info("plan_not_followed", plan=plan, code=error.code)

    def _may_call(self, plan: Plan, user: UserId) -> bool:
        """Whether one more person is called in the name of the planner, within the limit for
        invitations, which people who blocked the planner are counted for as well: otherwise it
        would tell."""
        if user == plan.by.id:
            return True
        try:
            self._tables.may_invite(plan.by.id)
        except TableError:
            return False
        return True

    async def _end(
        self,
        plan: Plan,
        state: PlanState,
        asked: Admission,
        table: TableId | None = None,
        called: Collection[UserId] = (),
    ) -> Plan | None:
        """Nothing more becomes of this plan; of a weekly one perhaps the next is made.

        Returns the plan as it was until then; None if there is none any more.
        """
        now, new = self._clock(), self._new()
        before: Plan | None = None
        after: Sequence[Plan] = ()

        def decide(found: Plan) -> Sequence[Plan]:
            nonlocal before, after
            before, after = found.without(asked.barred), ()
            if found.is_open:
                people = frozenset(called).intersection(one.id for one in before.coming)
                last = replace(before, called=people, room=self._room(found.wish))
                after = plans.end_or_repeat(last, state, new, now, table)
            return after

        try:
            await self._change(plan.id, decide)
        finally:  # also what was decided of which nobody knows whether it is stored
            for one in after:
                self.changed(one.id)
        return before

    async def _change(self, plan: PlanId, decide: Decide) -> Plan | None:
        """See `PlanStore.change`; of a plan that is off no table of an earlier try stays."""
        with self._drawn_in_doubt(plan):
            after = await self.store.change(plan, decide)
        if after is not None and after.is_off:
            table = await self._opened_before(after) if self._tried.pop(plan, None) else None
            if table is not None:
                host = table.stored.seating.host
                await self._followed(plan, self._tables.end(plan, host, moderator=True))
        return after

    async def _revise(self, plan: PlanId, revised: Callable[[Plan], Plan]) -> Plan:
        """The plan after a change.  Raises TableError `no_such_plan`."""
        return _known(await self._change(plan, lambda p: [revised(p)]))

    async def _revise_open(self, found: Iterable[PlanId], revised: Callable[[Plan], Plan]) -> None:
        """Change those that are still open."""
        for plan in found:
            await self._change(plan, lambda p: [revised(p)] if p.is_open else [])
            self.changed(plan)

    @contextmanager
    def _drawn_in_doubt(self, plan: PlanId) -> Iterator[None]:
        """If nobody knows whether what the block writes is stored, that is drawn which is."""
        try:
            yield
        except Unavailable:
            self.changed(plan)
            raise

    def _new(self) -> PlanId:
        return self._chance.table_id()


def _known(plan: Plan | None) -> Plan:
    if plan is None:
        raise TableError("no_such_plan")
    return plan


def _deadline(plan: Plan) -> Deadline:
    # Of the kinds that tables have, that of a lobby is nearest: one begins.
    return Deadline(DeadlineKind.LOBBY, UNASKED, plan.again)
