"""Seats by lot, in the lobby and as the match begins; other partners in a rematch.  Pure.

An order is drawn from the seed of round 1, which the commitment binds that the lobby has published
(`data/docs/notation.md`, seats by lot).  Each draw has a number, so that no two of a table are the
same; none tells anything of a deal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.ids import Computer, TableId, UserId
from bot.tables.customs import offered
from bot.tables.lobby import require_host, require_lobby, with_host_deadline
from bot.tables.model import Table
from bot.tables.stored import Person, Seating, SeatsDrawn, StoredTable
from engine.deal import drawing, shuffle
from engine.game import Seat
from engine.players.levels import Level

AT_BEGINNING: Final = 0
"""Number of the draw with which a match begins; those in its lobby are counted from 1."""


def shuffle_seats(table: Table, now: datetime, user: UserId) -> StoredTable:
    """Every place of the lobby, free ones too, where lots say, for its host.

    Whoever was ready still is: they may not choose their neighbours otherwise either.

    Raises TableError `ended`, `started`, `not_host`.
    """
    stored = table.stored
    require_lobby(stored)
    require_host(stored, user)
    return with_host_deadline(draw_seats(stored, shuffles(stored.seating) + 1), user, now)


def shuffles(seating: Seating) -> int:
    """How often seats were drawn in the lobby; 0 too for a match that began with a draw."""
    return 0 if seating.drawn is None else seating.drawn.number


def draw_seats(stored: StoredTable, number: int) -> StoredTable:
    """The places in the order of the draw with that number, which is noted."""
    before = tuple(place.person or place.computer for place in stored.seating.places)
    order = _order(stored, number, len(before))
    seating = replace(permuted(stored.seating, order), drawn=SeatsDrawn(number, before, order))
    return replace(stored, seating=seating)


def text(table: TableId, number: int) -> str:
    """What the key of the numbers of a draw is made from; no deal has one that begins so."""
    return f"stammtisch/seats/1|{table}|{number}"


def drawn_order(seed: bytes, table: TableId, number: int, places: int) -> tuple[int, ...]:
    """By place, where the person who sits there next sat before; each order is as likely."""
    return tuple(shuffle(range(places), drawing(seed, text(table, number))))


def _order(stored: StoredTable, number: int, places: int) -> tuple[int, ...]:
    seed = bytes.fromhex(stored.shuffling.shuffles[0].seed)
    return drawn_order(seed, stored.id, number, places)


def fits(stored: StoredTable) -> bool:
    """Whether the latest draw is what seed and number give, and the match began as it says."""
    drawn = stored.seating.drawn
    if drawn is None:
        return True
    if drawn.order != _order(stored, drawn.number, len(drawn.before)):
        return False
    began = tuple(_unnumbered(one) for one in stored.seating.starters)
    return drawn.number != AT_BEGINNING or began == tuple(drawn.before[i] for i in drawn.order)


def _unnumbered(one: Person | Computer) -> Person | Level:
    """A computer player by its strength: its number is that of its place."""
    return one.level if isinstance(one, Computer) else one


def permuted(seating: Seating, order: Sequence[int]) -> Seating:
    """With what belongs to place `order[i]` at place i; places that it leaves out are gone.

    Not for a match that runs.
    """
    return replace(
        seating,
        places=tuple(seating.places[before] for before in order),
        kept={now: seating.kept[old] for now, old in enumerate(order) if old in seating.kept},
        offers={now: seating.offers[old] for now, old in enumerate(order) if old in seating.offers},
        starters=tuple(seating.starters[before] for before in order if seating.starters),
    )


# Rematches


def in_rematch(ended: Table) -> Seating:
    """The seats of a match that has ended as a rematch has them: by custom with other partners."""
    stored, info = ended.stored, ended.game.info
    changes = stored.customs.rotates and not stored.customs.drawn and stored.started is not None
    if not changes or "rotates" not in offered(info):
        return stored.seating
    return permuted(stored.seating, next_partners(info.teams))


def next_partners(pairs: Sequence[Sequence[Seat]]) -> tuple[int, ...]:
    """By seat, where the person who sits there next sat before.

    A round robin: all but one move on around a ring in which partners face each other across it, so
    that among n people everybody has had every partner after n - 1 matches.
    """
    (first, across), *others = pairs
    ring = [across, *(one for one, _ in others), *(other for _, other in reversed(others))]
    came = {first: first, **dict(zip(ring, [ring[-1], *ring[:-1]], strict=True))}
    return tuple(came[seat] for seat in sorted(came))
