"""Duplicate deals: who sits where, equal cards, equal chance, and what the figures are."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt
from random import Random
from typing import Any, cast

import pytest

from engine.game import AnyGame
from engine.players.duel import (
    Asked,
    Endless,
    Figures,
    Mean,
    Scored,
    baseline_of,
    dealt,
    gap_closed,
    line_ups,
    one_round,
    play_round,
    tabled,
)
from engine.players.player import Budget
from engine.players.search import RandomPlayer
from engine.registry import games

SIZES = [
    pytest.param(game, seats, id=f"{game.info.id}-{seats}")
    for game in games().values()
    for seats in game.info.seats
]


def randomly(asked: Asked) -> Any:
    return RandomPlayer().decide(asked.view, Budget(), asked.rng).action


@pytest.mark.parametrize(("game", "seats"), SIZES)
def test_a_deal_is_one_round_and_the_same_for_everybody(game: AnyGame, seats: int) -> None:
    options = one_round(game, seats, {})
    states = [dealt(game, seats, options, 5, 7) for _ in range(2)]
    assert states[0] == states[1]
    assert dealt(game, seats, options, 5, 8) != states[0]
    assert dealt(game, seats, options, 6, 7) != states[0]
    players = [randomly] * seats
    points = play_round(game, states[0], players, 5, 7)
    assert len(points) == seats
    assert points == play_round(game, states[1], players, 5, 7)


def test_whoever_sits_there_draws_the_same_numbers() -> None:
    game = games()["sticheln"]
    state = dealt(game, 3, one_round(game, 3, {}), 1, 1)
    drawn: list[list[tuple[int, float]]] = []
    for greedy in (False, True):
        seen: list[tuple[int, float]] = []

        def decide(asked: Asked, greedy: bool = greedy, seen: list[Any] = seen) -> Any:
            seen.append((asked.seat, Random(str(asked.rng.getstate())).random()))
            return asked.view.legal_actions[0 if greedy else -1]

        play_round(game, state, [decide] * 3, 1, 1)
        drawn.append(seen[:3])
    assert drawn[0] == drawn[1]


def test_a_round_that_does_not_end_is_given_up() -> None:
    game = games()["kaiserspiel"]
    state = dealt(game, 4, one_round(game, 4, {}), 1, 1)

    class Standing:
        """The game, but nothing that anybody does changes anything."""

        def __getattr__(self, name: str) -> Any:
            return getattr(game, name)

        def apply(self, state: Any, seat: int, action: Any) -> Any:
            return state

    with pytest.raises(Endless):
        play_round(cast(AnyGame, Standing()), state, [randomly] * 4, 1, 1)


def deals() -> Iterator[Scored]:
    """Of three players a, b, b: a has 2 more than whoever had the same cards before."""
    for number in range(40):
        cards = [number % 3, (number + 1) % 5, number % 7]
        yield Scored(
            number,
            tuple(
                tuple(
                    points + 2 * (called == "a") for points, called in zip(cards, row, strict=True)
                )
                for row in line_ups(["a", "b", "b"])
            ),
        )


def test_what_cards_bring_is_taken_out() -> None:
    table = tabled(["a", "b", "b"], (), deals())
    better, base = table.players
    assert (table.deals, table.baseline) == (40, "b")
    assert better.over_seat == Mean(2.0, 0.0)
    assert base.over_seat is None
    assert better.over_others.value == pytest.approx(2.0)
    assert better.points.value - base.points.value == pytest.approx(2.0)
    assert better.firsts.value + 2 * base.firsts.value == pytest.approx(1.0)


def test_the_order_of_the_deals_does_not_matter() -> None:
    assert tabled(["a", "b", "b"], (), deals()) == tabled(["a", "b", "b"], (), list(deals())[::-1])


def test_a_pair_shares_all_points() -> None:
    found = [Scored(n, ((3, 1, 3, 1), (0, 2, 0, 2))) for n in range(5)]
    pair, other = tabled(["a", "b", "a", "b"], ((0, 2), (1, 3)), found).players
    assert pair.share is not None
    assert other.share is not None
    assert pair.share.value == pytest.approx((3 + 3 + 2 + 2) / 12)
    assert pair.share.value + other.share.value == pytest.approx(1.0)
    assert pair.over_others.value == pytest.approx((2 + 2) / 2)
    assert pair.firsts.value == 1.0


def test_an_interval_is_that_of_the_mean() -> None:
    mean = Mean.of([1.0, 3.0, 5.0, 7.0])
    assert mean.value == 4.0
    assert mean.within == pytest.approx(1.96 * sqrt(20 / 3) / 2)
    assert Mean.of([1.0]).within == float("inf")


def test_who_sits_there_most_often_is_the_measure() -> None:
    assert baseline_of(["a", "b", "c", "b"]) == "b"
    assert baseline_of(["a", "b"]) == "b"


def test_a_gap_is_closed_only_where_there_is_one() -> None:
    def level(mean: int) -> Figures:
        points = [Scored(n, ((n % 2 + mean, 0), (0, n % 2 + mean))) for n in range(50)]
        return tabled(["x", "b"], (), points).players[0]

    gap = gap_closed(level(3), level(1), level(5))
    assert gap is not None
    assert gap.value == pytest.approx(0.5)
    assert gap_closed(level(1), level(1), level(1)) is None
