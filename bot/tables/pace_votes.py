"""Votes for another pace of a running match.  Pure.

A pace wins with more than half of the people present.  It never shortens a running clock: a longer
pace counts at once, a shorter one from the next question on.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import timedelta
from typing import Final

from bot.ids import QuestionId, UserId
from bot.tables import lobby, presence
from bot.tables.pace import Pace
from bot.tables.stored import Deadline, DeadlineKind, StoredTable

_ENDLESS: Final = timedelta.max


def vote(stored: StoredTable, user: UserId, pace: Pace) -> StoredTable:
    """Count the vote of `user`, who is present by that, for going on at `pace`.

    Choosing the present pace takes a vote back.  Raises TableError `ended`, `not_running`,
    `not_seated`, `endless` (one person without a clock in a channel).
    """
    lobby.require_player(stored, user)
    stored = presence.clear_absence(stored, user)
    paces = {whom: wanted for whom, wanted in stored.votes.paces.items() if whom != user}
    if pace is not next_pace(stored):
        paces[user] = pace
    if paces == stored.votes.paces:
        return stored
    after = count_votes(replace(stored, votes=replace(stored.votes, paces=paces)))
    lobby.require_end(after)
    return after


def next_pace(stored: StoredTable) -> Pace:
    """The pace that holds, or that was voted for and holds from the next question on."""
    timing = stored.timing
    return timing.pace if timing.coming is None else timing.coming


def count_votes(stored: StoredTable) -> StoredTable:
    """With the pace that enough of the people present have voted for."""
    present = {person.id for person in stored.seating.present}
    votes = Counter(pace for user, pace in stored.votes.paces.items() if user in present)
    for pace, count in votes.items():
        if count >= stored.seating.votes_needed:
            stored = replace(stored, votes=replace(stored.votes, paces={}))
            return change_pace(stored, pace)
    return stored


def adopt_coming(
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
