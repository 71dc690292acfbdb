"""Duplicate deals: the same cards for everybody, each line-up in every seat; their figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import sqrt
from random import Random
from statistics import fmean, pstdev, stdev
from typing import Any, Final, NamedTuple, TypeAlias

from engine.deal import Seeded
from engine.game import CHANCE, AnyGame, Options, OptionValue, Outcome, Seat

Decide: TypeAlias = Callable[["Asked"], Any]
"""What a seat does: one of its legal actions."""

LONGEST: Final = 10_000
"""Plies after which a round is given up: no player may keep it from ending."""


class Asked(NamedTuple):
    """A seat is asked."""

    state: Any
    """All cards: for whoever measures what knowing them would bring."""
    view: Any
    seat: Seat
    rng: Random
    """Depends on seed, deal, seat and ply only: whoever sits there draws the same numbers."""


class Endless(Exception):
    """A round that did not end."""


def one_round(game: AnyGame, seats: int, given: Options) -> Options:
    """Complete options of the shortest match: its rounds are one where they are counted."""
    counted: Mapping[str, OptionValue] = {
        spec.key: 1 for spec in game.info.options if spec.measures == "rounds"
    }
    return game.complete_options(seats, {**counted, **given})


def dealt(game: AnyGame, seats: int, options: Options, seed: int, deal: int) -> Any:
    """The state after the first deal of a match: equal numbers give equal cards."""
    state = game.initial(seats, options)
    action = game.deal(state, Seeded(Random(f"{seed}|{deal}|cards")))
    return game.apply(state, CHANCE, action)


def play_round(
    game: AnyGame, state: Any, players: Sequence[Decide], seed: int, deal: int
) -> tuple[int, ...]:
    """Points by seat of the round that was just dealt.

    Raises Endless if it does not end.
    """
    for ply in range(LONGEST):
        points: tuple[int, ...] | None = game.round_scores(state)
        if points is not None:
            return points
        seat: Seat = game.actors(state)[0]
        rng = Random(f"{seed}|{deal}|{seat}|{ply}")
        view = game.observe(state, seat)
        action = players[seat](Asked(state, view, seat, rng))
        state = game.apply(state, seat, action)
    raise Endless(f"deal {deal}: no end after {LONGEST} plies")


def line_ups(names: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Who sits where, by seat: every rotation, each once.

    >>> line_ups(["a", "b", "b"])
    (('a', 'b', 'b'), ('b', 'a', 'b'), ('b', 'b', 'a'))
    >>> line_ups(["a", "b", "a", "b"])
    (('a', 'b', 'a', 'b'), ('b', 'a', 'b', 'a'))
    """
    count = len(names)
    turned = [tuple([names[(seat - by) % count] for seat in range(count)]) for by in range(count)]
    return tuple(dict.fromkeys(turned))


def first(points: Sequence[int], teams: Sequence[Sequence[Seat]] = ()) -> tuple[float, ...]:
    """Who is first, by seat; those who tie share, but not the two of a pair.

    >>> first((3, 9, 9, 1))
    (0.0, 0.5, 0.5, 0.0)
    >>> first((3, 9, 3, 9), ((0, 2), (1, 3)))
    (0.0, 1.0, 0.0, 1.0)
    """
    ranking = Outcome.of(tuple(points)).ranking
    sides = teams or [(seat,) for seat in range(len(points))]
    share = 1 / sum(ranking[side[0]] == 1 for side in sides)
    return tuple([share if place == 1 else 0.0 for place in ranking])


# Statistics.

SURE: Final = 1.96
"""Standard errors of a 95 % interval."""


class Mean(NamedTuple):
    """A mean, and half its 95 % interval."""

    value: float
    within: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        if len(values) < 2:
            return cls(fmean(values), float("inf"))
        return cls(fmean(values), SURE * stdev(values) / sqrt(len(values)))

    @classmethod
    def of_ratio(cls, parts: Sequence[float], wholes: Sequence[float]) -> Mean:
        """Of all parts together to all wholes together, which are not 0."""
        whole = sum(wholes)
        ratio = sum(parts) / whole
        rest = [part - ratio * each for part, each in zip(parts, wholes, strict=True)]
        within = SURE * stdev(rest) * sqrt(len(rest)) / whole if len(rest) > 1 else float("inf")
        return cls(ratio, within)

    def over(self, unit: float) -> Mean:
        return self if not unit else Mean(self.value / unit, self.within / unit)


