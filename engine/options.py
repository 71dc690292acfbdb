"""Options of a match: what is given is checked against a game's specs, the rest is filled in."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Literal

from engine.game import AnyGame, GameInfo, NotationError, Options, OptionSpec, OptionValue
from engine.notation import excerpt


def length(
    key: str,
    default: Callable[[int], int],
    most: int = 40,
    *,
    parameter: str = "length",
    measures: Literal["rounds", "points"] = "rounds",
    offered: tuple[int, ...] = (),
) -> OptionSpec:
    """An option that says how long a match is: a number of rounds or points from 1 to `most`."""
    return OptionSpec(
        key=key,
        parameter=parameter,
        kind="int",
        default=default,
        minimum=1,
        maximum=most,
        measures=measures,
        offered=offered,
    )


def switch(key: str, usual: str, *others: str) -> OptionSpec:
    """A rule on which players differ, as new matches have it and as it may be besides.

    Matches that do not name it are older than it is, and have it as new ones do.
    """
    return OptionSpec(
        key=key,
        parameter=None,
        kind="choice",
        default=lambda _: usual,
        before=usual,
        choices=(usual, *others),
    )


def check_seats(info: GameInfo, seats: int) -> None:
    """Raises NotationError `seats` (minimum, maximum) unless so many can play."""
    if seats not in info.seats:
        raise NotationError("seats", minimum=info.seats[0], maximum=info.seats[-1])


def check_table_options(info: GameInfo, given: Options) -> None:
    """Raises NotationError `option_unknown` (key) for an option that no table may choose."""
    for spec in info.options:
        if spec.key in given and not spec.at_tables:
            raise NotationError("option_unknown", key=spec.key)


def complete_options(info: GameInfo, seats: int, given: Options) -> Options:
    """A value for every option of the game, keys in alphabetical order.

    Raises NotationError as `GameRules.complete_options` says.
    """
    check_seats(info, seats)
    specs = sorted(info.options, key=lambda spec: spec.key)
    check_keys(given, [spec.key for spec in specs])
    return {spec.key: option_value(spec, seats, given) for spec in specs}


def is_playable(game: AnyGame, seats: int, given: Options) -> bool:
    """Whether so many can play a game with these options."""
    try:
        game.complete_options(seats, given)
    except NotationError:
        return False
    return True


def as_written(info: GameInfo, complete: Options, named: Collection[str]) -> Options:
    """Complete options without those that a match may leave out, and does not name.

    It is older than they are, and means what they were before (`OptionSpec.before`).
    """
    later = {spec.key for spec in info.options if spec.before is not None}
    return {key: value for key, value in complete.items() if key in named or key not in later}


def worth_saying(info: GameInfo, seats: int, complete: Options) -> Options:
    """Of the options of a match those that people are told of.

    Numbers, and switches that are on or not as they usually are.
    """
    said: dict[str, OptionValue] = {}
    for spec in info.table_options:
        value = complete.get(spec.key)
        if value is None:
            continue
        if spec.kind == "int" or value is True or value != spec.default(seats):
            said[spec.key] = value
    return said


def check_keys(given: Options, known: Collection[str]) -> None:
    """Raises NotationError `option_unknown` (key) for the first key that is not known."""
    for key in given:
        if key not in known:
            raise NotationError("option_unknown", key=excerpt(key))


def option_value(spec: OptionSpec, seats: int, given: Options) -> OptionValue:
    """What is given for one option, else its default.

    Raises NotationError `option_type` (key), `option_range` (key, minimum, maximum).
    """
    value = given.get(spec.key, spec.default(seats))
    if spec.kind != "int":
        # Not `in` alone: 1 would be True.
        if not any(type(value) is type(one) and value == one for one in spec.values):
            raise NotationError("option_type", key=spec.key)
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        raise NotationError("option_type", key=spec.key)
    if not spec.minimum <= value <= spec.maximum:
        raise NotationError(
            "option_range", key=spec.key, minimum=spec.minimum, maximum=spec.maximum
        )
    return value
