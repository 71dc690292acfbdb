"""Random playouts of the nearest games of other libraries: one JSON line of plies per second.

Needs open_spiel and rlcard, which the project does not; `tests.bench.playouts` runs it in an
environment of its own.  Deals are made but not counted as plies, as in our own benchmark.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Callable
from time import perf_counter
from typing import Any


def open_spiel() -> Callable[[], int]:
    """A match of `dou_dizhu`, called from Python."""
    import pyspiel

    game: Any = pyspiel.load_game("dou_dizhu")

    def play() -> int:
        state, plies = game.new_initial_state(), 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                even = weights[0] == weights[-1]
                deal = random.choice(outcomes) if even else random.choices(outcomes, weights)[0]
                state.apply_action(deal)
            else:
                state.apply_action(random.choice(state.legal_actions()))
                plies += 1
        return plies

    return play


def rlcard() -> Callable[[], int]:
    """A match of the raw game object of `doudizhu`, without features."""
    import rlcard as library

    game: Any = library.make("doudizhu").game

    def play() -> int:
        (state, _), plies = game.init_game(), 0
        while not game.is_over():
            state, _ = game.step(random.choice(state["actions"]))
            plies += 1
        return plies

    return play


def plies_per_second(play: Callable[[], int], seconds: float) -> float:
    play()
    plies, begun = 0, perf_counter()
    while perf_counter() - begun < seconds:
        plies += play()
    return plies / (perf_counter() - begun)


if __name__ == "__main__":
    length = float(sys.argv[1])
    speeds = {peer.__name__: plies_per_second(peer(), length) for peer in (open_spiel, rlcard)}
    sys.stdout.write(json.dumps(speeds) + "\n")
