"""Arithmetic of the load benchmark.  Times are in seconds, figures in milliseconds."""

from __future__ import annotations

import bisect
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass


def percentile(values: Iterable[float], share: float) -> float:
    """The smallest of the values that at least so many per cent of them do not exceed.

    >>> percentile([3.0, 1.0, 2.0, 4.0], 50)
    2.0

    Nothing at all has no percentile: it is `nan`.
    """
    ordered = sorted(values)
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(len(ordered) * share / 100) - 1)]


@dataclass(frozen=True)
class Times:
    """Some measurements of the same thing, in seconds."""

    values: Sequence[float]

    @property
    def p50(self) -> float:
        """Milliseconds."""
        return percentile(self.values, 50) * 1000

    @property
    def p99(self) -> float:
        """Milliseconds."""
        return percentile(self.values, 99) * 1000

    def shown(self) -> dict[str, float | int | None]:
        return {"p50": figure(self.p50), "p99": figure(self.p99), "count": len(self.values)}


def figure(value: float, digits: int = 2) -> float | None:
    """A figure as it is printed; None where there was nothing to measure."""
    return None if math.isnan(value) else round(value, digits)


def held_up(log: str) -> list[str]:
    """Where the event loop was held up, innermost first, for each time (`HELD` in `nursery`)."""
    found = []
    for dump in log.split("Timeout (")[1:]:
        main = dump.rpartition("Thread 0x")[2]
        frames = re.findall(r'^  File "(?:.*/)?([^/"]+)", line (\d+) in (\S+)$', main, re.MULTILINE)
        found.append(" < ".join(f"{file}:{line} {name}" for file, line, name in frames[:4]))
    return found


def delays(
    wanted: Mapping[int, Sequence[float]], arrived: Mapping[int, Sequence[float]]
) -> tuple[list[float], int]:
    """For each moment from which something was awaited in a channel: when it came, after that.

    The number is how many never came.  What came serves everybody who waited for it: a board is
    drawn as it stands.
    """
    found, missing = [], 0
    for channel, moments in wanted.items():
        ordered = sorted(arrived.get(channel, ()))
        for moment in moments:
            index = bisect.bisect_left(ordered, moment)
            if index < len(ordered):
                found.append(ordered[index] - moment)
            else:
                missing += 1
    return found, missing
