"""Playing a deal again: one round that everybody may know, alone against computers.  Pure.

Such a table has no lobby.  Its match is that round, which begins as it did, with the same cards.
It counts nowhere, since its deal is known.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from bot.ids import ALONE, ChannelId, TableId, UserId
from bot.tables import match
from bot.tables.fold import fold
from bot.tables.model import Table, TableError
from bot.tables.new_tables import new_table
from bot.tables.phase import Unreadable
from bot.tables.plans import Wish
from bot.tables.published import is_published
from bot.tables.stored import DealAgain, Pace, Person, Seating, StoredTable
from engine.game import Options, Seat
from engine.players.levels import Level

LEVEL = Level.STRONG
"""How strong the others play: to be compared with people, they should play well."""


class Repeated(NamedTuple):
    """A round to be played again, and how its match is played."""

    again: DealAgain
    seats: int
    options: Options


def repeatable(table: Table) -> tuple[int, ...]:
    """Numbers of the rounds of `table` that may be played again, ascending.

    They are complete, and their cards are open to all.  A table where a deal is played again has
    that one, once it is over.
    """
    if table.stored.again is not None:
        return () if table.stored.status.is_open else (1,)
    return tuple(n for n in range(1, len(table.rounds) + 1) if is_published(table, n))


def seat_of(seating: Seating, user: UserId) -> Seat | None:
    """The seat of `user` in a match: their last one, else the one at which they began."""
    began = (seat for seat, one in seating.beginners.items() if one.id == user)
    place = seating.place_of(user)
    return next(began, None) if place is None else place


def repeated(table: Table, number: int, seat: Seat) -> Repeated:
    """Round `number` of `table`, to be played again from `seat`.

    Where a deal is played again already it is the same deal from the same seat, whatever is asked.

    Raises TableError `unreadable` (id), `deal_secret`, `no_such_place` (places).
    """
    stored, game = table.stored, table.game
    if isinstance(table.phase, Unreadable):
        raise TableError("unreadable", id=table.id)
    if number not in repeatable(table):
        raise TableError("deal_secret")
    seats = len(stored.seating.places)
    if stored.again is not None:
        return Repeated(stored.again, seats, stored.options)
    if not 0 <= seat < seats:
        raise TableError("no_such_place", places=seats)
    ply = table.deals[number - 1]
    before = fold(stored, game, table.log[:ply])
    options = game.one_round(stored.options, before._state)
    opening, points = table.log[ply].text, table.rounds[number - 1]
    return Repeated(DealAgain(table.id, number, seat, opening, points), seats, options)


def dealt_again(
    table: TableId,
    old: Table,
    repeats: Repeated,
    person: Person,
    channel: ChannelId,
    locale: str,
    tip: bytes,
    now: datetime,
) -> StoredTable:
    """A match of that round with `person` at its seat, about to be dealt."""
    again, seats, options = repeats
    wish = Wish(
        old.stored.game,
        seats,
        {},
        private=True,
        pace=Pace.NONE,
        locale=locale,
        customs=replace(old.stored.customs, hints=True, drawn=False),
        computers=(seats - 1, LEVEL),
    )
    opened = new_table(
        table,
        wish,
        game=old.game,
        guild=ALONE,
        channel=channel,
        host=person,
        host_place=again.seat,
        tip=tip,
        now=now,
    )
    # Not as a wish: some options are for such tables alone.
    opened = replace(opened, given=dict(options), again=again)
    return match.begin(Table(opened, old.game), now).stored
