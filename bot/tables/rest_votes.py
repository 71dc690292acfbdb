"""Rests by vote, behind the button *Pause*: the clock of a running match stops.  Pure.

More than half of the people present begin a rest, two of them end it, and it ends by itself after a
week.  A moderator who does not play does both alone.  People who are asked may still answer.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.ids import UserId
from bot.tables import lobby, pace_votes, presence
from bot.tables.model import Table, TableError
from bot.tables.stored import Status, StoredTable

REST_TIME: Final = timedelta(days=7)
"""The longest time for which a match rests."""
RESUMING: Final = 2
"""People who end a rest; fewer if no more are there."""


def needed(stored: StoredTable) -> int:
    """Votes that begin a rest, or end it: those of people who are there."""
    if stored.timing.rest is None:
        return stored.seating.votes_needed
    return min(RESUMING, len(stored.seating.present))


def vote(
    table: Table, now: datetime, user: UserId, *, resting: bool, moderator: bool = False
) -> StoredTable:
    """Count the vote of `user`, who is present by that, for a rest, or for its end if `resting`.

    `resting` is what they saw; a vote for what is so already changes nothing.  That of a moderator
    who does not play decides alone.  Raises TableError `ended`, `not_running`, `not_seated`,
    `rested` (a clock runs, and nothing was played for as long as a rest may last: one after the
    other would hold the match up for ever).
    """
    stored, seating = table.stored, table.stored.seating
    lobby.require_running(stored)
    if moderator and seating.place_of(user) is None and not seating.began(user):
        held = stored.timing.rest is not None
        return stored if resting != held else _with_rest(stored, None if held else now)
    lobby.require_seated(stored, user)
    stored = presence.clear_absence(stored, user)
    if resting != (stored.timing.rest is not None):
        return stored
    clocked = stored.timing.pace.time is not None and table.log
    if not resting and clocked and now - table.log[-1].at >= REST_TIME:
        raise TableError("rested")
    votes = replace(stored.votes, rest_votes=stored.votes.rest_votes | {user})
    return count_votes(replace(stored, votes=votes), now)


def count_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """With the rest begun or ended for which enough of the people present have voted."""
    present = {person.id for person in stored.seating.present}
    votes = stored.votes.rest_votes & present
    if not votes or len(votes) < needed(stored):
        return stored
    return _with_rest(stored, now if stored.timing.rest is None else None)


def recount_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """Once fewer people are present: with the rest, or the pace, that enough of them want."""
    if stored.status is not Status.RUNNING:
        return stored
    return pace_votes.count_votes(count_votes(stored, now))


def time_up(stored: StoredTable) -> StoredTable:
    """The rest has lasted as long as one may."""
    return stored if stored.timing.rest is None else _with_rest(stored, None)


def _with_rest(stored: StoredTable, rest: datetime | None) -> StoredTable:
    votes = replace(stored.votes, rest_votes=frozenset())
    return replace(stored, votes=votes, timing=replace(stored.timing, rest=rest))