class Figures(NamedTuple):
    """What one player came to; the deal is the unit."""

    name: str
    points: Mean
    firsts: Mean
    """Share of first places of one seat, ties between sides shared."""
    over_others: Mean
    """Points over the mean of those who do not play on the same side."""
    over_seat: Mean | None
    """Points over what the baseline made of the same cards; None for the baseline itself."""
    share: Mean | None
    """Of all points, where pairs play: 0.5 by chance.  Deals without points do not count."""


class Standings(NamedTuple):
    """All players of a line-up."""

    deals: int
    sd: float
    """Standard deviation of one seat's points in a round."""
    baseline: str
    players: tuple[Figures, ...]


class Scored(NamedTuple):
    """Points by seat of one deal, a row for every one of `line_ups`."""

    number: int
    points: tuple[tuple[int, ...], ...]


def baseline_of(names: Sequence[str]) -> str:
    """Whoever sits there most often; of several the one that is named last."""
    counted = Counter(names)
    return max(reversed(names), key=lambda name: counted[name])


def tabled(
    names: Sequence[str], teams: Sequence[Sequence[int]], deals: Iterable[Scored]
) -> Standings:
    """What the line-up `names` came to in `deals`, of which there is at least one."""
    ordered = sorted(deals)
    base = baseline_of(names)
    everything = [points for deal in ordered for row in deal.points for points in row]
    found = [_figures(name, base, names, teams, ordered) for name in dict.fromkeys(names)]
    return Standings(len(ordered), pstdev(everything), base, tuple(found))


def _figures(
    name: str,
    base: str,
    names: Sequence[str],
    teams: Sequence[Sequence[int]],
    deals: list[Scored],
) -> Figures:
    mine, usual = _seats(name, names), _seats(base, names)
    points, firsts, others, over, wholes = [], [], [], [], []
    for deal in deals:
        rows = deal.points
        points.append(fmean(rows[at][seat] for at, seat in mine))
        firsts.append(fmean(first(rows[at], teams)[seat] for at, seat in mine))
        others.append(fmean(_over_others(rows[at], seat, teams) for at, seat in mine))
        over.append(
            fmean(
                rows[at][seat] - fmean(rows[other][seat] for other, place in usual if place == seat)
                for at, seat in mine
            )
        )
        wholes.append(float(sum(map(sum, rows))))
    share = None
    if teams and any(wholes):
        share = Mean.of_ratio([value * len(mine) for value in points], wholes)
    return Figures(
        name,
        Mean.of(points),
        Mean.of(firsts),
        Mean.of(others),
        None if name == base else Mean.of(over),
        share,
    )


def _seats(name: str, names: Sequence[str]) -> list[tuple[int, Seat]]:
    """Of whoever is called so: which of the line-ups, and where."""
    return [
        (at, seat)
        for at, line_up in enumerate(line_ups(names))
        for seat, called in enumerate(line_up)
        if called == name
    ]


def _over_others(points: Sequence[int], seat: int, teams: Sequence[Sequence[int]]) -> float:
    side = next((team for team in teams if seat in team), (seat,))
    return points[seat] - fmean(each for at, each in enumerate(points) if at not in side)


def gap_closed(of: Figures, low: Figures, high: Figures) -> Mean | None:
    """How much of the way from `low` to `high` is made; None if that way is not significant.

    All three against the same others on the same deals.
    """
    way = high.over_others.value - low.over_others.value
    unsure = sqrt(high.over_others.within**2 + low.over_others.within**2)
    if way <= unsure:
        return None
    gained = of.over_others.value - low.over_others.value
    within = sqrt(of.over_others.within**2 + low.over_others.within**2)
    return Mean(gained / way, within / way)
