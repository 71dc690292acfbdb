"""People and places: who sits where, who may, who leads the table.  Pure: record to record.

Every function raises TableError without a table (the service adds it) and returns the very
record it was given where there is nothing to change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.tables import presence
from bot.tables.model import (
    Deadline,
    DeadlineKind,
    Pace,
    Person,
    Place,
    Shuffle,
    Status,
    Stop,
    TableError,
    TableId,
    TableRecord,
)
from engine.game import AnyGame, Options

LOBBY_TIME: Final = timedelta(minutes=15)
"""Time from a lobby's opening, or the last arrival, until it expires."""
AUTO_START_TIME: Final = timedelta(seconds=5)
"""Time from the moment a table is full until it starts by itself."""

IN_LOBBY: Final = 0
"""Question number of a lobby's deadlines, which nobody is asked: only their `due` changes."""


def new_table(
    table: TableId,
    *,
    guild: int,
    channel: int,
    host: Person,
    host_place: int = 0,
    game: AnyGame,
    seats: int | None,
    given: Options,
    private: bool,
    seed: bytes,
    now: datetime,
    pace: Pace = Pace.NONE,
    invited: frozenset[int] = frozenset(),
    rematch_of: TableId | None = None,
) -> TableRecord:
    """A lobby with its host seated; `seed` is what the first round will be dealt from.

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
    return TableRecord(
        id=table,
        guild=guild,
        channel=channel,
        game=info.id,
        rules_version=info.rules_version,
        given=dict(given),
        places=places,
        host=host.id,
        created=now,
        private=private,
        # The host too: who hands the table over by leaving may sit down again.
        invited=invited | {host.id} if private else frozenset(),
        deadlines=(Deadline(DeadlineKind.LOBBY, IN_LOBBY, now + LOBBY_TIME),),
        rematch_of=rematch_of,
        pace=pace,
        shuffles=(Shuffle(seed.hex()),),
    )


def sit(record: TableRecord, person: Person, place: int | None, now: datetime) -> TableRecord:
    """`person` takes `place`, or the first free one; in the lobby also: moves there.

    The host may move to a place where somebody sits: the two swap.  Whoever takes their own seat
    in a running match takes it back from the stand-in.

    Raises TableError `ended`, `seats_closed`, `already_seated` (at another seat of a running
    match), `kicked`, `private`, `table_full`, `no_such_place` (places), `place_taken`,
    `seen_a_hand` (number: the only seat, counted from 1, where they may sit down before the
    next deal).
    """
    require_open(record)
    seated = record.place_of(person.id)
    if seated is not None:
        if place is None or place == seated:
            return presence.alive(record, person.id)
        if record.status is Status.RUNNING:
            raise TableError("already_seated")
    else:
        _require_welcome(record, person.id)
        if not record.free_places:
            raise TableError("table_full")
        if record.closed:
            raise TableError("seats_closed")
        known = record.seen.get(person.id)
        if place is None:
            place = known if known in record.free_places else record.free_places[0]
        if known is not None and place != known:
            raise TableError("seen_a_hand", number=known + 1)
    if not 0 <= place < len(record.places):
        raise TableError("no_such_place", places=len(record.places))
    if record.places[place].person is not None and (seated is None or person.id != record.host):
        raise TableError("place_taken")
    places = list(record.places)
    if seated is None:
        places[place] = Place(person)
    else:
        places[place], places[seated] = places[seated], places[place]
    record = replace(record, places=tuple(places))
    if seated is None and record.status is Status.LOBBY:
        record = with_deadline(record, Deadline(DeadlineKind.LOBBY, IN_LOBBY, now + LOBBY_TIME))
    return _time_start(record, now)


def leave(record: TableRecord, user: int, now: datetime) -> TableRecord:
    """`user` gets up.  Raises TableError `ended`, `not_seated`."""
    require_open(record)
    require_seated(record, user)
    return _vacate(record, user, now)


def gone(record: TableRecord, user: int, now: datetime) -> TableRecord:
    """`user` has left the server: they get up if they sit here."""
    if not record.status.is_open or record.place_of(user) is None:
        return record
    return _vacate(record, user, now)


def back(record: TableRecord, user: int) -> TableRecord:
    """`user` takes their own seat back from the stand-in.  Raises TableError `ended`, `not_seated`.

    It changes nothing where no stand-in plays for them.
    """
    require_open(record)
    require_seated(record, user)
    return presence.alive(record, user)


def kick(record: TableRecord, user: int, target: int, now: datetime) -> TableRecord:
    """The host sends `target` away for good.

    Raises TableError `ended`, `not_host`, `kick_self`, `target_not_seated`.
    """
    require_open(record)
    require_host(record, user)
    if target == user:
        raise TableError("kick_self")
    if record.place_of(target) is None:
        raise TableError("target_not_seated")
    return _vacate(replace(record, kicked=record.kicked | {target}), target, now)


def invite(record: TableRecord, user: int, guest: int) -> TableRecord:
    """The host lets `guest` in.  Raises TableError `ended`, `not_host`, `guest_kicked`."""
    require_open(record)
    require_host(record, user)
    if guest in record.kicked:
        raise TableError("guest_kicked")
    return replace(record, invited=record.invited | {guest})


def hold(record: TableRecord, user: int, now: datetime) -> TableRecord:
    """The host stops a full table from starting by itself, or lets it.

    Raises TableError `ended`, `started`, `not_host`.
    """
    require_lobby(record)
    require_host(record, user)
    return _time_start(replace(record, held=not record.held), now)


def set_reachable(record: TableRecord, user: int, reachable: bool) -> TableRecord:
    """Whether a DM arrived.  The answer may come late: it is ignored from who has left."""
    seated = record.place_of(user)
    if seated is None or not record.status.is_open:
        return record
    places = list(record.places)
    places[seated] = replace(places[seated], reachable=reachable)
    return replace(record, places=tuple(places))


def end(record: TableRecord, user: int, moderator: bool, now: datetime) -> TableRecord:
    """The host or a moderator ends the table; anybody else seated votes for it.

    More than half of the people present are enough; who votes is present.

    Raises TableError `ended`, `not_seated`.
    """
    require_open(record)
    if user == record.host:
        return close(record, Stop.HOST, now)
    if moderator:
        return close(record, Stop.MODERATOR, now)
    require_seated(record, user)
    record = presence.alive(record, user)
    return count_votes(replace(record, end_votes=record.end_votes | {user}), now)


def rematch_place(record: TableRecord, user: int) -> int:
    """The place of `user` in the match that has ended: the last one, else the one they began at.

    Raises TableError `not_ended`, `never_started`, `kicked`, `not_seated`.
    """
    if record.status.is_open:
        raise TableError("not_ended")
    if record.started is None:
        raise TableError("never_started")
    if user in record.kicked:
        raise TableError("kicked")
    began = (seat for seat, person in enumerate(record.starters) if person.id == user)
    place = record.place_of(user)
    place = next(began, None) if place is None else place
    if place is None:
        raise TableError("not_seated")
    return place


def rematch(
    table: TableId,
    old: TableRecord,
    game: AnyGame,
    host: Person,
    place: int,
    seed: bytes,
    now: datetime,
) -> TableRecord:
    """The lobby in which the people of `old` meet again, each at their place if they like."""
    former = {person.id for person in (*old.starters, *old.people)} - old.kicked
    return new_table(
        table,
        guild=old.guild,
        channel=old.channel,
        host=host,
        host_place=place,
        game=game,
        seats=len(old.starters),
        given=old.given,
        private=old.private,
        seed=seed,
        now=now,
        pace=old.pace,
        invited=frozenset(former),
        rematch_of=old.id,
    )


def sit_near(record: TableRecord, person: Person, place: int, now: datetime) -> TableRecord:
    """`person` takes `place` if it is free, else any; who sits already stays."""
    seated = record.place_of(person.id) is not None
    return sit(record, person, place if place in record.free_places and not seated else None, now)


def close(record: TableRecord, stop: Stop | None, now: datetime) -> TableRecord:
    """The record of a table that ends without a result: stopped if it was running, else expired."""
    status = Status.STOPPED if record.status is Status.RUNNING else Status.EXPIRED
    return ended(record, status, stop, now)


def vanished(record: TableRecord, now: datetime) -> TableRecord:
    """The channel or thread of the table is no more; nothing changes at one that has ended."""
    return close(record, Stop.CHANNEL, now) if record.status.is_open else record


def stall(record: TableRecord, missing: Sequence[str], now: datetime) -> TableRecord:
    """See `presence.stall`.  A full table does not start by itself where nobody sees it."""
    return _time_start(presence.stall(record, missing, now), now)


def shown(record: TableRecord, now: datetime) -> TableRecord:
    """The table can be shown again: its clocks start afresh."""
    if record.stalled is None:
        return record
    return _time_start(replace(record, stalled=None), now)


def ended(record: TableRecord, status: Status, stop: Stop | None, now: datetime) -> TableRecord:
    """The record of a table that ends at `now`: no deadline and no pass remains."""
    return replace(
        record,
        status=status,
        stop=stop,
        ended=now,
        deadlines=(),
        closed=False,
        standing=frozenset(),
        warned=None,
        credited=timedelta(),
        stalled=None,
    )


def with_deadline(record: TableRecord, deadline: Deadline) -> TableRecord:
    """`deadline` in place of another of its kind."""
    others = tuple(d for d in record.deadlines if d.kind is not deadline.kind)
    return replace(record, deadlines=(*others, deadline))


def without_deadline(record: TableRecord, kind: DeadlineKind) -> TableRecord:
    if record.deadline(kind) is None:
        return record
    return replace(record, deadlines=tuple(d for d in record.deadlines if d.kind is not kind))


def require_open(record: TableRecord) -> None:
    if not record.status.is_open:
        raise TableError("ended")


def require_lobby(record: TableRecord) -> None:
    require_open(record)
    if record.status is not Status.LOBBY:
        raise TableError("started")


def require_host(record: TableRecord, user: int) -> None:
    if user != record.host:
        raise TableError("not_host")


def require_seated(record: TableRecord, user: int) -> int:
    """The place of `user`."""
    seated = record.place_of(user)
    if seated is None:
        raise TableError("not_seated")
    return seated


def _require_welcome(record: TableRecord, user: int) -> None:
    if user in record.kicked:
        raise TableError("kicked")
    if record.private and user != record.host and user not in record.invited:
        raise TableError("private")


def _vacate(record: TableRecord, user: int, now: datetime) -> TableRecord:
    """`user` sits here no longer: their votes and word are void, and somebody else is host.

    In a running match a stand-in plays for the free seat, and it is over with nobody present.
    While the seats are closed the deal goes on all the same, with the word it was promised.
    """
    left = require_seated(record, user)
    places = (*record.places[:left], Place(), *record.places[left + 1 :])
    record = replace(
        record,
        places=places,
        ready=record.ready - {user},
        end_votes=record.end_votes - {user},
        words=without_word(record.words, user),
        standing=record.standing - {user},
    )
    if not record.present:
        return close(record, Stop.EMPTY, now)
    if record.status is Status.RUNNING and not record.closed:
        record = replace(record, seen={**record.seen, user: left})
    if user == record.host:
        following = places[left + 1 :] + places[:left]
        present = (p.person.id for p in following if p.person is not None and not p.away)
        record = replace(record, host=next(present))
    return _time_start(count_votes(record, now), now)


def without_word(words: Mapping[int, str], user: int) -> Mapping[int, str]:
    return {other: word for other, word in words.items() if other != user}


def count_votes(record: TableRecord, now: datetime) -> TableRecord:
    """The end if more than half of those present want it (fewer people: fewer votes needed)."""
    passed = len(record.end_votes) >= record.votes_needed
    return close(record, Stop.VOTE, now) if passed else record


def _time_start(record: TableRecord, now: datetime) -> TableRecord:
    """In the lobby: a full table in sight that is not held starts by itself, any other does not."""
    if record.status is not Status.LOBBY:
        return record
    if record.free_places or record.held or record.stalled is not None:
        return without_deadline(record, DeadlineKind.AUTO_START)
    due = now + AUTO_START_TIME
    return with_deadline(record, Deadline(DeadlineKind.AUTO_START, IN_LOBBY, due))
