"""Evolution strategy: a vector moves a little towards its better variants.

The size of the variation is fixed, and a generation moves the vector by a tenth only: what a
variant is worth is measured by play, where luck is far larger than what variants differ by.
Adaptive steps and full moves to the new mean (CMA-ES) lost more by that noise than they found.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log
from random import Random
from typing import Final, NamedTuple, TypeAlias

Vector: TypeAlias = tuple[float, ...]

VARIANTS: Final = 24
"""Vectors of a generation."""
PARENTS: Final = VARIANTS // 2
SPREAD: Final = 0.15
"""Standard deviation of each number among them, as a share of it at the start."""
RATE: Final = 0.1
"""How far the vector goes to the mean of the parents."""

_RAW: Final = [log(PARENTS + 0.5) - log(place + 1) for place in range(PARENTS)]
_SHARES: Final = [raw / sum(_RAW) for raw in _RAW]
"""How much the best counts for the mean of the parents, the second, …"""


class Evolution(NamedTuple):
    """Where the search stands after so many generations."""

    generation: int
    mean: Vector
    spread: Vector
    """Standard deviation of each number."""


def begun(start: Sequence[float]) -> Evolution:
    """Where a search begins.  Small numbers are varied as if they were a tenth of the mean."""
    least = sum(map(abs, start)) / len(start) / 10 or 1.0
    return Evolution(0, tuple(start), tuple([SPREAD * max(abs(one), least) for one in start]))


def variants(now: Evolution, seed: int) -> list[Vector]:
    """The vectors of the next generation: equal seeds give equal ones."""
    rng = Random(f"{seed}|{now.generation}|variants")
    return [varied(now, rng) for _ in range(VARIANTS)]


def varied(now: Evolution, rng: Random, by: float = 1.0) -> Vector:
    """The vector, each number varied by so many times its spread."""
    pairs = zip(now.mean, now.spread, strict=True)
    return tuple([middle + by * wide * rng.gauss(0.0, 1.0) for middle, wide in pairs])


def evolved(now: Evolution, found: Sequence[Vector], values: Sequence[float]) -> Evolution:
    """After a generation whose variants were found to be worth so much; more is better."""
    order = sorted(range(len(found)), key=lambda at: -values[at])[:PARENTS]
    mean = []
    for i, middle in enumerate(now.mean):
        parents = sum(share * found[at][i] for share, at in zip(_SHARES, order, strict=True))
        mean.append(middle + RATE * (parents - middle))
    return now._replace(generation=now.generation + 1, mean=tuple(mean))
