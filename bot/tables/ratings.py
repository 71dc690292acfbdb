"""Ratings: how strong people are at a game on a server, by openskill's PlackettLuce model.  Pure.

`data/docs/ratings.md` says the same for players.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce, PlackettLuceRating

from bot.ids import UserId
from bot.tables.stored import ResultRow
from engine.game import Seat

PROVISIONAL: Final = 5
"""A rating is provisional until so many matches have gone into it."""

_MODEL: Final = PlackettLuce()
"""With openskill's own parameters."""

_DIGITS: Final = 6
"""Decimals to which ratings are rounded after each match, so that no machine counts otherwise."""


class Rating(NamedTuple):
    """What is believed of a person's strength at a game: a mean, and how far it may be off."""

    mu: float = round(_MODEL.mu, _DIGITS)
    sigma: float = round(_MODEL.sigma, _DIGITS)
    matches: int = 0
    """How many matches have gone into it."""

    @property
    def shown(self) -> float:
        """The number that people read: they are most likely at least as strong as that."""
        return round(self.mu - 3 * self.sigma, 1) + 0.0  # never -0.0

    @property
    def provisional(self) -> bool:
        return self.matches < PROVISIONAL


NEWCOMER: Final = Rating()
"""The rating with which everybody begins."""


class _Side(NamedTuple):
    """Seats that win or lose together, with whoever sits there."""

    rows: tuple[ResultRow, ...]
    """The people for whom the match counts; there is at least one."""
    before: tuple[Rating, ...]
    """Of everybody on this side: first of those people, then of their partners."""

    @property
    def place(self) -> int:
        return min(row.place for row in self.rows)


def rated(
    rows: Sequence[ResultRow], teams: Sequence[Sequence[Seat]], known: Mapping[UserId, Rating]
) -> Mapping[UserId, Rating]:
    """The new ratings after a match of the people for whom it counts; none if all are on one side.

    Partners are a side, in a game without teams everybody is.  A partner for whom the match does
    not count plays with the rating they have, a computer player with a newcomer's, and keeps it.  A
    side came in where the best of its people did; whoever gave the match up, and so stands behind
    their partner, is rated as if their side stood there.
    """
    sides = _sides(rows, teams, known)
    if len(sides) < 2:
        return {}
    places = [side.place for side in sides]
    as_placed = _played(sides, places)
    found: dict[UserId, Rating] = {}
    for number, side in enumerate(sides):
        for member, row in enumerate(side.rows):
            after = as_placed
            if row.place != side.place:
                after = _played(sides, [*places[:number], row.place, *places[number + 1 :]])
            found[row.user] = after[number][member]
    return found


def _sides(
    rows: Sequence[ResultRow], teams: Sequence[Sequence[Seat]], known: Mapping[UserId, Rating]
) -> list[_Side]:
    """The sides with somebody for whom the match counts, in the order of their seats."""
    by_seat = {row.seat: row for row in rows}
    sides = []
    for seats in teams or [(seat,) for seat in sorted(by_seat)]:
        here = [by_seat.get(seat) for seat in seats]
        counting = tuple(row for row in here if row is not None and row.counts)
        others = [row for row in here if row is None or not row.counts]
        if counting:
            users = [row.user for row in counting]
            users += [row.user for row in others if row is not None]
            before = [known.get(user, NEWCOMER) for user in users]
            before += [NEWCOMER] * others.count(None)
            sides.append(_Side(counting, tuple(before)))
    return sides


def _played(sides: Sequence[_Side], places: Sequence[int]) -> list[list[Rating]]:
    """The ratings of all sides after they came in at these places."""
    teams = [[_MODEL.rating(one.mu, one.sigma) for one in side.before] for side in sides]
    after = _MODEL.rate(teams, ranks=[float(place) for place in places])
    return [
        [_rounded(new, old.matches + 1) for new, old in zip(team, side.before, strict=True)]
        for team, side in zip(after, sides, strict=True)
    ]


def _rounded(new: PlackettLuceRating, matches: int) -> Rating:
    return Rating(round(new.mu, _DIGITS), round(new.sigma, _DIGITS), matches)
