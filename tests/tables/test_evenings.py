"""An evening is found: who ticks when, what is taken, who is reminded; and the line of a plan."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.ids import PlanId, UserId
from bot.tables import plans
from bot.tables.lobby import Apart
from bot.tables.model import TableError
from bot.tables.plans import ASKED_AHEAD, MAX_PEOPLE, Calling, Line, Plan, PlanState, Room, Wish
from bot.tables.ports import Right
from bot.tables.stored import Person
from bot.tables.when import WEEK, When
from engine.players.levels import Level
from tests.tables.fakes import ANN, BEN, CAT, CHANNEL, DAN, EVE, GUILD, START, House, refused
from tests.tables.test_planning import FakePlans, Planner

DAY = timedelta(days=1)
TIMES = tuple(START + days * DAY for days in (2, 3, 4))
FIRST, SECOND, THIRD = TIMES
THREE = Wish("stub", 3, {})
LAST = When(THIRD, "UTC")


def asking(enough: int = 3, most: int = 4, *, private: bool = False) -> Plan:
    wish = Wish("stub", None, {}, private=private)
    plan = plans.new_plan(
        PlanId("P1"), GUILD, CHANNEL, ANN, wish, LAST, START, room=Room(most, enough)
    )
    return plans.asking(plan, TIMES)


def ticked(plan: Plan, *answers: tuple[Person, tuple[datetime, ...]]) -> Plan:
    for person, times in answers:
        plan = plans.tick(plan, person, times, START)
    return plan


def test_as_soon_as_enough_can_it_is_planned_with_them() -> None:
    plan = ticked(asking(), (BEN, (SECOND, THIRD)), (DAN, ()))
    assert plan.state is PlanState.ASKING
    assert plan.coming == ()
    found = ticked(plan, (CAT, (FIRST, THIRD)))
    assert (found.state, found.when, found.again) == (PlanState.PLANNED, When(THIRD, "UTC"), THIRD)
    assert (found.coming, found.cannot) == ((ANN, BEN, CAT), (DAN,))
    assert (found.times, found.ticks) == ((), ()), "nobody has to know the rest any more"
    assert found.lines == (Line(Calling.FOUND, (ANN.id, BEN.id, CAT.id)),)
    assert found.version > plan.version


def test_of_several_times_the_one_for_most_is_taken_and_then_the_earliest() -> None:
    plan = ticked(asking(9), (BEN, (SECOND, THIRD)), (CAT, (SECOND, THIRD)), (DAN, (THIRD,)))
    assert plans.best(plan, plan.times) == THIRD
    assert plans.take(plan, ANN.id, START).when.due == THIRD
    plan = ticked(plan, (DAN, (FIRST,)))
    assert plans.take(plan, ANN.id, START).when.due == SECOND
    late = plans.take(plan, ANN.id, SECOND)  # what is over by then does not count
    assert (late.when.due, late.coming, late.cannot) == (THIRD, (ANN, BEN, CAT), (DAN,))


def test_only_the_planner_takes_a_time_and_only_if_somebody_can() -> None:
    plan = asking(9)
    with refused("not_taker"):
        plans.take(plan, BEN.id, START)
    with refused("nobody_can"):
        plans.take(ticked(plan, (ANN, ())), ANN.id, START)
    with refused("nobody_can"):
        plans.take(ticked(plan, (ANN, (FIRST,))), ANN.id, FIRST)
    found = plans.take(plan, ANN.id, START)
    assert plans.take(found, ANN.id, START) == found, "it was pressed twice, or one was found"
    with refused("not_taker"):
        plans.take(found, BEN.id, START)
    with refused("plan_over"):
        plans.take(plans.end(plan, PlanState.OFF, START), ANN.id, START)


def test_the_same_tick_again_changes_nothing_and_another_takes_its_place() -> None:
    plan = ticked(asking(9), (BEN, (FIRST,)), (CAT, (FIRST,)))
    assert ticked(plan, (BEN, (FIRST,))) == plan
    plan = ticked(plan, (BEN, (THIRD,)))
    assert [(one.person, one.times) for one in plan.ticks] == [
        (ANN, TIMES), (BEN, (THIRD,)), (CAT, (FIRST,)),
    ]  # fmt: skip


def test_who_ticks_as_it_is_found_comes_if_they_can_then() -> None:
    found = plans.take(ticked(asking(9), (BEN, (SECOND,))), ANN.id, START)
    assert found.when.due == SECOND
    after = ticked(found, (CAT, (FIRST, SECOND)), (DAN, (FIRST,)), (EVE, ()))
    assert (after.coming, after.cannot) == ((ANN, BEN, CAT), (DAN, EVE))
    with refused("plan_over"):
        ticked(plans.end(found, PlanState.OFF, START), (CAT, (SECOND,)))


def test_nobody_comes_before_there_is_a_time() -> None:
    for comes in (True, False):
        with refused("not_offered"):
            plans.answer(asking(), BEN, comes=comes)


def test_no_more_people_tick_than_a_plan_has_room_for() -> None:
    plan = asking(99, 99)
    for number in range(MAX_PEOPLE - 1):
        plan = ticked(plan, (Person(UserId(1000 + number), "x"), (FIRST,)))
    with refused("plan_full"):
        ticked(plan, (BEN, (FIRST,)))
    ticked(plan, (ANN, (FIRST,)))  # who stands there may still change it


def test_who_can_at_no_time_beyond_a_full_list_changes_nothing_that_is_shown() -> None:
    plan = asking(99, 99)
    for number in range(MAX_PEOPLE - 1):
        plan = ticked(plan, (Person(UserId(1000 + number), "x"), (FIRST,)))
    after = ticked(plan, (BEN, ()), (BEN, ()))
    assert after == replace(plan, pressed=plan.pressed | {BEN.id})


def test_whoever_can_at_no_time_takes_nobody_the_room() -> None:
    plan = asking(99, 99)
    for number in range(MAX_PEOPLE + 1):
        plan = ticked(plan, (Person(UserId(1000 + number), "x"), ()))
    assert len(plan.ticks) <= MAX_PEOPLE
    plan = ticked(plan, (BEN, (FIRST,)), (CAT, (FIRST,)))
    assert {BEN, CAT} <= {*plans.able(plan, FIRST)}
    assert len(plan.ticks) <= MAX_PEOPLE


def test_two_who_can_at_no_time_push_each_other_off_no_full_list() -> None:
    plan = ticked(asking(99, 99), (BEN, ()))
    for number in range(MAX_PEOPLE - 2):
        plan = ticked(plan, (Person(UserId(1000 + number), "x"), (FIRST,)))
    for _ in range(2):
        after = ticked(plan, (CAT, ()), (BEN, ()))
        assert after == replace(plan, pressed=plan.pressed | {CAT.id})
        plan = after
    assert CAT in plans.able(ticked(plan, (CAT, (FIRST,))), FIRST), "Ben makes room for that"


def test_whoever_has_answered_is_not_reminded_though_the_list_was_full() -> None:
    plan = ticked(replace(asking(99, 99), invited=frozenset({BEN.id, CAT.id})), (BEN, ()))
    remind = Line(Calling.REMIND, (BEN.id, CAT.id))
    for number in range(MAX_PEOPLE - 1):
        plan = ticked(plan, (Person(UserId(1000 + number), "x"), (FIRST,)))
    assert BEN not in {one.person for one in plan.ticks}
    assert plans.look(plan, plan.again).lines == (Line(Calling.REMIND, (CAT.id,)),)
    assert plans.still_called(plan, remind) == (CAT.id,), "if it is posted so late"
    weekly = plans.new_plan(PlanId("P2"), GUILD, CHANNEL, ANN, THREE, LAST, START, room=Room(4, 3))
    weekly = replace(weekly, regulars=frozenset({BEN.id, CAT.id}))
    for number in range(MAX_PEOPLE):
        weekly = plans.answer(weekly, Person(UserId(1000 + number), "x"), comes=False)
    weekly = plans.answer(weekly, BEN, comes=False)
    assert plans.ask_regulars(weekly).lines == (Line(Calling.SUITS, (CAT.id,)),)
    for why in (Calling.INVITED, Calling.SUITS):
        late = replace(weekly, invited=weekly.regulars)
        assert plans.still_called(late, Line(why, (BEN.id, CAT.id))) == (CAT.id,)
    assert plans.regulars_after(weekly) == {ANN.id, BEN.id}, "they came before, and cannot"


def test_who_is_forgotten_stands_in_no_line_that_calls_people() -> None:
    for why in Calling:
        plan = replace(asking(9), lines=(Line(why, (BEN.id, CAT.id)), Line(why, (CAT.id,))))
        after = plans.without_person(plan, CAT.id, START)
        assert [line.people for line in after.lines] == [(BEN.id,), ()], "each has its number"


def test_only_invited_people_tick_what_is_private() -> None:
    plan = asking(9, private=True)
    for times in ((), TIMES):
        with refused("plan_private"):
            ticked(plan, (BEN, times))
    plan = ticked(plans.invite(plan, ANN.id, BEN.id), (BEN, (FIRST,)))
    assert plans.able(plan, FIRST) == (ANN, BEN)


def test_people_who_are_apart_tick_no_time_together() -> None:
    plan = ticked(asking(9), (ANN, (FIRST,)), (BEN, (SECOND,)))
    hidden, own = Apart(barred=frozenset({BEN.id})), Apart(never=frozenset({BEN.id}))
    for apart, code in ((hidden, "plan_full"), (own, "never_with")):
        with refused(code):
            plans.tick(plan, CAT, (FIRST, SECOND), START, apart)
        assert plans.able(plans.tick(plan, CAT, (FIRST,), START, apart), FIRST) == (ANN, CAT)
        late = plans.tick(plan, CAT, (SECOND, THIRD), SECOND, apart)
        assert plans.able(late, THIRD) == (CAT,), "nobody meets at what is over"


@given(
    st.lists(
        st.tuples(st.sampled_from((ANN, BEN, CAT, DAN, EVE)), st.sets(st.sampled_from(TIMES))),
        max_size=12,
    ),
    st.integers(2, 5),
)
def test_in_whatever_order_people_tick_nobody_is_lost_or_doubled(
    answers: list[tuple[Person, set[datetime]]], enough: int
) -> None:
    plan, last = asking(enough), {ANN: set(TIMES)}
    for person, times in answers:
        before = plan
        plan = plans.tick(plan, person, times, START)
        last[person] = times
        if before.state is PlanState.ASKING and plan.state is PlanState.PLANNED:
            can = {one for one, said in last.items() if plan.when.due in said}
            assert set(plan.coming) == can
            assert len(can) == enough
    if plan.state is PlanState.PLANNED:
        said = (*plan.coming, *plan.cannot)
        assert sorted(said) == sorted(last)
        assert set(plan.coming) == {one for one in last if plan.when.due in last[one]}
    else:
        assert {one.person: set(one.times) for one in plan.ticks} == last
        assert all(len(plans.able(plan, time)) < enough for time in TIMES)


def test_as_many_are_enough_as_the_game_takes_without_its_computers() -> None:
    games = (3, 4, 5, 6)
    computers = (2, Level.NORMAL)
    assert plans.room_of(Wish("x", None, {}), games) == Room(6, 3)
    assert plans.room_of(Wish("x", 5, {}), games) == Room(5, 5)
    assert plans.room_of(Wish("x", 5, {}, computers=computers), games) == Room(3, 3)
    assert plans.room_of(Wish("x", None, {}, computers=computers), games) == Room(4, 2)


# As time goes by


class Asker(Planner):
    """Asks about evenings at a house's tables."""

    async def ask(self, wish: Wish = THREE) -> PlanId:
        made = await self.planning.plan(GUILD, CHANNEL, ANN, wish, LAST, times=TIMES, named=False)
        return made.id

    async def until(self, time: datetime) -> None:
        await self.passes(time - self.house.clock.now)

    def lines(self, plan: PlanId) -> list[tuple[Calling, tuple[UserId, ...]]]:
        return [(line.why, line.people) for line in self.store.rows[plan].lines]


