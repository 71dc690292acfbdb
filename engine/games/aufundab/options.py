"""Auf und Ab: what it is called, how many play it and how long a match may be."""

from __future__ import annotations

from typing import Final

from engine.game import GameInfo, NotationError, Options, OptionSpec, OptionValue
from engine.notation import excerpt

INFO: Final = GameInfo(
    id="aufundab",
    rules_version=1,
    seats=(3, 4),
    options=(
        OptionSpec(key="hands", parameter="length", kind="int", minimum=1, maximum=40),
        OptionSpec(key="target", parameter="target", kind="int", minimum=1, maximum=1000),
    ),
)


def check_seats(seats: int) -> None:
    """Raises NotationError `seats` (minimum, maximum)."""
    if seats not in INFO.seats:
        raise NotationError("seats", minimum=INFO.seats[0], maximum=INFO.seats[-1])


def complete_options(seats: int, given: Options) -> Options:
    """`length`, and the one of `hands` and `target` that it names.

    What is left out follows from the other (`{"target": 50}` says what `length` is), else a
    match has a round for every seat.  Raises what `Game.complete_options` says.
    """
    check_seats(seats)
    for key in given:
        if key not in ("length", "hands", "target"):
            raise NotationError("option_unknown", key=excerpt(key))
    if "hands" in given and "target" in given:
        raise NotationError("option_conflict", key="hands", other="target")
    length = given.get("length", "target" if "target" in given else "hands")
    if length not in ("hands", "target"):
        raise NotationError("option_type", key="length")
    other = "target" if length == "hands" else "hands"
    if other in given:
        raise NotationError("option_conflict", key="length", other=other)
    spec = INFO.options[0 if length == "hands" else 1]
    value: OptionValue = given.get(spec.key, seats if length == "hands" else 100)
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotationError("option_type", key=spec.key)
    if not spec.minimum <= value <= spec.maximum:
        raise NotationError(
            "option_range", key=spec.key, minimum=spec.minimum, maximum=spec.maximum
        )
    return {"length": length, spec.key: value}
