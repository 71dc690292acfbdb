"""Verdict on a match: for whom it counts, and who conceded.  Pure.

Whoever leaves a match of which half was played, or votes to end one that others want to continue,
concedes it: they are last, and share that place.  Whoever is away wants to continue.  If all who
sit there vote to end it, it counts for nobody.  That is decided once, when it ends (`judged`), and
stored with the result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, assert_never

from bot.ids import UserId
from bot.tables.stored import Stop, StoredTable
from engine.game import AnyGame, Outcome, Seat

CONCEDED: Final = frozenset({Stop.VOTE, Stop.EMPTY, Stop.CONCEDED})
"""Ends by hand after which a match counts for those who wanted to go on."""


def half_played(stored: StoredTable, game: AnyGame, state: Any, rounds: int) -> bool:
    """Whether half of the match was played: of its `rounds`, or of the points that end it.

    Rounds count when they are complete.
    """
    for spec in game.info.options:
        match spec.measures:
            case "rounds":
                done = rounds
            case "points":
                done = max(game.scores(state))
            case None:
                continue
            case _:
                assert_never(spec.measures)
        length = stored.options.get(spec.key)
        if length is not None:
            return 2 * done >= int(length)
    return False


def conceded(stored: StoredTable) -> frozenset[UserId]:
    """Whoever has conceded the match as it stands; nobody where all who sit there voted.

    Whoever is away and did not vote wants to go on.
    """
    if stored.stop is not Stop.VOTE:
        return stored.seating.conceded
    if {person.id for person in stored.seating.people} <= stored.votes.end_votes:
        return frozenset()
    return stored.seating.conceded | stored.votes.end_votes


def judged(stored: StoredTable, game: AnyGame, state: Any, rounds: int) -> StoredTable:
    """A match that ends now, with what it counts for and who has conceded it."""
    seating = replace(stored.seating, conceded=conceded(stored))
    return replace(stored, seating=seating, outcome=outcome_of(stored, game, state, rounds))


def outcome_of(stored: StoredTable, game: AnyGame, state: Any, rounds: int) -> Outcome | None:
    """What a match that is over counts for those who began it; None: for nobody.

    Whoever conceded is last, whatever their seat came to.  Nobody wins because others conceded who
    was not there any more: then it counts for nobody.
    """
    outcome = game.outcome(state)
    conceding = conceded(stored)
    last = _seats_of(stored, conceding)
    if outcome is None:
        if stored.stop not in CONCEDED or not half_played(stored, game, state, rounds):
            return None
        stayed = {person.id for person in stored.seating.people if stored.seating.began(person.id)}
        if not last or stayed <= conceding:
            return None
        outcome = Outcome.of(game.scores(state))
    return _with_last(outcome, last) if last else outcome


def is_won(stored: StoredTable, teams: Sequence[Sequence[Seat]]) -> bool:
    """Whether all have conceded but one, or but one team."""
    seats = range(len(stored.seating.starters))
    left = set(seats) - set(_seats_of(stored, stored.seating.conceded))
    sides = teams or [(seat,) for seat in seats]
    return len(left) < len(seats) and any(left <= set(side) for side in sides)


def _seats_of(stored: StoredTable, users: frozenset[UserId]) -> tuple[Seat, ...]:
    """Where they sat when the match began."""
    return tuple(seat for seat, one in stored.seating.beginners.items() if one.id in users)


def _with_last(outcome: Outcome, last: Sequence[Seat]) -> Outcome:
    """The others by their places among themselves, and these behind them."""
    ahead = [place for seat, place in enumerate(outcome.ranking) if seat not in last]
    ranking = tuple(
        1 + (len(ahead) if seat in last else sum(other < place for other in ahead))
        for seat, place in enumerate(outcome.ranking)
    )
    return Outcome(outcome.scores, ranking)
