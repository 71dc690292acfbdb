"""When a table is to open, as people type it: `in 2h`, `tomorrow evening`, `fri 20:00 weekly`.

Where a time is to be found, it says which ones are asked about.

The time, what there is of zones, and the words of all languages are handed in; nothing here looks
at a clock.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from typing import Final, NamedTuple, TypeAlias
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from bot.tables.model import TableError

SOONEST: Final = timedelta(minutes=1)
LATEST: Final = timedelta(days=60)
"""How far ahead a table may be planned."""

WEEK: Final = timedelta(days=7)

EVENING: Final = time(20)
"""When an evening begins."""

EVENINGS: Final = 7
"""Coming days that are asked about if nobody says which."""

MAX_TIMES: Final = 10
"""Times at most that one plan asks about."""

_UNITS: Final = {
    "minutes": timedelta(minutes=1),
    "hours": timedelta(hours=1),
    "days": timedelta(days=1),
    "weeks": WEEK,
}
_WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_NEAR: Final = {"today": 0, "tomorrow": 1, "overmorrow": 2}


class _Part(NamedTuple):
    """A part of a day, by its hours; those from 24 on are of the day after."""

    usual: int
    """The hour that it stands for."""
    first: int
    end: int
    """At most twelve hours after the first: `friday night 1` can be read in one way only."""


_PARTS: Final = {
    "morning": _Part(9, 0, 12),
    "noon": _Part(12, 11, 15),
    "afternoon": _Part(15, 12, 19),
    "evening": _Part(20, 16, 27),
    "night": _Part(22, 18, 30),
    "midnight": _Part(24, 24, 25),
}
_LATE: Final = ("evening", "night")
"""Parts of a day in which its midnight lies."""

TIME_WORDS: Final = (
    *("in", "and", "at", "oclock", "weekly", "tonight"),
    *_UNITS,
    *_WEEKDAYS,
    *_NEAR,
    *_PARTS,
)
"""What has words in every language."""

Vocabulary: TypeAlias = Mapping[tuple[str, ...], Collection[str]]
"""Which of `TIME_WORDS` a few words mean: German `morgen` is tomorrow, or the morning."""

_PHRASE: Final = 3
"""Words at most that mean one thing together, as the words of a time do: `20 Uhr 30`."""

_PART: Final = re.compile(r"(\d{1,4}) ?([^\W\d_]+)")
_CLOCK: Final = re.compile(r"(\d{1,2})(?:[:.](\d\d))? ?([^\W\d_](?:[^\W\d_]|')*)? ?(\d\d)?")
_DATE: Final = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
_STAMP: Final = re.compile(r"<t:(-?\d{1,18})(?::[a-z])?>")
"""A moment as Discord writes it, with the style that it is shown in."""

_SHORTEST: Final = 3
"""Letters of a weekday at least, if it has no shorter word."""

_MORNING: Final = 7
"""Before this hour nobody means to play who says no more than the hour."""

_HALVES: Final = (None, "am", "pm")

_DAY: Final = timedelta(days=1)

PSEUDO: Final = frozenset({"factory", "localtime", "posixrules"})
"""Names in the data of time zones that are no zones: their clock depends on the machine."""

_AREAS: Final = (
    *("africa", "america", "antarctica", "arctic", "asia"),
    *("atlantic", "australia", "europe", "indian", "pacific"),
)
"""Where zones are named by a city of theirs; elsewhere by a country or what holds there."""

ZONE_WORDS: Final = 4
"""Words of a zone's name at most, where people type `America/New York`."""

_COMPARED: Final = tuple(datetime(2026, 1, 1, tzinfo=UTC) + n * _DAY / 4 for n in range(2 * 1461))
"""Moments of two years, at which zones of the same rules show the same."""


class _Unclear(Exception):
    """What was typed is no time; whoever asked for it says so in words of their own."""


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


