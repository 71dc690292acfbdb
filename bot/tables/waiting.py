"""Deadlines of a running match: warnings, decisions that are due, nudges, quiet hours.  Pure."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.ids import QuestionId, UserId
from bot.tables import lobby, presence, voting
from bot.tables.deals import POST_TIME
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing, Expired, Lobby, Over, Round, Unreadable
from bot.tables.preferences import DAY, LONGEST_QUIET, Quiet, QuietOf
from bot.tables.stored import UNASKED, Deadline, DeadlineKind, Pace, StoredTable
from bot.tables.voting import REST_TIME
from engine.game import Seat

SELF_ANSWER_TIME: Final = timedelta(seconds=2)
"""Time from its question until a seat that answers itself does so; no time where no other person
plays, from whom a moment could hide who did it, or where everybody sees what it can do."""

LONGEST_COMPUTER_TIME: Final = timedelta(seconds=5)
"""The longest time after which computer players answer at any table."""

QUIET_TIME: Final = timedelta(days=13)
"""Time without an action, in a match without a clock, until the people asked are warned."""

IDLE_WARNING: Final = timedelta(days=1)
"""How long it waits after that."""

IDLE_LATE: Final = timedelta(hours=1)
"""How late the end of that may be handled: later means that the program was away, and people get
the time again."""

STALL_TIME: Final = timedelta(days=7)
"""How long a match waits for a place where it can be shown."""


def with_deadlines(table: Table, now: datetime) -> Table:
    """`table` with the deadlines of what it waits for; deadlines of the same question are kept.

    Between rounds: for people to press, NEXT_ROUND.  In a round: for people who are asked, WARN and
    TURN of the oldest question among theirs, without a clock IDLE, which stay while that is open;
    for seats that answer themselves, SELF_ANSWER; for computer players, COMPUTER.  While it cannot
    be shown: for that alone, STALL.  While it rests: for the end of that, REST.  While the seats
    are closed: for the message that carries the round, POST.
    """
    stored = table.stored
    before = stored.timing.deadlines
    pause: QuestionId | None = None
    closing: QuestionId | None = None
    match table.phase:
        case Lobby() | Over() | Expired():
            return table
        case BetweenRounds(question=pause):
            pass
        case Round():
            stored = presence.with_hands_seen(stored, stored.seating)
        case Closing() if stored.timing.stalled is None or not stored.seating.in_company:
            closing = QuestionId(table.ply)
        case Closing() | Unreadable():
            pass
        case _:
            assert_never(table.phase)
    stored = _without_illegal_ahead(table, stored)
    table = replace(table, stored=stored)
    selves = self_answering(table)
    answered, asked = oldest(table, selves), oldest(table, table.asked)
    computed = oldest(table, table.computing)
    open_questions = {table.questions[seat] for seat in table.not_computing}
    if stored.timing.stalled is None:
        stored = stored.without_deadline(DeadlineKind.STALL)
    else:
        stored = _with_deadline(
            stored, DeadlineKind.STALL, UNASKED, stored.timing.stalled.since + STALL_TIME
        )
    if stored.timing.rest is None:
        stored = stored.without_deadline(DeadlineKind.REST)
    else:
        due = stored.timing.rest + REST_TIME
        stored = _with_deadline(stored, DeadlineKind.REST, UNASKED, due)
    if stored.timing.stalled is not None or stored.timing.rest is not None:
        pause = answered = asked = computed = None
        open_questions = set()
    stored = voting.adopt_coming_pace(stored, asked, pause)
    stored = _with_deadline(stored, DeadlineKind.NEXT_ROUND, pause, now + stored.timing.pace.pause)
    stored = _with_deadline(stored, DeadlineKind.POST, closing, now + POST_TIME)
    due = now + _moment(table, selves)
    stored = _with_deadline(stored, DeadlineKind.SELF_ANSWER, answered, due)
    due = now + stored.timing.computers
    stored = _with_deadline(stored, DeadlineKind.COMPUTER, computed, due)
    stored = _with_turn_clock(stored, asked, open_questions, now)
    given = (
        d for d in stored.timing.deadlines if d.kind in (DeadlineKind.NEXT_ROUND, DeadlineKind.TURN)
    )
    if stored.timing.credited and not any(deadline in before for deadline in given):
        stored = replace(stored, timing=replace(stored.timing, credited=timedelta()))
    return replace(table, stored=stored)


def longest(kind: DeadlineKind, pace: Pace) -> timedelta:
    """The longest time for which a table of that pace waits for anything of that kind.

    A deadline that is further away was made by a clock that was wrong.
    """
    match kind:
        case DeadlineKind.LOBBY:
            return Pace.DAILY.waits.lobby  # the pace may have been slower
        case DeadlineKind.HOST:
            return pace.waits.host
        case DeadlineKind.KEPT:
            return Pace.DAILY.waits.keep  # the same
        case DeadlineKind.PLANNED:
            return Pace.DAILY.waits.start  # the same
        case DeadlineKind.OFFERED:
            return Pace.DAILY.waits.offer  # the same
        case DeadlineKind.NEXT_ROUND:
            return pace.pause
        case DeadlineKind.POST:
            return POST_TIME
        case DeadlineKind.SELF_ANSWER:
            return SELF_ANSWER_TIME
        case DeadlineKind.COMPUTER:
            return LONGEST_COMPUTER_TIME
        case DeadlineKind.WARN:
            return longest(DeadlineKind.TURN, pace) - pace.warning
        case DeadlineKind.TURN:
            return STALL_TIME if pace.time is None else pace.time
        case DeadlineKind.IDLE:
            return QUIET_TIME
        case DeadlineKind.REST:
            return REST_TIME
        case DeadlineKind.VOTED:
            return Pace.DAILY.waits.vote  # the same
        case DeadlineKind.STALL:
            return STALL_TIME
        case _:
            assert_never(kind)


def _moment(table: Table, selves: Collection[Seat]) -> timedelta:
    """How long these seats, which answer themselves, wait with that."""
    hides = table.stored.seating.in_company and not all(map(table.hides_nothing, selves))
    return SELF_ANSWER_TIME if hides else timedelta(0)


def self_answering(table: Table) -> tuple[Seat, ...]:
    """Seats that answer themselves, or whose people have chosen ahead what is played now.

    Computer players have a time of their own, and are not included: their time would otherwise tell
    whether a person has chosen ahead.
    """
    return tuple(
        seat
        for seat in table.not_computing
        if table.answers_itself(seat) or table.ahead(seat) is not None
    )


def _without_illegal_ahead(table: Table, stored: StoredTable) -> StoredTable:
    """Without the cards chosen ahead that are not legal, now that their owners are asked."""
    if not stored.votes.ahead:
        return stored
    if not isinstance(table.phase, Round):
        return replace(stored, votes=replace(stored.votes, ahead={}))
    for seat in table.actors:
        person = stored.seating.places[seat].person
        if person is not None and table.ahead(seat) is None:
            stored = replace(stored, votes=stored.votes.with_ahead(person.id, None))
    return stored


def oldest(table: Table, seats: tuple[Seat, ...]) -> QuestionId | None:
    """The smallest number among the questions of `seats`."""
    return min((table.questions[seat] for seat in seats), default=None)


def _with_turn_clock(
    stored: StoredTable,
    question: QuestionId | None,
    open_questions: Collection[QuestionId],
    now: datetime,
) -> StoredTable:
    """With the time for `question`, and the warning before it is up, which is given once.

    A clock runs on while its question is open: whoever gives their seat away and takes it back
    before it was answered for them has no more time than before.
    """
    for kind in (DeadlineKind.TURN, DeadlineKind.IDLE):
        known = stored.timing.deadline(kind)
        if known is not None and known.question in open_questions:
            return stored
    stored = stored.without_deadline(DeadlineKind.IDLE).without_deadline(DeadlineKind.WARN)
    stored = stored.without_deadline(DeadlineKind.TURN)
    if stored.timing.warned is not None:
        stored = replace(stored, timing=replace(stored.timing, warned=None))
    time = stored.timing.pace.time
    if question is None:
        return stored
    if time is None:
        return stored.with_deadline(Deadline(DeadlineKind.IDLE, question, now + QUIET_TIME))
    due = now + time
    warning = Deadline(DeadlineKind.WARN, question, due - stored.timing.pace.warning)
    stored = stored.with_deadline(warning)
    return stored.with_deadline(Deadline(DeadlineKind.TURN, question, due))


def _with_deadline(
    stored: StoredTable, kind: DeadlineKind, question: QuestionId | None, due: datetime
) -> StoredTable:
    """With a deadline of that kind for `question`, kept if there is one; None: without."""
    if question is None:
        return stored.without_deadline(kind)
    known = stored.timing.deadline(kind)
    if known is not None and known.question == question:
        return stored
    return stored.with_deadline(Deadline(kind, question, due))


# Nudges.


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
    clock runs), `nudge_played` (that is answered), `nudge_done`, `nudge_early` (at: from when, in
    seconds since 1970).
    """
    stored = table.stored
    seat = lobby.require_player(stored, user)
    stored = presence.clear_absence(stored, user)
    turn, time = stored.timing.deadline(DeadlineKind.TURN), stored.timing.pace.time
    if table.questions.get(seat) == question:
        raise TableError("nudge_self")
    if question not in table.questions.values():
        raise TableError("nudge_played")
    if turn is None or time is None or turn.question != question:
        raise TableError("nudge_nobody")
    if stored.timing.warned == question:
        raise TableError("nudge_done")
    half = turn.due - time / 2
    if now < half:
        raise TableError("nudge_early", at=int(half.timestamp()) + 1)
    stored = replace(stored, timing=replace(stored.timing, warned=question))
    stored = stored.without_deadline(DeadlineKind.WARN)
    return with_deadlines(replace(table, stored=stored), now)


