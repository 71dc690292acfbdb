"""Chance that leaves nothing out: kinds are drawn from a shuffled deck until it is empty."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import Final, Generic, TypeVar

HURRY: Final = 0.6
"""The share of draws that go to what is wanted."""

T = TypeVar("T", bound=Hashable)


class Deck(Generic[T]):
    """Draws kinds as often as their numbers say: each deck holds every kind so many times."""

    def __init__(self, rng: random.Random, kinds: Mapping[T, int]) -> None:
        self._rng = rng
        self._kinds = Counter(dict(kinds))
        self._left: list[T] = []

    @property
    def kinds(self) -> list[T]:
        """Everything that is drawn."""
        return list(self._kinds)

    def draw(self, wanted: Sequence[T] = ()) -> T:
        """The next one; a new deck is shuffled when there is none left.

        Mostly one of the `wanted`, if there are any, out of its turn.
        """
        if wanted and self._rng.random() < HURRY:
            kind = self._rng.choice(wanted)
            if kind in self._left:
                self._left.remove(kind)
            return kind
        if not self._left:
            self._fill()
        return self._left.pop()

    def put_back(self, kind: T) -> None:
        """It was drawn, but could not be done now: it comes again.

        What can seldom be done does not keep the others waiting: half a deck is made whole.
        """
        if self._left.count(kind) < self._kinds[kind]:
            self._left.insert(self._rng.randrange(len(self._left) + 1), kind)
        if 2 * len(self._left) <= self._kinds.total():
            self._fill()

    def _fill(self) -> None:
        """Makes the deck whole, and shuffles it."""
        self._left += (self._kinds - Counter(self._left)).elements()
        self._rng.shuffle(self._left)
