"""Interface of metrics about draws; `bot.operate.metrics` implements it."""

from __future__ import annotations

from typing import Final, Literal, Protocol

CallKind = Literal["panel", "line"]
"""How people are called to their turn: by their hand in the DM, or by a line in the channel."""

SettledKind = Literal["panel", "whisper", "replaced"]
"""A hand by direct message, one that only its owner sees in a channel, and such a one that was
deleted since there is a newer one."""


class DrawCounts(Protocol):
    """Counts draws and calls.  Must not block and must not raise."""

    def drawn(self, *, worked: bool) -> None:
        """A table was drawn, or some of that failed."""

    def noticed(self, by: CallKind) -> None:
        """A person was called to their turn."""

    def settled(self, kind: SettledKind) -> None:
        """A message whose question is over was redrawn or deleted."""


class _Uncounted:
    def drawn(self, *, worked: bool) -> None: ...
    def noticed(self, by: CallKind) -> None: ...
    def settled(self, kind: SettledKind) -> None: ...


UNCOUNTED: Final = _Uncounted()
