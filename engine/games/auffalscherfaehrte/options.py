"""Auf falscher Fährte: what it is called, how many play it and how long a match may be."""

from __future__ import annotations

from typing import Final

from engine.game import GameInfo, NotationError, Options, OptionSpec, OptionValue
from engine.notation import excerpt

_ROUNDS: Final = OptionSpec(key="rounds", parameter="length", kind="int", minimum=1, maximum=40)
_JOKERS: Final = OptionSpec(key="jokers", parameter="jokers", kind="bool")

INFO: Final = GameInfo(
    id="auffalscherfaehrte",
    rules_version=1,
    seats=(3, 4),
    options=(_ROUNDS, _JOKERS),
    # Earlier they would tell who hid which card.
    seeds_after="match",
)


def check_seats(seats: int) -> None:
    """Raises NotationError `seats` (minimum, maximum)."""
    if seats not in INFO.seats:
        raise NotationError("seats", minimum=INFO.seats[0], maximum=INFO.seats[-1])


def complete_options(seats: int, given: Options) -> Options:
    """Without jokers, and two rounds for every seat, unless `given` says else.

    Raises what `Game.complete_options` says.
    """
    check_seats(seats)
    for key in given:
        if key not in (_JOKERS.key, _ROUNDS.key):
            raise NotationError("option_unknown", key=excerpt(key))
    jokers: OptionValue = given.get(_JOKERS.key, False)
    rounds: OptionValue = given.get(_ROUNDS.key, 2 * seats)
    if not isinstance(jokers, bool):
        raise NotationError("option_type", key=_JOKERS.key)
    if isinstance(rounds, bool) or not isinstance(rounds, int):
        raise NotationError("option_type", key=_ROUNDS.key)
    if not _ROUNDS.minimum <= rounds <= _ROUNDS.maximum:
        raise NotationError(
            "option_range", key=_ROUNDS.key, minimum=_ROUNDS.minimum, maximum=_ROUNDS.maximum
        )
    return {_JOKERS.key: jokers, _ROUNDS.key: rounds}
