"""Shuffling, and the verifiable randomness of a deal (`data/docs/notation.md`).

`Chain` has the seeds of a match, step 1 of the verifiable deal; `shuffle` is step 5, `stream` steps
3 and 4.  Where a chain's tip comes from, and when a seed is published, is the business of the
tables.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from math import floor
from random import Random
from struct import Struct
from typing import Final, NamedTuple, TypeVar

from engine.game import Draw, Seat

T = TypeVar("T")

SEED_BYTES: Final = 32
MAX_LINKS: Final = 4096
"""Seeds of a chain: more than any match has rounds."""
_RANGE: Final = 1 << 32
_EIGHT: Final = Struct(">8I")
"""A block of the stream: eight big-endian numbers of four bytes."""


class Seeded:
    """Numbers from a seeded generator, as a `Draw` for simulations and tests.

    The bias of scaling a 53-bit fraction is below n / 2**53: nothing that any run could show.
    """

    __slots__ = ("random",)

    def __init__(self, rng: Random) -> None:
        self.random = rng.random

    def __call__(self, n: int) -> int:
        return floor(self.random() * n)  # `int` takes half as long again


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


class Mix(NamedTuple):
    """What a deal depends on besides its seed: things that everybody at the table can read."""

    game: str
    table: str
    """The table's public id."""
    round: int
    """From 1."""
    post: str
    """Id of the message that carries the round, in decimal; empty if it could not be posted."""
    previous: str
    """`digest` of the round before; empty in round 1."""
    words: tuple[str, ...]
    """By seat: what that person typed behind *Cut*, else empty."""

    def text(self) -> str:
        """What the key of the stream is made from (step 3)."""
        parts = ("stammtisch/deal/1", self.game, self.table, str(self.round), self.post)
        return "|".join([*parts, self.previous, ",".join(self.words)])


def hashed(value: bytes, times: int) -> bytes:
    """SHA-256 of SHA-256 of … `value`, so many times; `value` itself for 0."""
    sha256 = hashlib.sha256
    for _ in range(times):
        value = sha256(value).digest()
    return value


def commitment(seed: bytes, link: int = 1) -> str:
    """What is published before the match whose round `link` has that seed: 64 hex digits."""
    return hashed(seed, link).hex()


@dataclass(frozen=True, slots=True)
class Chain:
    """The seeds of a match: the tip hashed again and again, dealt from backwards.

    Whoever knows the seed of one link can check it against the commitment, and cannot know the
    next.
    """

    tip: bytes = field(repr=False)
    """`SEED_BYTES` that nobody can guess: they tell all seeds."""
    links: int = MAX_LINKS
    """Number of seeds, at least 1."""

    def seed(self, link: int) -> bytes:
        """The value that gives the commitment after `link` hashings.

        Raises ValueError unless 1 ≤ `link` ≤ `links`.
        """
        if not 1 <= link <= self.links:
            raise ValueError(f"a chain of {self.links} has no link {link}")
        return hashed(self.tip, self.links - link)

    def seeds(self) -> list[bytes]:
        """All of them, the first one last: for whoever deals many rounds at once."""
        found = [self.tip]
        for _ in range(1, self.links):
            found.append(hashed(found[-1], 1))
        return found


def digest(actions: Iterable[tuple[Seat, str]]) -> str:
    """SHA-256 of a round's actions as they stand in its record, 64 hex digits."""
    return hashlib.sha256("\n".join(f"{seat} {do}" for seat, do in actions).encode()).hexdigest()


def stream(seed: bytes, mix: Mix) -> Draw:
    """The randomness of one deal: see `drawing`."""
    return drawing(seed, mix.text())


def drawing(seed: bytes, text: str) -> Draw:
    """Uniform numbers that seed and text fix; whoever has not the seed learns nothing from them of
    those under another text.

    `draw(n)` takes 1 ≤ n ≤ 2**32.
    """
    numbers = _numbers(hmac.digest(seed, text.encode(), "sha256"))

    def draw(n: int) -> int:
        limit = _RANGE - _RANGE % n
        number = next(numbers)
        while number >= limit:
            number = next(numbers)
        return number % n

    return draw


def _numbers(key: bytes) -> Iterator[int]:
    """Blocks of HMAC-SHA256 over a counter, read as big-endian numbers of four bytes."""
    counter = 0
    while True:
        block = hmac.digest(key, counter.to_bytes(8, "big"), "sha256")
        yield from _EIGHT.unpack(block)
        counter += 1
