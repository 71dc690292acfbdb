"""Paces: time for a decision at a table."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final


class Pace(StrEnum):
    """How long a decision may take."""

    LIVE60 = "live60"
    LIVE120 = "live120"
    LIVE180 = "live180"
    RELAXED = "relaxed"
    DAILY = "daily"
    NONE = "none"
    """No clock, and no calls."""

    @property
    def time(self) -> timedelta | None:
        """Time for one decision; None without a clock."""
        return _TIMES.get(self)

    @property
    def warning(self) -> timedelta:
        """Time left when people are warned."""
        return timedelta() if self.time is None else min(self.time / 4, timedelta(hours=4))

    @property
    def pause(self) -> timedelta:
        """Between two rounds."""
        return timedelta(minutes=10) if self is Pace.DAILY else timedelta(seconds=60)

    @property
    def slow(self) -> bool:
        """Whether a day or more may pass before a decision, so that nobody need look in sooner."""
        return self.time is None or self.time >= timedelta(days=1)


_TIMES: Final = {
    Pace.LIVE60: timedelta(seconds=60),
    Pace.LIVE120: timedelta(seconds=120),
    Pace.LIVE180: timedelta(seconds=180),
    Pace.RELAXED: timedelta(minutes=10),
    Pace.DAILY: timedelta(hours=24),
}
