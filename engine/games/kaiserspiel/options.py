"""Kaiserspiel: what it is called, how many play it and how long a match may be."""

from __future__ import annotations

from typing import Final

from engine.game import GameInfo, NotationError, Options, OptionSpec
from engine.notation import excerpt

SEATS: Final = 4
DEFAULT_TARGET: Final = 41

INFO: Final = GameInfo(
    id="kaiserspiel",
    rules_version=1,
    seats=(SEATS,),
    options=(OptionSpec(key="target", parameter="length", kind="int", minimum=1, maximum=1000),),
    teams=((0, 2), (1, 3)),
    seeds_after="match",
)


def complete_options(seats: int, given: Options) -> Options:
    """`target`, the points that end the match.  Raises what `Game.complete_options` says."""
    check_seats(seats)
    (spec,) = INFO.options
    for key in given:
        if key != spec.key:
            raise NotationError("option_unknown", key=excerpt(key))
    value = given.get(spec.key, DEFAULT_TARGET)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotationError("option_type", key=spec.key)
    if not spec.minimum <= value <= spec.maximum:
        raise NotationError(
            "option_range", key=spec.key, minimum=spec.minimum, maximum=spec.maximum
        )
    return {spec.key: value}


def check_seats(seats: int) -> None:
    """Raises NotationError `seats` (minimum, maximum)."""
    if seats != SEATS:
        raise NotationError("seats", minimum=SEATS, maximum=SEATS)
