"""Compilation by numba where it is installed; otherwise the same source is interpreted.

What is compiled keeps to a subset that means the same both ways: whole numbers below 2**62,
floats, flat vectors that are indexed (no slices but `a[:] = b`), alone or in a `NamedTuple`; `for`
over `range`, `while`, `if`; calls of other compiled functions; constants at module level as whole
numbers or `table`s.

Compiled code is kept on disk if numba was told where (`NUMBA_CACHE_DIR`), by whoever starts the
process; that folder has to belong to these very sources, since numba looks at each function's own
file only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias, TypeVar, cast

try:
    import numba
    import numpy as np
    from numba import types
    from numba.core import config
    from numba.extending import intrinsic, overload
except ImportError:
    COMPILED = False
else:
    COMPILED = not config.DISABLE_JIT
"""Whether the twins are compiled in this process."""

Ints: TypeAlias = list[int]
"""A flat vector of whole numbers: an int64 array where the twins are compiled."""

Floats: TypeAlias = list[float]
"""A flat vector of floats: a float64 array where the twins are compiled."""

F = TypeVar("F", bound=Callable[..., Any])


def jit(function: F) -> F:
    """`function`, compiled if it can be."""
    if not COMPILED:
        return function
    return cast(F, numba.njit(cache=bool(config.CACHE_DIR), nogil=True)(function))


def _vector(values: int | Sequence[float], zero: float) -> Any:
    """So many zeros, or these numbers."""
    if COMPILED:
        make = np.zeros if isinstance(values, int) else np.array
        return make(values, type(zero))
    return [zero] * values if isinstance(values, int) else list(values)


def ints(values: int | Sequence[int]) -> Ints:
    """A new vector: so many zeros, or these numbers."""
    return cast(Ints, _vector(values, 0))


def floats(values: int | Sequence[float]) -> Floats:
    """A new vector: so many zeros, or these numbers."""
    return cast(Floats, _vector(values, 0.0))


table: Final = ints
"""A constant vector at module level, which nobody may change."""


def _popcount_of(mask: int) -> int:
    return mask.bit_count()


popcount: Final[Callable[[int], int]] = _popcount_of if COMPILED else int.bit_count
"""How many bits of a number that is not negative are set; interpreted, without a call of ours."""


def lowest(mask: int) -> int:
    """Index of the lowest bit that is set; `mask` is not 0."""
    return (mask & -mask).bit_length() - 1


if COMPILED:

    @intrinsic  # type: ignore[untyped-decorator]
    def _ctpop(typing: Any, x: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.ctpop(args[0])

        return types.int64(types.int64), code

    @intrinsic  # type: ignore[untyped-decorator]
    def _cttz(typing: Any, x: Any) -> Any:
        def code(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), code

    @overload(popcount)  # type: ignore[untyped-decorator]
    def _popcount(mask: Any) -> Any:
        def code(mask: Any) -> Any:
            return _ctpop(mask)

        return code

    @overload(lowest)  # type: ignore[untyped-decorator]
    def _lowest(mask: Any) -> Any:
        def code(mask: Any) -> Any:
            return _cttz(mask)

        return code
