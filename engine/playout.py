"""Uniformly random play of any game, through its public interface only."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.deal import draw_from
from engine.game import CHANCE, AnyGame, Json, Options, Seat
from engine.record import record


def play_match(game: AnyGame, seats: int, options: Options, rng: Random) -> list[tuple[Seat, Any]]:
    """One match of random play; `options` complete.  Equal generators play equal matches."""
    log: list[tuple[Seat, Any]] = []
    state = game.initial(seats, options)
    draw = draw_from(rng)
    while actors := game.actors(state):
        seat = actors[0] if len(actors) == 1 else actors[draw(len(actors))]
        if seat == CHANCE:
            action = game.deal(state, draw)
        else:
            legal = game.legal_actions(state, seat)
            action = legal[draw(len(legal))]
        state = game.apply(state, seat, action)
        log.append((seat, action))
    return log


def random_plies(game: AnyGame, seats: int, options: Options, rng: Random) -> int:
    """Number of plies of one such match (deals not counted), keeping nothing: for benchmarks."""
    actors_of, legal_actions, apply = game.actors, game.legal_actions, game.apply
    random = rng.random
    draw = draw_from(rng)
    state = game.initial(seats, options)
    plies = 0
    while actors := actors_of(state):
        seat = actors[0] if len(actors) == 1 else actors[int(random() * len(actors))]
        if seat == CHANCE:
            state = apply(state, CHANCE, game.deal(state, draw))
        else:
            legal = legal_actions(state, seat)
            state = apply(state, seat, legal[int(random() * len(legal))])
            plies += 1
    return plies


def simulate(
    game: AnyGame, seats: int, options: Options, seed: int, matches: int, *, legal: bool = False
) -> Iterator[dict[str, Json]]:
    """Records of random matches; the k-th depends on `seed` and k only."""
    complete = game.complete_options(seats, options)
    for number in range(matches):
        rng = Random(f"{seed}/{number}")  # noqa: S311 - a seed is to repeat it, not to hide it
        log = play_match(game, seats, complete, rng)
        yield record(game, seats, complete, log, legal=legal)