@pytest.fixture
def asker() -> Asker:
    return Asker(House(), FakePlans())


async def test_what_is_found_opens_at_its_time_with_its_people(asker: Asker) -> None:
    plan = await asker.ask()
    await asker.planning.tick(plan, BEN, [SECOND])
    await asker.planning.tick(plan, CAT, [FIRST, SECOND])
    assert asker.state(plan) is PlanState.PLANNED
    await asker.until(SECOND - timedelta(seconds=1))
    assert await asker.house.service.open_tables() == []
    await asker.until(SECOND)
    (table,) = await asker.house.service.open_tables()
    assert list(table.stored.seating.people) == [ANN, BEN, CAT]


async def test_who_was_asked_and_has_not_answered_is_reminded_once(asker: Asker) -> None:
    plan = await asker.ask()
    for guest in (BEN, CAT, DAN):
        await asker.planning.invite(plan, ANN.id, guest.id)
    await asker.planning.tick(plan, CAT, [])
    await asker.until(START + DAY - timedelta(seconds=1))
    asked = [(Calling.INVITED, (guest.id,)) for guest in (BEN, CAT, DAN)]
    assert asker.lines(plan) == asked
    await asker.until(START + DAY)
    reminded = (Calling.REMIND, (BEN.id, DAN.id))
    assert asker.lines(plan) == [*asked, reminded]
    again = Asker(asker.house.restarted(), asker.store)
    await again.passes(timedelta(hours=1))
    await again.planning.invite(plan, ANN.id, EVE.id)
    await again.until(SECOND)
    assert again.lines(plan) == [*asked, reminded, (Calling.INVITED, (EVE.id,))]
    await again.planning.tick(plan, BEN, [THIRD])
    line = again.store.rows[plan].lines[len(asked)]
    assert plans.still_called(again.store.rows[plan], line) == (DAN.id,), "if it is posted so late"


