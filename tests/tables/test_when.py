"""When a table is to open: what people type, and what the clocks make of it."""

from __future__ import annotations

import operator
import re
import struct
from collections.abc import Callable, Collection
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo, available_timezones, reset_tzpath

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bot.answer.planning import time_words
from bot.i18n import languages, texts
from bot.tables.model import TableError
from bot.tables.when import (
    LATEST,
    MAX_TIMES,
    PSEUDO,
    SOONEST,
    TIME_WORDS,
    WEEK,
    When,
    clock_time,
    following,
    known_zone,
    read_times,
)
from bot.tables.when import read_when as read_in_words
from bot.views.planned import CLOCKS

ZONES = frozenset(available_timezones())
AREAS = {"Africa", "America", "Antarctica", "Arctic", "Asia"}
AREAS |= {"Atlantic", "Australia", "Europe", "Indian", "Pacific"}
REAL = sorted(zone for zone in ZONES if zone.casefold() not in PSEUDO)
NOW = datetime(2026, 11, 18, 18, 30, tzinfo=UTC)
"""A Wednesday; 19:30 in Zurich."""
ZURICH = ZoneInfo("Europe/Zurich")


WORDS = time_words()


def read_when(typed: str, now: datetime, zones: Collection[str], usual: str | None = None) -> When:
    """The moment that is meant, in the words of all languages."""
    return read_in_words(typed, now, zones, WORDS, usual)


def zurich(day: int, hour: int, minute: int = 0, month: int = 11) -> datetime:
    return datetime(2026, month, day, hour, minute, tzinfo=ZURICH).astimezone(UTC)


@pytest.mark.parametrize(
    ("typed", "due"),
    [
        ("in 2h", NOW + timedelta(hours=2)),
        ("IN 2 Hours", NOW + timedelta(hours=2)),
        ("in 90 min", NOW + timedelta(minutes=90)),
        ("in 1h30m", NOW + timedelta(minutes=90)),
        ("in 1 day and 2 hours", NOW + timedelta(hours=26)),
        ("in 2 weeks", NOW + timedelta(days=14)),
        ("fri 20:00 Europe/Zurich", zurich(20, 20)),
        ("Friday, 20.00 europe/zurich", zurich(20, 20)),
        ("friday 8pm Europe/Zurich", zurich(20, 20)),
        ("fri 8:15 pm Europe/Zurich", zurich(20, 20, 15)),
        ("fri 12am Europe/Zurich", zurich(20, 0)),
        ("fri 12 pm Europe/Zurich", zurich(20, 12)),
        ("wed 20:00 Europe/Zurich", zurich(18, 20)),
        ("wed 19:00 Europe/Zurich", zurich(25, 19)),
        ("today 20:00 Europe/Zurich", zurich(18, 20)),
        ("tonight 20:00 Europe/Zurich", zurich(18, 20)),
        ("tomorrow 9:05 Europe/Zurich", zurich(19, 9, 5)),
        ("2026-12-24 20:00 Europe/Zurich", zurich(24, 20, month=12)),
        ("tomorrow 20.10 Europe/Zurich", zurich(19, 20, 10)),
        ("heute abend 20.10 Europe/Zurich", zurich(18, 20, 10)),
        ("2026-12-24 20.10 Europe/Zurich", zurich(24, 20, 10, month=12)),
        ("8 pm tomorrow Europe/Zurich", zurich(19, 20)),
        ("20:00 friday Europe/Zurich", zurich(20, 20)),
        ("20:00 2026-12-24 Europe/Zurich", zurich(24, 20, month=12)),
        ("ｆｒｉ ２０：００ Europe/Zurich", zurich(20, 20)),
        ("20:00 Europe/Zurich", zurich(18, 20)),
        ("19:00 Europe/Zurich", zurich(19, 19)),
        ("<t:1795113000>", datetime(2026, 11, 19, 18, 30, tzinfo=UTC)),
        ("<t:1795113000:F>", datetime(2026, 11, 19, 18, 30, tzinfo=UTC)),
        ("<t:1795113000:R> Europe/Zurich", datetime(2026, 11, 19, 18, 30, tzinfo=UTC)),
        ("in 1h, Europe/Zurich", NOW + timedelta(hours=1)),
        ("20:00 UTC", datetime(2026, 11, 18, 20, tzinfo=UTC)),
        ("thu 3:30 Asia/Kolkata", datetime(2026, 11, 18, 22, tzinfo=UTC)),
        ("thu 17:30 America/New York", datetime(2026, 11, 19, 22, 30, tzinfo=UTC)),
        ("thu 17:30 america/port of spain", datetime(2026, 11, 19, 21, 30, tzinfo=UTC)),
    ],
)
def test_what_people_type_is_a_moment(typed: str, due: datetime) -> None:
    usual = "Europe/Zurich"
    for said, weekly in ((typed, False), (f"{typed} weekly", True), (f"{typed}, every week", True)):
        found = read_when(said, NOW, ZONES, usual)
        assert (found.due, found.weekly) == (due, weekly)
    assert read_when(typed, NOW, ZONES).due == due


