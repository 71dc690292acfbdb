"""When a table is to open, as people type it: `in 2h`, `fri 20:00 Europe/Zurich`, `weekly`.

The time and what there is of zones are handed in; nothing here looks at a clock.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Mapping
from datetime import UTC, date, datetime, time, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

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
_NEXT: Final = ("today", "tonight", "tomorrow")
_SHORTEST: Final = 3
"""Letters of a weekday at least."""

PSEUDO: Final = frozenset({"factory", "localtime", "posixrules"})
"""Names in the data of time zones that are no zones: their clock depends on the machine."""

ZONE_WORDS: Final = 4
"""Words of a zone's name at most, where people type `America/New York`."""


class When(NamedTuple):
    """A moment at which a table opens, and whether it does so every week."""

    due: datetime
    """In UTC."""
    zone: str | None
    """Name of the zone that was typed; None for `in 2h`."""
    weekly: bool = False
    local: datetime | None = None
    """Of a weekly one: what that zone's clock shows at the first time, which is counted on from;
    None: what it shows at `due`."""


def read_when(typed: str, now: datetime, zones: Collection[str], usual: str | None = None) -> When:
    """The moment that was typed, seen from `now`; `zones` are the known names.

    Without a zone it is in the `usual` one; `in 2h` needs a zone only to be repeated every week.

    A day without a date is the next one; a time without a day is the next such time.  Of a time
    that comes twice as the clocks go back, the first is meant.

    Raises TableError `when_unclear` (typed), `when_zone` (none is named), `when_no_zone` (zone),
    `when_gap` (time, zone: the clocks leave it out), `when_past` or `when_far` (days), and nothing
    else, whatever was typed.
    """
    known = {each.casefold(): each for each in zones if each.casefold() not in PSEUDO}
    # As it looks: a keyboard for wide letters has digits and a colon of its own.
    words = unicodedata.normalize("NFKC", typed).casefold().replace(",", " ").split()
    words, weekly = _weekly(words)
    words, zone = _zone(words, known)
    if not weekly:
        words, weekly = _weekly(words)
    if words[:1] != ["in"]:
        return _by_clock(words, typed, now, zone, known, usual)._replace(weekly=weekly)
    due = now + _span(" ".join(words[1:]), typed)
    _require_ahead(due, now)
    if zone is None and weekly:
        zone = _usual(known, usual)
    local = None if zone is None else shown_at(due, rules_of(zone))
    return When(due, zone, weekly, local)


