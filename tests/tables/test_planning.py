"""Plans: what opens them, in one order with all other deadlines, and once."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any, TypeAlias

import pytest

from bot.ids import ChannelId, GuildId, PlanId, UserId
from bot.tables import plans
from bot.tables.lobby import Apart
from bot.tables.model import Table, TableError
from bot.tables.opener import INVITATIONS
from bot.tables.planning import Planning
from bot.tables.plans import (
    MAX_LATE,
    MAX_PEOPLE,
    RETRY_PAUSE,
    Calling,
    Decide,
    Lapse,
    Line,
    Plan,
    PlanState,
    Wish,
)
from bot.tables.ports import Right, RightsUnknown, Unavailable
from bot.tables.stored import Person, Status
from bot.tables.when import WEEK, When
from engine.players.levels import Level
from tests.tables.fakes import (
    ANN,
    BEN,
    CAT,
    CHANNEL,
    DAN,
    EVE,
    GUILD,
    START,
    FakeBlocks,
    House,
    refused,
)

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

    async def listed(self, plan: PlanId, event: int | None) -> None:
        self.rows[plan] = replace(self.rows[plan], event=event)

    async def earliest(self, skip: Collection[PlanId] = ()) -> Plan | None:
        found = [one for one in self.rows.values() if one.is_open and one.id not in skip]
        return min(found, key=lambda one: one.again, default=None)

    async def open_in(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> Sequence[PlanId]:
        return [one.id for one in self.rows.values() if one.is_open and one.channel == channel]

    async def naming(self, user: UserId) -> Sequence[PlanId]:
        return [one.id for one in self.rows.values() if one.is_open and one.by.id == user]

    async def undrawn(self) -> Sequence[PlanId]:
        return list(self.rows)

    async def zone(self, user: UserId) -> str | None:
        return None

    async def learn_zone(self, user: UserId, zone: str) -> None:
        """Nobody asks."""


@dataclass
class FakeRights:
    """Port `Rights`: everybody may all, but for what a test takes away."""

    shut: bool = False
    rights: dict[UserId, Right] = field(default_factory=dict)
    asked: list[UserId] = field(default_factory=list)
    answers: asyncio.Event | None = None
    """Nothing is answered before."""
    fails: bool = False

    async def may_open(self, guild: GuildId, channel: ChannelId) -> bool:
        if self.answers is not None:
            await self.answers.wait()
        if self.fails:
            raise RightsUnknown
        return not self.shut

    async def right(self, guild: GuildId, channel: ChannelId, user: UserId) -> Right:
        self.asked.append(user)
        return self.rights.get(user, Right.OPEN)


class Planner:
    """Plans at a house's tables."""

    def __init__(self, house: House, store: FakePlans) -> None:
        self.house, self.store, self.rights = house, store, FakeRights()
        self.planning = Planning(
            store,
            house.service,
            games={"stub": house.game},
            clock=house.clock,
            chance=house.chance,
            rights=self.rights,
        )

    async def plan(self, *coming: Person, weekly: bool = False) -> PlanId:
        when = When(START + HOUR, "UTC", weekly)
        made = await self.planning.plan(GUILD, CHANNEL, ANN, Wish("stub", 3, {}), when, named=False)
        for person in coming:
            await self.planning.answer(made.id, person, comes=True)
        return made.id

    async def passes(self, time: timedelta) -> None:
        """What is asked of Discord is answered meanwhile."""
        self.house.clock.now += time
        for _ in range(9):
            await self.house.service.deadlines.fire_due()
            await asyncio.sleep(0)

    def state(self, plan: PlanId) -> PlanState:
        return self.store.rows[plan].state

    @property
    def newest(self) -> Plan:
        """The plan that was made last."""
        return list(self.store.rows.values())[-1]


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


While: TypeAlias = Callable[[Planner, Callable[[], Awaitable[object]]], None]


@pytest.fixture
def while_it_opens(monkeypatch: pytest.MonkeyPatch) -> While:
    """Something is done once the table of a plan is stored, and before the plan is."""

    def during(planner: Planner, act: Callable[[], Awaitable[object]]) -> None:
        opens = planner.house.service.open

        async def opening(*given: Any, **more: Any) -> Table:
            table = await opens(*given, **more)
            await act()
            return table

        monkeypatch.setattr(planner.house.service, "open", opening)

    return during


