"""New tables and rematches as values, and who plays in them.  Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

from bot.ids import ChannelId, GuildId, TableId, UserId
from bot.tables import lobby, lots, queueing
from bot.tables.apart import NOBODY, Apart
from bot.tables.customs import Customs
from bot.tables.lobby import (
    renew_start_time,
    require_end,
    require_host,
    require_lobby,
    with_host_deadline,
    without_ready,
)
from bot.tables.model import Table, TableError
from bot.tables.plans import Wish
from bot.tables.shuffling import Shuffling
from bot.tables.stored import (
    UNASKED,
    Deadline,
    DeadlineKind,
    Pace,
    Person,
    Place,
    Seating,
    Stop,
    StoredTable,
    Timing,
)
from engine.deal import Chain
from engine.game import AnyGame, GameInfo, Options
from engine.options import check_table_options, is_playable
from engine.players.levels import Level

# Who plays the next match.
#
# Whoever waited in line plays.  If there are more people than seats, people who have left and
# computer players make room first; then those sit out who have sat out least, by lot among equals.

LABEL: Final = "sits out"
"""What is hashed with the seed and a person's id begins so: nothing else hashes that."""


class Lot(NamedTuple):
    """One of those among whom it is drawn who sits out."""

    person: Person
    sat_out: int
    """How many matches in a row of matches they have spent in line."""
    drawn: bool
    """Whether they sit out."""


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The next match of the people of one that has ended."""

    seats: int
    places: Mapping[int, Person]
    """Who is awaited, by place."""
    computers: Mapping[int, Level]
    """The computer players that stay where they sat."""
    comes: tuple[Person, ...] = ()
    """Who of those in line plays."""
    line: tuple[Person, ...] = ()
    """Who stands in its line from the beginning: whoever has waited longest first."""
    lots: tuple[Lot, ...] = ()
    """In the order in which they would sit out; empty if nobody has to."""
    sat_out: Mapping[UserId, int] = field(default_factory=dict)
    """See `Seating.sat_out`, as of that match."""

    @property
    def sits_out(self) -> tuple[Person, ...]:
        """Who played, and stands in line now."""
        return tuple(lot.person for lot in self.lots if lot.drawn)

    @property
    def by_lot(self) -> bool:
        """Whether another had sat out as seldom as the last of these, so that the lot decided."""
        counts = {
            drawn: [lot.sat_out for lot in self.lots if lot.drawn is drawn]
            for drawn in (True, False)
        }
        return bool(counts[True]) and counts[True][-1] in counts[False]


def next_match(ended: Table) -> NextMatch:
    """The match after `ended`, if everybody stays who has not left by its end."""
    old = lots.in_rematch(ended)
    awaited = dict(_awaited(old))
    levels = {seat: computer.level for seat, computer in old.computers.items()}
    seats = len(old.starters or old.places)
    came = tuple(one for one in old.waiting if one.id > 0 and one.id not in old.kicked)
    if not came:
        return NextMatch(seats, awaited, levels, sat_out=old.sat_out)
    sat = {seat: one for seat, one in awaited.items() if old.place_of(one.id) is not None}
    gone = [seat for seat in awaited if seat not in sat]
    people = len(sat) + len(came)
    seats = _seats_for(ended, seats, people + len(gone) + len(levels))
    room = max(0, seats - people)
    stay = sorted(levels)[:room]
    tickets = _lots(ended, sat.values(), people - seats)
    out = tuple(lot.person for lot in tickets if lot.drawn)
    places = {seat: one for seat, one in sat.items() if one not in out}
    places |= {seat: awaited[seat] for seat in gone[: room - len(stay)]}
    free = [seat for seat in range(seats) if seat not in places and seat not in stay]
    comes = came[: len(free)]
    places |= dict(zip(free, comes, strict=False))
    line = (*came[len(comes) :], *out)
    return NextMatch(
        seats,
        places,
        {seat: levels[seat] for seat in stay},
        comes,
        line,
        tickets,
        {**old.sat_out, **{one.id: old.sat_out.get(one.id, 0) + 1 for one in came}},
    )


def _lots(ended: Table, people: Iterable[Person], drawn: int) -> tuple[Lot, ...]:
    """The lots of those who played, so many of whom have to sit out."""
    if drawn <= 0:
        return ()
    seed, counts = lot_seed(ended), ended.stored.seating.sat_out
    in_order = sorted(people, key=lambda one: (counts.get(one.id, 0), lot(seed, one.id)))
    return tuple(
        Lot(one, counts.get(one.id, 0), number < drawn) for number, one in enumerate(in_order)
    )


def lot(seed: str, user: UserId) -> str:
    """The ticket of `user`: of people who have sat out equally often the least sits out.

    `seed` is that of the round dealt last, which everybody can check the lot with once it is
    published: when the match is over or, in games whose deals are opened round by round, with that
    round.  Nobody at the table knows it before.  A hash tells nothing of what it is made of.
    """
    return sha256(f"{LABEL} {seed} {user}".encode()).hexdigest()


def lot_seed(ended: Table) -> str:
    """The seed for the lots of a match that has ended; where nothing was dealt its commitment."""
    return ended.commitment if ended.dealt is None else ended.dealt.seed


def _awaited(old: Seating) -> Iterator[tuple[int, Person]]:
    """Who is awaited where: whoever sat there last, at a free place whoever began there."""
    for seat, place in enumerate(old.places):
        person = place.person or old.beginners.get(seat)
        if (
            person is not None
            and person.id > 0  # whoever was forgotten does not come
            and person.id not in old.kicked
            # Who began here and sits elsewhere by now is awaited there.
            and old.place_of(person.id) in (None, seat)
            and not old.waits(person.id)
        ):
            yield seat, person


def _seats_for(ended: Table, before: int, wanted: int) -> int:
    """How many seats the game allows for so many; the most, if it allows no more."""
    game, given = ended.game, ended.stored.given
    allowed = [n for n in game.info.seats if n >= before and is_playable(game, n, given)]
    return next((n for n in allowed if n >= wanted), max(allowed, default=before))


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
    host, anew; places are kept no shorter than was said.

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
        due = now + pace.waits.lobby
        stored = stored.with_deadline(Deadline(DeadlineKind.LOBBY, UNASKED, due))
        kept = timing.deadline(DeadlineKind.KEPT)
        if kept is not None:
            stored = stored.with_deadline(kept._replace(due=max(kept.due, now + pace.waits.keep)))
        stored = queueing.with_longer_offers(stored, now)
        stored = renew_start_time(stored.without_deadline(DeadlineKind.HOST), now)
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
    """The place of `user` in the rematch: their last one, else the one at which they began, or the
    one that they get as they waited in line; None if they stand in its line, or have left the match
    and somebody who waited has the seat.

    In a lobby that a restoration ended: where they sat.  By custom partners change: see
    `lots.in_rematch`.

    Raises TableError `not_ended`, `never_started`, `kicked`, `not_played`.
    """
    stored, seating = ended.stored, lots.in_rematch(ended)
    if stored.status.is_open:
        raise TableError("not_ended")
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
    return None if seating.waiting and began in following.places else began


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
        _with_computers(opened.seating, following),
        kept=kept,
        waiting=tuple(one for one in following.line if one.id not in apart.never),
        sat_out=following.sat_out,
    )
    opened = replace(opened, seating=seating)
    if kept:
        due = now + old.timing.pace.waits.keep
        opened = opened.with_deadline(Deadline(DeadlineKind.KEPT, UNASKED, due))
    return queueing.settled(Table(opened, ended.game), now).stored


def _with_computers(seating: Seating, following: NextMatch) -> Seating:
    """With the computer players that stay, but where the host sits."""
    for seat, level in following.computers.items():
        if seating.places[seat].free:
            seating = seating.with_place(seat, Place(computer=level))
    return seating
