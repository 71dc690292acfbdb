"""Presence of people: missed decisions, stand-ins, coming back; the vote to end.  Pure.

Every function returns the very stored table it was given if there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.ids import UserId
from bot.tables.stored import (
    UNASKED,
    Actor,
    Deadline,
    DeadlineKind,
    Seating,
    Stall,
    Stop,
    StoredTable,
)
from engine.game import Seat

MISSES: Final = 2
"""Decisions in a row that a person misses before a stand-in takes over."""


def clear_absence(stored: StoredTable, user: UserId) -> StoredTable:
    """Note a sign of life of `user`: their missed decisions are forgotten, and a stand-in
    leaves."""
    seat = stored.seating.place_of(user)
    if seat is None:
        return stored
    place = stored.seating.places[seat]
    if not place.misses and not place.away:
        return stored
    place = replace(place, misses=0, away=False)
    stored = replace(
        stored,
        seating=stored.seating.with_place(seat, place),
        votes=stored.votes.with_away_votes(user, frozenset()),
    )
    return without_end_countdown(stored)


def without_end_countdown(stored: StoredTable) -> StoredTable:
    """Without the time after which the match ends, if too few of the people present still want
    that.

    A person who comes back is one more of them; if more vote later, the whole time runs again.
    Votes whose round is over by then are void.
    """
    runs = stored.timing.deadline(DeadlineKind.VOTED)
    if runs is None or len(stored.votes.end_votes) >= stored.seating.votes_needed:
        return stored
    if runs.question != UNASKED:
        stored = replace(stored, votes=replace(stored.votes, end_votes=frozenset()))
    return stored.without_deadline(DeadlineKind.VOTED)


def with_hands_seen(stored: StoredTable, seating: Seating) -> StoredTable:
    """Note that the people in `seating` know the hands of their seats, while a round is played."""
    places = enumerate(seating.places)
    sitters = {place.person.id: seat for seat, place in places if place.person is not None}
    seen = stored.seating.seen
    if sitters.keys() <= seen.keys():
        return stored
    return replace(stored, seating=replace(stored.seating, seen={**sitters, **seen}))


def missed(stored: StoredTable, seat: Seat) -> tuple[StoredTable, Actor]:
    """Note that the time of the person on `seat` was up; the actor says whether they are away now.

    People who are away have no vote, neither to end the match nor about others.
    """
    place = stored.seating.places[seat]
    misses = place.misses + 1
    away = misses >= MISSES
    place = replace(place, misses=misses, away=away)
    stored = replace(stored, seating=stored.seating.with_place(seat, place))
    if not away or place.person is None:
        return stored, Actor.CLOCK
    user, votes = place.person.id, stored.votes
    votes = replace(votes.without(user), ready=votes.ready, standing=votes.standing)
    return replace(stored, votes=votes), Actor.CLOCK_AWAY


def stall(stored: StoredTable, missing: Sequence[str], now: datetime) -> StoredTable:
    """The table cannot be shown for lack of `missing`; once that is known it stays as it is."""
    if not stored.status.is_open or stored.timing.stalled is not None:
        return stored
    timing = replace(stored.timing, stalled=Stall(now, tuple(missing)))
    return replace(stored, timing=timing)


# The vote to end.


def count_end_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """End the table if all people present want that; if more than half do, after `WaitTimes.vote`.

    The others may agree before that.
    """
    if len(stored.votes.end_votes) >= len(stored.seating.present):
        return stored.broken_off(Stop.VOTE, now)
    return recount_end_votes(stored, now)


def recount_end_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """The same where fewer are present now and nobody has voted: it ends later, if it does."""
    if len(stored.votes.end_votes) < stored.seating.votes_needed:
        return without_end_countdown(stored)
    if stored.timing.deadline(DeadlineKind.VOTED) is not None:
        return stored
    due = now + stored.timing.pace.waits.vote
    return stored.with_deadline(Deadline(DeadlineKind.VOTED, UNASKED, due))


def end_time_up(stored: StoredTable, now: datetime) -> StoredTable:
    """The time to agree is up: the end, if more than half of those present want it still."""
    if len(stored.votes.end_votes) < stored.seating.votes_needed:
        return without_end_countdown(stored)
    return stored.broken_off(Stop.VOTE, now)
