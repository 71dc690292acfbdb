"""`Kit`: the interface of a game for searching players, and what the kits of all games share."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from math import log, sqrt
from typing import Any, Final, NamedTuple, Protocol

from engine.players.chance import unit
from engine.players.compiled import COMPILED, Floats, Ints, floats, ints, jit

FLAT = 0
"""How a search goes on: every move equally often, and then any moves to the end of the round."""
GUIDED = 1
"""By the upper confidence bound, and then by the rules of thumb of the game's `policy`."""


class Question(NamedTuple):
    """What a seat is asked, flat: built from its observation and nothing else."""

    known: Ints
    """All that the seat knows, as the game's `worlds` reads it."""
    moves: tuple[int, ...]
    """The moves to look at, as the twin writes them; there is at least one."""
    actions: tuple[Any, ...]
    """The action of the game that each of them means."""
    history: Ints = ints(0)
    """What everybody saw the others do in this round, in order, as the game's `search` reads it:
    which worlds are likely.  Empty where that tells nothing."""
    exchange: bool = False
    """Whether a trick or series is played for right now."""
    worth: Floats = floats(0)
    """What a playout's points are worth where points alone do not tell, as the game's `search`
    reads it; empty elsewhere."""
    silly: frozenset[int] = frozenset()
    """Those of `moves` that a partner would not understand: `strong` leaves them out."""

    def sensible(self) -> Question:
        """The same without the moves of `silly`."""
        kept = [move not in self.silly for move in self.moves]
        moves, actions = compress(self.moves, kept), compress(self.actions, kept)
        return self._replace(moves=tuple(moves), actions=tuple(actions))


class Tried(NamedTuple):
    """The moves that are looked at, and what came of the playouts that began with each."""

    moves: Ints
    visits: Ints
    """How many playouts."""
    sums: Floats
    """What they were worth together."""
    wins: Floats
    """How many of them were won; a first place that is shared counts a share."""
    takes: Ints
    """In how many of them the `Question.exchange` went to the side that is asked."""

    @classmethod
    def of(cls, moves: Sequence[int]) -> Tried:
        count = len(moves)
        return cls(ints(moves), ints(count), floats(count), floats(count), ints(count))


class Begin(NamedTuple):
    """Where playouts begin: if both are empty, in any world that fits what the seat knows."""

    truth: Ints = ints(0)
    """A whole state (`Kit.flatten`)."""
    walk: Ints = ints(0)
    """Room of `Kit.room` numbers for a walk through worlds that are as frequent as they are likely
    after what the others did; all 0 at first, and kept from one slice to the next."""


class Kit(Protocol):
    """The flat twin of a game's rules; `KIT` of its package, whose class inherits from this.

    As it is, all worlds that fit what a seat knows are drawn equally often, and a search pays.
    """

    effort: int = 1
    """Factor by which `strong` makes more playouts than it is given, where more of them pay."""

    def question(self, view: Any) -> Question:
        """What the seat of an observation is asked.  The seat is to act."""

    def greedy(self, known: Ints, moves: Sequence[int], r: Ints) -> int:
        """The index of the move that the rules of thumb choose, from what the seat knows."""

    def search(
        self, asked: Question, begin: Begin, tried: Tried, playouts: int, way: int, r: Ints
    ) -> None:
        """Plays so many rounds to their end, and adds up what came of each move."""

    def room(self, asked: Question) -> int:
        """How many numbers a walk through likely worlds takes; 0 if that does not pay here."""
        return 0

    def pays(self, known: Ints) -> bool:
        """Whether a search plays better here than the rules of thumb, as far as was measured."""
        return True

    def pointless(self, view: Any) -> frozenset[Any]:
        """Actions of whoever is asked that the score of the match speaks against, whatever the
        cards: to give up what loses it at once, to play for more than wins it.

        Nobody chooses them where there is another: rules of thumb know that, and a search may have
        tried them by chance only.
        """
        return frozenset()

    def obvious(self, asked: Question) -> frozenset[int]:
        """Indices of moves that people think of first, good or not: who compares looks at one."""
        return frozenset()

    def flatten(self, state: Any) -> Ints:
        """The twin's state of a state of the game: for tests, and for measuring."""


# Playouts of several moves: which is tried next, and what the end of a round counts for it.


@jit
def next_move(tried: Tried, way: int, spread: float) -> int:
    """The index of the move to try next: one that was never tried, if there is one.

    Else (`FLAT`) the one tried least often, or (`GUIDED`) that with the highest upper confidence
    bound (UCB1), where `spread` is how far values lie apart, as a rule.
    """
    visits = tried.visits
    best = 0
    whole = 0
    for i in range(len(visits)):
        if visits[i] == 0:
            return i
        whole += visits[i]
        if visits[i] < visits[best]:
            best = i
    if way == FLAT:
        return best
    bound = 0.0
    for i in range(len(visits)):
        now = tried.sums[i] / visits[i] + spread * sqrt(log(whole) / visits[i])
        if i == 0 or now > bound:
            best = i
            bound = now
    return best


@jit
def add(tried: Tried, at: int, value: float, won: float, takes: int) -> None:
    """Adds a playout of a move; `takes` is 1 if the exchange went to the side that is asked."""
    tried.visits[at] += 1
    tried.sums[at] += value
    tried.wins[at] += won
    tried.takes[at] += takes


@jit
def add_points(
    tried: Tried, at: int, state: Ints, points: int, seats: int, seat: int, takes: int
) -> None:
    """Adds a playout: a seat's points over the mean of the others, and its share of first place.

    From the slot `points` on, `state` has the points of every seat.
    """
    own = state[points + seat]
    whole = 0
    first = 1
    shared = 0
    for other in range(seats):
        now = state[points + other]
        whole += now
        if now > own:
            first = 0
        if now == own:
            shared += 1
    add(tried, at, own - (whole - own) / (seats - 1), first / shared, takes)


# Walks through worlds (Metropolis), each visited as often as it is likely.
#
# A game's `walk` proposes another deal and adds up how likely what the others did is in each of the
# two.  Likelihoods are logarithms in whole numbers, as everything in a walk is.

FINE: Final = 1 << 20
"""How many whole numbers make 1 of a logarithm."""

BURN: Final = 25
"""Factor: steps before the first world, in steps between two worlds."""
THIN: Final = 20 if COMPILED else 2
"""Steps between two worlds; fewer where each takes its time."""


@jit
def logarithm(likelihood: float) -> int:
    """That of a likelihood above 0, times `FINE`."""
    return int(log(likelihood) * FINE)


@jit
def is_taken(now: int, proposed: int, r: Ints) -> int:
    """1 if the walk goes to the proposed world, 0 if it stays; both are logarithms."""
    if proposed >= now or logarithm(unit(r) + 1e-10) <= proposed - now:
        return 1
    return 0
