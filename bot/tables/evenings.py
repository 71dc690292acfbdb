"""An evening that is still to be found: a plan that asks at which of its times people can.  Pure.

As soon as enough can at one of them it is a plan like any other, with these people.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from bot.ids import UserId
from bot.tables.apart import NOBODY, Apart
from bot.tables.model import TableError
from bot.tables.plans import (
    MAX_PEOPLE,
    Calling,
    Plan,
    PlanState,
    Tick,
    answer,
    end,
    has_answered,
    require_answerer,
    require_open,
    with_line,
)
from bot.tables.stored import Person


def asking(plan: Plan, times: Sequence[datetime]) -> Plan:
    """A new plan that asks about these times, in their order; its planner can at all of them."""
    whole = tuple(dict.fromkeys(time.replace(microsecond=0) for time in times))  # as Discord shows
    when = plan.when._replace(due=whole[-1])
    plan = replace(plan, state=PlanState.ASKING, when=when, times=whole, coming=())
    return replace(plan, ticks=(Tick(plan.by, whole),), again=reminded_at(plan))


def reminded_at(plan: Plan) -> datetime:
    """When those are reminded who were asked by name: half-way to the first of its times."""
    return plan.created + (plan.times[0] - plan.created) / 2


def able(plan: Plan, time: datetime) -> tuple[Person, ...]:
    """The people who can then, in the order of their first answers."""
    return tuple(tick.person for tick in plan.ticks if time in tick.times)


def ahead(plan: Plan) -> tuple[datetime, ...]:
    """The times that were not over when the plan was looked at last."""
    return tuple(time for time in plan.times if time >= plan.again)


def best(plan: Plan, times: Collection[datetime]) -> datetime | None:
    """The time of these at which most people can, of several the earliest; None: nobody can."""
    found = max(times, key=lambda time: (len(able(plan, time)), -time.timestamp()), default=None)
    return found if found is not None and able(plan, found) else None


def tick(
    plan: Plan, person: Person, chosen: Collection[datetime], now: datetime, apart: Apart = NOBODY
) -> Plan:
    """`person` can at the chosen times and at no other; with enough people one of them is found.

    If one was found meanwhile, they come if they have chosen that.

    Raises TableError `plan_over`, `plan_private`, `not_offered` (all those are over), and
    `plan_full`, `never_with` as `plans.answer` does, for people who can at a time at which somebody
    else can.
    """
    if plan.state is not PlanState.ASKING:
        return answer(plan, person, comes=plan.when.due in chosen, apart=apart)
    require_answerer(plan, person.id)
    times = tuple(time for time in plan.times if time in chosen and time > now)
    if chosen and not times:  # from a menu that was drawn before
        raise TableError("not_offered")
    plan = replace(plan, pressed=plan.pressed | {person.id})
    said = {one.person.id: one for one in plan.ticks}
    if person.id in said and said[person.id].times == times:
        return plan
    apart.require(
        (
            one.person.id
            for one in plan.ticks
            if one.person.id != person.id and not set(times).isdisjoint(one.times)
        ),
        "plan_full",
    )
    said[person.id] = Tick(person, times)
    if len(said) > MAX_PEOPLE:
        if not times:  # nobody reads of them, nor makes room for them
            return plan
        idle = next((user for user, one in said.items() if not one.times), None)
        if idle is None:
            raise TableError("plan_full")
        del said[idle]  # whoever can at no time makes room
    plan = replace(plan, ticks=tuple(said.values()), version=plan.version + 1)
    time = best(plan, [one for one in plan.times if one > now])
    if time is None or plan.room is None or len(able(plan, time)) < plan.room.enough:
        return plan
    return found(plan, time)


def take(plan: Plan, user: UserId, now: datetime) -> Plan:
    """The best time is the plan's, however few can; no other if one was found meanwhile.

    Raises TableError `plan_over`, `not_taker`, `nobody_can`.
    """
    require_open(plan)
    if plan.by.id != user:
        raise TableError("not_taker")
    if plan.state is not PlanState.ASKING:
        return plan
    time = best(plan, [one for one in plan.times if one > now])
    if time is None:
        raise TableError("nobody_can")
    return found(plan, time)


def found(plan: Plan, time: datetime) -> Plan:
    """The plan at that time: who can comes, who has answered and cannot does not."""
    coming = able(plan, time)
    cannot = tuple(one.person for one in plan.ticks if time not in one.times)
    after = replace(
        plan,
        state=PlanState.PLANNED,
        when=plan.when._replace(due=time),
        again=time,
        coming=coming,
        cannot=cannot,
        times=(),
        ticks=(),
        version=plan.version + 1,
    )
    return with_line(after, Calling.FOUND, [person.id for person in coming])


def look(plan: Plan, now: datetime) -> Plan:
    """The plan after it was looked at: one more of its times is over, or it is time to remind.

    After the last of its times it is over.
    """
    if now >= plan.times[-1]:
        return end(plan, PlanState.NO_TIME, now)
    again = min(time for time in plan.times if time > now)
    after = replace(plan, again=again, version=plan.version + 1)
    if plan.again > reminded_at(plan):
        return after
    return with_line(after, Calling.REMIND, sorted(plan.invited - has_answered(plan)))
