"""New tables: of a wish, after a match, of a deal that is played again.  Pure.

After a match seats are kept, for some minutes, for whoever played it.

A deal that everybody may know is played again alone against computers, in a table without a lobby.
Its match is that round, which begins as it did, with the same cards.  It counts nowhere, since its
deal is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from bot.ids import ALONE, ChannelId, GuildId, TableId, UserId
from bot.tables import lobby, lots, match, queueing
from bot.tables.customs import Customs
from bot.tables.deals import is_published
from bot.tables.fold import fold
from bot.tables.lobby import (
    NOBODY,
    Apart,
    renew_start_time,
    require_end,
    require_host,
    require_lobby,
    with_closing_time,
    with_host_deadline,
    without_ready,
)
from bot.tables.lots import NextMatch, next_match
from bot.tables.model import Table, TableError
from bot.tables.phase import Unreadable
from bot.tables.plans import Wish
from bot.tables.stored import (
    UNASKED,
    Deadline,
    DeadlineKind,
    DealAgain,
    Pace,
    Person,
    Place,
    Seating,
    Shuffling,
    Status,
    Stop,
    StoredTable,
    Timing,
)
from engine.deal import Chain
from engine.game import AnyGame, GameInfo, Options, Seat
from engine.options import check_table_options
from engine.players.levels import Level


def new_table(
    table: TableId,
    wish: Wish,
    *,
    game: AnyGame,
    guild: GuildId,
    channel: ChannelId,
    host: Person,
    tip: bytes,
    now: datetime,
    host_place: int = 0,
    invited: frozenset[UserId] = frozenset(),
    kicked: frozenset[UserId] = frozenset(),
    rematch_of: TableId | None = None,
    opener: UserId | None = None,
) -> StoredTable:
    """A lobby with its host seated, and computer players at its last places.

    `tip` is the end of the chain of seeds for all rounds; `opener` is the host by default.

    Raises TableError `seats_range` (minimum, maximum), `seats_exactly` (seats),
    `too_many_computers` (count) or `endless`, and NotationError for the options.
    """
    info = game.info
    seats = info.seats[-1] if wish.seats is None else wish.seats
    _require_allowed(info, seats)
    check_table_options(info, wish.given)
    game.complete_options(seats, wish.given)
    due = now + wish.pace.waits.lobby
    opened = StoredTable(
        id=table,
        guild=guild,
        channel=channel,
        game=info.id,
        rules_version=info.rules_version,
        given=dict(wish.given),
        created=now,
        opener=host.id if opener is None else opener,
        seating=Seating(
            places=tuple(Place(host if i == host_place else None) for i in range(seats)),
            host=host.id,
            private=wish.private,
            # The host too: who hands the table over by leaving may sit down again.
            invited=invited | {host.id} if wish.private else frozenset(),
            kicked=kicked,
        ),
        shuffling=Shuffling(Chain(tip)).following(),
        timing=Timing(wish.pace, deadlines=(Deadline(DeadlineKind.LOBBY, UNASKED, due),)),
        rematch_of=rematch_of,
        locale=wish.locale,
        customs=wish.customs,
    )
    filled = lobby.with_computers(opened, *wish.computers)
    if not filled.seating.free_places:
        require_end(filled)
    return filled


def with_people(
    stored: StoredTable, coming: Iterable[tuple[Person, Apart]], now: datetime
) -> StoredTable:
    """A new lobby with these people on its places, or in its line, in this order.

    Each comes with those whom they are apart from; whoever may not sit down there is left out.
    """
    for person, apart in coming:
        with suppress(TableError):
            if queueing.is_the_way(stored, person.id):
                stored = queueing.stand(stored, person, apart)
            else:
                stored = lobby.sit(stored, person, None, now, apart=apart)
    return stored


def _require_allowed(info: GameInfo, seats: int) -> None:
    """Raises TableError `seats_range` (minimum, maximum), `seats_exactly` (seats)."""
    if seats not in info.seats:
        least, most = info.seats[0], info.seats[-1]
        if least == most:
            raise TableError("seats_exactly", seats=most)
        raise TableError("seats_range", minimum=least, maximum=most)


def change_options(
    table: Table,
    now: datetime,
    user: UserId,
    given: Options,
    customs: Customs,
    pace: Pace | None = None,
    seats: int | None = None,
) -> Table:
    """Change options, customs, pace and number of seats (None: it stays) of the lobby, for its
    host.

    Nobody is ready for the new ones, and a new pace begins the time of the lobby, and that of its
    host, anew; places are kept no shorter than was said, and a planned table starts no sooner.

    Raises TableError `ended`, `started`, `not_host`, `seats_range` (minimum, maximum),
    `seats_exactly` (seats), `seats_needed` (count, seats), and NotationError for the options.
    """
    stored = table.stored
    require_lobby(stored)
    require_host(stored, user)
    before = stored.seating
    seats = len(before.places) if seats is None else seats
    _require_allowed(table.game.info, seats)
    check_table_options(table.game.info, given)
    table.game.complete_options(seats, given)
    seating, timing = _with_seats(before, seats), stored.timing
    pace = timing.pace if pace is None else pace
    if (given, customs, pace, seating) == (stored.given, stored.customs, timing.pace, before):
        return table
    stored = without_ready(stored, now)  # they were for what they had read
    stored = replace(stored, given=dict(given), customs=customs, seating=seating)
    if pace is not timing.pace:
        stored = replace(stored, timing=replace(stored.timing, pace=pace))
        stored = stored.without_deadline(DeadlineKind.LOBBY)
        kept = timing.deadline(DeadlineKind.KEPT)
        if kept is not None:
            stored = stored.with_deadline(kept._replace(due=max(kept.due, now + pace.waits.keep)))
        stored = queueing.with_longer_offers(stored, now)
        stored = renew_start_time(stored.without_deadline(DeadlineKind.HOST), now)
        stored = with_closing_time(stored, now)
    return replace(table, stored=with_host_deadline(stored, user, now))


def _with_seats(seating: Seating, seats: int) -> Seating:
    """With so many places: more come at the end; of those that nobody has or awaits the last go,
    and whoever sits behind one moves up.

    Raises TableError `seats_needed` (count, seats).
    """
    spare = seating.open_to()
    needed, more = len(seating.places) - len(spare), seats - len(seating.places)
    if needed > seats:
        raise TableError("seats_needed", count=needed, seats=seats)
    gone = spare[more:] if more < 0 else ()
    stay = [place for place in range(len(seating.places)) if place not in gone]
    seating = lots.permuted(seating, stay)
    return replace(seating, places=(*seating.places, *[Place()] * more))


def rematch_place(ended: Table, user: UserId) -> int | None:
    """The place of `user` in the rematch: where `next_match` awaits them; None if they stand in its
    line.

    Whoever has left the match and is awaited nowhere gets the place at which they began, or another
    one, if nobody is awaited there; else None, too.

    In a lobby that a restoration ended: where they sat.  By custom partners change: see
    `lots.in_rematch`.

    Raises TableError `not_running`, `not_ended`, `never_started`, `kicked`, `not_played`.
    """
    stored, seating = ended.stored, lots.in_rematch(ended)
    if stored.status.is_open:
        raise TableError("not_running" if stored.status is Status.LOBBY else "not_ended")
    if stored.started is None and stored.stop is not Stop.RESTORED:
        raise TableError("never_started")
    if user in seating.kicked:
        raise TableError("kicked")
    following = next_match(ended)
    place = next((at for at, one in following.places.items() if one.id == user), None)
    if place is not None or any(one.id == user for one in following.line):
        return place
    began = next((at for at, one in seating.beginners.items() if one.id == user), None)
    if began is None:
        raise TableError("not_played")
    taken = following.places.keys() | following.computers.keys()
    return next((at for at in (began, *range(following.seats)) if at not in taken), None)


def opening_place(ended: Table, user: UserId) -> int:
    """The place of `user` in the rematch, if they may open it: they do not sit it out.

    Raises TableError `sits_out` (by lot), `waits_on` (more people have waited than there are
    seats), `gave_way` (they have left) and what `rematch_place` raises.
    """
    place = rematch_place(ended, user)
    if place is not None:
        return place
    following = next_match(ended)
    if any(one.id == user for one in following.sits_out):
        raise TableError("sits_out")
    raise TableError("waits_on" if any(one.id == user for one in following.line) else "gave_way")


def rematch(
    table: TableId,
    ended: Table,
    host: Person,
    place: int,
    locale: str,
    tip: bytes,
    now: datetime,
    apart: Apart = NOBODY,
) -> StoredTable:
    """The lobby in which the people of `ended` meet again.

    It has as many places as the match, or as many more as there are people in line, where the game
    allows that; who plays is `next_match`'s.  Each is kept for the person who sat there last, a
    free one for the person who began there; none for those whom the host has chosen never to play
    with.  Computer players sit where they sat.  By custom partners change: see `lots.in_rematch`.
    """
    old, following = ended.stored, next_match(ended)
    came = (*old.seating.beginners.values(), *old.seating.people, *old.seating.waiting)
    former = {person.id for person in came}
    wish = Wish(
        old.game,
        following.seats,
        old.given,
        old.seating.private,
        old.timing.pace,
        locale,
        old.customs,
    )
    opened = new_table(
        table,
        wish,
        game=ended.game,
        guild=old.guild,
        channel=old.channel,
        host=host,
        host_place=place,
        tip=tip,
        now=now,
        invited=frozenset(one for one in former - old.seating.kicked if one > 0),
        kicked=old.seating.kicked,
        rematch_of=old.id,
    )
    kept = {
        seat: person
        for seat, person in following.places.items()
        if seat != place and person.id not in {host.id, *apart.never}
    }
    seating = replace(
        _with_staying_computers(opened.seating, following),
        kept=kept,
        waiting=tuple(one for one in following.line if one.id not in apart.never),
        sat_out=following.sat_out,
    )
    opened = replace(opened, seating=seating)
    if kept:
        due = now + old.timing.pace.waits.keep
        opened = opened.with_deadline(Deadline(DeadlineKind.KEPT, UNASKED, due))
    return queueing.settled(Table(opened, ended.game), now).stored


def _with_staying_computers(seating: Seating, following: NextMatch) -> Seating:
    """With the computer players that stay, but where the host sits."""
    for seat, level in following.computers.items():
        if seating.places[seat].free:
            seating = seating.with_place(seat, Place(computer=level))
    return seating


# A deal played again.


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
