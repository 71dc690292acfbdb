"""The menu of time zones."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from bot.i18n import languages, texts
from bot.render.components import OPTIONS
from bot.render.planned import which_zone
from bot.views.planned import CLOCKS, clocks

NOW = datetime(2026, 11, 26, 20, 14, tzinfo=UTC)


def test_whoever_stands_together_has_the_same_time_all_year() -> None:
    assert len(CLOCKS) <= OPTIONS
    for first, *others in CLOCKS:
        for zone in others:
            for hours in range(0, 366 * 24, 6):
                moment = NOW + timedelta(hours=hours)
                shown = [moment.astimezone(ZoneInfo(one)).utcoffset() for one in (first, zone)]
                assert shown[0] == shown[1], (first, zone, moment)


def test_no_two_entries_are_the_same_all_year() -> None:
    days = [NOW + timedelta(days=day) for day in range(0, 366, 7)]
    every = {
        tuple(day.astimezone(ZoneInfo(first)).utcoffset() for day in days) for first, *_ in CLOCKS
    }
    assert len(every) == len(CLOCKS)


@pytest.mark.parametrize("language", languages())
def test_cities_are_called_as_in_that_language(language: str) -> None:
    shown = str(which_zone(7, clocks(NOW), texts(language)).components)
    zurich = {"de": "Zürich, Berlin, Paris · 21:14", "fr": "Zurich, Berlin, Paris · 21:14"}
    assert zurich.get(language, "Zurich, Berlin, Paris · 21:14") in shown
    order = [clock.shown for clock in clocks(NOW)]
    assert order == sorted(order)