@pytest.fixture
def between_tries(monkeypatch: pytest.MonkeyPatch) -> While:
    """The first time that a plan is to be stored whose table is open, the database refuses; then
    something is done."""

    def during(planner: Planner, act: Callable[[], Awaitable[object]]) -> None:
        change, refused = planner.store.change, list[PlanId]()

        async def refusing(plan: PlanId, decide: Decide) -> Plan | None:
            if not refused and await planner.house.service.open_tables():
                refused.append(plan)
                await act()
                raise Unavailable("locked")
            return await change(plan, decide)

        monkeypatch.setattr(planner.store, "change", refusing)

    return during


@pytest.fixture(params=["while_it_opens", "between_tries"])
def meanwhile(request: pytest.FixtureRequest) -> While:
    during: While = request.getfixturevalue(request.param)
    return during


async def _nothing() -> None:
    """What is done between two tries where nothing is."""


@pytest.mark.behaviour("A plan is answered or called off just as its table opens")
async def test_who_calls_it_off_as_it_opens_has_no_table_there(
    meanwhile: While, planner: Planner
) -> None:
    plan = await planner.plan(BEN)
    off = planner.planning.call_off
    meanwhile(planner, lambda: off(plan, ANN.id, moderator=False))
    await planner.passes(HOUR)
    await planner.passes(RETRY_PAUSE)
    assert planner.state(plan) is PlanState.OFF
    assert not await planner.house.service.open_tables()


@pytest.mark.behaviour("A plan is answered or called off just as its table opens")
async def test_answers_given_as_it_opens_count(meanwhile: While, planner: Planner) -> None:
    plan, danny = await planner.plan(BEN, DAN), DAN._replace(name="Danny")

    async def answers() -> None:
        await planner.planning.answer(plan, BEN, comes=False)
        await planner.planning.answer(plan, DAN, comes=False)
        await planner.planning.answer(plan, danny, comes=True)
        await planner.planning.answer(plan, CAT, comes=True)

    meanwhile(planner, answers)
    await planner.passes(HOUR)
    await planner.passes(RETRY_PAUSE)
    stored = planner.store.rows[plan]
    (table,) = await planner.house.service.open_tables()
    assert stored.state is PlanState.OPENED
    seated = {one.id for one in table.stored.seating.people}
    assert seated == {one.id for one in stored.coming} == {ANN.id, DAN.id, CAT.id}
    assert BEN.id not in stored.called


@pytest.mark.behaviour("A plan is answered or called off just as its table opens")
async def test_whoever_cannot_come_as_it_opens_does_not_stand_in_its_line(
    meanwhile: While, planner: Planner
) -> None:
    plan = await planner.plan(BEN, CAT, DAN, EVE)
    meanwhile(planner, lambda: planner.planning.answer(plan, DAN, comes=False))
    await planner.passes(HOUR)
    await planner.passes(RETRY_PAUSE)
    (table,) = await planner.house.service.open_tables()
    assert planner.state(plan) is PlanState.OPENED
    assert table.stored.seating.people == (ANN, BEN, CAT)
    assert table.stored.seating.waiting == (EVE,)


async def test_who_is_forgotten_as_it_opens_has_no_table_there(
    meanwhile: While, planner: Planner
) -> None:
    plan = await planner.plan(BEN)
    meanwhile(planner, lambda: planner.planning.forget(ANN.id))
    await planner.passes(HOUR)
    await planner.passes(RETRY_PAUSE)
    assert planner.state(plan) is PlanState.OFF
    assert not await planner.house.service.open_tables()


@pytest.mark.parametrize("more", [0, 2])
async def test_a_second_try_calls_whom_the_first_would_have_called_and_nobody_else(
    more: int, between_tries: While, planner: Planner
) -> None:
    others = [Person(UserId(50 + number), f"P{number}") for number in range(INVITATIONS + more)]
    plan = await planner.plan(*others)
    between_tries(planner, _nothing)
    await planner.passes(HOUR)
    assert planner.state(plan) is PlanState.PLANNED
    await planner.passes(RETRY_PAUSE)
    assert planner.state(plan) is PlanState.OPENED
    called = {ANN.id, *(one.id for one in others[:INVITATIONS])}
    assert planner.store.rows[plan].called == called