@pytest.mark.parametrize(
    ("typed", "due"),
    [
        ("tomorrow evening", zurich(19, 20)),
        ("Tomorrow Morning", zurich(19, 9)),
        ("fri noon", zurich(20, 12)),
        ("sat afternoon", zurich(21, 15)),
        ("friday night", zurich(20, 22)),
        ("tonight", zurich(18, 20)),
        ("tonight 10", zurich(18, 22)),
        ("this evening at 8", zurich(18, 20)),
        ("evening", zurich(18, 20)),
        ("morning", zurich(19, 9)),
        ("on Friday at 8 pm", zurich(20, 20)),
        ("8 o'clock tomorrow", zurich(19, 8)),
        ("day after tomorrow, 20:00", zurich(20, 20)),
        ("the day after tomorrow evening 8:30", zurich(20, 20, 30)),
        ("heute Abend", zurich(18, 20)),
        ("heute abend 21 Uhr", zurich(18, 21)),
        ("morgen Abend", zurich(19, 20)),
        ("morgen früh", zurich(19, 9)),
        ("morgen 8 Uhr", zurich(19, 8)),
        ("Übermorgen um 20 Uhr 30", zurich(20, 20, 30)),
        ("Fr 20 Uhr", zurich(20, 20)),
        ("Fr., 20.30 Uhr", zurich(20, 20, 30)),
        ("am Freitag um 20:15", zurich(20, 20, 15)),
        ("20 Uhr am Freitag", zurich(20, 20)),
        ("Freitag morgen", zurich(20, 9)),
        ("Mo Mittag", zurich(23, 12)),
        ("So Nacht", zurich(22, 22)),
        ("in 2 Stunden und 30 Minuten", NOW + timedelta(minutes=150)),
        ("in 3 Tagen", NOW + timedelta(days=3)),
        ("demain soir", zurich(19, 20)),
        ("ce soir", zurich(18, 20)),
        ("ce soir à 21h", zurich(18, 21)),
        ("vendredi 20h", zurich(20, 20)),
        ("20h", zurich(18, 20)),
        ("7h", zurich(19, 7)),
        ("0h", zurich(19, 0)),
        ("2h30", zurich(19, 2, 30)),
        ("2 Uhr", zurich(19, 2)),
        ("at 2h", zurich(19, 2)),
        ("à 2h", zurich(19, 2)),
        ("demain 2h", zurich(19, 2)),
        ("soir 6h", zurich(19, 18)),
        ("ven. 20h30", zurich(20, 20, 30)),
        ("demain après-midi", zurich(19, 15)),
        ("après-demain à 20 heures", zurich(20, 20)),
        ("aujourd’hui 20 h 15", zurich(18, 20, 15)),
        ("samedi midi", zurich(21, 12)),
        ("dans 2 heures", NOW + timedelta(hours=2)),
        ("dans 1h30min", NOW + timedelta(minutes=90)),
        ("dans 2 jours et 1 heure", NOW + timedelta(hours=49)),
        ("friday night 12", zurich(21, 0)),
        ("Freitag Nacht um 12", zurich(21, 0)),
        ("friday night 1", zurich(21, 1)),
        ("friday night at 12:30 am", zurich(21, 0, 30)),
        ("Freitag Abend 0:30", zurich(21, 0, 30)),
        ("heute Nacht um 1", zurich(19, 1)),
        ("cette nuit à 3h30", zurich(19, 3, 30)),
        ("tonight 12", zurich(19, 0)),
        ("tonight 1am", zurich(19, 1)),
        ("Freitag Mittag um 1", zurich(20, 13)),
        ("midnight", zurich(19, 0)),
        ("12 midnight", zurich(19, 0)),
        ("tonight midnight", zurich(19, 0)),
        ("midnight tonight", zurich(19, 0)),
        ("friday night, midnight", zurich(21, 0)),
        ("tomorrow at midnight", zurich(20, 0)),
        ("um Mitternacht", zurich(19, 0)),
        ("Freitag um Mitternacht", zurich(21, 0)),
        ("samedi soir minuit", zurich(22, 0)),
        ("vendredi à minuit", zurich(21, 0)),
    ],
)
def test_days_and_their_parts_are_read_in_the_words_of_every_language(
    typed: str, due: datetime
) -> None:
    for every in ("weekly", "jede Woche", "wöchentlich", "toutes les semaines"):
        found = read_when(f"{typed} {every}", NOW, ZONES, "Europe/Zurich")
        assert (found.due, found.weekly) == (due, True)
    for said in (typed, f"{typed} Europe/Zurich"):
        found = read_when(said, NOW, ZONES, "Europe/Zurich")
        assert (found.due, found.weekly) == (due, False)


