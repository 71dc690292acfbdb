"""People and places: who sits where, who may, who leads the table.  Pure.

Every function raises TableError without a table (the service adds it) and returns the very
stored table it was given where there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.ids import ChannelId, GuildId, QuestionId, TableId, UserId
from bot.tables import presence
from bot.tables.model import Table, TableError
from bot.tables.shuffling import Shuffling
from bot.tables.stored import (
    Deadline,
    DeadlineKind,
    Pace,
    Person,
    Place,
    Seating,
    Status,
    Stop,
    StoredTable,
    Timing,
)
from engine.game import AnyGame, Options

LOBBY_TIME: Final = timedelta(minutes=15)
"""Time from a lobby's opening, or the last arrival, until it expires."""
AUTO_START_TIME: Final = timedelta(seconds=5)
"""Time from the moment a table is full until it starts by itself."""
GUESTS: Final = 50
"""People who may be invited to one private table."""
VOTE_TIME: Final = timedelta(minutes=1)
"""Time that is left to the others once more than half want to end the match."""

UNASKED: Final = QuestionId(0)
"""Question number of deadlines that belong to no question: only their `due` changes."""


def new_table(
    table: TableId,
    *,
    guild: GuildId,
    channel: ChannelId,
    host: Person,
    host_place: int = 0,
    game: AnyGame,
    seats: int | None,
    given: Options,
    private: bool,
    tip: bytes,
    now: datetime,
    pace: Pace = Pace.NONE,
    invited: frozenset[UserId] = frozenset(),
    kicked: frozenset[UserId] = frozenset(),
    rematch_of: TableId | None = None,
    locale: str = "en",
) -> StoredTable:
    """A lobby with its host seated; `tip` is what all its rounds will be dealt from.

    Raises TableError `seats_range` (minimum, maximum) or `seats_exactly` (seats), and
    NotationError for the options.
    """
    info = game.info
    if seats is None:
        seats = info.seats[-1]
    if seats not in info.seats:
        least, most = info.seats[0], info.seats[-1]
        if least == most:
            raise TableError("seats_exactly", seats=most)
        raise TableError("seats_range", minimum=least, maximum=most)
    game.complete_options(seats, given)
    places = tuple(Place(host if i == host_place else None) for i in range(seats))
    return StoredTable(
        id=table,
        guild=guild,
        channel=channel,
        game=info.id,
        rules_version=info.rules_version,
        given=dict(given),
        created=now,
        seating=Seating(
            places=places,
            host=host.id,
            private=private,
            # The host too: who hands the table over by leaving may sit down again.
            invited=invited | {host.id} if private else frozenset(),
            kicked=kicked,
        ),
        shuffling=Shuffling().following(lambda: tip),
        timing=Timing(pace, deadlines=(Deadline(DeadlineKind.LOBBY, UNASKED, now + LOBBY_TIME),)),
        rematch_of=rematch_of,
        locale=locale,
    )


def sit(
    stored: StoredTable, person: Person, place: int | None, now: datetime, *, bound: bool = True
) -> StoredTable:
    """`person` takes `place`, or the first free one; in the lobby also: moves there.

    The host may move to a place where somebody sits: the two swap.  Whoever takes their own seat
    in a running match takes it back from the stand-in.  `bound` says that a round is played, in
    which nobody sees a second hand.

    Raises TableError `ended`, `seats_closed`, `already_seated` (at another seat of a running
    match), `kicked`, `private`, `table_full`, `no_such_place` (places), `place_taken`,
    `seen_a_hand` (number: the only seat, counted from 1, where they may sit down before the
    next deal).
    """
    require_open(stored)
    seated = stored.seating.place_of(person.id)
    if seated is not None:
        if place is None or place == seated:
            return presence.alive(stored, person.id)
        if stored.status is Status.RUNNING:
            raise TableError("already_seated")
    else:
        _require_welcome(stored, person.id)
        if not stored.seating.free_places:
            raise TableError("table_full")
        if stored.shuffling.closed:
            raise TableError("seats_closed")
        known = stored.seating.seen.get(person.id)
        if place is None:
            place = known if known in stored.seating.free_places else stored.seating.free_places[0]
        if bound and known is not None and place != known:
            raise TableError("seen_a_hand", number=known + 1)
    if not 0 <= place < len(stored.seating.places):
        raise TableError("no_such_place", places=len(stored.seating.places))
    guest = seated is None or person.id != stored.seating.host
    if guest and stored.seating.places[place].person is not None:
        raise TableError("place_taken")
    places = list(stored.seating.places)
    if seated is None:
        places[place] = Place(person)
    else:
        places[place], places[seated] = places[seated], places[place]
    seating, conceded = stored.seating, stored.seating.conceded
    if conceded and seating.starters[place].id == person.id:
        conceded -= {person.id}
    stored = replace(stored, seating=replace(seating, places=tuple(places), conceded=conceded))
    if seated is None and stored.status is Status.LOBBY:
        stored = stored.with_deadline(Deadline(DeadlineKind.LOBBY, UNASKED, now + LOBBY_TIME))
    return _time_start(presence.undecided(stored), now)


