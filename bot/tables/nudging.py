"""Nudges: one more call to the people who are asked, in place of the warning.  Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.ids import QuestionId, UserId
from bot.tables import lobby, presence, waiting
from bot.tables.model import Table, TableError
from bot.tables.stored import DeadlineKind


def question_of_others(table: Table, user: UserId) -> QuestionId | None:
    """The question that the others could be nudged about by `user`; None if there is none.

    The oldest that people are asked, while a clock runs; not if `user` is asked it too.
    """
    seat = table.stored.seating.place_of(user)
    turn = table.stored.timing.deadline(DeadlineKind.TURN)
    if seat is None or turn is None:
        return None
    return None if table.questions.get(seat) == turn.question else turn.question


def nudge(table: Table, now: datetime, user: UserId, question: QuestionId) -> Table:
    """Call the people who are asked `question` once more, for `user`, who is present by that.

    A nudge takes the place of the warning: after half of the time, and once.  Raises TableError
    `ended`, `not_running`, `not_seated`, `nudge_self` (the turn is theirs too), `nudge_nobody` (no
    clock runs), `stale` (that is answered), `nudge_done`, `nudge_early` (at: from when, in seconds
    since 1970).
    """
    stored = table.stored
    seat = lobby.require_player(stored, user)
    stored = presence.clear_absence(stored, user)
    turn, time = stored.timing.deadline(DeadlineKind.TURN), stored.timing.pace.time
    if table.questions.get(seat) == question:
        raise TableError("nudge_self")
    if question not in table.questions.values():
        raise TableError("stale")
    if turn is None or time is None or turn.question != question:
        raise TableError("nudge_nobody")
    if stored.timing.warned == question:
        raise TableError("nudge_done")
    half = turn.due - time / 2
    if now < half:
        raise TableError("nudge_early", at=int(half.timestamp()) + 1)
    stored = replace(stored, timing=replace(stored.timing, warned=question))
    stored = stored.without_deadline(DeadlineKind.WARN)
    return waiting.with_deadlines(replace(table, stored=stored), now)