def vocabulary(said: Mapping[str, Iterable[str]]) -> Vocabulary:
    """All that may be typed for each of `TIME_WORDS`; weekdays by their beginnings too."""
    found: dict[tuple[str, ...], set[str]] = {}
    for meaning, phrases in said.items():
        for phrase in phrases:
            folded = _folded(phrase).strip()
            shorter = range(_SHORTEST, len(folded)) if meaning in _WEEKDAYS else ()
            for text in (folded, *(folded[:length] for length in shorter)):
                found.setdefault(tuple(text.split()), set()).add(meaning)
    return found


def read_when(
    typed: str,
    now: datetime,
    zones: Collection[str],
    vocabulary: Vocabulary,
    usual: str | None = None,
) -> When:
    """The moment that was typed, seen from `now`; `zones` are the known names.

    Without a zone it is in the `usual` one; `in 2h` and a moment of Discord (`<t:1790000000:F>`)
    need a zone only to be repeated every week.

    A day without a date is the next one; a time without a day is the next such time; a part of the
    day has its hour, and what of it is past midnight belongs to the day after.  Of a time that
    comes twice as the clocks go back, the first is meant.

    Raises TableError `when_unclear` (typed), `when_zone` (none is named), `when_no_zone` (zone),
    `when_gap` (time, zone: the clocks leave it out), `when_past` or `when_far` (days), and nothing
    else, whatever was typed.
    """
    try:
        return _read_when(typed, now, zones, vocabulary, usual)[0]
    except _Unclear:
        raise TableError("when_unclear", typed=typed) from None


def _read_when(
    typed: str,
    now: datetime,
    zones: Collection[str],
    vocabulary: Vocabulary,
    usual: str | None,
    usual_time: time | None = None,
    usual_day: date | None = None,
) -> tuple[When, date | None]:
    """The same, and the day that was said, if one was; a day without a time has the `usual_time`,
    and a time without a day is of the `usual_day`, if there is one.

    Raises _Unclear instead of `when_unclear`.
    """
    known = _known(zones)
    words = _folded(typed).split()
    words, weekly = _weekly(words, vocabulary)
    words, zone = _zone(words, known)
    if not weekly:
        words, weekly = _weekly(words, vocabulary)
    stamp = _STAMP.fullmatch(words[0]) if len(words) == 1 else None
    if stamp is not None:
        due = _stamped(int(stamp[1]), now)
    elif "in" in vocabulary.get(tuple(words[:1]), ()):
        due = now + _span(" ".join(words[1:]), vocabulary)
    else:
        read, day = _by_clock(words, now, zone, known, usual, vocabulary, usual_time, usual_day)
        return read._replace(weekly=weekly), day
    _require_ahead(due, now)
    if zone is None and weekly:
        zone = _usual(known, usual)
    local = None if zone is None else shown_at(due, rules_of(zone))
    return When(due, zone, weekly, local), None


def read_times(
    typed: str,
    now: datetime,
    zones: Collection[str],
    vocabulary: Vocabulary,
    usual: str | None = None,
) -> tuple[tuple[datetime, ...], str | None]:
    """The moments that were typed, in their order, and the zone of clocks by which they were meant.

    They stand between commas, or semicolons if there is one; a day without a time means its
    evening, a time without a day is of the day that was said last before it.  A zone that one of
    them names holds for all that name none.  A number means as many evenings of the coming days,
    nothing those of a week.

    Raises what `read_when` raises, but `times_unclear` (typed: of which) instead of `when_unclear`,
    and TableError `too_many_times` (limit), `times_weekly`.
    """
    known = _known(zones)
    words, zone = _zone(_folded(typed).split(), known)
    if not words or (len(words) == 1 and words[0].isdecimal()):
        wanted = int(words[0][:4]) if words else EVENINGS
        if not 1 <= wanted <= MAX_TIMES:
            raise TableError("too_many_times", limit=MAX_TIMES)
        zone = zone or _usual(known, usual)
        return _evenings(wanted, now, rules_of(zone)), zone
    parts = [part for part in typed.split(";" if ";" in typed else ",") if part.strip()]
    named = (_zone(_folded(part).split(), known)[1] for part in parts)
    zone = next(filter(None, named), usual)
    found = []
    last: date | None = None
    for part in parts:
        try:
            when, said = _read_when(part, now, zones, vocabulary, zone, EVENING, last)
        except _Unclear:
            raise TableError("times_unclear", typed=part.strip()) from None
        found.append(when)
        last = said or last
    if any(when.weekly for when in found):
        raise TableError("times_weekly")
    times = sorted({when.due for when in found})
    if len(times) > MAX_TIMES:
        raise TableError("too_many_times", limit=MAX_TIMES)
    if not times:
        raise TableError("times_unclear", typed=typed)
    return tuple(times), zone


