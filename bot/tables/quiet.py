"""`Quiet`: hours of the day in which a person is not called, by the clock of their zone."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from datetime import datetime, time, timedelta
from typing import Final, TypeAlias

from bot.ids import UserId
from bot.tables.model import Table, TableError
from bot.tables.stored import Deadline, DeadlineKind, StoredTable
from bot.tables.when import clock_time, known_zone, moment_of, rules_of, shown_at

LONGEST: Final = timedelta(hours=10)
"""The longest that quiet hours are, and that the end of a turn moves for them."""

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

    Raises TableError `when_unclear` (typed), `when_no_zone` (zone), `quiet_long` (limit: hours).
    """
    found = Quiet(clock_time(begin), clock_time(end), known_zone(zone, zones))
    if _length(found.begin, found.end) > LONGEST:
        raise TableError("quiet_long", limit=LONGEST // timedelta(hours=1))
    return found


def with_quiet_hours(before: StoredTable, after: Table, quiet_of: QuietOf) -> Table:
    """At a pace of a day no turn ends, and nobody is warned, in the quiet hours of whom is asked.

    A new deadline in them moves to their end, once for each turn.
    """
    timing, turn = after.stored.timing, after.stored.timing.deadline(DeadlineKind.TURN)
    slow = timing.pace.time is not None and timing.pace.time >= DAY
    if turn is None or not slow or turn in before.timing.deadlines:
        return after
    people = (after.stored.seating.places[seat].person for seat in after.asked)
    found = (None if one is None else quiet_of(one.id) for one in people)
    hours = [one for one in found if one is not None]
    if not hours:
        return after
    stored = after.stored.with_deadline(_moved(turn, hours))
    warning = timing.deadline(DeadlineKind.WARN)
    if warning is not None:
        stored = stored.with_deadline(_moved(warning, hours))
    return replace(after, stored=stored)


def _moved(deadline: Deadline, hours: Collection[Quiet]) -> Deadline:
    due = deadline.due
    for _ in hours:  # the end of one's may lie in another's
        due = max([due, *(end for one in hours if (end := one.until(due)) is not None)])
    return deadline._replace(due=min(due, deadline.due + LONGEST))


def _length(begin: time, end: time) -> timedelta:
    minutes = (end.hour - begin.hour) * 60 + end.minute - begin.minute
    return timedelta(minutes=minutes if minutes > 0 else minutes + 24 * 60)