@pytest.mark.behaviour("Nobody answers who was asked for an evening")
async def test_a_time_that_is_over_is_shown_so_and_not_taken(asker: Asker) -> None:
    plan = await asker.ask()
    await asker.planning.tick(plan, DAN, [FIRST])
    await asker.until(START + DAY)
    version = asker.store.rows[plan].version
    assert plans.ahead(asker.store.rows[plan]) == TIMES
    await asker.until(FIRST)
    assert plans.ahead(asker.store.rows[plan]) == (SECOND, THIRD)
    assert asker.store.rows[plan].version == version + 1
    with refused("not_offered"):  # the menu was drawn before
        await asker.planning.tick(plan, BEN, [FIRST])
    await asker.planning.tick(plan, CAT, [FIRST, SECOND])
    assert plans.able(asker.store.rows[plan], FIRST) == (ANN, DAN)
    assert plans.able(asker.store.rows[plan], SECOND) == (ANN, CAT)
    assert asker.state(plan) is PlanState.ASKING, "enough could, and now it is too late"


@pytest.mark.parametrize("away", [False, True])
async def test_with_nobody_who_answers_it_ends_with_the_last_time(asker: Asker, away: bool) -> None:
    plan = await asker.ask()
    if not away:
        for time in (START + DAY, FIRST, SECOND, THIRD - timedelta(seconds=1)):
            await asker.until(time)
        assert asker.state(plan) is PlanState.ASKING
    await asker.until(THIRD)
    assert asker.state(plan) is PlanState.NO_TIME
    assert asker.lines(plan) == []
    with refused("plan_over"):
        await asker.planning.tick(plan, BEN, [THIRD])


