"""Who is there and who is not: signs of life, missed decisions, tables that cannot be shown.

Pure: record to record.  Every function returns the very record it was given where there is
nothing to change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.tables.model import Actor, Place, Stall, TableRecord
from engine.game import Seat

MISSES: Final = 2
"""Decisions in a row that somebody misses before a stand-in takes over."""


def alive(record: TableRecord, user: int) -> TableRecord:
    """`user` was heard of: nothing is held against them, and a stand-in gives their seat back."""
    seat = record.place_of(user)
    if seat is None:
        return record
    place = record.places[seat]
    if not place.misses and not place.away:
        return record
    return _with_place(record, seat, replace(place, misses=0, away=False))


def missed(record: TableRecord, seat: Seat) -> tuple[TableRecord, Actor]:
    """The time of the person on `seat` was up; the actor says whether they are away now.

    Whoever is away has no vote to end the match.
    """
    place = record.places[seat]
    misses = place.misses + 1
    away = misses >= MISSES
    record = _with_place(record, seat, replace(place, misses=misses, away=away))
    if not away or place.person is None:
        return record, Actor.CLOCK
    votes = record.end_votes - {place.person.id}
    return replace(record, end_votes=votes), Actor.CLOCK_AWAY


def stall(record: TableRecord, missing: Sequence[str], now: datetime) -> TableRecord:
    """The table cannot be shown for lack of `missing`; once that is known it stays as it is."""
    if not record.status.is_open or record.stalled is not None:
        return record
    return replace(record, stalled=Stall(now, tuple(missing)))


def _with_place(record: TableRecord, index: int, place: Place) -> TableRecord:
    return replace(record, places=(*record.places[:index], place, *record.places[index + 1 :]))