@pytest.mark.parametrize(
    ("city", "zone"),
    [
        ("Berlin", "Europe/Berlin"),
        ("Zürich", "Europe/Zurich"),
        ("new york", "America/New_York"),
        ("Knox", "America/Indiana/Knox"),
    ],
)
def test_a_zone_is_named_by_its_city_too(city: str, zone: str) -> None:
    assert known_zone(city, ZONES) == zone
    assert read_when(f"fri 20:00 {city}", NOW, ZONES, "UTC").zone == zone


def test_every_city_is_enough() -> None:
    """Some have two names in the data of zones, with the same rules; menus show one of these."""
    shown = {zone.rpartition("/")[2]: zone for zones in CLOCKS for zone in zones}
    cities = [zone for zone in REAL if zone.split("/")[0] in AREAS]
    assert len(cities) > 300
    for zone in cities:
        city = zone.rpartition("/")[2]
        found = known_zone(city.replace("_", " "), ZONES)
        assert found.rpartition("/")[2] == city
        for weeks in range(5 * 52):
            day = NOW + weeks * WEEK
            offsets = {day.astimezone(ZoneInfo(one)).utcoffset() for one in (found, zone)}
            assert len(offsets) == 1, (found, zone, day)
        assert found in {shown.get(city, found), city}  # `Singapore` is a zone's whole name too
        assert read_when(f"fri 20:00 {city.replace('_', ' ')}", NOW, ZONES).zone == found


def test_of_two_cities_of_one_name_none_is_guessed(tmp_path: Path) -> None:
    for name, hours in (("Europe/Twin", 1), ("America/Twin", -5)):
        (tmp_path / name).parent.mkdir()
        rules = struct.pack(">4s16x6ll2x4s", b"TZif", 0, 0, 0, 0, 1, 4, hours * 3600, b"LMT")
        (tmp_path / name).write_bytes(rules)
    reset_tzpath([str(tmp_path)])
    try:
        zones = {"Europe/Twin", "America/Twin"}
        with pytest.raises(TableError, match="when_no_zone"):
            known_zone("Twin", zones)
        assert known_zone("Europe/Twin", zones) == "Europe/Twin"
    finally:
        reset_tzpath()


@pytest.mark.parametrize("name", ["Eastern", "+0", "Europe"])
def test_no_zone_is_guessed(name: str) -> None:
    """Of a country's region, of what only shifts, of a continent."""
    assert any(zone.endswith(name) or zone.startswith(name) for zone in ZONES)
    with pytest.raises(TableError) as refusal:
        known_zone(name, ZONES)
    assert refusal.value.code == "when_no_zone"


def test_no_word_means_two_days_two_parts_or_two_units() -> None:
    days = {"today", "tomorrow", "overmorrow", "tonight"}
    days |= {"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"}
    parts = {"morning", "noon", "afternoon", "evening", "night", "midnight"}
    units = {"minutes", "hours", "days", "weeks"}
    assert days | parts | units | {"in", "and", "at", "oclock", "weekly"} == set(TIME_WORDS)
    for phrase, means in WORDS.items():
        assert 1 <= len(phrase) <= 3, phrase
        for kind in (days, parts, units):
            assert len(kind & set(means)) <= 1, (phrase, means)