async def test_a_second_try_seats_nobody_who_has_got_up_meanwhile(
    between_tries: While, planner: Planner
) -> None:
    plan = await planner.plan(BEN)

    async def gets_up() -> None:
        (table,) = await planner.house.service.open_tables()
        await planner.house.service.leave(table.id, BEN.id)

    between_tries(planner, gets_up)
    await planner.passes(HOUR)
    await planner.passes(RETRY_PAUSE)
    assert planner.state(plan) is PlanState.OPENED
    (table,) = await planner.house.service.open_tables()
    assert [*table.stored.seating.people] == [ANN]


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
    ("late", "state"),
    [(MAX_LATE, PlanState.OPENED), (MAX_LATE + timedelta(seconds=1), PlanState.LATE)],
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


@pytest.mark.parametrize("late", [timedelta(), 2 * MAX_LATE])
@pytest.mark.parametrize("weekly", [False, True])
@pytest.mark.parametrize(
    ("taken", "state"),
    [
        ({ANN.id: Right.NONE}, PlanState.FORBIDDEN),
        ({ANN.id: Right.SIT}, PlanState.FORBIDDEN),
        (None, PlanState.SHUT),
    ],
)
async def test_what_may_not_be_planned_any_more_ends_for_good_as_its_time_comes(
    planner: Planner,
    taken: dict[UserId, Right] | None,
    state: PlanState,
    weekly: bool,
    late: timedelta,
) -> None:
    plan = await planner.plan(BEN, weekly=weekly)
    planner.rights.shut, planner.rights.rights = taken is None, taken or {}
    await planner.passes(HOUR + late)
    assert planner.state(plan) is state
    assert [one.id for one in planner.store.rows.values()] == [plan], "no week after"
    assert await planner.house.service.open_tables() == []


async def test_only_who_may_sits_down_and_whoever_planned_it_need_not_come(
    planner: Planner,
) -> None:
    plan = await planner.plan(BEN, CAT)
    await planner.planning.answer(plan, ANN, comes=False)
    planner.rights.rights = {BEN.id: Right.NONE, CAT.id: Right.SIT}
    await planner.passes(HOUR)
    (table,) = await planner.house.service.open_tables()
    assert list(table.stored.seating.people) == [CAT]
    assert planner.store.rows[plan].coming == (CAT,), "nobody else is called"


async def test_with_nobody_who_may_nothing_opens(planner: Planner) -> None:
    plan = await planner.plan(BEN)
    await planner.planning.answer(plan, ANN, comes=False)
    planner.rights.rights = {BEN.id: Right.NONE}
    await planner.passes(HOUR)
    assert planner.state(plan) is PlanState.NOBODY


async def test_nobody_waits_for_what_is_asked_and_it_is_asked_anew_after_a_while(
    planner: Planner,
) -> None:
    plan = await planner.plan(BEN)
    planner.rights.answers = asyncio.Event()
    await planner.passes(HOUR)
    assert planner.state(plan) is PlanState.PLANNED
    assert await planner.house.service.deadlines.fire_due() > planner.house.clock.now
    planner.rights.answers.set()
    await asyncio.sleep(0)
    asked = len(planner.rights.asked)
    await asyncio.sleep(0)
    planner.rights.rights = {ANN.id: Right.NONE}  # while the program held its clocks, say
    await planner.passes(RETRY_PAUSE + timedelta(seconds=1))
    assert len(planner.rights.asked) > asked
    assert planner.state(plan) is PlanState.FORBIDDEN


async def test_what_nobody_can_find_out_is_waited_for_and_given_up(planner: Planner) -> None:
    plan = await planner.plan(BEN, weekly=True)
    planner.rights.fails = True
    for minutes in (60, 20):
        await planner.passes(timedelta(minutes=minutes))
        assert planner.state(plan) is PlanState.PLANNED
    await planner.passes(HOUR)
    assert planner.state(plan) is PlanState.LATE
    planner.rights.fails = False
    await planner.passes(WEEK - HOUR)
    assert len(await planner.house.service.open_tables()) == 1