def _evenings(wanted: int, now: datetime, zone: ZoneInfo) -> tuple[datetime, ...]:
    """The next evenings, today's if it is still to come."""
    first = datetime.combine(shown_at(now, zone).date(), EVENING)
    every = (moment_of(first + timedelta(days), zone) for days in range(wanted + 1))
    return tuple(due for due in every if due >= now + SOONEST)[:wanted]


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
    """The time of a day that was typed, such as `22:00`, `7 am` or `9`.

    Raises TableError `clock_unclear` (typed).
    """
    clock = _CLOCK.fullmatch(" ".join(_folded(typed).split()))
    try:
        if clock is None or clock[4] or clock[3] not in _HALVES:
            raise _Unclear
        return _time(clock)
    except _Unclear:
        raise TableError("clock_unclear", typed=typed) from None


def known_zone(typed: str, zones: Collection[str]) -> str:
    """The name of the zone that was typed, or whose city was.

    Raises TableError `when_no_zone` (zone).
    """
    zone = _known(zones).get("_".join(_folded(typed).split()))
    if zone is None:
        raise TableError("when_no_zone", zone=typed)
    return zone


def _known(zones: Collection[str]) -> Mapping[str, str]:
    """The zones by what may be typed for them: their name, or their city.

    A city may have several names in the data of zones; of different cities none is guessed.
    """
    whole = {each.casefold(): each for each in zones if each.casefold() not in PSEUDO}
    cities: dict[str, list[str]] = {}
    for name, zone in whole.items():
        area, _, place = name.partition("/")
        if area in _AREAS:
            cities.setdefault(place.rpartition("/")[2], []).append(zone)
    # The last: `Europe/Istanbul`, and `America/Buenos_Aires` without a country between.
    alike = {city: max(found) for city, found in cities.items() if _alike(tuple(sorted(found)))}
    return alike | whole


@cache
def _alike(zones: tuple[str, ...]) -> bool:
    """Whether these are names of the same rules."""
    if len(zones) == 1:
        return True
    try:
        rules = [rules_of(zone) for zone in zones]
    except TableError:
        return False
    shown = ([moment.astimezone(one).utcoffset() for moment in _COMPARED] for one in rules)
    first = next(shown)
    return all(other == first for other in shown)


def _folded(text: str) -> str:
    """The text as it looks, without capitals, accents and commas.

    A keyboard for wide letters has digits and a colon of its own.
    """
    apart = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    bare = "".join(one for one in apart if not unicodedata.combining(one))
    return bare.replace("\N{RIGHT SINGLE QUOTATION MARK}", "'").replace(",", " ")


def _weekly(words: list[str], vocabulary: Vocabulary) -> tuple[list[str], bool]:
    """Without what says that it is every week, and whether something did."""
    for count in range(_PHRASE, 0, -1):
        if "weekly" in vocabulary.get(tuple(words[-count:]), ()):
            return words[:-count], True
    return words, False


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


def _stamped(seconds: int, now: datetime) -> datetime:
    """The moment that many seconds after 1970; nothing is reckoned with what calendars lack."""
    ahead = seconds - now.timestamp()
    if abs(ahead) > (2 * LATEST).total_seconds():
        raise TableError("when_past") if ahead < 0 else _far()
    return datetime.fromtimestamp(seconds, UTC)


