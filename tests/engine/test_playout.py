"""Random play through the public interface."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from engine.game import CHANCE, Draw, Options
from engine.games.aufundab import GAME
from engine.playout import play_match, simulate
from engine.record import record, to_text


@pytest.mark.parametrize("seats", [3, 4])
def test_a_match_is_played_to_its_end(seats: int) -> None:
    options = GAME.complete_options(seats, {"hands": 3})
    log = play_match(GAME, seats, options, Random(1))
    assert sum(seat == CHANCE for seat, _ in log) == 3
    state = GAME.initial(seats, options)
    for seat, action in log:
        assert GAME.outcome(state) is None
        state = GAME.apply(state, seat, action)
    assert GAME.outcome(state) is not None


def test_the_same_seed_makes_the_same_records_and_the_kth_stands_alone() -> None:
    five = [to_text(made) for made in simulate(GAME, 3, {"hands": 1}, 9, 5)]
    three = [to_text(made) for made in simulate(GAME, 3, {"hands": 1}, 9, 3)]
    other = [to_text(made) for made in simulate(GAME, 3, {"hands": 1}, 10, 3)]
    assert five[:3] == three
    assert len({*five, *other}) == 8


def test_records_are_of_the_matches_that_the_seed_plays() -> None:
    (_, made) = simulate(GAME, 3, {"hands": 2}, 9, 2)
    log = play_match(GAME, 3, GAME.complete_options(3, {"hands": 2}), Random("9/1"))
    assert to_text(made) == to_text(record(GAME, 3, {"length": "hands", "hands": 2}, log))


def test_proven_deals_come_from_seed_match_and_round_only() -> None:
    one, two = ([*simulate(GAME, 3, {"hands": 2}, 9, k, proof=True)] for k in (1, 2))
    assert to_text(one[0]) == to_text(two[0])
    assert to_text(two[0]) != to_text(two[1])
    plain = next(iter(simulate(GAME, 3, {"hands": 2}, 9, 1)))
    assert to_text(plain) != to_text(one[0])


def test_a_source_is_asked_for_every_deal_with_the_log_before_it() -> None:
    asked: list[list[int]] = []

    def source(log: Sequence[tuple[int, Any]]) -> Draw:
        asked.append([seat for seat, _ in log])
        return Random(len(asked)).randrange

    options = GAME.complete_options(3, {"hands": 2})
    log = play_match(GAME, 3, options, Random(1), source)
    again = play_match(GAME, 3, options, Random(2), lambda log: Random(1).randrange)
    seats = [seat for seat, _ in log]
    assert asked == [[], seats[: seats.index(CHANCE, 1)]]
    assert again[0] == log[0]


class OnePly:
    """A match of one action by one of two seats, with three to choose from; remembers them."""

    def __init__(self) -> None:
        self.seen: Counter[tuple[int, str]] = Counter()

    def initial(self, seats: int, options: Options) -> bool:
        return False

    def actors(self, state: bool) -> tuple[int, ...]:
        return () if state else (0, 1)

    def legal_actions(self, state: bool, seat: int) -> tuple[str, ...]:
        return ("a", "b", "c")

    def apply(self, state: bool, seat: int, action: str) -> bool:
        self.seen[seat, action] += 1
        return True


def test_every_legal_action_of_every_actor_is_equally_likely() -> None:
    game: Any = OnePly()
    rng = Random(4)
    for _ in range(6000):
        play_match(game, 2, {}, rng)
    assert len(game.seen) == 6
    assert all(880 < count < 1120 for count in game.seen.values())
