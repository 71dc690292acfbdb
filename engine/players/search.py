"""Searching players: playouts in random worlds, by the kit of a game."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

from engine.game import Observation
from engine.players.chance import chance_of
from engine.players.compiled import COMPILED, Ints, ints
from engine.players.kit import BY_BOUND, EVENLY, GREEDY, RANDOM, Kit, Tried
from engine.players.player import Budget, Decision, Estimate

SLICE: Final = 100 if COMPILED else 10
"""Playouts between two looks at the clock: interpreted, a hundred would take half a second."""


class GreedyPlayer(NamedTuple):
    """Rules of thumb, without any playout."""

    kit: Kit

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        asked = self.kit.question(view)
        chosen = self.kit.greedy(asked.known, asked.moves, chance_of(rng))
        return Decision(asked.actions[chosen])


class Searcher(NamedTuple):
    """The move whose playouts end best."""

    kit: Kit
    policy: int
    choose: int
    weighed: bool = False
    """Whether worlds are weighed by what the others did, in games where that pays, and nothing
    silly is looked at."""

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        return searched(self, view, ints(0), budget, rng)


class Strong(NamedTuple):
    """The strongest there is: the search where that pays, the rules of thumb elsewhere."""

    kit: Kit

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        if self.kit.pays(self.kit.question(view).known):
            more = replace(budget, playouts=self.kit.effort * budget.playouts)
            return Searcher(self.kit, GREEDY, BY_BOUND, weighed=True).decide(view, more, rng)
        return GreedyPlayer(self.kit).decide(view, budget, rng)


class Cheater(NamedTuple):
    """The same search in the deal as it is: what knowing all cards would bring.  For measuring."""

    searcher: Searcher
    state: Any

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        truth = self.searcher.kit.flatten(self.state)
        return searched(self.searcher, view, truth, budget, rng)


def pimc(kit: Kit) -> Searcher:
    """Flat Monte Carlo: every move equally often, random to the end."""
    return Searcher(kit, RANDOM, EVENLY)


def guided(kit: Kit) -> Searcher:
    """UCB over playouts by the rules of thumb."""
    return Searcher(kit, GREEDY, BY_BOUND)


def searched(
    searcher: Searcher, view: Observation, truth: Ints, budget: Budget, rng: Random
) -> Decision:
    """What the search says; a single move is not looked at."""
    kit, asked = searcher.kit, searcher.kit.question(view)
    if searcher.weighed:
        asked = asked.sensible()
    if len(asked.moves) == 1:
        return Decision(asked.actions[0])
    tried, r = Tried.of(asked.moves), chance_of(rng)
    walk = ints(kit.room(asked) if searcher.weighed else 0)
    done = 0
    while done < budget.playouts and (done < budget.least or budget.more()):
        now = min(SLICE, budget.playouts - done)
        if len(walk):
            kit.weighed(asked, walk, tried, now, r)
        else:
            kit.search(asked.known, truth, tried, now, searcher.policy, searcher.choose, r)
        done += now
    if not done:
        return Decision(asked.actions[kit.greedy(asked.known, asked.moves, r)])
    found = [
        Estimate(action, float(value / visits), float(won / visits), int(visits))
        for action, visits, value, won in zip(asked.actions, *tried[1:], strict=True)
        if visits
    ]
    found.sort(key=lambda one: (one.visits, one.value) if searcher.choose else (one.value, 0))
    found.reverse()
    return Decision(found[0].action, tuple(found))