async def test_a_planner_who_may_not_plan_any_more_asks_no_more(asker: Asker) -> None:
    plan = await asker.ask()
    await asker.planning.invite(plan, ANN.id, BEN.id)
    asker.rights.rights = {ANN.id: Right.NONE}
    await asker.until(START + DAY)
    assert asker.state(plan) is PlanState.FORBIDDEN
    assert [why for why, _ in asker.lines(plan)] == [Calling.INVITED]


async def test_what_nobody_can_find_out_ends_it_only_at_its_end(asker: Asker) -> None:
    plan = await asker.ask()
    asker.rights.fails = True
    await asker.until(START + DAY)
    await asker.until(SECOND)
    assert asker.state(plan) is PlanState.ASKING
    await asker.until(THIRD)
    await asker.passes(timedelta(hours=1))
    assert asker.state(plan) is PlanState.NO_TIME


async def test_who_is_forgotten_has_ticked_nothing(asker: Asker) -> None:
    plan = await asker.ask()
    await asker.planning.invite(plan, ANN.id, CAT.id)
    await asker.planning.tick(plan, BEN, [FIRST])
    found = plans.without_person(asker.store.rows[plan], BEN.id, START)
    assert [one.person for one in found.ticks] == [ANN]
    assert plans.without_person(found, CAT.id, START).invited == frozenset()
    await asker.planning.forget(ANN.id)
    assert asker.state(plan) is PlanState.OFF


