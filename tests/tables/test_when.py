"""When a table is to open: what people type, and what the clocks make of it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.tables.model import TableError
from bot.tables.when import LATEST, SOONEST, WEEK, When, following, read_when

ZONES = frozenset(available_timezones())
NOW = datetime(2026, 11, 18, 18, 30, tzinfo=UTC)
"""A Wednesday; 19:30 in Zurich."""
ZURICH = ZoneInfo("Europe/Zurich")


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
        ("20:00 Europe/Zurich", zurich(18, 20)),
        ("19:00 Europe/Zurich", zurich(19, 19)),
        ("20:00 UTC", datetime(2026, 11, 18, 20, tzinfo=UTC)),
        ("thu 3:30 Asia/Kolkata", datetime(2026, 11, 18, 22, tzinfo=UTC)),
    ],
)
def test_what_people_type_is_a_moment(typed: str, due: datetime) -> None:
    for said, weekly in ((typed, False), (f"{typed} weekly", True), (f"{typed}, every week", True)):
        found = read_when(said, NOW, ZONES)
        assert (found.due, found.weekly) == (due, weekly)


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
        ("fri 25:00 Europe/Zurich", "when_unclear"),
        ("fri 20:60 Europe/Zurich", "when_unclear"),
        ("fri 13pm Europe/Zurich", "when_unclear"),
        ("fri 8 Europe/Zurich", "when_unclear"),
        ("fr 20:00 Europe/Zurich", "when_unclear"),
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


def test_every_week_keeps_the_time_by_the_clock() -> None:
    before = read_when("sun 20:00 Europe/Zurich weekly", datetime(2026, 3, 20, tzinfo=UTC), ZONES)
    assert before.due == datetime(2026, 3, 22, 19, tzinfo=UTC)
    assert following(before, before.due) == datetime(2026, 3, 29, 18, tzinfo=UTC)
    later = before.due + 4 * WEEK
    assert following(before, later) == datetime(2026, 4, 26, 18, tzinfo=UTC)
    night = When(datetime(2026, 3, 22, 1, 30, tzinfo=UTC), "Europe/Zurich", weekly=True)
    assert following(night, night.due) == datetime(2026, 3, 29, 1, 30, tzinfo=UTC), "an hour later"
    assert following(before._replace(weekly=False), later) is None


MOMENTS = st.datetimes(datetime(2020, 1, 1), datetime(2037, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - hypothesis adds it
PARTS = (
    *("in", "2h", "90", "min", "fri", "20:00", "8", "pm", "Europe/Zurich", "UTC", "weekly"),
    *("tomorrow", "2026-12-24", "every", "week", "2026-99-99", "0000-01-01", "24:00"),
)


@given(
    text=st.text(max_size=60) | st.lists(st.sampled_from(PARTS), max_size=6).map(" ".join),
    now=MOMENTS,
)
def test_anything_is_a_moment_ahead_or_refused(text: str, now: datetime) -> None:
    try:
        found = read_when(text, now, ZONES)
    except TableError:
        return
    assert now + SOONEST <= found.due <= now + LATEST
    again = following(found._replace(weekly=True), found.due)
    assert again is not None
    assert abs(again - found.due - WEEK) <= timedelta(hours=2)


@given(minutes=st.integers(2, 60 * 24 * 50), zone=st.sampled_from(sorted(ZONES)), now=MOMENTS)
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
