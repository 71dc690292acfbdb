"""Views of lists of tables, and of finished matches."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import assert_never

from bot.ids import UserId
from bot.tables import phase, queueing, voting
from bot.tables.model import Table
from bot.tables.ports import MOST_LISTED as MOST_LISTED
from bot.tables.ports import Past as Past
from bot.tables.ports import PastPage
from bot.tables.ports import Placed as Placed
from bot.tables.stored import DeadlineKind
from bot.views.building import due_at, table_head
from bot.views.values import TableHead


class Waits(StrEnum):
    """The reason why an open table waits."""

    YOU = "you"
    """For the reader of the list."""
    OTHERS = "others"
    PEOPLE = "people"
    """To sit down."""
    READY = "ready"
    """A full table: for everybody to say that they are ready."""
    ENOUGH = "enough"
    """A full table whose planned time is over: for as many as it needs to say so."""
    CARDS = "cards"
    """For the cards to be shuffled."""
    ROUND = "round"
    """For the next round to begin."""
    REST = "rest"
    """For the end of a rest."""
    NOBODY = "nobody"
    """Its log cannot be read."""


class Whose(StrEnum):
    """Whose tables or matches are listed."""

    MINE = "mine"
    """The reader's: open tables on all servers, or finished matches."""
    HERE = "here"
    """Those of this server that the reader may see."""


@dataclass(frozen=True, slots=True)
class Listed:
    """One table of a list."""

    head: TableHead
    waits: Waits
    seats: tuple[int, ...] = ()
    """Seats that are asked, if it waits for people."""
    until: datetime | None = None
    """How long it waits."""
    starts: bool = False
    """Whether the match may begin then, at a planned table, with whoever is ready."""
    seated: bool = False
    """Whether the reader sits there."""
    joins: bool = False
    """Whether they may sit down in the lobby."""
    takes: int | None = None
    """A seat of the running match that they may take."""
    place: str = ""
    """Its place in words: server and channel, or only the channel; not escaped."""
    url: str = ""
    """The way there."""


@dataclass(frozen=True, slots=True)
class TablesView:
    """One page of a list of tables."""

    whose: Whose
    lines: tuple[Listed, ...]
    page: int = 0
    """From 0."""
    pages: int = 1
    on_server: bool = False
    """Whether the reader is on a server, and so has both lists."""


def listed(table: Table, user: UserId) -> Listed:
    """The table's line for `user`, who may know of it; without `place` and `url`."""
    seating = table.stored.seating
    seated = seating.place_of(user) is not None
    found = replace(_waits(table, user), seated=seated)
    barred = seated or user in seating.kicked
    if barred or (seating.private and user not in seating.invited | {seating.host}):
        return found
    takes = queueing.seat_for(table, user)
    if isinstance(table.phase, phase.Lobby):
        return replace(found, joins=takes is not None)
    return replace(found, takes=takes if table.begun else None)


def _waits(table: Table, user: UserId) -> Listed:
    head, now = table_head(table), table.phase
    rest = table.stored.timing.rest
    if rest is not None and table.begun:
        return Listed(head, Waits.REST, until=rest + voting.REST_TIME)
    match now:
        case phase.Lobby():
            until = due_at(table, DeadlineKind.LOBBY)
            starts = due_at(table, DeadlineKind.PLANNED)
            waits = Waits.ENOUGH if table.stored.timing.overdue else Waits.READY
            if table.stored.seating.free_places:
                waits = Waits.PEOPLE
            return Listed(head, waits, until=starts or until, starts=starts is not None)
        case phase.Closing():
            return Listed(head, Waits.CARDS)
        case phase.Round():
            waits = Waits.YOU if table.waits_for(user) else Waits.OTHERS
            return Listed(head, waits, table.actors, due_at(table, DeadlineKind.TURN))
        case phase.BetweenRounds():
            return Listed(head, Waits.ROUND, until=due_at(table, DeadlineKind.NEXT_ROUND))
        case phase.Unreadable() | phase.Over() | phase.Expired():
            return Listed(head, Waits.NOBODY)
        case _:
            assert_never(now)


# Finished matches.


@dataclass(frozen=True, slots=True)
class HistoryView:
    """One page of a list of finished matches."""

    whose: Whose
    page: PastPage
    on_server: bool
    """Whether the reader is on a server; else these are their matches alone."""
    other: UserId | None = None
    """With whom the reader played them; None: with anybody."""
    name: str = ""
    """What that person is called."""