async def test_what_could_never_be_opened_is_not_asked_about(asker: Asker) -> None:
    for wish, code in ((Wish("stub", 99, {}), "seats_range"), (Wish("x", 3, {}), "no_such_game")):
        with pytest.raises(TableError, match=code):
            await asker.ask(wish)
    assert asker.store.rows == {}


# The line


def planned(*coming: Person, most: int = 3) -> Plan:
    made = plans.new_plan(
        PlanId("P1"), GUILD, CHANNEL, ANN, Wish("stub", most, {}), When(START + DAY, "UTC"), START,
        room=Room(most, most),
    )  # fmt: skip
    for person in coming:
        made = plans.answer(made, person, comes=True)
    return made


def test_who_comes_beyond_the_seats_stands_in_line_and_moves_up() -> None:
    plan = planned(BEN, CAT, DAN, EVE)
    assert plan.seated == (ANN, BEN, CAT)
    assert plan.in_line == (DAN, EVE)
    plan = plans.answer(plan, EVE, comes=False)
    assert plan.lines == (), "nobody moves up by that"
    plan = plans.answer(plans.answer(plan, EVE, comes=True), BEN, comes=False)
    assert (plan.seated, plan.in_line) == ((ANN, CAT, DAN), (EVE,))
    assert plan.lines == (Line(Calling.MOVED_UP, (DAN.id,)),)
    plan = plans.without_person(plan, CAT.id, START)
    assert plan.lines[1:] == (Line(Calling.MOVED_UP, (EVE.id,)),)
    assert plans.still_called(plan, plan.lines[1]) == (EVE.id,)
    gone = plans.answer(plan, EVE, comes=False)
    assert plans.still_called(gone, plan.lines[1]) == ()


def test_nobody_moves_up_twice_by_two_who_take_turns() -> None:
    plan = planned(BEN, CAT, DAN)
    for _ in range(3):
        for person in (BEN, DAN):
            plan = plans.answer(plan, person, comes=False)
            plan = plans.answer(plan, person, comes=True)
    assert [line.people for line in plan.lines] == [(DAN.id,), (BEN.id,)]


def test_a_planner_in_line_hosts_nothing() -> None:
    plan = planned(BEN, CAT, DAN)
    plan = plans.answer(plan, ANN, comes=False)
    assert plan.host == BEN
    plan = plans.answer(plan, ANN, comes=True)
    assert plan.in_line == (ANN,)
    assert plan.host == BEN


