"""Computer players that search (playouts in random worlds), and those that do not."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any, Final, NamedTuple

from engine.game import AnyGame, Observation
from engine.players.chance import chance_of
from engine.players.compiled import COMPILED, Ints, ints
from engine.players.kit import GUIDED, Begin, Kit, Question, Tried
from engine.players.player import Budget, Decision, Estimate

BESIDE: Final = 5
"""Number of actions beside the best that whoever compares has looked at, but for one more that
people think of first."""

SLICE: Final = 100 if COMPILED else 10
"""Playouts between two looks at the clock: interpreted, a hundred would take half a second."""


class Searcher(NamedTuple):
    """The move whose playouts end best."""

    kit: Kit
    way: int
    """`FLAT`: every move equally often, random to the end; `GUIDED`: UCB, by the rules of thumb."""
    weighed: bool = False
    """Whether worlds are weighed by what the others did, in games where that pays, and nothing
    silly is looked at."""
    beside: int = 0
    """Minimum number of playouts of the next `BESIDE` and an obvious one, beyond the budget, for
    whoever compares; the first of them also gets a quarter of those of the best, the others a
    twentieth."""

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        return self.search(view, budget, rng)

    def search(
        self, view: Observation, budget: Budget, rng: Random, begin: Begin | None = None
    ) -> Decision:
        """What playouts say; they begin there, or in worlds.  A single move is not looked at."""
        kit, asked = self.kit, self.kit.question(view)
        if self.weighed:
            asked = asked.sensible()
        if len(asked.moves) == 1:
            return Decision(asked.actions[0])
        if begin is None:
            begin = Begin(walk=ints(kit.room(asked))) if self.weighed else Begin()
        tried, r = Tried.of(asked.moves), chance_of(rng)
        done = 0
        while done < budget.playouts and (done < budget.least or budget.more()):
            now = min(SLICE, budget.playouts - done)
            kit.search(asked, begin, tried, now, self.way, r)
            done += now
        if not done:
            return GreedyPlayer(kit).decide(view, budget, rng)
        self._look_beside(asked, begin, tried, budget, r)
        found = [
            Estimate(
                action,
                float(value / visits),
                float(won / visits),
                int(visits),
                float(takes / visits) if asked.exchange else None,
            )
            for action, visits, value, won, takes in zip(asked.actions, *tried[1:], strict=True)
            if visits
        ]
        most_visits = self.way == GUIDED
        found.sort(key=lambda one: (one.visits, one.value) if most_visits else (one.value, 0))
        found.reverse()
        pointless = kit.pointless(view)
        found = [one for one in found if one.action not in pointless] or found
        thumb = asked.actions[kit.greedy(asked.known, asked.moves, r)]
        return Decision(found[0].action, tuple(found), thumb)

    def _look_beside(
        self, asked: Question, begin: Begin, tried: Tried, budget: Budget, r: Ints
    ) -> None:
        """Adds playouts of the next best, and of what people think of first: where one is far
        better, the others are hardly tried."""
        if not self.beside:
            return
        best, *others = sorted(range(len(tried.moves)), key=lambda at: -tried.visits[at])
        obvious, looked = self.kit.obvious(asked), others[:BESIDE]
        if obvious.isdisjoint((best, *looked)):
            looked += [at for at in others if at in obvious][:1]
        for place, at in enumerate(looked):
            if place and not budget.more():
                break
            share = 20 if place else 4
            wanted = max(self.beside, -(-int(tried.visits[best]) // share))
            missing = wanted - int(tried.visits[at])
            # It must not become the best by that.
            if missing > 0 and tried.visits[best] > wanted:
                alone = Tried.of((asked.moves[at],))
                self.kit.search(asked, begin, alone, missing, self.way, r)
                tried.visits[at] += alone.visits[0]
                tried.sums[at] += alone.sums[0]
                tried.wins[at] += alone.wins[0]
                tried.takes[at] += alone.takes[0]


class Strong(NamedTuple):
    """The strongest there is: the search where that pays, the rules of thumb elsewhere."""

    kit: Kit

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        if self.kit.pays(self.kit.question(view).known):
            more = replace(budget, playouts=self.kit.effort * budget.playouts)
            return Searcher(self.kit, GUIDED, weighed=True).decide(view, more, rng)
        return GreedyPlayer(self.kit).decide(view, budget, rng)


class Cheater(NamedTuple):
    """A search in the deal as it is: what knowing all cards would bring.  For measuring."""

    kit: Kit
    state: Any

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        begin = Begin(self.kit.flatten(self.state))
        return Searcher(self.kit, GUIDED).search(view, budget, rng, begin)


# Players that do not search.


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
        at = self.kit.greedy(asked.known, asked.moves, chance_of(rng))
        return Decision(asked.actions[at])


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
        sensible = set(self.kit.question(view).actions) - self.kit.pointless(view)
        same = [one for one in view.legal_actions if one in sensible and self._verb(one) == verb]
        return Decision(rng.choice(same or [meant.action]))

    def _verb(self, action: Any) -> str:
        return self.game.format_action(action).split()[0]
