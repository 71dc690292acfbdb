"""Who sits where by lot; who plays the next match, with whom, and who sits out.  Pure.

An order is drawn from the seed of round 1, which the commitment binds that the lobby has published
(`data/docs/notation.md`, seats by lot).  Each draw has a number, so that no two of a table are the
same; none tells anything of a deal.

Who plays the match after one that has ended follows from that one.  Whoever waited in line plays.
If there are more people than seats, people who have left and computer players make room first; then
those sit out who have sat out least, by lot among equals.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import sha256
from typing import Final, NamedTuple

from bot.ids import Computer, TableId, UserId
from bot.tables.customs import offered
from bot.tables.lobby import require_host, require_lobby, with_host_deadline
from bot.tables.model import Table
from bot.tables.stored import Person, Seating, SeatsDrawn, StoredTable
from engine.deal import drawing, shuffle
from engine.game import Seat
from engine.options import is_playable
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


# Other partners in a rematch.


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


# Who plays the next match, and who sits out.


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
    old = in_rematch(ended)
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