def test_a_plan_of_before_has_no_line() -> None:
    plan = replace(planned(BEN, CAT, DAN, EVE), room=None)
    assert (len(plan.seated), plan.in_line) == (5, ())
    assert plans.answer(plan, BEN, comes=False).lines == ()


async def test_the_first_in_line_sits_down_first(asker: Asker) -> None:
    plan = await asker.plan(BEN, CAT, DAN)
    asker.rights.rights = {BEN.id: Right.NONE}
    await asker.passes(timedelta(hours=1))
    (table,) = await asker.house.service.open_tables()
    assert list(table.stored.seating.people) == [ANN, CAT, DAN]
    assert asker.store.rows[plan].lines == (), "they are called to the table as everybody"


# Every week


async def test_too_few_for_a_week_are_asked_two_days_before(asker: Asker) -> None:
    await asker.plan(BEN, CAT, weekly=True)
    await asker.passes(timedelta(hours=1))
    second = asker.newest
    assert second.regulars == {ANN.id, BEN.id, CAT.id}
    assert second.again == second.when.due - ASKED_AHEAD
    await asker.planning.answer(second.id, BEN, comes=False)
    await asker.until(second.again - timedelta(seconds=1))
    assert asker.lines(second.id) == []
    await asker.until(second.again)
    assert asker.lines(second.id) == [(Calling.SUITS, (CAT.id,))]
    assert asker.newest.again == second.when.due
    again = Asker(asker.house.restarted(), asker.store)
    await again.until(second.when.due)
    assert again.lines(second.id) == [(Calling.SUITS, (CAT.id,))]
    assert again.state(second.id) is PlanState.OPENED
    assert again.newest.regulars == {ANN.id, BEN.id}, "who has said that they cannot came before"


@pytest.mark.behaviour("Too few have said two days before a weekly table that they come")
async def test_whoever_may_not_come_any_more_is_none_of_those_who_come(asker: Asker) -> None:
    await asker.plan(BEN, CAT, weekly=True)
    await asker.passes(timedelta(hours=1))
    second = asker.newest
    for one in (BEN, DAN):
        await asker.planning.answer(second.id, one, comes=True)
    asker.rights.rights = {BEN.id: Right.NONE}
    await asker.until(second.again)
    assert asker.lines(second.id) == [(Calling.SUITS, (CAT.id,))]
    assert BEN in asker.store.rows[second.id].coming, "they may come back before its time"


async def test_enough_for_a_week_are_not_asked(asker: Asker) -> None:
    await asker.plan(BEN, CAT, DAN, weekly=True)
    await asker.passes(timedelta(hours=1))
    second = asker.newest
    for person in (BEN, EVE):
        await asker.planning.answer(second.id, person, comes=True)
    await asker.until(second.again)
    assert asker.lines(second.id) == []
    await asker.until(second.when.due)
    assert asker.state(second.id) is PlanState.OPENED


async def test_nobody_is_asked_for_a_planner_who_may_not_plan_any_more(asker: Asker) -> None:
    await asker.plan(BEN, weekly=True)
    await asker.passes(timedelta(hours=1))
    second = asker.newest
    asker.rights.rights = {ANN.id: Right.NONE}
    await asker.until(second.again)
    assert (asker.lines(second.id), asker.state(second.id)) == ([], PlanState.PLANNED)
    asker.rights.rights = {}  # a mute that is over by then
    await asker.planning.answer(second.id, BEN, comes=True)
    await asker.until(second.when.due)
    assert asker.state(second.id) is PlanState.OPENED


async def test_a_program_that_was_away_for_days_opens_and_asks_nobody(asker: Asker) -> None:
    await asker.plan(BEN, weekly=True)
    await asker.passes(timedelta(hours=1))
    second = asker.newest
    await asker.planning.answer(second.id, BEN, comes=False)
    await asker.until(second.when.due)
    assert (asker.lines(second.id), asker.state(second.id)) == ([], PlanState.OPENED)
    assert asker.newest.when.due == second.when.due + WEEK
