"""Whoever counts what the publisher does; `bot.operate.metrics` has one."""

from __future__ import annotations

from typing import Final, Literal, Protocol

CallKind = Literal["panel", "line"]
"""How people are called to their turn: by their hand in the DM, or by a line in the channel."""


class DrawCounts(Protocol):
    """Whoever counts draws and calls.  Must not block and must not raise."""

    def drawn(self, worked: bool) -> None:
        """A table was drawn, or some of that failed."""

    def noticed(self, by: CallKind) -> None:
        """Somebody was called to their turn."""


class _Uncounted:
    def drawn(self, worked: bool) -> None: ...
    def noticed(self, by: CallKind) -> None: ...


UNCOUNTED: Final = _Uncounted()