@given(
    seconds=st.integers(61, int(LATEST.total_seconds())), style=st.sampled_from(["", *"tTdDfFRsS"])
)
def test_what_discord_inserts_is_that_moment(seconds: int, style: str) -> None:
    due = NOW + timedelta(seconds=seconds)
    typed = f"<t:{int(due.timestamp())}{':' if style else ''}{style}>"
    found = read_when(typed, NOW, ZONES)
    assert found == When(due, None)
    weekly = read_when(f"{typed} weekly", NOW, ZONES, "Asia/Tokyo")
    assert (weekly.due, weekly.zone, weekly.weekly) == (due, "Asia/Tokyo", True)
    with pytest.raises(TableError) as caught:
        read_when(f"{typed} weekly", NOW, ZONES)
    assert caught.value.code == "when_zone"


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "when_unclear"),
        ("weekly", "when_unclear"),
        ("soon", "when_unclear"),
        ("in", "when_unclear"),
        ("in a while", "when_unclear"),
        ("in 2 parsecs", "when_unclear"),
        ("in 2h or so", "when_unclear"),
        ("in 2", "when_unclear"),
        ("2h Europe/Zurich", "when_unclear"),
        ("6 h Europe/Zurich weekly", "when_unclear"),
        ("1 heure Europe/Zurich", "when_unclear"),
        ("fri 25:00 Europe/Zurich", "when_unclear"),
        ("fri 20:60 Europe/Zurich", "when_unclear"),
        ("fri 13pm Europe/Zurich", "when_unclear"),
        ("fri 8 Europe/Zurich", "when_unclear"),
        ("fri 24:00 Europe/Zurich", "when_unclear"),
        ("fri 20:00 fri Europe/Zurich", "when_unclear"),
        ("friday Europe/Zurich", "when_unclear"),
        ("in -2h", "when_unclear"),
        ("f 20:00 Europe/Zurich", "when_unclear"),
        ("evening morning Europe/Zurich", "when_unclear"),
        ("tomorrow 20 Europe/Zurich", "when_unclear"),
        ("tomorrow 8 parsecs Europe/Zurich", "when_unclear"),
        ("tomorrow 20:00 30 Europe/Zurich", "when_unclear"),
        ("tomorrow evening 25 Europe/Zurich", "when_unclear"),
        ("friday evening 13:00 Europe/Zurich", "when_unclear"),
        ("friday morning 8 pm Europe/Zurich", "when_unclear"),
        ("friday afternoon 11 Europe/Zurich", "when_unclear"),
        ("friday morning midnight Europe/Zurich", "when_unclear"),
        ("friday midnight 8 Europe/Zurich", "when_unclear"),
        ("9999-12-31 midnight Europe/Zurich", "when_far"),
        ("0001-01-01 midnight Europe/Zurich", "when_past"),
        ("5.12 abend Europe/Zurich", "when_unclear"),
        ("sa 5.12 abend Europe/Zurich", "when_unclear"),
        ("abend 5.12 Europe/Zurich", "when_unclear"),
        ("<t:>", "when_unclear"),
        ("<t:1795026600:FF>", "when_unclear"),
        ("<t:1795026600> 20:00", "when_unclear"),
        ("tomorrow <t:1795026600>", "when_unclear"),
        ("<t:1>", "when_past"),
        ("<t:-1:R>", "when_past"),
        ("<t:999999999999999999>", "when_far"),
        ("<t:1795113000> weekly", "when_zone"),
        ("tomorrow evening", "when_zone"),
        ("this morning Europe/Zurich", "when_past"),
        ("someday 20:00 Europe/Zurich", "when_unclear"),
        ("2026-02-30 20:00 Europe/Zurich", "when_unclear"),
        ("fri 20:00", "when_zone"),
        ("20:00", "when_zone"),
        ("fri 8 pm", "when_zone"),
        ("fri 20:00 Europe/Zurick", "when_no_zone"),
        ("fri 20:00 ../../etc/passwd", "when_no_zone"),
        ("today 19:00 Europe/Zurich", "when_past"),
        ("2026-11-17 20:00 Europe/Zurich", "when_past"),
        ("in 0 minutes", "when_past"),
        ("2027-06-01 20:00 Europe/Zurich", "when_far"),
        ("in 9999 weeks", "when_far"),
        ("in" + " 9999 weeks" * 20_000, "when_far"),
        ("9999-12-31 23:59 America/Los_Angeles", "when_far"),
        ("9999-12-31 23:59 Pacific/Kiritimati", "when_far"),
        ("0001-01-01 00:00 Asia/Tokyo", "when_past"),
        ("in 2h weekly", "when_zone"),
        ("in, 2h, every week", "when_zone"),
        ("fri 20:00 Localtime", "when_no_zone"),
        ("fri 20:00 factory", "when_no_zone"),
    ],
)
def test_what_is_no_moment_is_refused_with_a_code(typed: str, code: str) -> None:
    with pytest.raises(TableError) as caught:
        read_when(typed, NOW, ZONES)
    assert caught.value.code == code


