"""Duplicate deals: the same cards for everybody, each line-up in every seat."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, TypeAlias

from engine.deal import Seeded
from engine.game import CHANCE, AnyGame, Options, OptionValue, Outcome, Seat

Decide: TypeAlias = Callable[["Asked"], Any]
"""What a seat does: one of its legal actions."""

LONGEST: Final = 10_000
"""Plies after which a round is given up: no player may keep it from ending."""


class Asked(NamedTuple):
    """A seat is asked."""

    state: Any
    """All cards: for whoever measures what knowing them would bring."""
    view: Any
    seat: Seat
    rng: Random
    """Depends on seed, deal, seat and ply only: whoever sits there draws the same numbers."""


class Endless(Exception):
    """A round that did not end."""


def one_round(game: AnyGame, seats: int, given: Options) -> Options:
    """Complete options of the shortest match: its rounds are one where they are counted."""
    counted: Mapping[str, OptionValue] = {
        spec.key: 1 for spec in game.info.options if spec.measures == "rounds"
    }
    return game.complete_options(seats, {**counted, **given})


def dealt(game: AnyGame, seats: int, options: Options, seed: int, deal: int) -> Any:
    """The state after the first deal of a match: equal numbers give equal cards."""
    state = game.initial(seats, options)
    action = game.deal(state, Seeded(Random(f"{seed}|{deal}|cards")))
    return game.apply(state, CHANCE, action)


def play_round(
    game: AnyGame, state: Any, players: Sequence[Decide], seed: int, deal: int
) -> tuple[int, ...]:
    """Points by seat of the round that was just dealt.

    Raises Endless if it does not end.
    """
    for ply in range(LONGEST):
        points: tuple[int, ...] | None = game.round_scores(state)
        if points is not None:
            return points
        seat: Seat = game.actors(state)[0]
        rng = Random(f"{seed}|{deal}|{seat}|{ply}")
        view = game.observe(state, seat)
        action = players[seat](Asked(state, view, seat, rng))
        state = game.apply(state, seat, action)
    raise Endless(f"deal {deal}: no end after {LONGEST} plies")


def line_ups(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Who sits where, by seat: every rotation, each once.

    >>> line_ups(["a", "b", "b"])
    (('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a'))
    >>> line_ups(["a", "b", "a", "b"])
    (('a', 'b', 'a', 'b'), ('b', 'a', 'b', 'a'))
    """
    count = len(names)
    turned = [tuple([names[(seat - by) % count] for seat in range(count)]) for by in range(count)]
    return tuple(dict.fromkeys(turned))


def first(points: Sequence[int], teams: Sequence[Sequence[Seat]] = ()) -> tuple[float, ...]:
    """Who is first, by seat; those who tie share, but not the two of a pair.

    >>> first((3, 9, 9, 1))
    (0.0, 0.5, 0.5, 0.0)
    >>> first((3, 9, 3, 9), ((0, 2), (1, 3)))
    (0.0, 1.0, 0.0, 1.0)
    """
    ranking = Outcome.of(tuple(points)).ranking
    sides = teams or [(seat,) for seat in range(len(points))]
    share = 1 / sum(ranking[side[0]] == 1 for side in sides)
    return tuple([share if place == 1 else 0.0 for place in ranking])
