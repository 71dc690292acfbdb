"""What a law is: a function over random matches, registered, its name on all it raises."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Final, TypeAlias

from engine.game import (
    AnyGame,
    Options,
)

Law: TypeAlias = Callable[[AnyGame, int, Options, int], int]

LAWS: Final[dict[str, Law]] = {}


class BrokenLawError(AssertionError):
    """A law that does not hold; the message begins with the law's name."""


def law(body: Law) -> Law:
    """Register a law and put its name on whatever it raises."""

    @functools.wraps(body)
    def run(game: AnyGame, seats: int, given: Options, seed: int) -> int:
        try:
            return body(game, seats, given, seed)
        except Exception as fault:
            said = f"{type(fault).__name__}: {fault}"
            raise BrokenLawError(
                f"{body.__name__}: {said} ({seats=}, {given=}, {seed=})"
            ) from fault

    LAWS[body.__name__] = run
    return run
