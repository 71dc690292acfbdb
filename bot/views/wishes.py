"""View of the wishes that a person may have at a running table, beside playing."""

from __future__ import annotations

from dataclasses import dataclass

from bot.ids import QuestionId, UserId
from bot.tables import undo, voting, waiting
from bot.tables.model import Table
from bot.tables.stored import Pace
from bot.views.building import table_head
from bot.views.values import TableHead


@dataclass(frozen=True, slots=True)
class WishesView:
    """Wishes that one person may have; None for those that they may not."""

    head: TableHead
    resting: bool | None = None
    """Whether the match rests, which they may vote about."""
    nudge: QuestionId | None = None
    """The question of others about which they may be nudged."""
    pace: Pace | None = None
    """That holds, or will from the next question on."""
    away: int | None = None
    """A seat whose owner is away, for which a substitute could be called."""
    take_back: QuestionId | None = None
    """Ply of the next entry, if they may take their last play back."""


def may_ask(table: Table, user: UserId) -> bool:
    """Whether `user` may ask now to take their last play back."""
    return undo.refusal(table, user) is None and table.take_back is None


def wishes_view(table: Table, user: UserId, *, moderator: bool = False) -> WishesView:
    """The wishes of `user` at the present `table`; a `moderator` may also vote for a rest."""
    head, resting = table_head(table), table.stored.timing.rest is not None
    if not table.running or table.stored.seating.place_of(user) is None:
        alone = moderator and table.running and not table.stored.seating.began(user)
        return WishesView(head, resting=resting if alone else None)
    places = table.stored.seating.places
    return WishesView(
        head,
        resting=resting,
        pace=voting.next_pace(table.stored),
        away=next((seat for seat, place in enumerate(places) if place.away), None),
        nudge=waiting.question_of_others(table, user),
        take_back=QuestionId(table.ply) if may_ask(table, user) else None,
    )
