"""What a layout shows, for tests that look for one thing in it."""

from __future__ import annotations

from typing import TypeVar

from engine.layout import Block, CardRow, CardView, Headline, Layout, Line, SeatRow, SeatView

B = TypeVar("B", bound=Block)


def all_of(layout: Layout, kind: type[B]) -> list[B]:
    """The blocks of a kind."""
    return [block for block in layout.blocks if isinstance(block, kind)]


def one(layout: Layout, kind: type[B]) -> B:
    """The only block of a kind."""
    (found,) = all_of(layout, kind)
    return found


def codes(layout: Layout) -> list[str]:
    """What is said, line by line."""
    return [b.phrase.code for b in layout.blocks if isinstance(b, Headline | Line)]


def row(layout: Layout, role: str) -> tuple[CardView, ...]:
    """The cards of a row; none where there is no such row."""
    return tuple(
        card for each in all_of(layout, CardRow) if each.role == role for card in each.cards
    )


def seats_in(layout: Layout) -> tuple[SeatView, ...]:
    return one(layout, SeatRow).seats
