"""Time zones to choose from, as cities and what their clocks show."""

from __future__ import annotations

from datetime import datetime
from typing import Final, NamedTuple

from bot.tables.model import TableError
from bot.tables.when import rules_of, shown_at

CLOCKS: Final = (
    ("Pacific/Honolulu",),
    ("America/Anchorage",),
    ("America/Los_Angeles", "America/Vancouver"),
    ("America/Denver", "America/Edmonton"),
    ("America/Chicago", "America/Winnipeg"),
    ("America/Mexico_City", "America/Costa_Rica"),
    ("America/New_York", "America/Toronto"),
    ("America/Bogota", "America/Lima"),
    ("America/Halifax",),
    ("America/Sao_Paulo", "America/Buenos_Aires"),
    ("Europe/London", "Europe/Dublin", "Europe/Lisbon"),
    ("Africa/Lagos", "Africa/Algiers"),
    ("Europe/Zurich", "Europe/Berlin", "Europe/Paris"),
    ("Africa/Johannesburg", "Africa/Maputo"),
    ("Europe/Athens", "Europe/Helsinki", "Europe/Bucharest"),
    ("Europe/Istanbul", "Europe/Moscow", "Africa/Nairobi"),
    ("Asia/Dubai", "Asia/Tbilisi"),
    ("Asia/Karachi", "Asia/Tashkent"),
    ("Asia/Kolkata", "Asia/Colombo"),
    ("Asia/Dhaka",),
    ("Asia/Bangkok", "Asia/Jakarta"),
    ("Asia/Shanghai", "Asia/Singapore", "Australia/Perth"),
    ("Asia/Tokyo", "Asia/Seoul"),
    ("Australia/Sydney", "Australia/Melbourne"),
    ("Pacific/Auckland",),
)
"""Zones whose clocks show the same at any time of the year; the first stands for them.  As many as
a menu has room for."""


class Clock(NamedTuple):
    """A zone to choose."""

    zones: tuple[str, ...]
    shown: datetime
    """What its clocks show now."""


def clocks(now: datetime) -> tuple[Clock, ...]:
    """All that this machine knows, from west to east."""
    found: list[Clock] = []
    for zones in CLOCKS:
        try:
            found.append(Clock(zones, shown_at(now, rules_of(zones[0]))))
        except TableError:  # it does not know that one
            continue
    return tuple(sorted(found, key=lambda clock: clock.shown))