def leave(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """`user` gets up.  Raises TableError `ended`, `not_seated`."""
    require_open(stored)
    require_seated(stored, user)
    return _vacate(stored, user, now)


def gone(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """`user` has left the server: they get up if they sit here."""
    if not stored.status.is_open or stored.seating.place_of(user) is None:
        return stored
    return _vacate(stored, user, now)


def back(stored: StoredTable, user: UserId) -> StoredTable:
    """`user` takes their own seat back from the stand-in.  Raises TableError `ended`, `not_seated`.

    It changes nothing where no stand-in plays for them.
    """
    require_open(stored)
    require_seated(stored, user)
    return presence.alive(stored, user)


def send_away(stored: StoredTable, target: UserId, now: datetime) -> StoredTable:
    """`target`, who sits here, gets up for good."""
    seating = replace(stored.seating, kicked=stored.seating.kicked | {target})
    return _vacate(replace(stored, seating=seating), target, now)


def invite(stored: StoredTable, user: UserId, guest: UserId) -> StoredTable:
    """The host lets `guest` in.

    Raises TableError `ended`, `not_host`, `guest_kicked`, `too_many_guests` (limit).
    """
    require_open(stored)
    require_host(stored, user)
    if guest in stored.seating.kicked:
        raise TableError("guest_kicked")
    invited = stored.seating.invited | {guest}
    if len(invited) > GUESTS:
        raise TableError("too_many_guests", limit=GUESTS)
    seating = replace(stored.seating, invited=invited)
    return replace(stored, seating=seating)


def hold(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """The host stops a full table from starting by itself, or lets it.

    Raises TableError `ended`, `started`, `not_host`.
    """
    require_lobby(stored)
    require_host(stored, user)
    timing = replace(stored.timing, held=not stored.timing.held)
    return _time_start(replace(stored, timing=timing), now)


def set_reachable(stored: StoredTable, user: UserId, reachable: bool) -> StoredTable:
    """Whether a DM arrived.  The answer may come late: it is ignored from who has left."""
    seated = stored.seating.place_of(user)
    if seated is None or not stored.status.is_open:
        return stored
    place = replace(stored.seating.places[seated], reachable=reachable)
    return replace(stored, seating=stored.seating.with_place(seated, place))


def rematch_place(stored: StoredTable, user: UserId) -> int:
    """The place of `user` in the match that has ended: the last one, else the one they began at.

    Raises TableError `not_ended`, `never_started`, `kicked`, `not_seated`.
    """
    if stored.status.is_open:
        raise TableError("not_ended")
    if stored.started is None:
        raise TableError("never_started")
    if user in stored.seating.kicked:
        raise TableError("kicked")
    began = (seat for seat, person in enumerate(stored.seating.starters) if person.id == user)
    place = stored.seating.place_of(user)
    place = next(began, None) if place is None else place
    if place is None:
        raise TableError("not_seated")
    return place


def rematch(
    table: TableId, ended: Table, host: Person, place: int, locale: str, tip: bytes, now: datetime
) -> StoredTable:
    """The lobby in which the people of `ended` meet again, each at their place if they like."""
    old, game = ended.stored, ended.game
    former = {person.id for person in (*old.seating.starters, *old.seating.people)}
    return new_table(
        table,
        guild=old.guild,
        channel=old.channel,
        host=host,
        host_place=place,
        game=game,
        seats=len(old.seating.starters),
        given=old.given,
        private=old.seating.private,
        tip=tip,
        now=now,
        pace=old.timing.pace,
        invited=frozenset(former - old.seating.kicked),
        kicked=old.seating.kicked,
        rematch_of=old.id,
        locale=locale,
    )


def sit_near(stored: StoredTable, person: Person, place: int, now: datetime) -> StoredTable:
    """`person` takes `place` if it is free, else any; who sits already stays."""
    seated = stored.seating.place_of(person.id) is not None
    return sit(
        stored, person, place if place in stored.seating.free_places and not seated else None, now
    )


def close(stored: StoredTable, stop: Stop | None, now: datetime) -> StoredTable:
    """A table that ends without a result: stopped if it was running, else expired."""
    status = Status.STOPPED if stored.status is Status.RUNNING else Status.EXPIRED
    return ended(stored, status, stop, now)


def vanished(stored: StoredTable, now: datetime) -> StoredTable:
    """The channel or thread of the table is no more; nothing changes at one that has ended."""
    return close(stored, Stop.CHANNEL, now) if stored.status.is_open else stored


def stall(stored: StoredTable, missing: Sequence[str], now: datetime) -> StoredTable:
    """See `presence.stall`.  A full table does not start by itself where nobody sees it."""
    return _time_start(presence.stall(stored, missing, now), now)


def shown(stored: StoredTable, now: datetime) -> StoredTable:
    """The table can be shown again: its clocks start afresh."""
    if stored.timing.stalled is None:
        return stored
    return _time_start(replace(stored, timing=replace(stored.timing, stalled=None)), now)


def ended(stored: StoredTable, status: Status, stop: Stop | None, now: datetime) -> StoredTable:
    """A table that ends at `now`: no deadline and no pass remains."""
    return replace(
        stored,
        status=status,
        stop=stop,
        ended=now,
        shuffling=replace(stored.shuffling, closed=False),
        timing=Timing(stored.timing.pace, stored.timing.held),
        votes=replace(stored.votes, standing=frozenset()),
    )


def require_open(stored: StoredTable) -> None:
    if not stored.status.is_open:
        raise TableError("ended")


def require_lobby(stored: StoredTable) -> None:
    require_open(stored)
    if stored.status is not Status.LOBBY:
        raise TableError("started")


def require_host(stored: StoredTable, user: UserId) -> None:
    if user != stored.seating.host:
        raise TableError("not_host")


def require_seated(stored: StoredTable, user: UserId) -> int:
    """The place of `user`."""
    seated = stored.seating.place_of(user)
    if seated is None:
        raise TableError("not_seated")
    return seated


def _require_welcome(stored: StoredTable, user: UserId) -> None:
    seating = stored.seating
    if user in seating.kicked:
        raise TableError("kicked")
    if seating.private and user != seating.host and user not in seating.invited:
        raise TableError("private")


def _vacate(stored: StoredTable, user: UserId, now: datetime) -> StoredTable:
    """`user` sits here no longer: their votes and word are void, and somebody else is host.

    In a running match a stand-in plays for the free seat, and it is over with nobody present.
    While the seats are closed the deal goes on all the same, with the word it was promised.
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
        return close(stored, Stop.EMPTY, now)
    if user == seating.host:
        following = seating.places[left + 1 :] + seating.places[:left]
        present = (p.person.id for p in following if p.person is not None and not p.away)
        seating = replace(seating, host=next(present))
    stored = replace(stored, seating=seating)
    return _time_start(count_votes(stored, now), now)


def count_votes(stored: StoredTable, now: datetime) -> StoredTable:
    """The end if all of those present want it; if more than half do, in `VOTE_TIME`.

    Till then the others may agree.  In the lobby nothing is at stake: there it ends at once.
    """
    votes, seating = len(stored.votes.end_votes), stored.seating
    if votes < seating.votes_needed:
        return presence.undecided(stored)
    if votes >= len(seating.present) or stored.status is Status.LOBBY:
        return close(stored, Stop.VOTE, now)
    if stored.timing.deadline(DeadlineKind.VOTED) is not None:
        return stored
    return stored.with_deadline(Deadline(DeadlineKind.VOTED, UNASKED, now + VOTE_TIME))


def vote_over(stored: StoredTable, now: datetime) -> StoredTable:
    """The time to agree is up: the end, if more than half of those present want it still."""
    if len(stored.votes.end_votes) < stored.seating.votes_needed:
        return presence.undecided(stored)
    return close(stored, Stop.VOTE, now)


def _time_start(stored: StoredTable, now: datetime) -> StoredTable:
    """In the lobby: a full table in sight that is not held starts by itself, any other does not."""
    if stored.status is not Status.LOBBY:
        return stored
    if stored.seating.free_places or stored.timing.held or stored.timing.stalled is not None:
        return stored.without_deadline(DeadlineKind.AUTO_START)
    due = now + AUTO_START_TIME
    return stored.with_deadline(Deadline(DeadlineKind.AUTO_START, UNASKED, due))