def test_a_time_that_clocks_leave_out_is_refused_and_one_that_comes_twice_is_the_first() -> None:
    spring = datetime(2026, 3, 25, 12, tzinfo=UTC)
    with pytest.raises(TableError) as caught:
        read_when("sun 2:30 Europe/Zurich", spring, ZONES)
    assert caught.value.code == "when_gap"
    assert dict(caught.value.params) == {"time": "02:30", "zone": "Europe/Zurich"}
    assert read_when("sun 3:00 Europe/Zurich", spring, ZONES).due == zurich(29, 3, month=3)
    autumn = datetime(2026, 10, 22, 12, tzinfo=UTC)
    twice = read_when("sun 2:30 Europe/Zurich", autumn, ZONES)
    assert twice.due == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)


def test_what_is_over_today_is_meant_of_the_next_day_whatever_the_clocks_do_today() -> None:
    noon = datetime(2026, 3, 29, 10, tzinfo=UTC)  # of the day on which Zurich has no 2:30
    assert read_when("2:30 Europe/Zurich", noon, ZONES).due == zurich(30, 2, 30, month=3)
    assert read_when("sun 2:30 Europe/Zurich", noon, ZONES).due == zurich(5, 2, 30, month=4)


LAW_PARTS = {
    "morning": (0, 12),
    "noon": (11, 15),
    "afternoon": (12, 19),
    "evening": (16, 27),
    "night": (18, 30),
    "midnight": (24, 25),
}
"""From which hour of its day to which each part of it lasts; those from 24 on are past midnight."""

LAW_DAYS = ("", "today", "tomorrow", "overmorrow", "wednesday", "friday", "sunday")

CHANGING = {
    zone: [
        day
        for day in (datetime(2026, 1, 1, 12, tzinfo=UTC) + timedelta(days=n) for n in range(800))
        if day.astimezone(ZoneInfo(zone)).utcoffset()
        != (day + timedelta(days=1)).astimezone(ZoneInfo(zone)).utcoffset()
    ]
    for zone in ("Europe/Zurich", "America/Havana", "Asia/Beirut", "Australia/Lord_Howe")
}
"""Zones, in some of which clocks change at midnight, with the days before that."""

MOMENTS = st.timedeltas(timedelta(), timedelta(days=17 * 365)).map(
    datetime(2020, 1, 1, tzinfo=UTC).__add__
)


@st.composite
def clocks_at(draw: st.DrawFn) -> tuple[str, datetime]:
    """A zone, and a moment, often near a change of its clocks."""
    zone = draw(st.sampled_from(sorted(CHANGING)))
    near = st.sampled_from(CHANGING[zone])
    spans = st.timedeltas(timedelta(days=-8), timedelta(days=2))
    return zone, draw(MOMENTS | st.builds(operator.add, near, spans))


@given(
    clocks=clocks_at(),
    day=st.sampled_from(LAW_DAYS),
    part=st.sampled_from(sorted(LAW_PARTS)),
    hour=st.integers(0, 23),
    minute=st.sampled_from((0, 30)),
    half=st.sampled_from(("", " am", " pm")),
    language=st.sampled_from(languages()),
)
def test_a_part_of_a_day_gives_the_first_such_hour_within_it(
    clocks: tuple[str, datetime],
    day: str,
    part: str,
    hour: int,
    minute: int,
    half: str,
    language: str,
) -> None:
    """Whatever the language, and whatever the clocks do that night."""
    (zone, now), said = clocks, texts(language)
    hour = (hour % 12) + 1 if half else hour
    bare = not half and 1 <= hour <= 12
    exact = hour % 12 + 12 * (half == " pm") if half else hour
    words = (said.get(f"when.{one}").split(",")[-1].strip() for one in (day, part) if one)
    typed = " ".join((*words, f"{hour}:{minute:02}{half}"))
    here = ZoneInfo(zone)
    today, first = now.astimezone(here).date(), datetime.min.time()
    possible: list[tuple[datetime, datetime]] = []
    fits = False
    for ahead in range(-1, 16):
        named = today + timedelta(days=ahead)
        for at in range(*LAW_PARTS[part]):
            shown = datetime.combine(named, first) + timedelta(hours=at, minutes=minute)
            is_hour = at in (hour, hour + 12, hour + 24) if bare else at in (exact, exact + 24)
            fits = fits or is_hour
            due = shown.replace(tzinfo=here).astimezone(UTC)
            is_named = {
                "": True,
                "today": shown.date() == today if ahead < 0 else ahead == 0,
                "tomorrow": ahead == 1,
                "overmorrow": ahead == 2,
            }.get(day, f"{named:%A}".lower() == day)
            if is_hour and is_named and due >= now + SOONEST:
                possible.append((due, shown))
    found = read(typed, now, zone)
    if not possible:
        assert found == ("when_past" if fits else "when_unclear")
        return
    due, shown = min(possible)
    left_out = due.astimezone(here).replace(tzinfo=None) != shown
    assert found == ("when_gap" if left_out else When(due, zone, local=shown))


