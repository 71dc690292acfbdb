"""What somebody can do where they are now: the lines of `/help`, as codes.  Pure."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from bot.ids import UserId
from bot.tables import lobby, queueing
from bot.tables.model import Table


@dataclass(frozen=True, slots=True)
class Here:
    """A person, where they are, and what is there."""

    user: UserId
    on_server: bool
    """Whether this is a channel of a server where the program is a member."""
    table: Table | None = None
    """The open table of this place, else the one that was there last; None: there was none."""
    may_open: bool = False
    """Whether they may write and use commands here, and the program may write."""
    closed: bool = False
    """Whether the server's settings let them open no table here."""
    moderates: bool = False
    manages: bool = False
    waiting: int = 0
    """Number of other tables where they are asked something."""


def can_do(here: Here) -> tuple[str, ...]:
    """Codes of what they can do, the nearest first; behind each the house has one sentence."""
    return tuple(_lines(here))


def _lines(here: Here) -> Iterator[str]:
    table = here.table
    is_open = table is not None and table.stored.status.is_open
    if table is not None and is_open:
        yield from _at_a_table(here, table)
    if here.waiting:
        yield "help.waiting"
    if table is not None and not is_open and table.stored.seating.place_of(here.user) is not None:
        yield "help.over"
    if not is_open and here.on_server:
        may_not = "help.closed" if here.closed else "help.may_not_open"
        yield "help.open" if here.may_open and not here.closed else may_not
    if not (is_open and not here.on_server):
        yield "help.alone"
    if here.on_server:
        yield "help.server"
    if here.manages:
        yield "help.settings"
    yield "help.rules"


def _at_a_table(here: Here, table: Table) -> Iterator[str]:
    """What can be done at an open table, by whether they sit at it."""
    seating = table.stored.seating
    seated = seating.place_of(here.user) is not None
    if table.waits_for(here.user):
        yield "help.asked"
    if table.running:
        yield "help.seated" if seated else "help.watch"
        takes = queueing.seat_for(table, here.user)
        if not seated and takes is not None and not seating.private:
            yield "help.free_seat"
    elif not seated:
        full = not seating.open_to(here.user)
        yield "help.full" if full else "help.invited" if seating.private else "help.join"
    else:
        yield "help.host" if seating.host == here.user else "help.guest"
    if queueing.is_the_way(table.stored, here.user) and lobby.is_welcome(seating, here.user):
        if seating.waits(here.user):
            yield "help.in_line"
        elif not queueing.is_full(seating):
            yield "help.line"
    if here.moderates and not seated:
        yield "help.moderate"
