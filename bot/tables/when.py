"""When a table is to open, as people type it: `in 2h`, `fri 20:00 Europe/Zurich`, `weekly`.

The time and what there is of zones are handed in; nothing here looks at a clock.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from bot.tables.model import TableError

SOONEST: Final = timedelta(minutes=1)
LATEST: Final = timedelta(days=60)
"""How far ahead a table may be planned."""

WEEK: Final = timedelta(days=7)

_UNITS: Final = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": WEEK,
}
_UNIT: Final = r"m(?:in(?:ute)?s?)?|h(?:(?:ou)?rs?)?|d(?:ays?)?|w(?:eeks?)?"
_PART: Final = re.compile(rf"(\d{{1,4}}) ?({_UNIT})(?![a-z])")
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[:.](\d\d))? ?([ap]m)?")
_DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_DAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_SHORTEST: Final = 3
"""Letters of a weekday at least."""


class When(NamedTuple):
    """A moment at which a table opens, and whether it does so every week."""

    due: datetime
    """In UTC."""
    zone: str
    """Whose clock shows the same time every week."""
    weekly: bool = False


def read_when(typed: str, now: datetime, zones: Collection[str], usual: str | None = None) -> When:
    """The moment that is meant, seen from `now`; `zones` are the names that there are.

    Where none is named it is that of `usual`.

    A day without a date is the next one; a time without a day is the next such time.  Of a time
    that comes twice as the clocks go back, the first is meant.

    Raises TableError `when_unclear` (typed), `when_zone` (none is named), `when_no_zone` (zone),
    `when_gap` (time, zone: the clocks leave it out), `when_past` or `when_far` (days).
    """
    words = typed.casefold().replace(",", " ").split()
    weekly = words[-1:] == ["weekly"] or words[-2:] == ["every", "week"]
    if weekly:
        del words[-1 if words[-1] == "weekly" else -2 :]
    if words[:1] == ["in"]:
        due, zone = now + _span(" ".join(words[1:]), typed), usual or "UTC"
    else:
        due, zone = _named(words, typed, now, zones, usual)
    if due < now + SOONEST:
        raise TableError("when_past")
    if due > now + LATEST:
        raise TableError("when_far", days=LATEST.days)
    return When(due, zone, weekly)


def following(when: When, now: datetime) -> datetime | None:
    """When a weekly table opens next after `now`; None if it opens once.

    The same time by the clock of its zone; one that the clocks leave out is an hour later.
    """
    if not when.weekly:
        return None
    zone = ZoneInfo(when.zone)
    local = when.due.astimezone(zone).replace(tzinfo=None)
    weeks = max(1, (now - when.due) // WEEK)
    while True:
        due = (local + weeks * WEEK).replace(tzinfo=zone).astimezone(UTC)
        if due > now:
            return due
        weeks += 1


def _span(words: str, typed: str) -> timedelta:
    """`1h 30m`, `2 hours`, `3 days and 2 hours`."""
    parts = _PART.findall(words)
    rest = _PART.sub("", words).replace("and", "").strip()
    if not parts or rest:
        raise TableError("when_unclear", typed=typed)
    return sum((int(count) * _UNITS[unit[0]] for count, unit in parts), timedelta())


def _named(
    words: list[str], typed: str, now: datetime, zones: Collection[str], usual: str | None
) -> tuple[datetime, str]:
    """A time of a day by the clock of a zone, which stands last, else of `usual`."""
    text, named = " ".join(words), ""
    if words and not _CLOCK.fullmatch(words[-1]) and words[-1] not in ("am", "pm"):
        *before, named = words
        text = " ".join(before)
    day, _, clock = text.rpartition(" ") if not text.endswith((" am", " pm")) else _split(text)
    found = _time(clock, typed)
    named = named or (usual or "").casefold()
    if not named:
        raise TableError("when_zone")
    zone = {each.casefold(): each for each in zones}.get(named)
    if zone is None:
        raise TableError("when_no_zone", zone=named)
    here = ZoneInfo(zone)
    today = now.astimezone(here).date()
    if day:
        due = _moment(_day(day, today, typed), found, here)
        # Today's weekday means today as long as it is not over.
        if due < now + SOONEST and _weekday(day) is not None:
            due = _moment(_day(day, today, typed) + WEEK, found, here)
    else:
        due = _moment(today, found, here)
        if due < now + SOONEST:
            due = _moment(today + timedelta(days=1), found, here)
    return due, zone


def _split(text: str) -> tuple[str, str, str]:
    """A day and a time such as `8 pm`."""
    *day, hour, half = text.split(" ")
    return " ".join(day), " ", f"{hour} {half}"


def _time(text: str, typed: str) -> time:
    clock = _CLOCK.fullmatch(text)
    if clock is None or not (clock[2] or clock[3]):
        raise TableError("when_unclear", typed=typed)
    hour, minute = int(clock[1]), int(clock[2] or 0)
    if clock[3] is not None and not 1 <= hour <= 12:
        raise TableError("when_unclear", typed=typed)
    if clock[3] is not None:
        hour = hour % 12 + (12 if clock[3] == "pm" else 0)
    if hour > 23 or minute > 59:
        raise TableError("when_unclear", typed=typed)
    return time(hour, minute)


def _weekday(word: str) -> int | None:
    """From Monday, 0, of a name or its beginning."""
    fits = (n for n, day in enumerate(_DAYS) if len(word) >= _SHORTEST and day.startswith(word))
    return next(fits, None)


def _day(word: str, today: date, typed: str) -> date:
    if word in ("today", "tonight", "tomorrow"):
        return today + timedelta(days=word == "tomorrow")
    weekday = _weekday(word)
    if weekday is not None:
        return today + timedelta(days=(weekday - today.weekday()) % 7)
    written = _DATE.fullmatch(word)
    try:
        if written is not None:
            return date(*map(int, written.groups()))
    except ValueError:
        pass
    raise TableError("when_unclear", typed=typed)


def _moment(day: date, at: time, zone: ZoneInfo) -> datetime:
    """In UTC.  Raises TableError `when_gap`."""
    local = datetime.combine(day, at, zone)
    due = local.astimezone(UTC)
    if due.astimezone(zone).replace(tzinfo=None) != local.replace(tzinfo=None):
        raise TableError("when_gap", time=f"{at:%H:%M}", zone=zone.key)
    return due
