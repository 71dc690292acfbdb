"""Players that need only the interface of a game: random, and the default action."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from engine.game import AnyGame, Observation
from engine.players.player import Budget, Decision


class RandomPlayer:
    """Any legal action, each as likely as the others."""

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        return Decision(rng.choice(view.legal_actions))


class DefaultPlayer(NamedTuple):
    """What the clock plays for somebody who does not answer."""

    game: AnyGame

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        return Decision(self.game.default_action(view))