def test_no_zone_is_chosen_for_anybody() -> None:
    assert read_when("in 2h", NOW, ZONES).zone is None
    assert read_when("in, 2h", NOW, ZONES).zone is None
    assert read_when("in 2h weekly", NOW, ZONES, "Europe/Zurich").zone == "Europe/Zurich"
    for typed in ("in 2h UTC weekly", "in 2h weekly utc", "20:00 weekly UTC"):
        assert read_when(typed, NOW, ZONES, "Europe/Zurich").zone == "UTC"


@pytest.mark.parametrize("gone", ["US/Gone", "localtime"])
def test_a_zone_that_is_not_known_any_more_is_named(gone: str) -> None:
    when = When(NOW, gone, weekly=True)
    for read in (
        lambda: following(when, NOW),
        lambda: read_when("20:00", NOW, ZONES, gone),
        lambda: read_when("in 2h weekly", NOW, ZONES, gone),
    ):
        with pytest.raises(TableError) as caught:
            read()
        assert (caught.value.code, dict(caught.value.params)) == ("when_no_zone", {"zone": gone})


def test_every_week_keeps_the_time_by_the_clock() -> None:
    before = read_when("sun 20:00 Europe/Zurich weekly", datetime(2026, 3, 20, tzinfo=UTC), ZONES)
    assert before.due == datetime(2026, 3, 22, 19, tzinfo=UTC)
    assert following(before, before.due) == datetime(2026, 3, 29, 18, tzinfo=UTC)
    later = before.due + 4 * WEEK
    assert following(before, later) == datetime(2026, 4, 26, 18, tzinfo=UTC)
    night = When(datetime(2026, 3, 22, 1, 30, tzinfo=UTC), "Europe/Zurich", weekly=True)
    assert following(night, night.due) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "an hour later"
    assert following(before._replace(weekly=False), later) is None


PARTS = (
    *("9999-12-31", "0001-01-01", "23:59", "9999", "weeks", "America/Los_Angeles", "Localtime"),
    *("Pacific/Kiritimati", "America/New", "York", "٣:٣٠", "²", ",", "am", "12", "Factory"),
    *("in", "2h", "90", "min", "fri", "20:00", "8", "pm", "Europe/Zurich", "UTC", "weekly"),
    *(
        "<t:1795113000:F>",
        "<t:99999999999999>",
        "morgen",
        "abend",
        "Uhr",
        "20h30",
        "demain",
        "soir",
    ),
    *(
        "<t:-62135596801>",
        "dans",
        "heures",
        "um",
        "à",
        "tonight",
        "day after tomorrow",
        "et",
        "fr.",
    ),
    *("tomorrow", "2026-12-24", "every", "week", "2026-99-99", "0000-01-01", "24:00"),
)


def read(text: str, now: datetime, usual: str | None) -> When | str:
    """The moment that is meant, or the code of the refusal."""
    try:
        return read_when(text, now, ZONES, usual)
    except TableError as refused:
        return refused.code


@given(
    text=st.text(max_size=60)
    | st.from_regex(r"<t:-?[0-9]{1,20}(:[a-zA-Z])?>", fullmatch=True)
    | st.lists(st.sampled_from(PARTS), max_size=8).map(" ".join),
    now=MOMENTS,
    usual=st.sampled_from((None, "Europe/Zurich", "US/Gone")),
)
@example(text="9999-12-31 23:59 America/Los_Angeles", now=NOW, usual=None)
@example(text="in 1h weekly", now=NOW, usual=None)
def test_anything_is_a_moment_ahead_or_refused(text: str, now: datetime, usual: str | None) -> None:
    found = read(text, now, usual)
    if isinstance(found, str):
        assert texts("en").knows(f"table.error.{found}")
        return
    assert now + SOONEST <= found.due <= now + LATEST
    assert found.zone in {None, usual, *REAL}
    if found.zone is None:
        assert not found.weekly, "whose clock would show the same time?"
        return
    again = following(found._replace(weekly=True), found.due)
    assert again is not None
    assert abs(again - found.due - WEEK) <= timedelta(hours=2)


