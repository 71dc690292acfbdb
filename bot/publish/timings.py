"""Waiting times of the publisher, in seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class Timings:
    """Waiting times in seconds, and other numbers that depend on the speed of Discord and a
    database."""

    grace: float = 1.0
    """Wait of a change for the answer to the press that caused it.

    `flush` ends it; only changes without a press wait so long.
    """
    unposted: float = 3.0
    """Wait of a new table for the command's answer to become its message."""
    patience: float = 2.0
    """Wait of the board for the calls of people who are asked, and of the end of a draw for the
    other hands.  Slower ones continue in the background."""
    glance: float = 0.5
    """Interval of checks, while a board takes long, whether another person is asked."""
    clock: float = 60.0
    """Interval of looks at the clock, which may be set, whether quiet hours are over."""
    picture: float = 0.7
    """Wait of a message for its picture: an answer has three seconds in all."""
    closing: float = 6.0
    """Time for the last draws when the program ends."""

    retries: tuple[float, ...] = (2.0, 10.0, 60.0, 300.0)
    """Times after which a draw or a deletion that failed is tried again; the last one again and
    again."""
    retry_refused: float = 300.0
    """Time after which it is tried again what Discord did not let us show, or delete."""

    letters: tuple[float, ...] = (10.0, 60.0, 300.0)
    """Times after which a direct message is tried again where Discord refuses them to the program;
    the last one again and again."""

    store_pause: float = 0.05
    """Time after which messages are stored, so that many tables share one transaction."""
    store_lag: float = 5.0
    """Time after which the versions drawn, locales and lessons are stored, and after which storing
    is tried again."""

    rate: float = 45.0
    """Requests a second; of Discord's fifty, five are left to what the publisher does not make."""
    burst: int = 4
    """Requests at once after a quiet moment: no second has more than `rate` and these."""
    request: float = 15.0
    """Time that a request may take, once it is its turn."""
    request_again: float = 1.0
    """Time after which it is looked again whether a request that is overdue may be given up."""


TIMINGS: Final = Timings()
"""The timings in use: within Discord's limits, and short enough for people."""
