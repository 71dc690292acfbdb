"""Sticheln: what it is called, how many play it and how long a match may be."""

from __future__ import annotations

from typing import Final

from engine.game import GameInfo, NotationError, Options, OptionSpec
from engine.notation import excerpt

_ROUNDS: Final = OptionSpec(key="rounds", parameter="length", kind="int", minimum=1, maximum=40)

INFO: Final = GameInfo(
    id="sticheln",
    rules_version=1,
    seats=(3, 4, 5, 6),
    options=(_ROUNDS,),
    seeds_after="round",
)


def check_seats(seats: int) -> None:
    """Raises NotationError `seats` (minimum, maximum)."""
    if seats not in INFO.seats:
        raise NotationError("seats", minimum=INFO.seats[0], maximum=INFO.seats[-1])


def complete_options(seats: int, given: Options) -> Options:
    """`rounds`, by default as many as seats.  Raises what `Game.complete_options` says."""
    check_seats(seats)
    for key in given:
        if key != _ROUNDS.key:
            raise NotationError("option_unknown", key=excerpt(key))
    rounds = given.get(_ROUNDS.key, seats)
    if isinstance(rounds, bool) or not isinstance(rounds, int):
        raise NotationError("option_type", key=_ROUNDS.key)
    if not _ROUNDS.minimum <= rounds <= _ROUNDS.maximum:
        raise NotationError(
            "option_range", key=_ROUNDS.key, minimum=_ROUNDS.minimum, maximum=_ROUNDS.maximum
        )
    return {_ROUNDS.key: rounds}