def following(when: When, now: datetime) -> datetime | None:
    """When a weekly table opens next, after its time and after `now`; None if it opens once.

    The same time by the clock of its zone; one that the clocks leave out is an hour later, in that
    week.  Raises TableError `when_no_zone` (zone): this machine does not know it any more.
    """
    if not when.weekly or when.zone is None:
        return None
    zone, after = rules_of(when.zone), max(now, when.due)
    first = shown_at(when.due, zone) if when.local is None else when.local
    weeks = max(1, (shown_at(after, zone) - first) // WEEK)
    while (due := moment_of(first + weeks * WEEK, zone)) <= after:
        weeks += 1
    return due


def clock_time(typed: str) -> time:
    """The time of a day that was typed, such as `22:00` or `7 am`.

    Raises TableError `when_unclear` (typed).
    """
    return _time(" ".join(unicodedata.normalize("NFKC", typed).casefold().split()), typed)


def known_zone(typed: str, zones: Collection[str]) -> str:
    """The name of the zone that was typed.  Raises TableError `when_no_zone` (zone)."""
    known = {each.casefold(): each for each in zones if each.casefold() not in PSEUDO}
    return _usual(known, "_".join(typed.split()))


def _weekly(words: list[str]) -> tuple[list[str], bool]:
    """Without what says that it is every week, and whether something did."""
    if words[-1:] == ["weekly"]:
        return words[:-1], True
    return (words[:-2], True) if words[-2:] == ["every", "week"] else (words, False)


def _zone(words: list[str], known: Mapping[str, str]) -> tuple[list[str], str | None]:
    """The words without the zone at their end, and its name."""
    for count in range(1, ZONE_WORDS + 1):
        if zone := known.get("_".join(words[-count:])):
            return words[:-count], zone
    return words, None


def _usual(known: Mapping[str, str], usual: str | None) -> str:
    if usual is None:
        raise TableError("when_zone")
    if usual.casefold() not in known:
        raise TableError("when_no_zone", zone=usual)
    return known[usual.casefold()]


def rules_of(zone: str) -> ZoneInfo:
    """Raises TableError `when_no_zone` (zone)."""
    try:
        if zone.casefold() not in PSEUDO:
            return ZoneInfo(zone)
    except (ZoneInfoNotFoundError, ValueError, OSError):  # an update took it away, say
        pass
    raise TableError("when_no_zone", zone=zone)


def _require_ahead(due: datetime, now: datetime) -> None:
    if due < now + SOONEST:
        raise TableError("when_past")
    if due > now + LATEST:
        raise _far()


def _far() -> TableError:
    return TableError("when_far", days=LATEST.days)


def _span(words: str, typed: str) -> timedelta:
    """`1h 30m`, `2 hours`, `3 days and 2 hours`; less than was said where that is too far ahead."""
    parts = _PART.findall(words)
    rest = _PART.sub("", words).replace("and", "").strip()
    if not parts or rest:
        raise TableError("when_unclear", typed=typed)
    most = 2 * LATEST  # nothing is reckoned with what calendars lack
    each = (min(int(count) * _UNITS[unit[0]], most) for count, unit in parts)
    return min(sum(each, timedelta()), most)


def _by_clock(
    words: list[str],
    typed: str,
    now: datetime,
    zone: str | None,
    known: Mapping[str, str],
    usual: str | None,
) -> When:
    """A time of day by the clock of `zone`, or of `usual` if that is None."""
    if words and _names_day(words[-1]):  # `8 pm tomorrow`
        words = [words[-1], *words[:-1]]
    unknown = None
    if zone is None and words and not _CLOCK.fullmatch(words[-1]) and words[-1] not in ("am", "pm"):
        *words, unknown = words
    text = " ".join(words)
    day, _, clock = text.rpartition(" ") if not text.endswith((" am", " pm")) else _split(text)
    at = _time(clock, typed)
    if unknown is not None:
        raise TableError("when_no_zone", zone=unknown)
    zone = zone or _usual(known, usual)
    here = rules_of(zone)
    today = shown_at(now, here).date()
    local = datetime.combine(_day(day, today, typed) if day else today, at)
    if abs(local.date() - today) > 2 * LATEST:  # as above
        raise TableError("when_past") if local.date() < today else _far()
    due = moment_of(local, here)
    step = timedelta(days=1) if not day else WEEK if _weekday(day) is not None else None
    if step is not None and due < now + SOONEST:  # today's is over: the next one is meant
        local += step
        due = moment_of(local, here)
    if shown_at(due, here) != local:
        raise TableError("when_gap", time=f"{at:%H:%M}", zone=zone)
    _require_ahead(due, now)
    return When(due, zone, local=local)


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


def _names_day(word: str) -> bool:
    named = word in _NEXT or _weekday(word) is not None
    return named or _DATE.fullmatch(word) is not None


def _day(word: str, today: date, typed: str) -> date:
    if word in _NEXT:
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


def moment_of(local: datetime, zone: ZoneInfo) -> datetime:
    """When the clocks of `zone` show that, in UTC; what they leave out is later by as much."""
    return local.replace(tzinfo=zone).astimezone(UTC)


def shown_at(moment: datetime, zone: ZoneInfo) -> datetime:
    """What the clocks of `zone` show at that moment."""
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)
