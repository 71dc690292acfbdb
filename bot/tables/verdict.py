"""Verdict on a match that is over: whether it counts, and who gave it up and is last.  Pure.

Once half of it was played a match counts as it is, however it ends; only a moderator, a deleted
channel and a restored database end it for nobody.  People who gave it up share the last place:
those who left the table or its server, who voted to end it while others want to go on, or who are
away at its end.  Others who are away, or were voted out for that, count as wanting to go on.  It is
decided once, when the match ends (`judged`), and stored with the result.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import replace
from datetime import datetime
from typing import Any, Final, assert_never

from bot.ids import UserId
from bot.tables.stored import Seating, Stop, StoredTable
from engine.game import AnyGame, Outcome, Seat

VOID_STOPS: Final = frozenset(
    {Stop.HOST, Stop.MODERATOR, Stop.CHANNEL, Stop.RESTORED, Stop.UNREADABLE}
)
"""Reasons of an end after which a match counts for nobody.  A host ends only matches that cannot be
played on."""


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


def conceding(stored: StoredTable, users: Set[UserId]) -> StoredTable:
    """With `users` among those who gave the match up, unless that would be everybody."""
    gave_up = stored.seating.conceded | users
    if len(_seats_of(stored, gave_up)) == len(stored.seating.starters):
        return stored
    return replace(stored, seating=replace(stored.seating, conceded=gave_up))


def left_by(stored: StoredTable, user: UserId) -> StoredTable:
    """With `user` among those who gave the match up by leaving; others may come back, so perhaps
    that is everybody."""
    gave_up = stored.seating.conceded | {user}
    return replace(stored, seating=replace(stored.seating, conceded=gave_up))


def unless_all(stored: StoredTable) -> StoredTable:
    """A match that is over: if everybody gave it up, nobody has, and the points decide."""
    if len(_seats_of(stored, stored.seating.conceded)) < len(stored.seating.starters):
        return stored
    return replace(stored, seating=replace(stored.seating, conceded=frozenset()))


def judged(stored: StoredTable, game: AnyGame, state: Any, rounds: int) -> StoredTable:
    """A match that ends now, with what it counts for and who gave it up."""
    stored = unless_all(stored)
    seating, voters = stored.seating, stored.votes.end_votes
    wanted = {person.id for person in seating.people} | seating.voted_out
    if stored.stop is Stop.VOTE and not wanted <= voters:
        stored = conceding(stored, voters)
    return replace(stored, outcome=_outcome(stored, game, state, rounds))


def _outcome(stored: StoredTable, game: AnyGame, state: Any, rounds: int) -> Outcome | None:
    """The outcome of an ended match for the people who began it; None if it counts for nobody.

    People who gave it up are last, whatever the points of their seats.
    """
    outcome = game.outcome(state)
    if outcome is None and stored.again is not None and rounds:
        return Outcome.of(game.scores(state))  # one round is all that is played of it
    if outcome is None:
        if stored.stop in VOID_STOPS or not half_played(stored, game, state, rounds):
            return None
        outcome = Outcome.of(game.scores(state))
    last = _seats_of(stored, stored.seating.conceded)
    return _with_last(outcome, last) if last else outcome


def over_if_won(stored: StoredTable, teams: Sequence[Sequence[Seat]], now: datetime) -> StoredTable:
    """The match over if all gave up but one, or but one team, and nobody else is there and plays
    on: to be asked whenever somebody has got up, or is away."""
    won = stored.status.is_open and _is_won(stored, teams)
    return stored.broken_off(Stop.CONCEDED, now) if won else stored


def _is_won(stored: StoredTable, teams: Sequence[Sequence[Seat]]) -> bool:
    seating = stored.seating
    seats = range(len(seating.starters))
    left = set(seats) - set(_seats_of(stored, seating.conceded))
    sides = teams or [(seat,) for seat in seats]
    return 0 < len(left) < len(seats) and any(
        left <= set(side) and _is_alone(seating, side) for side in sides
    )


def _is_alone(seating: Seating, side: Sequence[Seat]) -> bool:
    """Whether whoever is there plays for that side, or began on it and has not given up."""
    began = {one.id for seat, one in seating.beginners.items() if seat in side}
    own = began - seating.conceded
    return all(one.id in own or seating.place_of(one.id) in side for one in seating.present)


def _seats_of(stored: StoredTable, users: Set[UserId]) -> tuple[Seat, ...]:
    """Seats of these users when the match began."""
    return tuple(seat for seat, one in stored.seating.beginners.items() if one.id in users)


def _with_last(outcome: Outcome, last: Sequence[Seat]) -> Outcome:
    """The others by their places among themselves, and these behind them."""
    ahead = [place for seat, place in enumerate(outcome.ranking) if seat not in last]
    ranking = tuple(
        1 + (len(ahead) if seat in last else sum(other < place for other in ahead))
        for seat, place in enumerate(outcome.ranking)
    )
    return Outcome(outcome.scores, ranking)