async def test_a_weekly_table_comes_again_only_if_somebody_asked_for_it(planner: Planner) -> None:
    first = await planner.plan(weekly=True)
    await planner.passes(HOUR)
    assert planner.store.rows[first].lapse is None, "whoever planned it has just done so"
    second = planner.newest
    assert (second.coming, second.pressed) == ((ANN,), frozenset())
    await planner.planning.answer(second.id, BEN, comes=False)  # who cannot come cares, too
    await planner.passes(WEEK)
    third = planner.newest
    assert third.id not in (first, second.id)
    await planner.passes(WEEK)
    assert planner.newest.id == third.id
    assert planner.newest.lapse is Lapse.UNANSWERED
    assert planner.newest.state is PlanState.OPENED
    await planner.passes(60 * WEEK)
    assert len(planner.store.rows) == 3


async def test_who_may_not_come_asks_for_no_table(planner: Planner) -> None:
    await planner.plan(weekly=True)
    await planner.passes(HOUR)
    second = planner.newest
    await planner.planning.answer(second.id, BEN, comes=True)
    await planner.planning.answer(second.id, CAT, comes=False)
    planner.rights.rights = {BEN.id: Right.NONE, CAT.id: Right.NONE}
    await planner.passes(WEEK)
    assert planner.newest.id == second.id
    assert planner.newest.lapse is Lapse.UNANSWERED


async def test_a_time_zone_that_is_gone_ends_what_comes_every_week(planner: Planner) -> None:
    when = When(START + HOUR, "US/Gone", weekly=True)
    made = await planner.planning.plan(GUILD, CHANNEL, ANN, Wish("stub", 3, {}), when, named=False)
    await planner.passes(HOUR)
    assert planner.state(made.id) is PlanState.OPENED
    assert planner.newest.lapse is Lapse.NO_ZONE


@pytest.mark.behaviour("What a plan or a table names is not known any more")
@pytest.mark.parametrize(
    "wish",
    [
        Wish("gone", 3, {}),
        Wish("stub", 3, {"gone": 1}),
        Wish("stub", 0, {}),
        Wish("stub", 99, {}),
        Wish("stub", None, {}, computers=(99, Level.NORMAL)),
    ],
)
async def test_a_game_or_option_that_is_gone_ends_it_for_good(planner: Planner, wish: Wish) -> None:
    plan = await planner.plan(BEN, weekly=True)
    planner.store.rows[plan] = replace(planner.store.rows[plan], wish=wish)
    await planner.passes(HOUR)
    assert planner.state(plan) is PlanState.UNPLAYABLE
    assert planner.newest.id == plan


async def test_no_other_table_is_taken_for_that_of_the_plan(planner: Planner) -> None:
    plan, house = await planner.plan(BEN, CAT), planner.house
    house.clock.now += HOUR - timedelta(minutes=1)
    alone = await house.against(ANN, computers=2)
    await planner.passes(timedelta(minutes=2))
    await house.stop(alone.id)
    again = await house.against(ANN, computers=2)  # the same game, host and channel
    await planner.passes(timedelta(minutes=2))
    assert planner.state(plan) is PlanState.PLANNED
    await house.stop(again.id)
    await planner.passes(timedelta(minutes=2))
    (table,) = await house.service.open_tables()
    assert list(table.stored.seating.people) == [ANN, BEN, CAT]
    assert planner.store.rows[plan].table == table.id


class SlowBlocks(FakeBlocks):
    """Fails about one person, a number of times."""

    def __init__(self, about: UserId, times: int) -> None:
        super().__init__()
        self.about, self.times = about, times

    async def apart(self, user: UserId) -> Apart:
        if user == self.about and self.times:
            self.times -= 1
            raise Unavailable
        return await super().apart(user)


async def test_what_fails_about_one_who_comes_takes_no_call_from_the_others(
    planner: Planner,
) -> None:
    await planner.plan(BEN, CAT)
    planner.planning._blocks = blocks = SlowBlocks(CAT.id, INVITATIONS)
    await planner.passes(HOUR)
    for _ in range(INVITATIONS):
        await planner.passes(RETRY_PAUSE)
    assert not blocks.times
    (plan,) = planner.store.rows.values()
    assert plan.state is PlanState.OPENED
    assert plan.called == {ANN.id, BEN.id, CAT.id}


