"""`paged`: one page of what is too long for one message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def paged(lines: Sequence[T], number: int | None, size: int) -> tuple[Sequence[T], int, int]:
    """The lines of a page (from 0), its number, and how many pages there are: one at least.

    A number beyond the ends gives the nearest page, None the last.

    >>> paged("abcdefg", 9, 3)
    ('g', 2, 3)
    """
    pages = max(1, -(-len(lines) // size))
    number = pages - 1 if number is None else min(max(number, 0), pages - 1)
    return lines[number * size :][:size], number, pages
