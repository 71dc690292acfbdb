"""Matches are bounded: the longest that options allow are short enough to be folded at once."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

import pytest

from engine.game import NotationError, Options
from engine.options import check_table_options
from engine.playout import play_match
from engine.registry import games
from tests.engine.records import Configuration, named

LONGEST: Final = 8_000
"""Plies.  Nearly all of the longest matches have less than 7,000, and most have 5,300."""

BY_DAY: Final = 3
AT_NIGHT: Final = 10_000


def at_the_bounds() -> Iterator[Configuration]:
    """Every game with every number of seats, for as many rounds and as many points as it takes."""
    for game in games().values():
        for spec in game.info.options:
            if spec.kind == "int":
                for seats in game.info.seats:
                    yield Configuration(game, seats, {spec.key: spec.maximum})


CASES: Final = [*at_the_bounds()]


def length(one: Configuration, seed: int) -> int:
    """Lines in the log of a random match."""
    options = one.game.complete_options(one.seats, one.options)
    return len(play_match(one.game, one.seats, options, Random(seed)))


@pytest.mark.parametrize("one", CASES, ids=named)
def test_no_random_match_at_the_bounds_is_longer(one: Configuration) -> None:
    assert max(length(one, seed) for seed in range(BY_DAY)) <= LONGEST


@pytest.mark.nightly
@pytest.mark.parametrize("one", CASES, ids=named)
def test_none_of_ten_thousand_is_longer(one: Configuration) -> None:
    matches = range(BY_DAY, BY_DAY + AT_NIGHT // len(CASES) + 1)
    assert max(length(one, seed) for seed in matches) <= LONGEST


@pytest.mark.parametrize(
    ("game", "most"),
    [
        ("aufundab", {"hands": 40, "target": 200}),
        ("auffalscherfaehrte", {"rounds": 40}),
        ("sticheln", {"rounds": 40}),
        ("kaiserspiel", {"target": 150}),
    ],
)
def test_the_bounds(game: str, most: Options) -> None:
    info = games()[game].info
    assert {spec.key: spec.maximum for spec in info.options if spec.kind == "int"} == most


def test_no_table_can_do_without_the_limit_on_raises_and_records_can() -> None:
    game = games()["kaiserspiel"]
    for value in (True, False):
        with pytest.raises(NotationError) as caught:
            check_table_options(game.info, {"limit": value})
        assert (caught.value.code, caught.value.params) == ("option_unknown", {"key": "limit"})
        assert game.complete_options(4, {"limit": value})["limit"] is value
    for other in games().values():
        given = other.complete_options(other.info.seats[0], {})
        if other is not game:
            check_table_options(other.info, given)
