"""What was written down once and read by a person."""

from __future__ import annotations

import os
from pathlib import Path

from engine.game import Event
from engine.layout import Cards, Param, SeatName, Suit


def check_as_written(file: Path, text: str) -> None:
    """Asserts that `text` is what stands in `file`.

    With `UPDATE_GOLDEN=1` a different text is written there; the test fails all the same, since
    somebody has to read the difference before it may pass.
    """
    written = file.read_text(encoding="utf-8") if file.exists() else ""
    if text != written and os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert text == written


def event_as_written(event: Event, suit: str = "") -> str:
    """Who is told, what, and with which parameters."""
    audience = "all" if event.audience is None else f"seat {event.audience[0]} only"
    return f"{audience}: {event.phrase.code} {parameters(event, suit)}"


def parameters(event: Event, suit: str = "") -> str:
    """`suit` stands before the letter of a suit."""
    return ", ".join(f"{key}={_written(value, suit)}" for key, value in event.phrase.params.items())


def _written(value: Param, suit: str) -> str:
    match value:
        case SeatName(seat):
            return f"<{seat}>"
        case Cards(codes):
            return " ".join(codes)
        case Suit(code):
            return suit + code
        case _:
            return str(value)
