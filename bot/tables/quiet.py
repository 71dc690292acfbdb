"""`Quiet`: hours in which a person is not called, and deadlines that wait for their end."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Final, TypeAlias

from bot.ids import UserId
from bot.tables.model import Table, TableError
from bot.tables.stored import Deadline, DeadlineKind, StoredTable
from bot.tables.waiting import longest
from bot.tables.when import clock_time, known_zone, moment_of, rules_of, shown_at

LONGEST: Final = timedelta(hours=10)
"""The longest that quiet hours are, and that the end of a turn moves for them in all."""

DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Quiet:
    """Quiet hours of every day."""

    begin: time
    end: time
    """Of the next day, if it is not later than `begin`."""
    zone: str

    def until(self, moment: datetime) -> datetime | None:
        """The end of the quiet hours in which `moment` lies; None if it lies in none.

        Nor if this machine does not know the zone any more.
        """
        try:
            rules = rules_of(self.zone)
        except TableError:
            return None
        today = shown_at(moment, rules).date()
        for day in (today, today - DAY):
            begin = datetime.combine(day, self.begin)
            first = moment_of(begin, rules)
            last = min(moment_of(begin + _length(self.begin, self.end), rules), first + LONGEST)
            if first <= moment < last:
                return last
        return None


QuietOf: TypeAlias = Callable[[UserId], Quiet | None]
"""Quiet hours of a person."""


def read_quiet(begin: str, end: str, zone: str, zones: Collection[str]) -> Quiet:
    """Quiet hours as they were typed; `zones` are the known names.

    Raises TableError `clock_unclear` (typed), `when_no_zone` (zone), `quiet_long` (limit: hours).
    """
    found = Quiet(clock_time(begin), clock_time(end), known_zone(zone, zones))
    if _length(found.begin, found.end) > LONGEST:
        raise TableError("quiet_long", limit=LONGEST // timedelta(hours=1))
    return found


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
    left then.  By `LONGEST` in all, whatever hours are chosen meanwhile: counted from when the
    question was put, so that a clock which began later (after a rest, say) is moved by less.  None
    if it need not move, or has moved already.
    """
    timing = table.stored.timing
    if due.kind not in (DeadlineKind.TURN, DeadlineKind.WARN) or timing.deadline(due.kind) != due:
        return None
    hours = _hours(table, quiet_of)
    moved, ended = _moved(due, hours), due.due - timedelta(seconds=1)
    if moved == due or any(one.until(ended) == due.due for one in hours):
        return None
    put = table.log[due.question - 1].at
    latest = put + longest(due.kind, timing.pace) + timing.credited + LONGEST
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
    return deadline._replace(due=min(due, deadline.due + LONGEST))


def _length(begin: time, end: time) -> timedelta:
    minutes = (end.hour - begin.hour) * 60 + end.minute - begin.minute
    return timedelta(minutes=minutes if minutes > 0 else minutes + 24 * 60)
