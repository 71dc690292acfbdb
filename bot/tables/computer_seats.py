"""Computer players in a lobby: the host adds and removes them.  Pure.

They are never host and have no vote, and a table without people is over.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.ids import UserId
from bot.tables import lobby
from bot.tables.model import Table, TableError
from bot.tables.stored import Place, StoredTable
from engine.players.levels import Level

USUAL_LEVEL: Final = Level.NORMAL
"""Default level of a computer player."""


def seat(
    stored: StoredTable, user: UserId, level: Level, place: int | None, now: datetime
) -> StoredTable:
    """Seat a computer player at `place`, or at the first free one, for the host.

    Everybody has to press Ready again, since the company has changed.  Raises TableError `ended`,
    `started`, `not_host`, `table_full`, `places_kept`, `no_such_place` (places), `place_taken`,
    `place_kept`.
    """
    lobby.require_lobby(stored)
    lobby.require_host(stored, user)
    if not stored.seating.free_places:
        raise TableError("table_full")
    place = lobby.free_place(stored.seating, place)
    return _with(stored, place, Place(computer=level), user, now)


def send_away(table: Table, now: datetime, user: UserId, place: int) -> StoredTable:
    """The host sends the computer player at `place` away.

    Raises TableError `ended`, `started`, `not_host`, `no_computer` (number).
    """
    stored = table.stored
    lobby.require_lobby(stored)
    lobby.require_host(stored, user)
    if place not in stored.seating.computers:
        raise TableError("no_computer", number=place + 1)
    return _with(stored, place, Place(), user, now)


def with_computers(stored: StoredTable, count: int, level: Level) -> StoredTable:
    """A new lobby with `count` computer players.

    Raises TableError `too_many_computers` (count): a place is left for the host.
    """
    free = stored.seating.free_places
    if count > len(free):
        raise TableError("too_many_computers", count=len(free))
    for place in free[len(free) - count :]:
        seating = stored.seating.with_place(place, Place(computer=level))
        stored = replace(stored, seating=seating)
    return stored


def _with(
    stored: StoredTable, index: int, place: Place, user: UserId, now: datetime
) -> StoredTable:
    stored = replace(stored, seating=stored.seating.with_place(index, place))
    return lobby.with_host_deadline(lobby.without_ready(stored, now), user, now)
