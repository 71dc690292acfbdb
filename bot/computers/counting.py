"""Interface of metrics about decisions; `bot.operate.metrics` implements it."""

from __future__ import annotations

from typing import Final, Literal, Protocol

By = Literal["level", "greedy", "nobody"]
"""Who decided: the player asked for, rules of thumb in its place, or nobody in time."""

Why = Literal["busy", "died", "hung", "failed", "illegal"]
"""Why the player asked for did not decide: no time was left, the worker died or did not answer, or
the player raised an exception or named an illegal action."""


class ThoughtCounts(Protocol):
    """Counts decisions.  Must not block and must not raise."""

    def decided(self, by: By, seconds: float) -> None:
        """A question was answered, `seconds` after it was asked."""

    def looked(self, playouts: int) -> None:
        """A player looked at `playouts` ends of the round before it answered; at least at one."""

    def fell_back(self, why: Why) -> None:
        """A question was not answered by the player asked for."""

    def waiting(self, count: int) -> None:
        """Number of questions that wait for a worker."""

    def working(self, count: int, warm: int) -> None:
        """Number of workers, and how many of them are compiled and warm."""


class _Uncounted:
    def decided(self, by: By, seconds: float) -> None: ...
    def looked(self, playouts: int) -> None: ...
    def fell_back(self, why: Why) -> None: ...
    def waiting(self, count: int) -> None: ...
    def working(self, count: int, warm: int) -> None: ...


UNCOUNTED: Final = _Uncounted()
