"""Votes at a running match: for a rest, and for another pace; votes counted anew.  Pure."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.ids import QuestionId, UserId
from bot.tables import ending, lobby, presence
from bot.tables.model import Table, TableError
from bot.tables.stored import (
    Deadline,
    DeadlineKind,
    Pace,
    Status,
    StoredTable,
)

# A rest, behind the button *Pause*: the clock stands.
#
# More than half of the people present begin a rest, two of them end it, and it ends by itself after
# a week.  A moderator who does not play does both alone.  People who are asked may still answer.

REST_TIME: Final = timedelta(days=7)
"""The longest time for which a match rests."""
VOTES_TO_RESUME: Final = 2
"""People who end a rest; fewer if no more are there."""


def rest_votes_needed(stored: StoredTable) -> int:
    """Votes that begin a rest, or end it: those of people who are there."""
    if stored.timing.rest is None:
        return stored.seating.votes_needed
    return min(VOTES_TO_RESUME, len(stored.seating.present))


def vote_for_rest(
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
    return count_rest_votes(replace(stored, votes=votes), now)


def count_rest_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """With the rest begun or ended for which enough of the people present have voted."""
    present = {person.id for person in stored.seating.present}
    votes = stored.votes.rest_votes & present
    if not votes or len(votes) < rest_votes_needed(stored):
        return stored
    return _with_rest(stored, now if stored.timing.rest is None else None)


def recount(stored: StoredTable, now: datetime, *, half_played: bool) -> StoredTable:
    """Once fewer people are present: with the rest, the pace, or the free seats of people who are
    away, that enough of them want.

    The vote of whoever is left alone does not win by the absence of the others: that for a rest or
    a pace lapses, and nobody frees a seat alone.
    """
    if stored.status is not Status.RUNNING:
        return stored
    if len(stored.seating.present) < 2:
        return replace(stored, votes=replace(stored.votes, rest_votes=frozenset(), paces={}))
    stored = count_pace_votes(count_rest_votes(stored, now))
    return ending.count_away_votes(stored, now, half_played=half_played)


def rest_time_up(stored: StoredTable) -> StoredTable:
    """The rest has lasted as long as one may."""
    return stored if stored.timing.rest is None else _with_rest(stored, None)


def _with_rest(stored: StoredTable, rest: datetime | None) -> StoredTable:
    votes = replace(stored.votes, rest_votes=frozenset())
    return replace(stored, votes=votes, timing=replace(stored.timing, rest=rest))


# Another pace.
#
# A pace wins with more than half of the people present.  It never shortens a running clock: a
# longer pace counts at once, a shorter one from the next question on.

_ENDLESS: Final = timedelta.max


def vote_for_pace(stored: StoredTable, user: UserId, pace: Pace) -> StoredTable:
    """Count the vote of `user`, who is present by that, for going on at `pace`.

    Choosing the present pace takes a vote back.  Raises TableError `ended`, `not_running`,
    `not_seated`, `endless` (one person without a clock in a channel).
    """
    lobby.require_player(stored, user)
    stored = presence.clear_absence(stored, user)
    paces = {whom: wanted for whom, wanted in stored.votes.paces.items() if whom != user}
    if pace is not next_pace(stored):
        paces[user] = pace
    if paces != stored.votes.paces:
        stored = replace(stored, votes=replace(stored.votes, paces=paces))
    after = count_pace_votes(stored)
    lobby.require_end(after)
    return after


def next_pace(stored: StoredTable) -> Pace:
    """The pace that holds, or that was voted for and holds from the next question on."""
    timing = stored.timing
    return timing.pace if timing.coming is None else timing.coming


def count_pace_votes(stored: StoredTable) -> StoredTable:
    """With the pace that enough of the people present have voted for."""
    present = {person.id for person in stored.seating.present}
    votes = Counter(pace for user, pace in stored.votes.paces.items() if user in present)
    for pace, count in votes.items():
        if count >= stored.seating.votes_needed:
            stored = replace(stored, votes=replace(stored.votes, paces={}))
            return change_pace(stored, pace)
    return stored


def adopt_coming_pace(
    stored: StoredTable, asked: QuestionId | None, pause: QuestionId | None
) -> StoredTable:
    """At the pace that was voted for, unless a clock still runs that was promised to be longer.

    `asked` and `pause` are the questions that people and the next round are waited for.
    """
    if stored.timing.coming is None:
        return stored
    turn, following = map(stored.timing.deadline, (DeadlineKind.TURN, DeadlineKind.NEXT_ROUND))
    if turn is not None and turn.question == asked:
        return stored
    if following is not None and following.question == pause:
        return stored
    return replace(stored, timing=replace(stored.timing, pace=stored.timing.coming, coming=None))


def change_pace(stored: StoredTable, pace: Pace) -> StoredTable:
    """At `pace`, from now on or from the next question on."""
    timing, before = stored.timing, stored.timing.pace
    if pace is before:
        return replace(stored, timing=replace(timing, coming=None))
    if (pace.time or _ENDLESS) < (before.time or _ENDLESS) and before.time is not None:
        return replace(stored, timing=replace(timing, coming=pace))
    stored = replace(stored, timing=replace(timing, pace=pace, coming=None))
    stored = stored.without_deadline(DeadlineKind.IDLE)
    if pace.time is None:
        return stored.without_deadline(DeadlineKind.TURN).without_deadline(DeadlineKind.WARN)
    turn = timing.deadline(DeadlineKind.TURN)
    if turn is not None and before.time is not None:
        turn = turn._replace(due=turn.due + pace.time - before.time)
        # Who was warned before is warned again: this is another time.
        stored = replace(stored, timing=replace(stored.timing, warned=None))
        warning = Deadline(DeadlineKind.WARN, turn.question, turn.due - pace.warning)
        stored = stored.with_deadline(turn).with_deadline(warning)
    following = timing.deadline(DeadlineKind.NEXT_ROUND)
    if following is not None and pace.pause > before.pause:
        later = following._replace(due=following.due + pace.pause - before.pause)
        stored = stored.with_deadline(later)
    return stored
