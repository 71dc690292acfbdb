"""Closing a table before its rules end it, and the vote for that.  Pure."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.tables import presence
from bot.tables.model import Table
from bot.tables.stored import (
    UNASKED,
    Deadline,
    DeadlineKind,
    Status,
    Stop,
    StoredTable,
    Timing,
)


def close(stored: StoredTable, stop: Stop | None, now: datetime) -> StoredTable:
    """The table, ended without a result: stopped if it was running, else expired."""
    status = Status.STOPPED if stored.status is Status.RUNNING else Status.EXPIRED
    return ended(stored, status, stop, now)


def vanished(table: Table, now: datetime) -> StoredTable:
    """The channel or thread of the table was deleted; nothing changes at one that has ended."""
    stored = table.stored
    return close(stored, Stop.CHANNEL, now) if stored.status.is_open else stored


def ended(stored: StoredTable, status: Status, stop: Stop | None, now: datetime) -> StoredTable:
    """A table that ends at `now`: no deadline and no pass remains."""
    return replace(
        stored,
        status=status,
        stop=stop,
        ended=now,
        seating=replace(stored.seating, kept={}, offers={}, sought={}),
        shuffling=replace(stored.shuffling, closed=False),
        timing=Timing(stored.timing.pace),
        votes=replace(stored.votes, standing=frozenset(), ahead={}, take_back=None),
    )


def count_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """End the table if all people present want that; if more than half do, after `WaitTimes.vote`.

    The others may agree before that.  A lobby, where nothing is at stake, ends at once.
    """
    votes, seating = len(stored.votes.end_votes), stored.seating
    agreed = votes >= len(seating.present) or stored.status is Status.LOBBY
    if votes >= seating.votes_needed and agreed:
        return close(stored, Stop.VOTE, now)
    return recount_votes(stored, now)


def recount_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """The same where somebody is away now and nobody has voted: it ends later, if it does."""
    if len(stored.votes.end_votes) < stored.seating.votes_needed:
        return presence.without_end_countdown(stored)
    if stored.timing.deadline(DeadlineKind.VOTED) is not None:
        return stored
    due = now + stored.timing.pace.waits.vote
    return stored.with_deadline(Deadline(DeadlineKind.VOTED, UNASKED, due))


def time_up(stored: StoredTable, now: datetime) -> StoredTable:
    """The time to agree is up: the end, if more than half of those present want it still."""
    if len(stored.votes.end_votes) < stored.seating.votes_needed:
        return presence.without_end_countdown(stored)
    return close(stored, Stop.VOTE, now)
