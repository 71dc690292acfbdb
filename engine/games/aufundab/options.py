"""Auf und Ab: number of players, length of a match, and house rules."""

from __future__ import annotations

from typing import Final

from engine import options
from engine.game import GameInfo, NotationError, Options

_HANDS: Final = options.length("hands", lambda seats: seats)
_TARGET: Final = options.length("target", lambda _: 100, 200, parameter="target", measures="points")

INFO: Final = GameInfo(
    id="aufundab",
    rules_version=1,
    seats=(3, 4),
    options=(_HANDS, _TARGET),
    # It tells that one holds nothing better: only where the whole table agreed on it.
    passes="pass",
    hinted="won",
    series=True,
)


def complete_options(seats: int, given: Options) -> Options:
    """`length`, and the one of `hands` and `target` that it names.

    What is left out follows from the other (`{"target": 50}` says what `length` is), else a
    match has a round for every seat.
    """
    options.check_seats(INFO, seats)
    options.check_keys(given, ("length", "hands", "target"))
    if "hands" in given and "target" in given:
        raise NotationError("option_conflict", key="hands", other="target")
    length = given.get("length", "target" if "target" in given else "hands")
    if length not in ("hands", "target"):
        raise NotationError("option_type", key="length")
    spec, other = (_HANDS, _TARGET) if length == "hands" else (_TARGET, _HANDS)
    if other.key in given:
        raise NotationError("option_conflict", key="length", other=other.key)
    return {"length": length, spec.key: options.option_value(spec, seats, given)}
