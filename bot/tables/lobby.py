"""Seats before the match: sitting down, with whom, leaving, host, readiness, computers.  Pure.

Every function raises TableError without a table (the service adds it) and returns the very
stored table it was given where there is nothing to change.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from bot.ids import UserId
from bot.tables import presence
from bot.tables.model import Table, TableCode, TableError
from bot.tables.stored import (
    UNASKED,
    Deadline,
    DeadlineKind,
    Offer,
    Person,
    Place,
    Seating,
    Status,
    Stop,
    StoredTable,
)
from engine.game import Seat
from engine.players.levels import Level

HOST_SEEN: Final = timedelta(seconds=30)
"""A sign of the host sooner after the one before is not noted."""
UNSEATED: Final = UserId(0)
"""Nobody, where the id of whoever sits at a place is meant."""
GUESTS: Final = 50
"""Maximum number of people invited to one private table."""


# Who sits down with whom.


class Apart(NamedTuple):
    """The people with whom one person does not sit down."""

    never: frozenset[UserId] = frozenset()
    """Whom the person has chosen never to play with."""
    barred: frozenset[UserId] = frozenset()
    """Who has chosen that of the person, who is not told."""

    def require(self, others: Iterable[UserId], unsaid: TableCode) -> None:
        """Check that the person may be where these are.

        Raises TableError `never_with` for their own choice; for that of another `unsaid`, which
        other people get for other reasons.
        """
        there = frozenset(others)
        if there & self.never:
            raise TableError("never_with")
        if there & self.barred:
            raise TableError(unsaid)

    def welcomes(self, others: Iterable[UserId]) -> bool:
        """Whether nobody of these and the person is against the other."""
        return (self.never | self.barred).isdisjoint(others)


NOBODY: Final = Apart()


# Sitting down and leaving.


def sit(
    stored: StoredTable,
    person: Person,
    place: int | None,
    now: datetime,
    *,
    ply: int = 0,
    bound: bool = True,
    apart: Apart = NOBODY,
    shown: UserId | None = None,
) -> StoredTable:
    """Seat `person` at `place`, or at the first free one; in the lobby they may also move.

    The host may move to an occupied place: the two swap, if they were `shown` that person there
    (`UNSEATED`: nobody; None: they have typed the place).  Taking one's own seat in a running match
    takes it back from the stand-in.  `ply` is that of the next entry.  `bound` says that a round is
    being played, in which nobody may see a second hand; `apart` with whom the person does not sit
    down.

    Raises TableError `ended`, `seats_closed`, `already_seated` (at another seat of a running
    match), `kicked` (also for whoever is apart from somebody who sits here and has chosen that),
    `never_with` (it was their own choice), `private`, `table_full`, `places_kept` (all free ones
    are kept for others), `no_such_place` (places), `place_taken`, `place_kept` (for another
    person), `seen_a_hand` (number: the only seat, counted from 1, where they may sit down before
    the next deal).
    """
    require_open(stored)
    seated = stored.seating.place_of(person.id)
    if seated is not None:
        if place is None or place == seated:
            return presence.clear_absence(stored, person.id)
        if stored.status is Status.RUNNING:
            raise TableError("already_seated")
    else:
        place = _place_of_newcomer(stored, person.id, place, bound=bound)
    there = stored.seating.person_at(place)
    meant = shown is None or there is None or there.id == shown
    swaps = seated is not None and person.id == stored.seating.host and meant
    place = free_place(stored.seating, place, person.id, swaps=swaps)
    places = list(stored.seating.places)
    if seated is None:
        # Last: whatever else keeps others from a seat is said first, to everybody the same.
        apart.require((one.id for one in stored.seating.people), "kicked")
        places[place] = Place(person, since=ply)
    else:
        places[place], places[seated] = places[seated], places[place]
    seating, conceded, offered = stored.seating, stored.seating.conceded, stored.seating.offers
    beginner = seating.beginners.get(place)
    if beginner is not None and beginner.id == person.id:
        conceded -= {person.id}
    seating = replace(seating, places=tuple(places), conceded=conceded)
    stored = without_places_for(replace(stored, seating=seating), person.id)
    if seated is None and stored.status is Status.LOBBY:
        stored = with_closing_time(stored, now)
        if stored.timing.overdue and place in offered:  # who answers a call is there
            votes = replace(stored.votes, ready=stored.votes.ready | {person.id})
            stored = replace(stored, votes=votes)
    return with_host_deadline(presence.without_end_countdown(stored), person.id, now)


def _place_of_newcomer(stored: StoredTable, user: UserId, place: int | None, *, bound: bool) -> int:
    """The place that somebody who does not sit yet has named; the first for them if none."""
    require_welcome(stored, user)
    seating = stored.seating
    if not seating.free_places:
        raise TableError("table_full")
    if stored.shuffling.closed:
        raise TableError("seats_closed")
    known = seating.seen.get(user)
    if place is None:
        place = free_place(seating, first_for(seating, user, seating.open_to(user)), user)
    if bound and known is not None and place != known:
        raise TableError("seen_a_hand", number=known + 1)
    return place


def first_for(seating: Seating, user: UserId, free: Sequence[int]) -> int | None:
    """The one of these free places that is `user`'s: where they have sat since the last deal, which
    is kept for them, or where they began; else the first."""
    began = (seat for seat, one in seating.beginners.items() if one.id == user)
    theirs = (seating.seen.get(user), seating.kept_for(user), *began)
    return next((place for place in (*theirs, *free) if place in free), None)


def leave(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """`user` leaves their seat.  Raises TableError `ended`, `not_seated`."""
    require_open(stored)
    return _vacate(stored, user, now)


def left_server(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """`user` has left the server: they get up if they sit here, and are neither awaited nor
    called."""
    if stored.status.is_open:
        stored = without_places_for(stored, user)
        called = stored.seating.called - {user}
        stored = replace(stored, seating=replace(stored.seating, called=called))
    if not stored.status.is_open or stored.seating.place_of(user) is None:
        return stored
    return _vacate(stored, user, now)


def come_back(stored: StoredTable, user: UserId) -> StoredTable:
    """Give `user` their own seat back from the stand-in.  Raises TableError `ended`, `not_seated`.

    Changes nothing if no stand-in plays for them.
    """
    require_open(stored)
    require_seated(stored, user)
    return presence.clear_absence(stored, user)


def send_away(stored: StoredTable, target: UserId, now: datetime) -> StoredTable:
    """`target`, who sits here, is removed and may not sit down again."""
    seating = replace(stored.seating, kicked=stored.seating.kicked | {target})
    return _vacate(replace(stored, seating=seating), target, now)


def invite(stored: StoredTable, user: UserId, guest: UserId) -> StoredTable:
    """Let `guest` in, for the host; they are sent one invitation to this table.

    Raises TableError `ended`, `not_host`, `guest_kicked`, `guest_seated`, `too_many_guests`
    (limit).
    """
    require_open(stored)
    require_host(stored, user)
    seating = stored.seating
    if guest in seating.kicked:
        raise TableError("guest_kicked")
    if seating.place_of(guest) is not None:
        raise TableError("guest_seated")
    invited, called = seating.invited | {guest}, seating.called | {guest}
    if len(invited | called) > GUESTS:
        raise TableError("too_many_guests", limit=GUESTS)
    return replace(stored, seating=replace(seating, invited=invited, called=called))


def hand_over(table: Table, now: datetime, user: UserId, target: UserId) -> StoredTable:
    """Make `target`, who is present, host in place of `user`.

    Raises TableError `ended`, `not_host`, `target_not_seated`, `target_away`.
    """
    stored = table.stored
    require_open(stored)
    require_host(stored, user)
    if stored.seating.place_of(target) is None:
        raise TableError("target_not_seated")
    if all(person.id != target for person in stored.seating.present):
        raise TableError("target_away")
    if target == user:
        return stored
    return _led_by(stored, target, now)


def replace_host(stored: StoredTable, now: datetime) -> StoredTable:
    """Make the next person host, since the host was not seen for `WaitTimes.host`."""
    seating = stored.seating
    host = _next_host(seating, seating.place_of(seating.host) or 0)
    if host is None:
        return stored.without_deadline(DeadlineKind.HOST)
    return _led_by(stored, host, now)


def _led_by(stored: StoredTable, host: UserId, now: datetime) -> StoredTable:
    """With another host, who has the whole time of one from now on."""
    stored = replace(stored, seating=replace(stored.seating, host=host))
    return with_host_deadline(stored.without_deadline(DeadlineKind.HOST), host, now)


def with_host_deadline(stored: StoredTable, seen: UserId, now: datetime) -> StoredTable:
    """With the time that is left to the host, after a sign of life of `seen`; only in the lobby.

    A host who is alone at the table has no deadline.
    """
    if stored.status is not Status.LOBBY or len(stored.seating.people) < 2:
        return stored.without_deadline(DeadlineKind.HOST)
    waits = stored.timing.deadline(DeadlineKind.HOST)
    if waits is not None and seen != stored.seating.host:
        return stored
    due = now + stored.timing.pace.waits.host
    if waits is not None and due - waits.due < HOST_SEEN:
        return stored
    return stored.with_deadline(Deadline(DeadlineKind.HOST, UNASKED, due))


def _next_host(seating: Seating, left: int) -> UserId | None:
    """The next person after place `left` who is present."""
    following = seating.places[left + 1 :] + seating.places[:left]
    return next((p.person.id for p in following if p.person is not None and not p.away), None)


def ready(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """`user` is ready for the match; to press again changes nothing.

    Raises TableError `ended`, `started`, `not_seated`.
    """
    require_lobby(stored)
    require_seated(stored, user)
    if user in stored.votes.ready:
        return stored
    votes = replace(stored.votes, ready=stored.votes.ready | {user})
    stored = replace(stored, votes=votes)
    return with_host_deadline(with_closing_time(stored, now), user, now)


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


def without_ready(stored: StoredTable, now: datetime) -> StoredTable:
    """In the lobby, whose company or rules are others now: without anybody ready for the match.

    At a planned table they get the time to press again.
    """
    if stored.status is not Status.LOBBY or not stored.votes.ready:
        return stored
    stored = replace(stored, votes=replace(stored.votes, ready=frozenset()))
    return renew_start_time(stored, now)


def with_closing_time(stored: StoredTable, now: datetime) -> StoredTable:
    """Open for the whole time of a lobby from now on, and for as long as ever after what was said
    at a slower pace: when a planned table starts, and until when places are kept."""
    waits, due = stored.timing.pace.waits, now + stored.timing.pace.waits.lobby
    before = {
        DeadlineKind.LOBBY: waits.lobby,
        DeadlineKind.PLANNED: waits.start,
        DeadlineKind.KEPT: waits.keep,
    }
    for known in stored.timing.deadlines:
        if known.kind in before:
            due = max(due, known.due + waits.lobby - before[known.kind])
    return stored.with_deadline(Deadline(DeadlineKind.LOBBY, UNASKED, due))


def with_start_time(stored: StoredTable, now: datetime) -> StoredTable:
    """With the time after which a planned table begins with whoever is ready, no sooner than was
    said before; it stays open so long."""
    due = now + stored.timing.pace.waits.start
    if (said := stored.timing.deadline(DeadlineKind.PLANNED)) is not None:
        due = max(due, said.due)
    stored = replace(stored, timing=replace(stored.timing, overdue=False))
    stored = stored.with_deadline(Deadline(DeadlineKind.PLANNED, UNASKED, due))
    return with_closing_time(stored, now)


def renew_start_time(stored: StoredTable, now: datetime) -> StoredTable:
    """The same anew at a planned table; any other as it is."""
    timing = stored.timing
    planned = timing.overdue or timing.deadline(DeadlineKind.PLANNED) is not None
    return with_start_time(stored, now) if planned else stored


def overdue(stored: StoredTable) -> StoredTable:
    """The time of a planned table is up: from now on whoever is ready waits for nobody else."""
    stored = stored.without_deadline(DeadlineKind.PLANNED)
    return replace(stored, timing=replace(stored.timing, overdue=True))


def only_ready(stored: StoredTable, now: datetime) -> StoredTable:
    """Without the people who are not ready."""
    return without_people(stored, not_ready(stored), now)


def not_ready(stored: StoredTable) -> tuple[Person, ...]:
    """The people who sit here and are not ready for the match, in the order of the places."""
    return tuple(one for one in stored.seating.people if one.id not in stored.votes.ready)


def without_people(stored: StoredTable, people: Collection[Person], now: datetime) -> StoredTable:
    """Without these people in the lobby, and without what they said there; if the host is one of
    them, the first who stays leads."""
    seating, shuffling, votes = stored.seating, stored.shuffling, stored.votes
    for index, place in enumerate(seating.places):
        if place.person is not None and place.person in people:
            seating = seating.with_place(index, Place())
            shuffling = shuffling.with_word(place.person.id, "")
            votes = votes.without(place.person.id)
    stored = replace(stored, seating=seating, shuffling=shuffling, votes=votes)
    if seating.people and seating.place_of(seating.host) is None:
        stored = _led_by(stored, seating.people[0].id, now)
    return stored


def set_reachable(stored: StoredTable, user: UserId, *, reachable: bool) -> StoredTable:
    """Note whether a DM to `user` arrived; ignored for people who have left by then."""
    seated = stored.seating.place_of(user)
    if seated is None or not stored.status.is_open:
        return stored
    place = replace(stored.seating.places[seated], reachable=reachable)
    return replace(stored, seating=stored.seating.with_place(seated, place))


def unstall(stored: StoredTable) -> StoredTable:
    """The table can be shown again: its clocks start afresh."""
    if stored.timing.stalled is None:
        return stored
    return replace(stored, timing=replace(stored.timing, stalled=None))


def require_open(stored: StoredTable) -> None:
    if not stored.status.is_open:
        raise TableError("ended")


def require_lobby(stored: StoredTable) -> None:
    require_open(stored)
    if stored.status is not Status.LOBBY:
        raise TableError("started")


def require_end(stored: StoredTable) -> None:
    """Raises TableError `endless`."""
    if stored.endless:
        raise TableError("endless")


def require_running(stored: StoredTable) -> None:
    require_open(stored)
    if stored.status is not Status.RUNNING:
        raise TableError("not_running")


def require_player(stored: StoredTable, user: UserId) -> Seat:
    """The seat of `user` in a running match."""
    require_running(stored)
    return require_seated(stored, user)


def require_host(stored: StoredTable, user: UserId) -> None:
    if user != stored.seating.host:
        raise TableError("not_host")


def require_seated(stored: StoredTable, user: UserId) -> int:
    """The place of `user`."""
    seated = stored.seating.place_of(user)
    if seated is None:
        raise TableError("not_seated")
    return seated


def free_place(
    seating: Seating, place: int | None, user: UserId | None = None, *, swaps: bool = False
) -> int:
    """`place`, or the first one, if it is free for `user` (None: for anybody).

    With `swaps` another may sit there.  Raises TableError `places_kept`, `no_such_place` (places),
    `place_taken`, `place_kept`.
    """
    free = seating.open_to(user)
    if place is None:
        if not free:
            raise TableError("places_kept")
        return free[0]
    if not 0 <= place < len(seating.places):
        raise TableError("no_such_place", places=len(seating.places))
    if not swaps and not seating.places[place].free:
        raise TableError("place_taken")
    if place in seating.free_places and place not in free:
        raise TableError("place_kept")
    return place


def offers_now(stored: StoredTable) -> Mapping[int, Offer]:
    """Offers by place, each until when it runs in truth: time that was given back while the program
    was away is given to all of them."""
    offers, waits = stored.seating.offers, stored.timing.deadline(DeadlineKind.OFFERED)
    if waits is None or not offers:
        return offers
    # The earliest may have just been taken, and the others have this time already.
    late = max(timedelta(), waits.due - min(offer.until for offer in offers.values()))
    return {place: replace(offer, until=offer.until + late) for place, offer in offers.items()}


def without_places_for(stored: StoredTable, *users: UserId) -> StoredTable:
    """Without the places kept for these people, who sit or are no longer expected."""
    seating = stored.seating
    kept = {place: one for place, one in seating.kept.items() if one.id not in users}
    if kept == seating.kept:
        return stored
    offers = {place: offer for place, offer in offers_now(stored).items() if place in kept}
    stored = replace(stored, seating=replace(seating, kept=kept, offers=offers))
    return stored if kept.keys() - offers else stored.without_deadline(DeadlineKind.KEPT)


def release_places(stored: StoredTable) -> StoredTable:
    """No free place is kept for the people of the match before any more."""
    kept, offers = stored.seating.kept, stored.seating.offers
    former = (one.id for place, one in kept.items() if place not in offers)
    return without_places_for(stored, *former)


def require_welcome(stored: StoredTable, user: UserId) -> None:
    """Raises TableError `kicked`, `private`."""
    if not is_welcome(stored.seating, user):
        raise TableError("kicked" if user in stored.seating.kicked else "private")


def is_welcome(seating: Seating, user: UserId) -> bool:
    """Whether `user` may sit down here: they were not sent away, and at a private table invited."""
    asked = not seating.private or user == seating.host or user in seating.invited
    return asked and user not in seating.kicked


def _vacate(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """Free the seat of `user`: their votes and word are void, and another person is host.

    In the lobby everybody is asked again: nothing may begin because somebody has left.
    In a running match a stand-in plays for the seat, and without anybody present the match is over.
    Once the seats are closed the deal goes on, with the words that it was promised.
    """
    left = require_seated(stored, user)
    seating = stored.seating.with_place(left, Place())
    stored = replace(
        stored,
        seating=seating,
        shuffling=stored.shuffling.with_word(user, ""),
        votes=stored.votes.without(user),
    )
    if not seating.present:
        return stored.broken_off(Stop.EMPTY, now)
    if user == seating.host:
        stored = _led_by(stored, _next_host(seating, left) or seating.present[0].id, now)
    stored = presence.recount_end_votes(without_ready(stored, now), now)
    return with_host_deadline(stored, user, now)


# Computer players.
#
# They are never host and have no vote, and a table without people is over.

USUAL_LEVEL: Final = Level.NORMAL
"""Default level of a computer player."""


def seat_computer(
    stored: StoredTable, user: UserId, level: Level, place: int | None, now: datetime
) -> StoredTable:
    """Seat a computer player at `place`, or at the first free one, for the host.

    Everybody has to press Ready again, since the company has changed.  Raises TableError `ended`,
    `started`, `not_host`, `table_full`, `places_kept`, `no_such_place` (places), `place_taken`,
    `place_kept`.
    """
    require_lobby(stored)
    require_host(stored, user)
    if not stored.seating.free_places:
        raise TableError("table_full")
    place = free_place(stored.seating, place)
    return _with_place(stored, place, Place(computer=level), user, now)


def send_computer_away(table: Table, now: datetime, user: UserId, place: int) -> StoredTable:
    """The host sends the computer player at `place` away.

    Raises TableError `ended`, `started`, `not_host`, `no_computer` (number).
    """
    stored = table.stored
    require_lobby(stored)
    require_host(stored, user)
    if place not in stored.seating.computers:
        raise TableError("no_computer", number=place + 1)
    return _with_place(stored, place, Place(), user, now)


def with_computers(stored: StoredTable, count: int, level: Level) -> StoredTable:
    """A new lobby with `count` computer players.

    Raises TableError `too_many_computers` (count): a place is left for the host.
    """
    free = stored.seating.free_places
    if count > len(free):
        raise TableError("too_many_computers", count=len(free))
    for place in free[len(free) - count :]:
        seating = stored.seating.with_place(place, Place(computer=level))
        stored = replace(stored, seating=seating)
    return stored


def _with_place(
    stored: StoredTable, index: int, place: Place, user: UserId, now: datetime
) -> StoredTable:
    stored = replace(stored, seating=stored.seating.with_place(index, place))
    return with_host_deadline(without_ready(stored, now), user, now)
