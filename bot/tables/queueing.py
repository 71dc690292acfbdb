"""The line for a place in a match, places on offer, calls for substitutes.  Pure.

A place that gets free is offered to the first in line who may take it: it is kept for them for a
while, and whoever lets that pass is out of the line.  While the cards are shuffled, when nobody
could sit down, nothing is offered and no offer runs out; nor does one while the table cannot be
shown or the match rests.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Final

from bot.ids import UserId
from bot.tables import lobby, presence
from bot.tables.lobby import NOBODY, Apart
from bot.tables.model import Table, TableError
from bot.tables.phase import Round, Unreadable
from bot.tables.stored import (
    UNASKED,
    Deadline,
    DeadlineKind,
    Offer,
    Person,
    Seating,
    Status,
    StoredTable,
)
from engine.game import Seat

MOST_WAITING: Final = 10
"""Maximum number of people in the line of one table."""


def stand(stored: StoredTable, person: Person, apart: Apart = NOBODY) -> StoredTable:
    """`person`, who does not sit here, gets in line; who stands there already keeps their turn.

    Raises TableError `ended`, `kicked`, `never_with` and `private` as `lobby.sit` does, and
    `line_full` (limit).
    """
    lobby.require_open(stored)
    lobby.require_welcome(stored, person.id)
    seating = stored.seating
    if seating.waits(person.id):
        return stored
    if is_full(seating):
        raise TableError("line_full", limit=MOST_WAITING)
    apart.require((one.id for one in seating.people), "kicked")
    return replace(stored, seating=replace(seating, waiting=(*seating.waiting, person)))


def is_the_way(stored: StoredTable, user: UserId) -> bool:
    """Whether `user`, who does not sit here, comes to a seat by the line only.

    Where somebody plays alone there is no line.
    """
    seating = stored.seating
    return seating.place_of(user) is None and not seating.open_to(user) and not stored.alone


def is_full(seating: Seating) -> bool:
    """Whether nobody else may get in line."""
    return len(seating.waiting) >= MOST_WAITING


def comes_first(table: Table, user: UserId, seat: Seat) -> bool:
    """Whether people in line who may take that free seat come before `user` to it."""
    seating, bound = table.stored.seating, _is_bound(table)
    may = (place_for(seating, one.id, (seat,), bound=bound) for one in seating.in_line)
    return seat not in seating.open_to(user) or any(place is not None for place in may)


def may_stand(table: Table, user: UserId) -> bool:
    """Whether `user`, who is not in line, is offered a place in it in the running match.

    Whom they never play with is not asked: a missing button would tell.
    """
    seating = table.stored.seating
    if not table.running or seating.waits(user) or is_full(seating):
        return False
    return lobby.is_welcome(seating, user) and is_the_way(table.stored, user)


def get_out(stored: StoredTable, user: UserId) -> StoredTable:
    """`user` waits no longer.  Raises TableError `ended`, `not_in_line`."""
    lobby.require_open(stored)
    if not stored.seating.waits(user):
        raise TableError("not_in_line")
    return without(stored, user)


def without(stored: StoredTable, user: UserId) -> StoredTable:
    """Without `user` in line, if they stand there and the table is open."""
    if not stored.status.is_open or not stored.seating.waits(user):
        return stored
    waiting = tuple(one for one in stored.seating.waiting if one.id != user)
    return replace(stored, seating=replace(stored.seating, waiting=waiting))


def send_away(stored: StoredTable, target: UserId) -> StoredTable:
    """`target`, who stands in line, is removed from it and may not come back."""
    kicked = stored.seating.kicked | {target}
    return without(replace(stored, seating=replace(stored.seating, kicked=kicked)), target)


def turned_down(stored: StoredTable, user: UserId) -> StoredTable:
    """`user`, who may not sit down after all, keeps no place that was kept for them."""
    if not stored.status.is_open or stored.seating.kept_for(user) is None:
        return stored
    return without(lobby.without_places_for(stored, user), user)


def turn_of(seating: Seating, user: UserId) -> int:
    """The number of `user` in line, from 1, among those to whom no place is offered; 0: a place is
    offered to them, or they do not stand in line."""
    return next((at for at, one in enumerate(seating.in_line, 1) if one.id == user), 0)


def with_longer_offers(stored: StoredTable, now: datetime) -> StoredTable:
    """At another pace: whoever a place is offered to has at least the time of that one."""
    whole = now + stored.timing.pace.waits.offer
    offers = {
        place: replace(offer, until=max(offer.until, whole))
        for place, offer in lobby.offers_now(stored).items()
    }
    return replace(stored, seating=replace(stored.seating, offers=offers))


def pass_on(stored: StoredTable, now: datetime) -> StoredTable:
    """Who did not take the place that was offered to them in time is out of the line."""
    offers, kept = lobby.offers_now(stored), stored.seating.kept
    late = {kept[place].id for place, offer in offers.items() if offer.until <= now}
    waiting = tuple(one for one in stored.seating.waiting if one.id not in late)
    return replace(stored, seating=replace(stored.seating, waiting=waiting))


def give_way(stored: StoredTable, now: datetime) -> StoredTable:
    """The time of a planned table is up and too few are ready: people who are not change places
    with those in line, the last seated first, and stand behind these.

    Where nobody is ready nobody gives way: there is nobody to play with.
    """
    late, line = lobby.not_ready(stored), stored.seating.in_line
    if not stored.votes.ready or not line:
        return stored
    out = late[-len(line) :]
    stored = lobby.without_people(stored, out, now)
    waiting = (*stored.seating.waiting, *reversed(out))
    return replace(stored, seating=replace(stored.seating, waiting=waiting))


def settled(table: Table, now: datetime) -> Table:
    """The table with every place offered that can be, and with no offer that means nothing any
    more; it changes nothing a second time."""
    stored = table.stored
    seating, stops = stored.seating, stored.timing.deadline(DeadlineKind.OFFERED) is None
    if not stored.status.is_open or isinstance(table.phase, Unreadable):
        return table
    if stops and not (seating.waiting or seating.offers):
        return table
    waiting = tuple(
        one
        for one in seating.waiting
        if seating.place_of(one.id) is None and one.id not in seating.kicked and one.id > 0
    )
    closed, timing = stored.shuffling.closed, stored.timing
    lasts = closed or timing.stalled is not None or timing.rest is not None
    whole = now + timing.pace.waits.offer
    here = {one.id for one in waiting}
    offers = {
        place: replace(offer, until=max(offer.until, whole)) if stops and not lasts else offer
        for place, offer in lobby.offers_now(stored).items()
        if seating.places[place].free and place in seating.kept and seating.kept[place].id in here
    }
    void = seating.offers.keys() - offers.keys()
    kept = {place: one for place, one in seating.kept.items() if place not in void}
    seating = replace(seating, waiting=waiting, kept=kept, offers=offers)
    if not closed:
        seating = _offering(seating, Offer(whole, stored.version), bound=_is_bound(table))
    stored = without_filled_calls(replace(stored, seating=seating))
    due = min((offer.until for offer in seating.offers.values()), default=None)
    if lasts or due is None:
        stored = stored.without_deadline(DeadlineKind.OFFERED)
    elif (deadline := Deadline(DeadlineKind.OFFERED, UNASKED, due)) not in stored.timing.deadlines:
        stored = stored.with_deadline(deadline)
    stored = _open_for_offers(stored)
    return table if stored == table.stored else replace(table, stored=stored)


def _open_for_offers(stored: StoredTable) -> StoredTable:
    """With a lobby that expires when all that is offered in it could be taken."""
    closes = stored.timing.deadline(DeadlineKind.LOBBY)
    last = max((offer.until for offer in stored.seating.offers.values()), default=None)
    if closes is None or last is None or closes.due > last:
        return stored
    return stored.with_deadline(closes._replace(due=last + stored.timing.pace.waits.offer))


def _offering(seating: Seating, offer: Offer, *, bound: bool) -> Seating:
    """With each place that is free for everybody offered to the first who may take it."""
    for one in seating.waiting:
        place = place_for(seating, one.id, seating.open_to(), bound=bound)
        if place is not None and seating.kept_for(one.id) is None:
            kept, offers = {**seating.kept, place: one}, {**seating.offers, place: offer}
            seating = replace(seating, kept=kept, offers=offers)
    return seating


def seat_for(table: Table, user: UserId) -> int | None:
    """The first free place that `user`, who sits nowhere here, may take now."""
    seating = table.stored.seating
    return place_for(seating, user, seating.open_to(user), bound=_is_bound(table))


def _is_bound(table: Table) -> bool:
    """Whether a round is played, in which nobody may see a second hand."""
    return isinstance(table.phase, Round)


def place_for(seating: Seating, user: UserId, free: Sequence[int], *, bound: bool) -> int | None:
    """The one of these free places that `user` may be offered: who has seen a hand of the round
    that is played (`bound`) may only take that seat."""
    known = seating.seen.get(user) if bound else None
    if known is not None:
        return known if known in free else None
    return lobby.first_for(seating, user, free)


# Calls for a substitute.
#
# One call for a seat and an absence; it is over when a person takes the seat or it is offered to
# the line, or with the match.


def seek(stored: StoredTable, user: UserId, seat: Seat) -> StoredTable:
    """Call for a substitute to take `seat`, for `user`, who is present by that.

    Raises TableError `ended`, `not_running`, `not_seated`, `seek_private` (only invited people may
    sit down), `no_such_place` (places), `seek_taken` (the seat is not free, or kept for somebody),
    `seek_done`.
    """
    lobby.require_player(stored, user)
    stored = presence.clear_absence(stored, user)
    seating = stored.seating
    if seating.private:
        raise TableError("seek_private")
    if not 0 <= seat < len(seating.places):
        raise TableError("no_such_place", places=len(seating.places))
    if seat not in seating.open_to():
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
    """Without the calls for seats that are taken, or kept for somebody in line."""
    seating = stored.seating
    if not seating.sought:
        return stored
    free = seating.open_to() if stored.status is Status.RUNNING else ()
    sought = {seat: since for seat, since in seating.sought.items() if seat in free}
    if sought == seating.sought:
        return stored
    return replace(stored, seating=replace(seating, sought=sought))
