"""`BaseGame`: what most games do alike, from a few parts that each has of its own."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, Protocol, TypeVar, cast

from engine import options
from engine.game import GameInfo, Json, Options, Outcome, RuleError, Seat


class Totals(Protocol):
    """What everybody knows of a round."""

    @property
    def scores(self) -> tuple[int, ...]:
        """Totals of the completed rounds, by seat."""

    @property
    def points(self) -> tuple[int, ...] | None:
        """Points of this round, by seat, once it is completed."""


class InRounds(Protocol):
    """The state of a match."""

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Seats that may act now, ascending; CHANCE if a deal is due, nobody at the end."""

    @property
    def round(self) -> Totals:
        """The round that is played, or was completed last."""


S = TypeVar("S", bound=InRounds)
M = TypeVar("M")
D = TypeVar("D")
V = TypeVar("V")


class BaseGame(ABC, Generic[S, M, D, V]):
    """A game by its states, moves, deals and views; it adds the rest of `Game`.

    What a method means stands there.
    """

    info: GameInfo
    deal_type: type[D]
    """The type of the chance action; every other action is a move."""

    @abstractmethod
    def refusal(self, state: S, seat: Seat, action: M | D) -> RuleError | None:
        """What is wrong with an action; None if it is legal."""

    @abstractmethod
    def after(self, state: S, seat: Seat, action: M | D) -> S:
        """The state after a legal action."""

    @abstractmethod
    def move_text(self, move: M, /) -> str:
        """The canonical notation of a move."""

    @abstractmethod
    def deal_json(self, deal: D) -> Json:
        """The `deal` of a record."""

    def complete_options(self, seats: int, given: Options) -> Options:
        return options.complete_options(self.info, seats, given)

    def actors(self, state: S) -> tuple[Seat, ...]:
        return state.actors

    def is_legal(self, state: S, seat: Seat, action: M | D) -> bool:
        return self.refusal(state, seat, action) is None

    def apply(self, state: S, seat: Seat, action: M | D) -> S:
        refused = self.refusal(state, seat, action)
        if refused is not None:
            raise refused
        return self.after(state, seat, action)

    def outcome(self, state: S) -> Outcome | None:
        return None if state.actors else Outcome.of(state.round.scores)

    def scores(self, state: S) -> tuple[int, ...]:
        return state.round.scores

    def round_scores(self, state: S) -> tuple[int, ...] | None:
        return state.round.points

    def format_action(self, action: M | D) -> str:
        if isinstance(action, self.deal_type):
            raise TypeError("a deal is written as JSON")
        return self.move_text(cast(M, action))  # mypy does not narrow by what stands in a variable

    def deal_to_json(self, action: M | D) -> Json:
        if not isinstance(action, self.deal_type):
            raise TypeError("not a deal")
        return self.deal_json(action)

    def standing_action(self, view: V) -> M | None:
        """There is none."""
        return None
