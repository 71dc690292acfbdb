"""`Figures` of one person in a match that is over, from its log.  Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

from bot.tables.stored import Actor, Entry, StoredTable, standing
from engine.game import Seat

_IN_PERSON = (Actor.PERSON, Actor.CLOCK, Actor.CLOCK_AWAY)
"""Who brings the answer where a person is asked."""


class Figures(NamedTuple):
    """What is remembered of a match for somebody who played it to its end."""

    best_round: int | None
    """Most points of a complete round; None without any."""
    worst_round: int | None
    deficit: int
    """Most points that they lay behind after a round of a match that they have won; else 0."""
    hints: int
    """Questions at which they took one."""
    asked: int
    """Decisions that were theirs, at a table with a clock."""
    in_time: int
    """Those that they answered before their time was up."""


def figures(
    stored: StoredTable, rounds: Sequence[Sequence[int]], log: Sequence[Entry]
) -> Mapping[Seat, Figures]:
    """By seat, of everybody who began the match and sat there at its end, and was not away.

    Of others it is not known which rounds and answers were theirs.
    """
    outcome, seating = stored.outcome, stored.seating
    if outcome is None:
        return {}
    clocked = stored.timing.pace.time is not None
    found = {}
    for seat, person in seating.beginners.items():
        place = seating.places[seat]
        if place.person is None or place.person.id != person.id or place.away:
            continue
        points = [one[seat] for one in rounds]
        mine = (e.by for e in standing(log) if e.seat == seat and e.by in _IN_PERSON)
        answers = [*mine] if clocked else []
        hinted = stored.hinted.get(person.id)
        found[seat] = Figures(
            max(points, default=None),
            min(points, default=None),
            _deficit(rounds, seat) if outcome.ranking[seat] == 1 else 0,
            0 if hinted is None else hinted.taken,
            len(answers),
            answers.count(Actor.PERSON),
        )
    return found


def _deficit(rounds: Sequence[Sequence[int]], seat: Seat) -> int:
    """Most points that a seat lay behind the first after a round, if it is not behind at the end:
    others may have conceded."""
    if not rounds:
        return 0
    behind = [max(totals) - totals[seat] for totals in accumulate(rounds, _plus)]
    return 0 if behind[-1] else max(behind)


def _plus(totals: Sequence[int], points: Sequence[int]) -> Sequence[int]:
    return [total + one for total, one in zip(totals, points, strict=True)]
