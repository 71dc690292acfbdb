"""What whoever presses *Ready* or *Start* in a lobby agrees to, which their button names.  Pure."""

from __future__ import annotations

import hashlib
import json

from bot.tables.model import TableError
from bot.tables.stored import StoredTable


def agreement(stored: StoredTable) -> str:
    """The rules of the lobby, computer players and number of seats among them, and its people.

    It is the same after a restart, and at most 50 characters long.
    """
    seating = stored.seating
    computers = sorted(place.computer for place in seating.places if place.computer is not None)
    rules = [dict(stored.given), stored.customs.as_json(), stored.timing.pace]
    said = json.dumps([*rules, len(seating.places), computers], sort_keys=True)
    return ".".join([_mark(said, 8), *sorted(_mark(str(one.id), 6) for one in seating.people)])


def require_agreed(stored: StoredTable, shown: str | None) -> None:
    """Raises TableError `stale` if the rules are others than in the agreement that was `shown`, or
    somebody has left; None: nothing was, the press was typed.

    Whoever has sat down since is waited for, and changes nothing that was agreed to.
    """
    if shown is not None and not {*shown.split(".")} <= {*agreement(stored).split(".")}:
        raise TableError("stale")


def _mark(said: str, length: int) -> str:
    return hashlib.sha256(said.encode()).hexdigest()[:length]