def _span(words: str, vocabulary: Vocabulary) -> timedelta:
    """`1h 30m`, `2 hours`, `3 days and 2 hours`; less than was said where that is too far ahead."""
    most, whole = 2 * LATEST, timedelta()  # as above
    parts = _PART.findall(words)
    rest = _PART.sub(" ", words).split()
    if not parts or not all("and" in vocabulary.get((word,), ()) for word in rest):
        raise _Unclear
    for count, word in parts:
        unit = next((_UNITS[one] for one in vocabulary.get((word,), ()) if one in _UNITS), None)
        if unit is None:
            raise _Unclear
        whole = min(whole + int(count) * unit, most)
    return whole


class _Said(NamedTuple):
    """What was typed of a moment by the clock."""

    day: str | None = None
    part: str | None = None
    clock: re.Match[str] | None = None
    at: bool = False
    """Whether a word before a time was said, such as *at*."""
    unknown: str | None = None
    """A last word that is none of these: the name of a zone, perhaps."""


def _read(words: list[str], vocabulary: Vocabulary) -> _Said:
    """Days, parts of the day and times, in whatever order; each of them once.

    Raises _Unclear.
    """
    said, at = _Said(), 0
    while at < len(words):
        for count in range(min(_PHRASE, len(words) - at), 0, -1):
            more = _with(said, words[at : at + count], vocabulary)
            if more is not None:
                said, at = more, at + count
                break
        else:
            if at != len(words) - 1:
                raise _Unclear
            said, at = said._replace(unknown=words[at]), at + 1
    return said


def _with(said: _Said, words: Sequence[str], vocabulary: Vocabulary) -> _Said | None:
    """What was said with these words too; None if they mean nothing, or nothing more."""
    clock = _CLOCK.fullmatch(" ".join(words))
    if clock is not None and said.clock is None and _is_clock(clock, vocabulary):
        return said._replace(clock=clock)
    means = vocabulary.get(tuple(word.removesuffix(".") for word in words), ())
    if said.day is None:
        evening = _narrower(said.part, "evening")
        if "tonight" in means and evening is not None:
            return said._replace(day="today", part=evening)
        if len(words) == 1 and _DATE.fullmatch(words[0]):
            return said._replace(day=words[0])
        for day in (*_NEAR, *_WEEKDAYS):
            if day in means:
                return said._replace(day=day)
    part = next((one for one in _PARTS if one in means), None)
    narrower = None if part is None else _narrower(said.part, part)
    if narrower is not None:
        return said._replace(part=narrower)
    return said._replace(at=True) if "at" in means else None


def _narrower(said: str | None, part: str) -> str | None:
    """The part of a day that both say, as `night` and `midnight` do; None if there is none."""
    if said is None or (part == "midnight" and said in _LATE):
        return part
    return said if said == "midnight" and part in _LATE else None


def _is_clock(clock: re.Match[str], vocabulary: Vocabulary) -> bool:
    """Whether what stands behind the hour belongs there: `8 pm`, `20 Uhr`, `20h30`."""
    named = clock[3] is not None and "oclock" in vocabulary.get((clock[3],), ())
    if clock[4] is not None:
        return named and clock[2] is None
    return named or clock[3] in _HALVES


def _may_be_span(said: _Said, vocabulary: Vocabulary) -> bool:
    """Whether `in 2h` may be meant by `2h`, which is two at night in French."""
    clock = said.clock
    if clock is None or said.day is not None or said.part is not None or said.at:
        return False
    bare = clock[2] is None and clock[4] is None
    return bare and 0 < int(clock[1]) < _MORNING and "hours" in vocabulary.get((clock[3],), ())


