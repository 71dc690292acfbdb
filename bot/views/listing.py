"""Building lines of a list from tables."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from bot.ids import UserId
from bot.tables import phase, resting
from bot.tables.model import Table
from bot.tables.stored import DeadlineKind
from bot.views.building import table_head
from bot.views.listed import Listed, Waits


def listed(table: Table, user: UserId) -> Listed:
    """The table's line for `user`, who may know of it; where it is is for others to say."""
    seating = table.stored.seating
    seated = seating.place_of(user) is not None
    found = replace(_waits(table, user), seated=seated)
    barred = seated or user in seating.kicked
    if barred or (seating.private and user not in seating.invited | {seating.host}):
        return found
    free = seating.open_to(user)
    if isinstance(table.phase, phase.Lobby):
        return replace(found, joins=bool(free))
    known = seating.seen.get(user, free[0] if free else None)  # of this round one sees one hand
    return replace(found, takes=known if known in free and table.begun else None)


def _waits(table: Table, user: UserId) -> Listed:
    head, now = table_head(table), table.phase
    rest = table.stored.timing.rest
    if rest is not None and table.begun:
        return Listed(head, Waits.REST, until=rest + resting.REST_TIME)
    match now:
        case phase.Lobby():
            full = not table.stored.seating.free_places
            until = _due(table, DeadlineKind.LOBBY)
            return Listed(head, Waits.READY if full else Waits.PEOPLE, until=until)
        case phase.Closing():
            return Listed(head, Waits.CARDS)
        case phase.Round():
            waits = Waits.YOU if table.waits_for(user) else Waits.OTHERS
            return Listed(head, waits, table.actors, _due(table, DeadlineKind.TURN))
        case phase.Pause():
            return Listed(head, Waits.ROUND, until=_due(table, DeadlineKind.NEXT_ROUND))
        case phase.Unreadable() | phase.Over() | phase.Expired():
            return Listed(head, Waits.NOBODY)
        case _:
            assert_never(now)


def _due(table: Table, kind: DeadlineKind) -> datetime | None:
    deadline = table.stored.timing.deadline(kind)
    return None if deadline is None else deadline.due