async def test_only_invited_people_say_whether_they_come_to_a_private_table(
    planner: Planner,
) -> None:
    when, wish = When(START + HOUR, "UTC", weekly=True), Wish("stub", 3, {}, private=True)
    plan = await planner.planning.plan(GUILD, CHANNEL, ANN, wish, when, named=False)
    for comes in (True, False):
        with refused("plan_private"):
            await planner.planning.answer(plan.id, BEN, comes=comes)
    with refused("not_inviter"):
        await planner.planning.invite(plan.id, BEN.id, CAT.id)
    for _ in range(2):
        asked = await planner.planning.invite(plan.id, ANN.id, BEN.id)
        assert asked.lines == (Line(Calling.INVITED, (BEN.id,)),)
    await planner.planning.invite(plan.id, ANN.id, CAT.id)
    await planner.planning.answer(plan.id, BEN, comes=True)
    await planner.passes(HOUR)
    (table,) = await planner.house.service.open_tables()
    assert list(table.stored.seating.people) == [ANN, BEN]
    assert table.stored.seating.private
    await planner.house.service.sit(table.id, CAT)  # who was invited may still come
    assert planner.newest.invited == {BEN.id, CAT.id}, "and every week after it"
    assert planner.newest.lines == (), "nobody is called twice"
    assert planner.store.rows[plan.id].called == {ANN.id, BEN.id}
    for user in range(INVITATIONS - 1):  # one of them was Ben's call
        await planner.planning.invite(planner.newest.id, ANN.id, UserId(500 + user))
    with pytest.raises(TableError, match="too_many_invitations"):
        await planner.planning.invite(planner.newest.id, ANN.id, UserId(600))


async def test_whoever_planned_a_private_table_may_sit_down_at_it_after_all(
    planner: Planner,
) -> None:
    when, wish = When(START + HOUR, "UTC"), Wish("stub", 3, {}, private=True)
    plan = await planner.planning.plan(GUILD, CHANNEL, ANN, wish, when, named=False)
    await planner.planning.invite(plan.id, ANN.id, BEN.id)
    await planner.planning.answer(plan.id, BEN, comes=True)
    await planner.planning.answer(plan.id, ANN, comes=False)
    await planner.passes(HOUR)
    (table,) = await planner.house.service.open_tables()
    assert table.stored.seating.host == BEN.id
    table = await planner.house.service.sit(table.id, ANN)
    assert list(table.stored.seating.people) == [BEN, ANN]


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
    for number in range(MAX_PEOPLE - 1):
        await planner.planning.answer(plan, Person(UserId(1000 + number), "x"), comes=True)
    with refused("plan_full") as refusals:
        await planner.planning.answer(plan, CAT, comes=True)
    assert not refusals[0].params, "no more than whoever is not wanted there is told"


async def test_whoever_comes_may_always_withdraw(planner: Planner) -> None:
    plan = await planner.plan(BEN)
    for number in range(MAX_PEOPLE):
        await planner.planning.answer(plan, Person(UserId(1000 + number), "x"), comes=False)
    await planner.planning.answer(plan, BEN, comes=False)
    found = planner.store.rows[plan]
    assert (found.coming, len(found.cannot)) == ((ANN,), MAX_PEOPLE)
    for person in (BEN, CAT):  # beyond the end of the list
        await planner.planning.answer(plan, person, comes=False)
    again = planner.store.rows[plan]
    assert (again.version, again.pressed) == (found.version, found.pressed | {CAT.id})


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
        made = plans.new_plan(
            PlanId("P1"), GUILD, CHANNEL, ANN, Wish("stub", 3, {}), when, START, event=event
        )
        made = replace(made, event=77 if event else None, coming=(BEN,), called=frozenset({BEN.id}))
        after = plans.next_week(made, PlanId("P2"), START + HOUR)
        assert after is not None
        assert (after.event is not None) is event
        assert after.event != 77
        assert (after.coming, after.called) == ((ANN,), frozenset())
        once = replace(made, when=when._replace(weekly=False))
        assert plans.next_week(once, PlanId("P2"), START + HOUR) is None
