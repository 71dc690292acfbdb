"""Sequences that grow at their end without being copied: a log, and what it comes to."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeVar, overload

T = TypeVar("T")


class Growing(Sequence[T]):
    """An immutable sequence; `plus` takes as long as what is added, however long it is itself.

    What has grown from one another shares one list, of which each knows how much is its own.
    Whoever grows from one that has grown already begins a list of their own.
    """

    __slots__ = ("_items", "_length")

    def __init__(self, items: Iterable[T] = ()) -> None:
        self._items = list(items)
        self._length = len(self._items)

    @classmethod
    def of(cls, items: Sequence[T]) -> Growing[T]:
        """`items` itself if it can grow."""
        return items if isinstance(items, Growing) else cls(items)

    def plus(self, *more: T) -> Growing[T]:
        """With `more` behind it."""
        items = self._items
        grown: Growing[T] = Growing()
        grown._items = items if len(items) == self._length else items[: self._length]
        grown._items.extend(more)
        grown._length = self._length + len(more)
        return grown

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple([self._items[at] for at in range(*index.indices(self._length))])
        return self._items[range(self._length)[index]]

    def __eq__(self, other: object) -> bool:
        """Equal to any sequence of equal things."""
        if isinstance(other, Growing):
            same = self._items is other._items and self._length == other._length
            return same or tuple(self) == tuple(other)
        return isinstance(other, tuple) and tuple(self) == other

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __repr__(self) -> str:
        """How long it is: what stands in it may be secret."""
        return f"<{self._length} in a row>"
