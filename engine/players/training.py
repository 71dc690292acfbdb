"""Training of weights by play against a population.

The population is random play, the rules as they are written, past means of the training, and
perturbed ones, so that what is found is not tuned to one opponent.  All variants of a generation
play the same deals with the same random numbers.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from statistics import fmean, pstdev
from typing import Any, Final, NamedTuple, Protocol, TypeGuard

from engine.game import AnyGame
from engine.players.chance import chance_of
from engine.players.compiled import Floats, Ints, floats, ints
from engine.players.duel import dealt, first, one_round
from engine.players.evolving import Evolution, Vector, begun, varied

DEALS: Final = 20
"""Of each generation for every kind of opponents and every number of seats; each is played from
every seat."""
SINCE: Final = 10
"""Generations from one past mean that is kept to the next."""
KEPT: Final = 12
"""Past means, at most: every other one is dropped when there are more."""
PERTURBED: Final = 2.0
"""How far a perturbed opponent lies from the mean, in spreads of what is varied."""

TRAINED = "playouts.txt"
"""The file in a game's package that a training ends with."""

ANY: Final = -1
"""In place of a row of weights: random play."""
KINDS: Final = ("random", "greedy", "past", "perturbed", "mixed")
"""Who the others at a table are."""


class Trainable(Protocol):
    """A kit whose rules of thumb go by weights."""

    names: tuple[str, ...]
    """Of the weights, in order."""
    weights: Vector
    """As the rules of thumb go by them."""

    def flatten(self, state: Any) -> Ints:
        """The twin's state of a state of the game."""

    def points_by(self, state: Ints, rows: Ints, weights: Floats, r: Ints) -> Sequence[int]:
        """Points by seat of a round that is played to its end, in place.

        Each seat plays by its row of `weights`, one row after the other in one vector, or `ANY`.
        """


def is_trainable(kit: object) -> TypeGuard[Trainable]:
    return hasattr(kit, "points_by")


class Training(NamedTuple):
    """All that a training goes on from."""

    evolution: Evolution
    past: tuple[Vector, ...]
    """Earlier means, the oldest first."""


class Round(NamedTuple):
    """One round that all variants play."""

    kind: str
    """One of KINDS."""
    state: list[int]
    """Flat, just dealt."""
    seat: int
    """Where the variant sits."""
    rows: list[int]
    """By seat; the variant itself is row 0."""
    chance: list[int]


class Generation(NamedTuple):
    """What the variants of a generation play."""

    rounds: tuple[Round, ...]
    others: tuple[Vector, ...]
    """Rows 1, 2, … of the weights."""
    places: bool
    """Whether first places count, not points: in games whose winner alone scores."""


def trained_from(kit: Trainable) -> Training:
    """The beginning of a training: the rules of thumb as they are."""
    return Training(begun(kit.weights), ())


def generation(game: AnyGame, kit: Trainable, now: Training, seed: int) -> Generation:
    """The deals of the next generation, and who sits there: equal seeds give equal ones."""
    evolution = now.evolution
    rng = Random(f"{seed}|{evolution.generation}|deals")
    past = list(now.past) or [kit.weights]
    perturbed = [varied(evolution, rng, PERTURBED) for _ in range(3)]
    others = (kit.weights, *past, *perturbed)
    rows = {
        "random": [ANY],
        "greedy": [1],
        "past": list(range(2, 2 + len(past))),
        "perturbed": list(range(2 + len(past), 1 + len(others))),
    }
    rows["mixed"] = [rng.choice(rows[kind]) for kind in KINDS[:-1]]
    rounds = []
    for number, seats in enumerate(game.info.seats * DEALS):
        given = {each.key: rng.choice(each.values) for each in game.info.options if each.values}
        options = one_round(game, seats, given)
        for kind in KINDS:
            at = (evolution.generation * len(KINDS) + KINDS.index(kind)) * 1_000 + number
            state = [int(each) for each in kit.flatten(dealt(game, seats, options, seed, at).state)]
            table = [rng.choice(rows[kind]) for _ in range(seats)]
            for seat in range(seats):
                seated = [0 if each == seat else table[each] for each in range(seats)]
                rounds.append(Round(kind, state, seat, seated, list(map(int, chance_of(rng)))))
    return Generation(tuple(rounds), others, game.info.hinted == "won")


def gained(kit: Trainable, played: Generation, variant: Vector) -> list[float]:
    """Points over the mean of the others (or first places) that a variant comes to, by round."""
    weights = floats([number for row in (variant, *played.others) for number in row])
    found = []
    for each in played.rounds:
        points = kit.points_by(ints(each.state), ints(each.rows), weights, ints(each.chance))
        mine = points[each.seat]
        over = mine - (sum(points) - mine) / (len(points) - 1)
        found.append(first(points)[each.seat] if played.places else over)
    return found


def values(played: Generation, gains: Sequence[Sequence[float]]) -> list[float]:
    """What each variant is worth: the mean over all kinds of opponents and numbers of seats of what
    it gained, each in standard deviations of what a seat gains there.
    """
    tables = dict.fromkeys((each.kind, len(each.rows)) for each in played.rounds)
    found = [0.0] * len(gains)
    for table in tables:
        where = [
            at for at, each in enumerate(played.rounds) if (each.kind, len(each.rows)) == table
        ]
        unit = pstdev(gain[at] for gain in gains for at in where) or 1.0
        for number, gain in enumerate(gains):
            found[number] += fmean(gain[at] for at in where) / unit / len(tables)
    return found


def gone_on(now: Training, evolution: Evolution) -> Training:
    """The training after one more generation: now and then the mean joins the population."""
    past = now.past
    if evolution.generation % SINCE == 0:
        past = (*past, evolution.mean)
        if len(past) > KEPT:
            past = past[::2]
    return Training(evolution, past)


def written(names: Sequence[str], weights: Sequence[float]) -> str:
    """The text of a file with these weights.

    >>> written(["high", "low"], [1.25, -3.0])
    'high 1.25\\nlow -3.0\\n'
    """
    return "".join(f"{name} {weight!r}\n" for name, weight in zip(names, weights, strict=True))
