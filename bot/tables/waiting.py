"""What a running match waits for, as deadlines.  Pure: table to table."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.tables import lobby
from bot.tables.model import Deadline, DeadlineKind, Table, TableRecord
from bot.tables.phase import Closing, Expired, Lobby, Over, Pause, Round, Unreadable
from engine.game import Seat

STANDING_TIME: Final = timedelta(seconds=2)
"""So long after its question the answer of a seat that answers itself is given."""

STALL_TIME: Final = timedelta(days=7)
"""So long a match waits for a place where it can be shown."""

_UNNUMBERED: Final = 0
"""Question of the deadline of a stalled match: it belongs to none."""


def waiting(table: Table, now: datetime) -> Table:
    """`table` with the deadlines of what it waits for; each is kept while that is the same.

    Between rounds: for people to press, NEXT_ROUND.  No hand is secret then, so whoever left may
    sit down anywhere.  In a round: for whoever is asked, WARN and TURN of the oldest question
    among theirs, if the pace has a clock; for seats that answer themselves, STANDING.  While it
    cannot be shown: for that alone, STALL.
    """
    record = table.record
    before = record.deadlines
    pause: int | None = None
    match table.phase:
        case Lobby() | Over() | Expired():
            return table
        case Pause(question=pause):
            record = replace(record, seen={}) if record.seen else record
        case Round() | Closing() | Unreadable():
            pass
        case _:
            assert_never(table.phase)
    answered, asked = oldest(table, answering(table)), oldest(table, table.asked)
    if record.stalled is None:
        record = lobby.without_deadline(record, DeadlineKind.STALL)
    else:
        record = _kept(record, DeadlineKind.STALL, _UNNUMBERED, record.stalled.since + STALL_TIME)
        pause = answered = asked = None
    record = _kept(record, DeadlineKind.NEXT_ROUND, pause, now + record.pace.pause)
    record = _kept(record, DeadlineKind.STANDING, answered, now + STANDING_TIME)
    record = _clocked(record, asked, now)
    given = (d for d in record.deadlines if d.kind in (DeadlineKind.NEXT_ROUND, DeadlineKind.TURN))
    if record.credited and not any(deadline in before for deadline in given):
        record = replace(record, credited=timedelta())
    return replace(table, record=record)


def answering(table: Table) -> tuple[Seat, ...]:
    """Seats that answer themselves."""
    return tuple(seat for seat in table.actors if table.answers_itself(seat))


def oldest(table: Table, seats: tuple[Seat, ...]) -> int | None:
    """The smallest number among the questions of `seats`."""
    return min((table.questions[seat] for seat in seats), default=None)


def _clocked(record: TableRecord, question: int | None, now: datetime) -> TableRecord:
    """With the time for `question`, and the warning before it is up, which is given once."""
    turn = record.deadline(DeadlineKind.TURN)
    if turn is not None and turn.question == question:
        return record
    record = lobby.without_deadline(record, DeadlineKind.WARN)
    record = lobby.without_deadline(record, DeadlineKind.TURN)
    if record.warned is not None:
        record = replace(record, warned=None)
    time = record.pace.time
    if question is None or time is None:
        return record
    due = now + time
    warning = Deadline(DeadlineKind.WARN, question, due - record.pace.warning)
    record = lobby.with_deadline(record, warning)
    return lobby.with_deadline(record, Deadline(DeadlineKind.TURN, question, due))


def _kept(
    record: TableRecord, kind: DeadlineKind, question: int | None, due: datetime
) -> TableRecord:
    """With a deadline of that kind for `question`, kept if there is one; None: without."""
    if question is None:
        return lobby.without_deadline(record, kind)
    known = record.deadline(kind)
    if known is not None and known.question == question:
        return record
    return lobby.with_deadline(record, Deadline(kind, question, due))
