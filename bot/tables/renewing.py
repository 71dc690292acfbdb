"""A restored database begins a new epoch: what its tables are then.  Pure: table to table.

The future that it lost was seen by people: seeds that were published in it tell the hands that
would be dealt again.  Whatever is not dealt yet is dealt from another chain.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import assert_never

from bot.tables import lobby, stopping, waiting
from bot.tables.lobby import lobby_time
from bot.tables.model import Table
from bot.tables.opening import KEEP_TIME
from bot.tables.phase import Closing, Expired, Lobby, Over, Pause, Round, Unreadable
from bot.tables.ports import Chance
from bot.tables.stored import UNASKED, Deadline, DeadlineKind, Status, Stop, StoredTable
from bot.tables.votes import Votes


def is_past(stored: StoredTable, epoch: int) -> bool:
    """Whether an open table is still as it was before the epoch began."""
    return stored.status.is_open and stored.epoch < epoch


def renewed(table: Table, epoch: int, chance: Chance, now: datetime) -> Table:
    """`table`, which is open, in a new epoch.

    A round that is played is the one whose hands may be known by now: its match is stopped, and
    counts for nobody.  In the lobby and between two rounds people have all their time again in
    which the new commitment is read; where the seats were closed they are open.
    """
    stored = replace(table.stored, epoch=epoch)
    match table.phase:
        case Round() | Unreadable():
            return replace(table, stored=stopping.close(stored, Stop.RESTORED, now))
        case Lobby():
            return replace(table, stored=_in_lobby(stored, chance, now))
        case Closing(number=1):
            return Table(_in_lobby(_unstarted(_reopened(stored, 1)), chance, now), table.game)
        case Closing(number):
            stored = _bound_anew(_reopened(stored, number), number - 1, chance)
        case Pause(number):
            stored = _bound_anew(stored, number, chance)
        case Over() | Expired():
            return table
        case _:
            assert_never(table.phase)
    stored = stored.without_deadline(DeadlineKind.NEXT_ROUND).without_deadline(DeadlineKind.POST)
    stored = replace(stored, votes=replace(stored.votes, ready=frozenset()))
    return waiting.waiting(replace(table, stored=stored), now)


def _bound_anew(stored: StoredTable, dealt: int, chance: Chance) -> StoredTable:
    return replace(stored, shuffling=stored.shuffling.begun_anew(dealt, chance.seed))


def _in_lobby(stored: StoredTable, chance: Chance, now: datetime) -> StoredTable:
    """People are ready anew: they have the time again in which the new commitment is read."""
    stored = replace(stored, votes=replace(stored.votes, ready=frozenset()))
    due = now + lobby_time(stored.timing.pace)
    stored = stored.with_deadline(Deadline(DeadlineKind.LOBBY, UNASKED, due))
    stored = lobby.led(stored.without_deadline(DeadlineKind.HOST), stored.seating.host, now)
    if stored.seating.kept:
        stored = stored.with_deadline(Deadline(DeadlineKind.KEPT, UNASKED, now + KEEP_TIME))
    return _bound_anew(stored, 0, chance)


def _reopened(stored: StoredTable, number: int) -> StoredTable:
    """The seats open again that were closed for round `number`, with the words of that moment."""
    fixed = stored.shuffling.shuffles[number - 1].words
    seated = zip(stored.seating.places, fixed, strict=False)
    words = {place.person.id: word for place, word in seated if place.person is not None and word}
    return replace(stored, shuffling=replace(stored.shuffling, words=words, closed=False))


def _unstarted(stored: StoredTable) -> StoredTable:
    """The lobby of a match of which nothing was dealt."""
    return replace(
        stored,
        status=Status.LOBBY,
        started=None,
        options={},
        seating=replace(stored.seating, starters=()),
        timing=replace(stored.timing, deadlines=()),
        votes=Votes(),
    )
