"""`Planning`: plans of tables that open at a time, and opening them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Final

import structlog

from bot.ids import ChannelId, GuildId, PlanId, TableId, UserId
from bot.tables import new_tables, plans
from bot.tables.model import Table, TableError
from bot.tables.plans import LATE, Plan, PlanState, PlanStore, Wish
from bot.tables.ports import Chance, Clock, Due
from bot.tables.service import TableService
from bot.tables.stored import UNASKED, Deadline, DeadlineKind, Person
from bot.tables.when import When
from engine.game import AnyGame, NotationError

logger = structlog.get_logger(__name__)

NO_ROOM: Final = frozenset(
    {"channel_busy", "restarting", "too_many_tables", "server_full", "too_fast", "server_too_fast"}
)
"""Refusals to open a table that pass."""

FOREVER: Final = frozenset({"no_such_game", "seats_range", "seats_exactly", "endless"})
"""Those that do not."""

_PREFIX: Final = "plan-"
"""Tells the id of a plan from that of a table, where both have deadlines."""


class Planning:
    """Plans are committed before anybody is told: `changed` is, once for every change."""

    def __init__(
        self,
        store: PlanStore,
        tables: TableService,
        *,
        games: Mapping[str, AnyGame],
        clock: Clock,
        chance: Chance,
    ) -> None:
        self.store = store
        self._tables = tables
        self._games = games
        self._clock = clock
        self._chance = chance
        self.changed: Callable[[PlanId], None] = lambda plan: None
        """Told of every plan that is to be drawn; must not block and must not raise."""
        tables.deadlines.also(self._earliest, self._fire)

    async def plan(
        self,
        guild: GuildId,
        channel: ChannelId,
        by: Person,
        wish: Wish,
        when: When,
        *,
        named: bool,
        event: bool = False,
    ) -> Plan:
        """A new plan; a zone that was `named` is that of `by` from now on.

        `event`: whether whoever plans it may put events into the server's calendar.

        Raises TableError and NotationError for what could never be opened (`new_tables.new_table`),
        `no_such_game`, and what `PlanStore.add` raises.
        """
        now = self._clock()
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
            now=now,
        )
        plan = plans.planned(self._new(), guild, channel, by, wish, when, now, event=event)
        await self.store.add(plan)
        if named:
            await self.store.learn_zone(by.id, when.zone)
        self._tables.deadlines.stored([_deadline(plan)])
        return plan

    async def answer(self, plan: PlanId, person: Person, *, comes: bool) -> Plan:
        """See `plans.answered`.  Raises TableError `no_such_plan` too."""
        found = await self.store.change(plan, lambda p: [plans.answered(p, person, comes=comes)])
        return _known(found)

    async def call_off(self, plan: PlanId, user: UserId, *, moderator: bool) -> Plan:
        """See `plans.called_off`.  Raises TableError `no_such_plan` too."""
        now = self._clock()
        found = await self.store.change(
            plan, lambda p: [plans.called_off(p, user, now, moderator=moderator)]
        )
        self.changed(plan)
        return _known(found)

    async def vanished(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> None:
        """A channel, thread or server was deleted: nothing opens there, this week or any other."""
        now = self._clock()
        for plan in await self.store.open_in(guild, channel):
            await self.store.change(
                plan, lambda p: [plans.ended(p, PlanState.OFF, now)] if p.is_open else []
            )
            self.changed(plan)

    # Opening

    async def _earliest(self, skip: Collection[TableId] = ()) -> Due | None:
        out = [PlanId(one.removeprefix(_PREFIX)) for one in skip if one.startswith(_PREFIX)]
        plan = await self.store.earliest(out)
        return None if plan is None else Due(TableId(_PREFIX + plan.id), _deadline(plan))

    async def _fire(self, due: Due) -> None:
        """The time of a plan has come: its table opens, as far as there is room for it."""
        plan = await self.store.find(PlanId(due.table.removeprefix(_PREFIX)))
        now = self._clock()
        if plan is None or not plan.is_open or plan.again > now:
            return
        late = now - plan.when.due > LATE
        if not plan.coming:
            await self._end(plan, PlanState.NOBODY)
        elif late:
            await self._end(plan, PlanState.BUSY if plan.waits else PlanState.LATE)
        else:
            await self._try(plan)

    async def _try(self, plan: Plan) -> None:
        try:
            table = await self._opened(plan)
        except NotationError:
            await self._end(plan, PlanState.UNPLAYABLE)
        except TableError as error:
            if error.code in FOREVER:
                await self._end(plan, PlanState.UNPLAYABLE)
                return
            if error.code not in NO_ROOM:
                raise
            now = self._clock()
            await self.store.change(
                plan.id, lambda p: [plans.postponed(p, now)] if p.is_open else []
            )
            if not plan.waits:
                self.changed(plan.id)
        else:
            await self._seat(plan, table)
            await self._end(plan, PlanState.OPENED, table.id)

    async def _opened(self, plan: Plan) -> Table:
        """The table of the plan: a new one, or the one that was opened before the program died."""
        invited = frozenset(person.id for person in plan.coming)
        try:
            return await self._tables.open(
                plan.wish, plan.guild, plan.channel, plan.host, invited, plan.by.id
            )
        except TableError as error:
            if error.table is None or not _is_of(plan, error.table):
                raise
            return error.table

    async def _seat(self, plan: Plan, table: Table) -> None:
        """Everybody who comes sits down, in the order in which they said so."""
        for person in plan.coming:
            try:
                await self._tables.sit(table.id, person)
            except TableError as error:
                # No seat is left, perhaps: the table stands, and they see it.
                logger.info("plan_not_joined", plan=plan.id, code=error.code)

    async def _end(self, plan: Plan, state: PlanState, table: TableId | None = None) -> None:
        """Nothing more becomes of this plan; of a weekly one the next is made."""
        now, new = self._clock(), self._new()
        after: list[Plan] = []

        def decide(found: Plan) -> Sequence[Plan]:
            after.clear()
            if found.is_open:
                following = plans.next_week(found, new, now)
                after.append(plans.ended(found, state, now, table))
                after.extend([] if following is None else [following])
            return after

        await self.store.change(plan.id, decide)
        for one in after:
            self.changed(one.id)

    def _new(self) -> PlanId:
        return PlanId(self._chance.table_id())


def _known(plan: Plan | None) -> Plan:
    if plan is None:
        raise TableError("no_such_plan")
    return plan


def _deadline(plan: Plan) -> Deadline:
    # Of the kinds that tables have, that of a lobby is nearest: one begins.
    return Deadline(DeadlineKind.LOBBY, UNASKED, plan.again)


def _is_of(plan: Plan, table: Table) -> bool:
    """Whether that table was opened for the plan, or by its host in its place, at its time."""
    stored = table.stored
    same = stored.game == plan.wish.game and stored.seating.host == plan.host.id
    return same and stored.created >= plan.when.due
