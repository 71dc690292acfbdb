"""Players that do not search: random, the default action, rules of thumb, and those with slips."""

from __future__ import annotations

from random import Random
from typing import Any, Final, NamedTuple

from engine.game import AnyGame, Observation
from engine.players.chance import chance_of
from engine.players.kit import Kit
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


class GreedyPlayer(NamedTuple):
    """Rules of thumb, without any playout."""

    kit: Kit

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        asked = self.kit.question(view)
        chosen = self.kit.greedy(asked.known, asked.moves, chance_of(rng))
        return Decision(asked.actions[chosen])


SLIP: Final = 0.2
"""How often it does not look."""


class SlippingPlayer(NamedTuple):
    """Rules of thumb, and now and then any card, as people make mistakes: level *easy*.

    A slip is of the same kind as what the rules of thumb say (what has the same verb in the
    notation): whoever does not look plays a wrong card, and yet neither raises nor passes when
    others would not.
    """

    game: AnyGame
    kit: Kit

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        meant = GreedyPlayer(self.kit).decide(view, budget, rng)
        if rng.random() >= SLIP:
            return meant
        verb = self._verb(meant.action)
        same = [one for one in self.kit.question(view).actions if self._verb(one) == verb]
        return Decision(rng.choice(same))

    def _verb(self, action: Any) -> str:
        return self.game.format_action(action).split()[0]