@given(
    first=st.datetimes(datetime(1950, 1, 1), datetime(2200, 1, 1)),  # noqa: DTZ001 - by any clock
    zone=st.sampled_from(REAL),
    late=st.lists(st.timedeltas(timedelta(), timedelta(days=400)), min_size=1, max_size=30),
)
def test_every_week_is_the_same_time_by_the_clock_in_all_years(
    first: datetime, zone: str, late: list[timedelta]
) -> None:
    """However late the program looks, and whatever the clocks left out before."""
    here = ZoneInfo(zone)
    when = When(first.replace(tzinfo=here).astimezone(UTC), zone, weekly=True, local=first)
    for wait in late:
        due, now = following(when, when.due + wait), when.due + wait
        assert due is not None
        assert now < due < now + WEEK + timedelta(days=2)  # some zones left out a whole day
        shown = due.astimezone(here).replace(tzinfo=None)
        ideal = first + round((shown - first) / WEEK) * WEEK
        skipped = ideal.replace(tzinfo=here).astimezone(UTC).astimezone(here).replace(tzinfo=None)
        assert shown == skipped
        assert shown == ideal or skipped != ideal, "only what the clocks leave out is later"
        when = when._replace(due=due)


@given(minutes=st.integers(2, 60 * 24 * 50), zone=st.sampled_from(REAL), now=MOMENTS)
def test_what_a_clock_shows_is_read_back(minutes: int, zone: str, now: datetime) -> None:
    due = (now + timedelta(minutes=minutes)).replace(second=0, microsecond=0)
    shown = due.astimezone(ZoneInfo(zone))
    try:
        found = read_when(f"{shown:%Y-%m-%d %H:%M} {zone}", now, ZONES)
    except TableError:
        # Of two moments that the clocks show alike it was the second, or only just ahead.
        assert due < now + timedelta(hours=3)
        return
    assert found.zone == zone
    assert found.due == due or shown.fold


# Several times


def times(typed: str, usual: str | None = None) -> tuple[list[datetime], str | None]:
    found, zone = read_times(typed, NOW, ZONES, WORDS, usual)
    return list(found), zone


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("fri 20:00, sat 19:00 Europe/Zurich", [zurich(20, 20), zurich(21, 19)]),
        ("fri 20:00 Europe/Zurich, sat 19:00", [zurich(20, 20), zurich(21, 19)]),
        ("sat, fri 21:00, sat Europe/Zurich", [zurich(20, 21), zurich(21, 20)]),
        ("Freitag, 20 Uhr; demain soir Europe/Zurich", [zurich(19, 20), zurich(20, 20)]),
        ("tomorrow Europe/Zurich,", [zurich(19, 20)]),
        ("3 Europe/Zurich", [zurich(18, 20), zurich(19, 20), zurich(20, 20)]),
        ("Europe/Zurich", [zurich(day, 20) for day in range(18, 25)]),
        ("in 2h Europe/Zurich", [NOW + timedelta(hours=2)]),
        ("fri 20:00, 21:00 Europe/Zurich", [zurich(20, 20), zurich(20, 21)]),
        ("sat 22:00, 1:00 Europe/Zurich", [zurich(21, 22), zurich(22, 1)]),
        ("sat 20h, 2h Europe/Zurich", [zurich(21, 20), zurich(22, 2)]),
        (
            "fri, 21:00, sat, noon, 10 pm Europe/Zurich",
            [zurich(20, 20), zurich(20, 21), zurich(21, 12), zurich(21, 20), zurich(21, 22)],
        ),
        ("wed 19:00, 20:00 Europe/Zurich", [zurich(25, 19), zurich(25, 20)]),
        (
            "sat, in 2h, 19:00 Europe/Zurich",
            [NOW + timedelta(hours=2), zurich(21, 19), zurich(21, 20)],
        ),
        (
            "fri 20:00, midnight, 22:00 Europe/Zurich",
            [zurich(20, 20), zurich(20, 22), zurich(21, 0)],
        ),
        (
            "21:00, 19:00, fri, 19:00 Europe/Zurich",
            [zurich(18, 21), zurich(19, 19), zurich(20, 19), zurich(20, 20)],
        ),
        (
            "today 21:00, 20:00, 2026-11-22 15:00, 16:00 Europe/Zurich",
            [zurich(18, 20), zurich(18, 21), zurich(22, 15), zurich(22, 16)],
        ),
    ],
)
def test_several_times_are_read(typed: str, expected: list[datetime]) -> None:
    assert times(typed) == (expected, "Europe/Zurich")


