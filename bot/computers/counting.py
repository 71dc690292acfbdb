"""Interface of metrics about decisions; `bot.operate.metrics` implements it."""

from __future__ import annotations

from typing import Final, Literal, Protocol

By = Literal["level", "greedy", "nobody"]
"""Who decided: the player that was asked for, the rules of thumb instead, or nobody in time."""

Why = Literal["busy", "died", "hung", "failed", "illegal"]
"""Why the player that was asked for did not decide: no time was left, the worker died or did not
answer, or the player raised something, or named what is not allowed."""


class ThoughtCounts(Protocol):
    """Whoever counts decisions.  Must not block and must not raise."""

    def decided(self, by: By, seconds: float) -> None:
        """A question is answered, so long after it was asked."""

    def looked(self, playouts: int) -> None:
        """A player looked at so many ends of the round before it answered; at one at least."""

    def fell_back(self, why: Why) -> None:
        """A question was not answered by whom it was put to."""

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
