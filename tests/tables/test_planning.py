"""Plans: what opens them, in one order with all other deadlines, and once."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta

import pytest

from bot.ids import ChannelId, GuildId, MessageId, PlanId, UserId
from bot.tables import plans
from bot.tables.model import TableError
from bot.tables.planning import Planning
from bot.tables.plans import LATE, PEOPLE, Decide, Plan, PlanState, Wish
from bot.tables.stored import Person, Status
from bot.tables.when import WEEK, When
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, GUILD, START, House, refused

HOUR = timedelta(hours=1)


@dataclass
class FakePlans:
    """Port `PlanStore`, in memory."""

    rows: dict[PlanId, Plan] = field(default_factory=dict)

    async def add(self, plan: Plan) -> None:
        self.rows[plan.id] = plan

    async def find(self, plan: PlanId) -> Plan | None:
        return self.rows.get(plan)

    async def change(self, plan: PlanId, decide: Decide) -> Plan | None:
        if plan not in self.rows:
            return None
        for after in decide(self.rows[plan]):
            self.rows[after.id] = after
        return self.rows[plan]

    async def note_shown(self, plan: PlanId, version: int, message: MessageId | None) -> None:
        self.rows[plan] = replace(self.rows[plan], drawn=version, message=message)

    async def listed(self, plan: PlanId, event: int | None) -> None:
        self.rows[plan] = replace(self.rows[plan], event=event)

    async def earliest(self, skip: Collection[PlanId] = ()) -> Plan | None:
        found = [one for one in self.rows.values() if one.is_open and one.id not in skip]
        return min(found, key=lambda one: one.again, default=None)

    async def open_in(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> Sequence[PlanId]:
        return [one.id for one in self.rows.values() if one.is_open and one.channel == channel]

    async def undrawn(self) -> Sequence[PlanId]:
        return [one.id for one in self.rows.values() if one.drawn != one.version]

    async def zone(self, user: UserId) -> str | None:
        return None

    async def learn_zone(self, user: UserId, zone: str) -> None:
        """Nobody asks."""


class Planner:
    """Plans at a house's tables."""

    def __init__(self, house: House, store: FakePlans) -> None:
        self.house, self.store = house, store
        self.planning = Planning(
            store, house.service, games={"stub": house.game}, clock=house.clock, chance=house.chance
        )

    async def plan(self, *coming: Person, weekly: bool = False) -> PlanId:
        when = When(START + HOUR, "UTC", weekly)
        made = await self.planning.plan(GUILD, CHANNEL, ANN, Wish("stub", 3, {}), when, named=False)
        for person in coming:
            await self.planning.answer(made.id, person, comes=True)
        return made.id

    async def passes(self, time: timedelta) -> None:
        self.house.clock.now += time
        await self.house.service.deadlines.fire_due()

    def state(self, plan: PlanId) -> PlanState:
        return self.store.rows[plan].state


@pytest.fixture
def planner() -> Planner:
    return Planner(House(), FakePlans())


async def test_its_lobby_opens_at_its_time_with_everybody_seated(planner: Planner) -> None:
    plan = await planner.plan(BEN, CAT)
    assert await planner.house.service.deadlines.fire_due() <= START + HOUR
    await planner.passes(HOUR - timedelta(seconds=1))
    assert planner.state(plan) is PlanState.PLANNED
    await planner.passes(timedelta(seconds=1))
    assert planner.state(plan) is PlanState.OPENED
    (table,) = await planner.house.service.open_tables()
    assert table.id == planner.store.rows[plan].table
    assert list(table.stored.seating.people) == [ANN, BEN, CAT]
    assert table.stored.status is Status.LOBBY
    await planner.passes(timedelta(seconds=1))
    assert len(await planner.house.service.open_tables()) == 1


async def test_a_program_that_dies_in_between_opens_one_table_only(planner: Planner) -> None:
    plan = await planner.plan(BEN)
    before = planner.store.rows[plan]
    await planner.passes(HOUR)
    (table,) = await planner.house.service.open_tables()
    planner.store.rows[plan] = before  # the table was committed, what became of the plan was not
    again = Planner(planner.house.restarted(), planner.store)
    await again.passes(timedelta(seconds=5))
    assert again.state(plan) is PlanState.OPENED
    assert [one.id for one in await again.house.service.open_tables()] == [table.id]
    assert again.store.rows[plan].table == table.id


@pytest.mark.parametrize(
    ("late", "state"), [(LATE, PlanState.OPENED), (LATE + timedelta(seconds=1), PlanState.LATE)]
)
async def test_it_opens_late_but_not_too_late(
    planner: Planner, late: timedelta, state: PlanState
) -> None:
    plan = await planner.plan(weekly=True)
    await planner.passes(HOUR + late)
    assert planner.state(plan) is state
    (following,) = [one for one in planner.store.rows.values() if one.is_open]
    assert following.when.due == START + HOUR + WEEK
    assert following.coming == (ANN,)


async def test_what_could_never_be_opened_is_not_planned(planner: Planner) -> None:
    when = When(START + HOUR, "UTC")
    for wish, code in (
        (Wish("stub", 99, {}), "seats_range"),
        (Wish("other", 3, {}), "no_such_game"),
    ):
        with pytest.raises(TableError, match=code):
            await planner.planning.plan(GUILD, CHANNEL, ANN, wish, when, named=False)
    assert planner.store.rows == {}


async def test_somebody_says_one_thing_at_a_time(planner: Planner) -> None:
    plan = await planner.plan(BEN, BEN)
    version = planner.store.rows[plan].version
    await planner.planning.answer(plan, BEN, comes=False)
    found = planner.store.rows[plan]
    assert (found.coming, found.cannot, found.version) == ((ANN,), (BEN,), version + 1)
    for number in range(PEOPLE - 1):
        await planner.planning.answer(plan, Person(UserId(1000 + number), "x"), comes=True)
    with refused("plan_full", limit=PEOPLE):
        await planner.planning.answer(plan, CAT, comes=True)


async def test_what_is_over_is_neither_answered_nor_called_off(planner: Planner) -> None:
    plan = await planner.plan(weekly=True)
    with refused("not_planner"):
        await planner.planning.call_off(plan, BEN.id, moderator=False)
    await planner.planning.call_off(plan, BEN.id, moderator=True)
    with refused("plan_over"):
        await planner.planning.answer(plan, BEN, comes=True)
    with refused("plan_over"):
        await planner.planning.call_off(plan, ANN.id, moderator=False)
    with refused("no_such_plan"):
        await planner.planning.answer(PlanId("none"), BEN, comes=True)
    await planner.passes(2 * WEEK)
    assert await planner.house.service.open_tables() == []


async def test_a_week_after_is_a_plan_of_its_own_with_its_place_in_the_calendar() -> None:
    when = When(START + HOUR, "Europe/Zurich", weekly=True)
    for event in (False, True):
        made = plans.planned(
            PlanId("P1"), GUILD, CHANNEL, ANN, Wish("stub", 3, {}), when, START, event=event
        )
        made = replace(made, event=77 if event else None, coming=(BEN,), message=MessageId(5))
        after = plans.next_week(made, PlanId("P2"), START + HOUR)
        assert after is not None
        assert (after.event is not None) is event
        assert after.event != 77
        assert (after.coming, after.message) == ((ANN,), None)
        once = replace(made, when=when._replace(weekly=False))
        assert plans.next_week(once, PlanId("P2"), START + HOUR) is None
