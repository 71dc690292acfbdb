"""Shuffling.

`shuffle` is step 5 of the verifiable deal (`notation.md`).  Where its numbers come from is the
caller's business: a seeded generator in simulations, the operating system at real tables.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TypeVar

from engine.game import Draw

T = TypeVar("T")


def shuffle(pack: Sequence[T], draw: Draw) -> list[T]:
    """The pack in random order: for i from the last place down to 1 swap i and draw(i + 1).

    >>> shuffle("abcd", lambda n: 0)
    ['b', 'c', 'd', 'a']
    """
    cards = list(pack)
    for i in range(len(cards) - 1, 0, -1):
        j = draw(i + 1)
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def draw_from(rng: Random) -> Draw:
    """Numbers from a seeded generator, for simulations and tests.

    The bias of scaling a 53-bit fraction is below n / 2**53: nothing that any run could show.
    """
    random = rng.random
    return lambda n: int(random() * n)
