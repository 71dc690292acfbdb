"""Random matches, action by action."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from engine.game import AnyGame, Options
from engine.playout import play_match


def walk(
    game: AnyGame, seats: int, given: Options, seed: int
) -> Iterator[tuple[Any, int, Any, Any]]:
    """The state before, the seat, the action and the state after."""
    options = game.complete_options(seats, given)
    state = game.initial(seats, options)
    for seat, action in play_match(game, seats, options, Random(seed)):
        after = game.apply(state, seat, action)
        yield state, seat, action, after
        state = after
