"""Calls for a substitute on a free seat of a running match.  Pure.

One call for a seat and an absence; it is over when a person takes the seat, or with the match.
"""

from __future__ import annotations

from dataclasses import replace

from bot.ids import UserId
from bot.tables import lobby, presence
from bot.tables.model import TableError
from bot.tables.stored import Seating, Status, StoredTable
from engine.game import Seat


def seek(stored: StoredTable, user: UserId, seat: Seat) -> StoredTable:
    """Call for a substitute to take `seat`, for `user`, who is present by that.

    Raises TableError `ended`, `not_running`, `not_seated`, `seek_private` (only invited people may
    sit down), `no_such_place` (places), `seek_taken` (the seat is not free), `seek_done`.
    """
    lobby.require_player(stored, user)
    stored = presence.clear_absence(stored, user)
    seating = stored.seating
    if seating.private:
        raise TableError("seek_private")
    if not 0 <= seat < len(seating.places):
        raise TableError("no_such_place", places=len(seating.places))
    if not seating.places[seat].free:
        raise TableError("seek_taken")
    if seat in seating.sought:
        raise TableError("seek_done")
    sought = {**seating.sought, seat: stored.version}
    return replace(stored, seating=replace(seating, sought=sought))


def seekable(seating: Seating) -> tuple[Seat, ...]:
    """Free seats for which a substitute may be called, in a running match."""
    if seating.private:
        return ()
    return tuple(seat for seat in seating.open_to() if seat not in seating.sought)


def without_filled_calls(stored: StoredTable) -> StoredTable:
    """Without the calls for seats that are taken."""
    seating = stored.seating
    if not seating.sought:
        return stored
    free = seating.free_places if stored.status is Status.RUNNING else ()
    sought = {seat: since for seat, since in seating.sought.items() if seat in free}
    if sought == seating.sought:
        return stored
    return replace(stored, seating=replace(seating, sought=sought))
