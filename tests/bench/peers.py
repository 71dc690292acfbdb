"""Random playouts of the nearest games of other libraries, measured on demand.

Reads lines `name seconds` and answers each with its plies per second of processor time.  Needs
open_spiel, rlcard and jass-kit, which the project does not; `tests.bench.playouts` runs it in an
environment of its own, and so it needs nothing of ours.  Deals are made but not counted as plies,
as in our own benchmarks.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from time import process_time
from typing import Any, TypeAlias

Play: TypeAlias = Callable[[], int]
"""Plays a match, or some of them, and returns the plies."""


def open_spiel(name: str) -> Play:
    """A match of an OpenSpiel game, called from Python."""
    import pyspiel

    game: Any = pyspiel.load_game(name)

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


def rlcard() -> Play:
    """A match of the raw game object of RLCard's `doudizhu`, without features."""
    import rlcard as library

    game: Any = library.make("doudizhu").game

    def play() -> int:
        (state, _), plies = game.init_game(), 0
        while not game.is_over():
            state, _ = game.step(random.choice(state["actions"]))
            plies += 1
        return plies

    return play


def jass_kit() -> Play:
    """A round of Swiss Jass (Schieber) of jass-kit."""
    from jass.game.game_sim import GameSim
    from jass.game.game_util import deal_random_hand
    from jass.game.rule_schieber import RuleSchieber

    rule: Any = RuleSchieber()

    def play() -> int:
        game: Any = GameSim(rule)
        game.init_from_cards(hands=deal_random_hand(), dealer=0)
        game.action_trump(random.randrange(6))
        plies = 1
        while not game.is_done():
            (valid,) = rule.get_valid_cards_from_state(game.state).nonzero()
            game.action_play_card(random.choice(valid.tolist()))
            plies += 1
        return plies

    return play


PEERS: Mapping[str, Callable[[], Play]] = {
    "dou_dizhu": lambda: open_spiel("dou_dizhu"),
    "hearts": lambda: open_spiel("hearts(pass_cards=false)"),
    "spades": lambda: open_spiel("spades"),
    "rlcard": rlcard,
    "jass-kit": jass_kit,
}


def plies_per_second(play: Play, seconds: float) -> float:
    plies, begun = 0, process_time()
    while process_time() - begun < seconds:
        plies += play()
    return plies / (process_time() - begun)


def serve(players: Mapping[str, Callable[[], Play]]) -> None:
    """Answers lines until there are no more; who plays is made when it is named first."""
    ready: dict[str, Play] = {}
    for line in sys.stdin:
        name, seconds = line.split()
        if name not in ready:
            ready[name] = players[name]()
            ready[name]()  # builds what the library builds once
        sys.stdout.write(f"{plies_per_second(ready[name], float(seconds))}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    serve(PEERS)
