"""`stammtisch bench playouts`: how fast the engine plays by its public interface."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from time import perf_counter

from engine.game import CHANCE, AnyGame
from engine.playout import play_match


def playouts(
    game: AnyGame,
    seats: int,
    seconds: float,
    clock: Callable[[], float] = perf_counter,
    unless: frozenset[str] = frozenset(),
) -> dict[str, str | float]:
    """Play whole random matches for at least `seconds` of `clock`; only seats' actions count as
    plies.

    A first match, not counted, builds what the game builds once.  Actions whose notation is in
    `unless` are never chosen.
    """
    options = game.complete_options(seats, {})
    rng = Random(0)
    never = frozenset(map(game.parse_action, unless))
    play_match(game, seats, options, rng, unless=never)
    plies = matches = 0
    begun = clock()
    while (spent := clock() - begun) < seconds or not matches:
        log = play_match(game, seats, options, rng, unless=never)
        plies += sum(seat != CHANCE for seat, _ in log)
        matches += 1
    return {
        "game": game.info.id,
        "seats": seats,
        "plies_per_s": round(plies / spent, 1),
        "matches_per_s": round(matches / spent, 2),
        "plies_per_match": round(plies / matches, 2),
    }
