"""`Player`: a computer player decides from one observation, within a budget."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from engine.game import Observation

FEW: Final = 20
"""Minimum number of playouts for which a figure is told."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long a player may think."""

    playouts: int = 1_000
    """Maximum number of playouts."""
    more: Callable[[], bool] = lambda: True
    """Asked between slices of playouts: whether there is time left."""
    least: int = 0
    """Number of playouts that are made even if there is no time left."""


class Estimate(NamedTuple):
    """What a player thinks of one action."""

    action: Any
    value: float
    """Mean of the playouts: points over the mean of the others (a pair: over the other pair)."""
    won: float
    """Share of the playouts that end with this seat (or pair) first, ties shared."""
    visits: int
    takes: float | None = None
    """Share of those in which it takes the present trick or series; None if there is none."""


class Decision(NamedTuple):
    """What a player does, and what else it looked at, the best first."""

    action: Any
    estimates: tuple[Estimate, ...] = ()
    thumb: Any = None
    """What the rules of thumb choose among those; None if they were not asked."""

    @property
    def playouts(self) -> int:
        return sum(estimate.visits for estimate in self.estimates)


class Considered(NamedTuple):
    """What a player told of one action: an `Estimate` with its notation."""

    text: str
    """Its notation; it is legal."""
    value: float = 0.0
    """Points over the mean of the others (a pair: over the other pair), in the mean."""
    won: float = 0.0
    """Share of the deals looked at in which this seat (or pair) is first."""
    visits: int = 0
    """Number of deals looked at; if 0, the figures say nothing."""
    takes: float | None = None
    """Share of them in which this seat (or pair) takes the present trick or series; None if there
    is none."""
    thumb: bool = False
    """Whether the rules of thumb choose it."""

    def __repr__(self) -> str:
        """Without its content, which is as secret as the hand."""
        return f"Considered({self.visits})"


class Player(Protocol):
    """Decides for a seat that is to act.

    Two observations that are equal give equal decisions for equal generators and playouts.
    """

    def decide(self, view: Observation, budget: Budget, rng: Random) -> Decision:
        """One of the legal actions of the observation."""
