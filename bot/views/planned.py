"""View of a planned table, as its channel sees it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from bot.ids import PlanId
from bot.tables.plans import Plan, PlanState
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
    )
