"""View of a planned table, as its channel sees it; and time zones to choose from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final, NamedTuple, assert_never

from bot.plain_text import NAME_LENGTH, plain_name, told_apart
from bot.tables import plans
from bot.tables.model import TableError
from bot.tables.plans import Lapse, Plan, PlanState
from bot.tables.stored import Person
from bot.tables.when import rules_of, shown_at

FALLBACK: Final = "UTC"
"""The zone of a menu of times where none was named."""


class TimeView(NamedTuple):
    """One of the times that a plan asks about."""

    due: datetime
    shown: datetime
    """What the clocks of the plan's zone show then."""
    names: tuple[str, ...]
    """Of those who can."""
    over: bool
    best: bool
    """Whether most can then, and more than one."""


class AskedView(NamedTuple):
    """What a plan asks, and what has been answered."""

    times: tuple[TimeView, ...]
    none: tuple[str, ...]
    """Names of those whom no time suits."""
    zone: str


class PlanView(NamedTuple):
    plan: Plan
    coming: tuple[str, ...]
    """Names of those who have a seat; not escaped, as all names here."""
    in_line: tuple[str, ...]
    cannot: tuple[str, ...]
    url: str | None
    """The way to the table that has opened."""
    starts: timedelta
    """How long after its opening the match begins with whoever is ready."""
    last: str
    """Code of the sentence about a weekly plan that is not repeated."""
    asked: AskedView | None
    """None once it has a time, or is over."""


def plan_view(plan: Plan, url: str | None = None) -> PlanView:
    names = _names((*plan.coming, *plan.cannot))
    seated, coming = len(plan.seated), len(plan.coming)
    asked = _asked(plan) if plan.state is PlanState.ASKING else None
    return PlanView(
        plan,
        names[:seated],
        names[seated:coming],
        names[coming:],
        url,
        plan.wish.pace.waits.start,
        _last(plan),
        asked,
    )


def _names(people: Sequence[Person]) -> tuple[str, ...]:
    return tuple(told_apart([plain_name(person.name) for person in people], NAME_LENGTH))


def _asked(plan: Plan) -> AskedView:
    named = dict(zip(plan.ticks, _names([tick.person for tick in plan.ticks]), strict=True))
    ahead, zone = plans.ahead(plan), plan.when.zone or FALLBACK
    best = plans.best(plan, ahead)
    try:
        rules = rules_of(zone)
    except TableError:  # an update of this machine took it away
        zone, rules = FALLBACK, rules_of(FALLBACK)
    times = tuple(
        TimeView(
            due,
            shown_at(due, rules),
            tuple(name for tick, name in named.items() if due in tick.times),
            over=due not in ahead,
            best=due == best and len(plans.able(plan, due)) > 1,
        )
        for due in plan.times
    )
    none = tuple(name for tick, name in named.items() if not tick.times)
    return AskedView(times, none, zone)


def _last(plan: Plan) -> str:
    if not plan.when.weekly or plan.state is PlanState.OFF:  # what is called off is so for good
        return ""
    match plan.lapse:
        case Lapse.UNANSWERED:
            return "plan.lapse.unanswered"
        case Lapse.NO_ZONE:
            return "plan.lapse.no_zone"
        case None:
            return "plan.last" if plan.state.ends_all else ""
        case _:
            assert_never(plan.lapse)


# Time zones to choose from, as cities and what their clocks show.

CLOCKS: Final = (
    ("Pacific/Honolulu",),
    ("America/Anchorage",),
    ("America/Los_Angeles", "America/Vancouver"),
    ("America/Denver", "America/Edmonton"),
    ("America/Chicago", "America/Winnipeg"),
    ("America/Mexico_City", "America/Costa_Rica"),
    ("America/New_York", "America/Toronto"),
    ("America/Bogota", "America/Lima"),
    ("America/Halifax",),
    ("America/Sao_Paulo", "America/Buenos_Aires"),
    ("Europe/London", "Europe/Dublin", "Europe/Lisbon"),
    ("Africa/Lagos", "Africa/Algiers"),
    ("Europe/Zurich", "Europe/Berlin", "Europe/Paris"),
    ("Africa/Johannesburg", "Africa/Maputo"),
    ("Europe/Athens", "Europe/Helsinki", "Europe/Bucharest"),
    ("Europe/Istanbul", "Europe/Moscow", "Africa/Nairobi"),
    ("Asia/Dubai", "Asia/Tbilisi"),
    ("Asia/Karachi", "Asia/Tashkent"),
    ("Asia/Kolkata", "Asia/Colombo"),
    ("Asia/Dhaka",),
    ("Asia/Bangkok", "Asia/Jakarta"),
    ("Asia/Shanghai", "Asia/Singapore", "Australia/Perth"),
    ("Asia/Tokyo", "Asia/Seoul"),
    ("Australia/Sydney", "Australia/Melbourne"),
    ("Pacific/Auckland",),
)
"""Zones whose clocks show the same at any time of the year; the first stands for them.  As many as
a menu has room for."""


class Clock(NamedTuple):
    """A zone to choose."""

    zones: tuple[str, ...]
    shown: datetime
    """What its clocks show now."""


def clocks(now: datetime) -> tuple[Clock, ...]:
    """All that this machine knows, from west to east."""
    found: list[Clock] = []
    for zones in CLOCKS:
        try:
            found.append(Clock(zones, shown_at(now, rules_of(zones[0]))))
        except TableError:  # it does not know that one
            continue
    return tuple(sorted(found, key=lambda clock: clock.shown))
