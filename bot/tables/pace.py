"""Paces: time for a decision at a table."""

from __future__ import annotations

from datetime import timedelta
from enum import StrEnum
from typing import Final, NamedTuple


class WaitTimes(NamedTuple):
    """Times for which people are waited for, beside those for decisions."""

    lobby: timedelta = timedelta(minutes=15)
    """From a lobby's opening, or the last arrival, until it expires."""
    start: timedelta = timedelta(minutes=5)
    """From the opening of a planned table until it begins with whoever is ready."""
    host: timedelta = timedelta(minutes=3)
    """Without a sign of the host, until another person in the lobby becomes host."""
    offer: timedelta = timedelta(minutes=2)
    """While a place is kept for the person in line to whom it is offered."""
    vote: timedelta = timedelta(minutes=1)
    """What is left to the others once more than half want to end the match."""
    keep: timedelta = timedelta(minutes=2)
    """While a rematch keeps the places of the former people for them: others still find time to
    come before its lobby expires."""


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
    def waits(self) -> WaitTimes:
        """How long people are waited for, not about decisions."""
        return _WAITS.get(self, WaitTimes())

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

_HALF_DAY: Final = timedelta(hours=12)
_WAITS: Final = {
    Pace.RELAXED: WaitTimes(keep=timedelta(minutes=10)),
    Pace.DAILY: WaitTimes(  # people look in once a day
        timedelta(days=1), _HALF_DAY, _HALF_DAY, _HALF_DAY, _HALF_DAY, _HALF_DAY
    ),
    Pace.NONE: WaitTimes(vote=_HALF_DAY, keep=timedelta(minutes=10)),
}