def test_evenings_begin_with_today_as_long_as_it_is_to_come() -> None:
    found, zone = times("", "Europe/Zurich")
    assert (found[0], len(found), zone) == (zurich(18, 20), 7, "Europe/Zurich")
    found, _ = times("10", "Asia/Tokyo")  # it is 3:30 there
    assert (found[0], len(found)) == (datetime(2026, 11, 19, 11, tzinfo=UTC), 10)
    found, _ = times("2", "Asia/Kolkata")  # midnight
    assert found[0] == datetime(2026, 11, 19, 14, 30, tzinfo=UTC)


def test_evenings_stay_what_clocks_show_as_these_change() -> None:
    before = datetime(2026, 10, 23, 12, tzinfo=UTC)
    found, _ = read_times("4", before, ZONES, WORDS, "Europe/Zurich")
    assert [due.hour for due in found] == [18, 18, 19, 19], "summer time ends on the 25th"
    assert all(due.astimezone(ZURICH).hour == 20 for due in found)


def test_moments_need_no_zone() -> None:
    later = NOW + timedelta(hours=5)
    assert times(f"in 1h, <t:{int(later.timestamp())}:F>") == (
        [NOW + timedelta(hours=1), later],
        None,
    )


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("", "when_zone"),
        ("fri, sat 19:00", "when_zone"),
        ("0", "too_many_times"),
        ("11", "too_many_times"),
        ("9" * 5000, "too_many_times"),
        (",".join(f"in {hours}h" for hours in range(1, 12)), "too_many_times"),
        ("in 1h, in 2h weekly UTC", "times_weekly"),
        ("fri soon, sat UTC", "when_no_zone"),
        ("fri 20:00 UTC, when it rains", "times_unclear"),
        ("5.12, 6.12 UTC", "times_unclear"),
        ("Fr 20.11, Sa 21.11 UTC", "times_unclear"),
        (",;", "times_unclear"),
        ("in 2h, in 100 days", "when_far"),
        ("2020-01-01 20:00 UTC, in 2h", "when_past"),
        ("today 20:00 Europe/Zurich, 19:00", "when_past"),
        ("fri 20:00 UTC, 5.12", "times_unclear"),
        ("in 1h, 2h", "times_unclear"),
    ],
)
def test_what_is_wrong_with_one_is_said(typed: str, code: str) -> None:
    with pytest.raises(TableError) as refusal:
        times(typed)
    assert refusal.value.code == code


@given(st.text(max_size=60))
@example("٣")
@example("²")
def test_whatever_is_typed_is_read_or_refused(typed: str) -> None:
    try:
        found, _ = times(typed, "Europe/Zurich")
    except TableError:
        return
    assert 1 <= len(found) <= MAX_TIMES
    assert found == sorted(set(found))
    assert all(due >= NOW + SOONEST for due in found)


READERS: dict[str, tuple[Callable[[str], object], tuple[str, ...]]] = {
    "at:": (
        lambda typed: read_when(typed, NOW, ZONES, "Europe/Zurich"),
        ("", "fri 20:00 Europe/Nowhere", "today 8:00"),
    ),
    "days:": (
        lambda typed: read_times(typed, NOW, ZONES, WORDS, "Europe/Zurich"),
        ("when it rains", "fri 20:00 Europe/Nowhere", "today 8:00", "99"),
    ),
    "a time of quiet hours": (clock_time, ("late", "25:00")),
    "a zone": (lambda typed: known_zone(typed, ZONES), ("Europe/Nowhere",)),
}


@pytest.mark.parametrize("locale", languages())
@pytest.mark.parametrize("place", READERS)
def test_what_a_refusal_tells_to_type_is_taken_there(place: str, locale: str) -> None:
    read, wrong = READERS[place]
    for typed in wrong:
        with pytest.raises(TableError) as refusal:
            read(typed)
        said = texts(locale).refusal(refusal.value.code, refusal.value.params)
        examples = [one for one in re.findall("`([^`]+)`", said) if one[0] != "/"]
        assert examples
        for example_ in examples:
            if any(example_ in texts(one).get("when.weekly") for one in languages()):
                read(f"fri 20:00 {example_}")
            elif "/" in example_ and " " not in example_:
                known_zone(example_, ZONES)
            else:
                read(example_)