def _by_clock(
    words: list[str],
    now: datetime,
    zone: str | None,
    known: Mapping[str, str],
    usual: str | None,
    vocabulary: Vocabulary,
    usual_time: time | None,
    usual_day: date | None,
) -> tuple[When, date | None]:
    """A time of day by the clock of `zone`, or of `usual` if that is None, and the day that was
    said: for what is past its midnight too."""
    said = _read(words, vocabulary)
    if usual_day is None and _may_be_span(said, vocabulary):
        raise _Unclear
    bare = said.day is not None and said.part is None and said.clock is None
    at = _since_midnight(usual_time) if bare and usual_time is not None else _time_of(said)
    if said.unknown is not None and zone is not None:
        raise _Unclear
    if said.unknown is not None:
        raise TableError("when_no_zone", zone=said.unknown)
    if said.day is not None:
        _day(said.day, now.date())  # does it exist?
    zone = zone or _usual(known, usual)
    here = rules_of(zone)
    today = shown_at(now, here).date()
    # After midnight the night of the day before is still to come, in part.
    since = today - _DAY if at >= _DAY and said.day not in ("tomorrow", "overmorrow") else today
    day = since if said.day is None else _day(said.day, since)
    if said.day is None and usual_day is not None:  # before the morning: in the night after it
        day = usual_day + _DAY if at < timedelta(hours=_MORNING) else usual_day
    if abs(day - today) > 2 * LATEST:  # as above
        raise TableError("when_past") if day < today else _far()
    local = datetime.combine(day, time()) + at
    due = moment_of(local, here)
    if due < now + SOONEST:  # it is over: the next one is meant
        if said.day in _WEEKDAYS:
            local += WEEK
        elif (said.day or usual_day) is None or (said.day == "today" and since < today):
            local += _DAY
        due = moment_of(local, here)
    if shown_at(due, here) != local:
        raise TableError("when_gap", time=f"{local:%H:%M}", zone=zone)
    _require_ahead(due, now)
    return When(due, zone, local=local), None if said.day is None else (local - at).date()


def _time_of(said: _Said) -> timedelta:
    """From the beginning of the day; a bare number is a time only beside a part of it: `evening 8`.

    Raises _Unclear, too for what may be a date where no other is named: `5.12`.
    """
    clock, part = said.clock, None if said.part is None else _PARTS[said.part]
    if clock is None:
        if part is None:
            raise _Unclear
        return timedelta(hours=part.usual)
    at = _time(clock)
    dated = said.day is not None and said.day not in _WEEKDAYS
    if clock[3] is None and ((_may_be_date(clock) and not dated) or not (part or clock[2])):
        raise _Unclear
    if part is None:
        return _since_midnight(at)
    either = clock[3] not in ("am", "pm") and 1 <= at.hour <= 12
    for later in (0, 12, 24) if either else (0, 24):
        if part.first <= at.hour + later < part.end:
            return _since_midnight(at) + timedelta(hours=later)
    raise _Unclear


def _may_be_date(clock: re.Match[str]) -> bool:
    """Whether a day and a month may be meant, as they are written in German."""
    return "." in clock[0] and int(clock[1]) > 0 and 1 <= int(clock[2]) <= 12


def _since_midnight(at: time) -> timedelta:
    return timedelta(hours=at.hour, minutes=at.minute)


def _time(clock: re.Match[str]) -> time:
    hour, minute = int(clock[1]), int(clock[2] or clock[4] or 0)
    if clock[3] in ("am", "pm"):
        if not 1 <= hour <= 12:
            raise _Unclear
        hour = hour % 12 + (12 if clock[3] == "pm" else 0)
    if hour > 23 or minute > 59:
        raise _Unclear
    return time(hour, minute)


def _day(said: str, today: date) -> date:
    if said in _NEAR:
        return today + timedelta(days=_NEAR[said])
    if said in _WEEKDAYS:
        return today + timedelta(days=(_WEEKDAYS.index(said) - today.weekday()) % 7)
    try:
        return date.fromisoformat(said)
    except ValueError:
        raise _Unclear from None


def moment_of(local: datetime, zone: ZoneInfo) -> datetime:
    """When the clocks of `zone` show that, in UTC; what they leave out is later by as much."""
    return local.replace(tzinfo=zone).astimezone(UTC)


def shown_at(moment: datetime, zone: ZoneInfo) -> datetime:
    """What the clocks of `zone` show at that moment."""
    return moment.astimezone(zone).replace(tzinfo=None, fold=0)
