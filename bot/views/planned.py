"""View of a planned table, as its channel sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import assert_never

from bot.ids import PlanId
from bot.tables.plans import Lapse, Plan, PlanState
from bot.visible import NAME_LENGTH, plain_name, told_apart
from engine.players.levels import Level


@dataclass(frozen=True, slots=True)
class PlanView:
    plan: PlanId
    game: str
    by: str
    """What whoever planned it is called; not escaped, as all names here."""
    due: datetime
    weekly: bool
    state: PlanState
    waits: bool
    """Whether its time has come and there was no room."""
    pace: str
    private: bool
    coming: tuple[str, ...]
    cannot: tuple[str, ...]
    computers: tuple[int, Level] = (0, Level.NORMAL)
    """How many computer players will sit there, and how strong they are."""
    url: str | None = None
    """The way to the table that has opened."""
    last: str = ""
    """Code of what is said of a weekly one that does not come again."""
    zone: str = ""

    @property
    def is_open(self) -> bool:
        return self.state is PlanState.PLANNED


def plan_view(plan: Plan, url: str | None = None) -> PlanView:
    answered = (plain_name(person.name) for person in (*plan.coming, *plan.cannot))
    names, coming = told_apart(tuple(answered), NAME_LENGTH), len(plan.coming)
    return PlanView(
        plan=plan.id,
        game=plan.wish.game,
        by=plan.by.name,
        due=plan.when.due,
        weekly=plan.when.weekly,
        state=plan.state,
        waits=plan.waits,
        pace=plan.wish.pace.value,
        private=plan.wish.private,
        coming=names[:coming],
        cannot=names[coming:],
        computers=plan.wish.computers,
        url=url,
        last=_last(plan),
        zone=plan.when.zone or "",
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
