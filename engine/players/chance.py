"""Random numbers that are the same compiled and interpreted: two 32-bit halves.

The generator is xoroshiro64 with a multiplier below 2**31, so that nothing leaves 63 bits.
"""

from __future__ import annotations

from random import Random
from typing import Final

from engine.players.compiled import Ints, ints, jit

_HALF: Final = 0xFFFFFFFF
_FACTOR: Final = 0x6E3779B1


def chance_of(rng: Random) -> Ints:
    """A state of its own, drawn from `rng`."""
    return ints([rng.getrandbits(32) | 1, rng.getrandbits(32)])


@jit
def draw(r: Ints) -> int:
    """The next 32 random bits."""
    a = r[0]
    b = r[1] ^ a
    r[0] = (((a << 26) | (a >> 6)) & _HALF) ^ b ^ ((b << 9) & _HALF)
    r[1] = ((b << 13) | (b >> 19)) & _HALF
    out = (a * _FACTOR) & _HALF
    return out ^ (out >> 15)


@jit
def below(r: Ints, n: int) -> int:
    """A number in `range(n)`; n is below 2**31."""
    # As `draw`, without calling it: half of an interpreted playout is spent here.
    a = r[0]
    b = r[1] ^ a
    r[0] = (((a << 26) | (a >> 6)) & _HALF) ^ b ^ ((b << 9) & _HALF)
    r[1] = ((b << 13) | (b >> 19)) & _HALF
    out = (a * _FACTOR) & _HALF
    return ((out ^ (out >> 15)) * n) >> 32


@jit
def unit(r: Ints) -> float:
    """A float in [0, 1)."""
    return draw(r) / 4294967296.0


@jit
def shuffle(r: Ints, values: Ints, count: int) -> None:
    """Shuffles the first `count` values in place."""
    for i in range(count - 1, 0, -1):
        j = below(r, i + 1)
        kept = values[i]
        values[i] = values[j]
        values[j] = kept