# Deadlines in quiet hours of the people who are asked.


def with_quiet_hours(before: StoredTable, after: Table, quiet_of: QuietOf) -> Table:
    """At a pace of a day no turn ends, and nobody is warned, in the quiet hours of whom is asked.

    The deadline of a clock that begins, with a question, a pace or after a rest, moves to their
    end.
    """
    timing, turn = after.stored.timing, after.stored.timing.deadline(DeadlineKind.TURN)
    if turn is None:
        return after
    was = before.timing.deadline(DeadlineKind.TURN)
    if was is not None and (was.question, before.timing.pace) == (turn.question, timing.pace):
        return after
    hours = _hours(after, quiet_of)
    if not hours:
        return after
    stored = after.stored.with_deadline(_moved(turn, hours))
    warning = timing.deadline(DeadlineKind.WARN)
    if warning is not None:
        stored = stored.with_deadline(_moved(warning, hours))
    return replace(after, stored=stored)


def postponed(table: Table, due: Deadline, quiet_of: QuietOf) -> Table | None:
    """The table with a later end of the turn, where it would end in such hours after all.

    What a deadline is moved by is lost where the program was away: nobody has more than their time
    left then.  By `LONGEST_QUIET` in all, whatever hours are chosen meanwhile: counted from when
    the question was put, so that a clock which began later (after a rest, say) is moved by less.
    None if it need not move, or has moved already.
    """
    timing = table.stored.timing
    if due.kind not in (DeadlineKind.TURN, DeadlineKind.WARN) or timing.deadline(due.kind) != due:
        return None
    hours = _hours(table, quiet_of)
    moved, ended = _moved(due, hours), due.due - timedelta(seconds=1)
    if moved == due or any(one.until(ended) == due.due for one in hours):
        return None
    put = table.log[due.question - 1].at
    latest = put + longest(due.kind, timing.pace) + timing.credited + LONGEST_QUIET
    if latest <= due.due:
        return None
    moved = moved._replace(due=min(moved.due, latest))
    return replace(table, stored=table.stored.with_deadline(moved))


def _hours(table: Table, quiet_of: QuietOf) -> list[Quiet]:
    """The quiet hours of the people who are asked, where they have a day."""
    time = table.stored.timing.pace.time
    if time is None or time < DAY:
        return []
    people = (table.stored.seating.places[seat].person for seat in table.asked)
    found = (None if one is None else quiet_of(one.id) for one in people)
    return [one for one in found if one is not None]


def _moved(deadline: Deadline, hours: Collection[Quiet]) -> Deadline:
    due = deadline.due
    for _ in hours:  # the end of one's may lie in another's
        due = max([due, *(end for one in hours if (end := one.until(due)) is not None)])
    return deadline._replace(due=min(due, deadline.due + LONGEST_QUIET))
