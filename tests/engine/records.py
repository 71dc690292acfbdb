"""Records to look at and to spoil: simulated ones, and ways to edit them."""

from __future__ import annotations

import functools
import json
from collections.abc import Callable, Iterator, Sequence
from itertools import count, product
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from engine.game import AnyGame, Options, OptionValue
from engine.playout import simulate
from engine.record import to_text
from engine.registry import games
from engine.verify import verify
from tests.lengths import length

Record: TypeAlias = dict[str, Any]
Change: TypeAlias = Callable[[Record], object]


def good(
    name: str,
    seats: int | None = None,
    options: Options = MappingProxyType({}),
    *,
    seed: int = 1,
    legal: bool = False,
    proof: bool = False,
) -> Record:
    """A simulated record as it is read from its text, of two rounds or a few more.

    The first from `seed` on that has two rounds or more and cards played in the first one: in
    Kaiserspiel many a round ends before.
    """
    given = tuple({**length(name, 2, 20), **options}.items())
    for number in count(seed):
        made: Record = json.loads(_text(name, seats, given, number, legal, proof))
        rounds = made["rounds"]
        if len(rounds) > 1 and any("play" in each["do"] for each in rounds[0]["actions"]):
            return made
    raise AssertionError


@functools.lru_cache(maxsize=256)
def _text(
    name: str,
    seats: int | None,
    given: tuple[tuple[str, OptionValue], ...],
    seed: int,
    legal: bool,
    proof: bool,
) -> str:
    game = games()[name]
    number = seats or min(game.info.seats)
    (made,) = simulate(game, number, dict(given), seed, 1, legal=legal, proof=proof)
    return to_text(made)


class Configuration(NamedTuple):
    """A game as it can be played."""

    game: AnyGame
    seats: int
    options: Options


def configurations() -> Iterator[Configuration]:
    """Every game with every number of seats and every variant; lengths as they are."""
    for game in games().values():
        usual = game.complete_options(game.info.seats[0], {})
        switches = [one for one in game.info.options if one.kind != "int" and one.key in usual]
        for seats in game.info.seats:
            for values in product(*(spec.values for spec in switches)):
                keys = [spec.key for spec in switches]
                yield Configuration(game, seats, dict(zip(keys, values, strict=True)))


def other_lengths() -> Iterator[Configuration]:
    """Where a match may last by something else than by default: a short one of that kind."""
    for game in games().values():
        for seats in game.info.seats:
            default = game.complete_options(seats, {})
            for spec in game.info.options:
                if spec.kind == "int" and spec.key not in default:
                    yield Configuration(
                        game, seats, {spec.key: min(spec.minimum + 40, spec.maximum)}
                    )


def named(one: Configuration) -> str:
    """A configuration in short: `auffalscherfaehrte 4 jokers=true`."""
    given = [f"{key}={json.dumps(value)}" for key, value in one.options.items()]
    return " ".join([one.game.info.id, str(one.seats), *given])


# Ways to spoil a record.


def at(made: Record, *path: str | int) -> Any:
    """What stands at a path of keys and places."""
    found: Any = made
    for key in path:
        found = found[key]
    return found


def put(value: object, *path: str | int) -> Change:
    def change(made: Record) -> None:
        at(made, *path[:-1])[path[-1]] = value

    return change


def drop(*path: str | int) -> Change:
    def change(made: Record) -> None:
        del at(made, *path[:-1])[path[-1]]

    return change


def paths(value: object, prefix: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """Paths to everything in a record, of long lists to the first four items and the last."""
    found = [prefix] if prefix else []
    items: list[tuple[str | int, object]] = []
    if isinstance(value, dict):
        items = list(value.items())
    elif isinstance(value, list):
        chosen = sorted({*range(min(4, len(value))), *range(len(value))[-1:]})
        items = [(index, value[index]) for index in chosen]
    for key, inner in items:
        found += paths(inner, (*prefix, key))
    return found


def stopped_in(made: Record, number: int, plies: int) -> Record:
    """A match stopped after so many actions of a round."""
    del made["rounds"][number:]
    last = made["rounds"][-1]
    del last["actions"][plies:]
    last["scores"], made["outcome"], made["stopped"] = None, None, "host"
    return made


def actions(made: Record, number: int = 1) -> Any:
    """The actions of a round."""
    return made["rounds"][number - 1]["actions"]


def swap(items: list[Any], one: int, two: int) -> None:
    items[one], items[two] = items[two], items[one]


def ply_of(made: Record, start: str, number: int = 1) -> int:
    """The first action of a round that begins so, counted from 1."""
    texts = [each["do"] for each in actions(made, number)]
    return next(ply for ply, text in enumerate(texts, 1) if text.startswith(start))


# What is found.

Found: TypeAlias = tuple[int | None, int | None, str, str]
"""Round, ply, kind and what is said of a fault, or a piece of it."""


def faults_of(made: Record) -> list[Found]:
    """The faults of a record, which is called the third."""
    found = verify(made, 3)
    assert all(fault.record == 3 and len(str(fault)) < 300 for fault in found)
    return [(fault.round, fault.ply, fault.kind, fault.what) for fault in found]


def agree(found: Sequence[Found], expected: Sequence[Found]) -> bool:
    """Whether these are the faults expected, in their order."""
    return [one[:3] for one in found] == [one[:3] for one in expected] and all(
        piece in what for (*_, what), (*_, piece) in zip(found, expected, strict=True)
    )


def check(made: Record, *expected: Found) -> None:
    """These faults are found, and no others."""
    found = faults_of(made)
    assert agree(found, expected), found


def first(made: Record, *expected: Found) -> None:
    """These are found first; what follows from them may be found as well."""
    found = faults_of(made)
    assert agree(found[: len(expected)], expected), found
