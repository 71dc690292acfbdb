"""View of a planned table, as its channel sees it."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple, assert_never

from bot.plain_text import NAME_LENGTH, plain_name, told_apart
from bot.tables.lobby import start_time
from bot.tables.plans import Lapse, Plan, PlanState


class PlanView(NamedTuple):
    plan: Plan
    coming: tuple[str, ...]
    """Names; not escaped, as all names here."""
    cannot: tuple[str, ...]
    url: str | None
    """The way to the table that has opened."""
    starts: timedelta
    """How long after its opening the match begins with whoever is ready."""
    last: str
    """Code of the sentence about a weekly plan that is not repeated."""


def plan_view(plan: Plan, url: str | None = None) -> PlanView:
    answered = (plain_name(person.name) for person in (*plan.coming, *plan.cannot))
    names, coming = told_apart(tuple(answered), NAME_LENGTH), len(plan.coming)
    return PlanView(
        plan, names[:coming], names[coming:], url, start_time(plan.wish.pace), _last(plan)
    )


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
