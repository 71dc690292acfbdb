"""The match: starting, playing, going on to the next round, ending.  Pure: table to table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.tables import deals, lobby
from bot.tables.fold import append
from bot.tables.model import (
    By,
    ByPerson,
    ByStanding,
    Deadline,
    DeadlineKind,
    Entry,
    Result,
    ResultRow,
    Status,
    Table,
    TableError,
    TableRecord,
)
from bot.tables.ports import Chance, Change
from engine.game import Seat

NEXT_ROUND_TIME: Final = timedelta(seconds=60)
STANDING_TIME: Final = timedelta(seconds=2)
"""So long after its question the answer of somebody who passes for the whole deal is given."""

_TIMES: Final = {
    DeadlineKind.NEXT_ROUND: NEXT_ROUND_TIME,
    DeadlineKind.STANDING: STANDING_TIME,
}


def on_record(table: Table, decide: Callable[[TableRecord], TableRecord], now: datetime) -> Table:
    """`table` with its people or places changed, and what that means for the next round."""
    record = decide(table.record)
    if record is table.record:
        return table
    return _waiting(replace(table, record=record), now)


def start(table: Table, user: int, chance: Chance, now: datetime) -> Table:
    """The host starts the match: the seats are closed for the first round.

    Raises TableError `ended`, `started`, `not_host`, `too_few` (needed, seated).
    """
    lobby.require_lobby(table.record)
    lobby.require_host(table.record, user)
    return _begin(table, chance, now)


def asked(table: Table, by: By) -> int | None:
    """Number of the question that whoever acts is now asked; None if they are asked nothing."""
    seat = _seat_of(table.record, by)
    return table.question(seat) if seat in table.actors else None


def act(
    table: Table, question: int | None, by: By, text: str, interaction: int | None, now: datetime
) -> Table:
    """An action, typed or pressed, as the answer to `question` (None: to the present one).

    Raises TableError `ended`, `not_running`, `not_seated`, `shuffling` (the seats are closed),
    `between_rounds`, `not_your_turn` (seat: whose turn it is, -1 if several), `stale`;
    NotationError and RuleError of the game.
    """
    _require_running(table.record)
    seat = _seat_of(table.record, by)
    if seat is None:
        raise TableError("not_seated")
    _require_round(table)
    actors = table.actors
    if seat not in actors:
        raise TableError("not_your_turn", seat=actors[0] if len(actors) == 1 else -1)
    if question is not None and question != table.question(seat):
        raise TableError("stale")
    game = table.game
    canonical = game.format_action(game.parse_action(text, table.observe(seat)))
    table = append(table, Entry(table.ply, seat, canonical, now, interaction))
    if table.outcome is not None:
        record = replace(
            table.record,
            status=Status.FINISHED,
            ended=now,
            deadlines=(),
            seen={},
            standing=frozenset(),
        )
        return replace(table, record=record)
    return _waiting(table, now)


def standing(table: Table, user: int, on: bool, question: int | None, now: datetime) -> Table:
    """`user` passes for the whole deal, or no longer.

    `question` is the number on what was pressed (None: the present one).  If that is still what
    their seat is asked, and passing answers it, the answer is given at once: somebody pressed.

    Raises TableError `ended`, `not_running`, `not_seated`, `shuffling`, `between_rounds`, `stale`
    (the question of an earlier deal).
    """
    _require_running(table.record)
    seat = lobby.require_seated(table.record, user)
    _require_round(table)
    if question is not None and question <= table.deal_ply:
        raise TableError("stale")
    record = table.record
    wanted = record.standing | {user} if on else record.standing - {user}
    table = replace(table, record=replace(record, standing=wanted))
    if table.answers_itself(seat) and question in (None, table.question(seat)):
        return _answer(table, seat, user, now)
    return _waiting(table, now)


def applied(table: Table, interaction: int | None) -> bool:
    """Whether that interaction is in the log already."""
    return interaction is not None and any(
        entry.interaction == interaction for entry in reversed(table.log)
    )


def ready(table: Table, user: int, question: int | None, chance: Chance, now: datetime) -> Table:
    """`user` wants the next round; the seats are closed when everybody does and none is free.

    Once they are closed a press changes nothing.

    Raises TableError `ended`, `not_running`, `not_seated`, `stale`, `round_running` (not
    between two rounds, and no question given).
    """
    _require_running(table.record)
    lobby.require_seated(table.record, user)
    if question is not None and question != table.ply:
        raise TableError("stale")
    if table.closing:
        return table
    if not table.between_rounds:
        raise TableError("round_running" if question is None else "stale")
    record = replace(table.record, ready=table.record.ready | {user})
    table = replace(table, record=record)
    everybody = {person.id for person in record.people} <= record.ready
    if everybody and not record.free_places:
        return deals.close_seats(table, chance, now)
    return table


def posted(table: Table, number: int, post: int | None, now: datetime) -> Table:
    """The message that carries round `number` has the id `post`, or there can be none: deal.

    Changes nothing unless the seats are closed for that very round.
    """
    if not table.closing or number != table.round + 1:
        return table
    return _deal(table, "" if post is None else str(post), now)


def fire(table: Table, deadline: Deadline, chance: Chance, now: datetime) -> Table:
    """What happens at `deadline`; nothing if it no longer stands (fired twice, moved, stale)."""
    record = table.record
    stored = record.deadline(deadline.kind)
    if stored is None or stored.question != deadline.question or stored.due > now:
        return table
    match deadline.kind:
        case DeadlineKind.LOBBY if record.status is Status.LOBBY:
            return replace(table, record=lobby.close(record, None, now))
        case DeadlineKind.AUTO_START if record.status is Status.LOBBY and not record.free_places:
            return _begin(table, chance, now)
        case DeadlineKind.NEXT_ROUND if table.between_rounds and not record.free_places:
            return deals.close_seats(table, chance, now)
        case DeadlineKind.POST if table.closing and now - stored.due > deals.LATE:
            # The program was not there to post or to name anything: the message gets its time
            # again.
            return replace(table, record=deals.with_post_time(record, table.ply, now))
        case DeadlineKind.POST if table.closing:
            return _deal(table, "", now)
        case DeadlineKind.STANDING if (answering := _answering(table)) is not None:
            # Of several with the same question each has a time of its own.
            record = lobby.without_deadline(record, deadline.kind)
            return _answer(replace(table, record=record), *answering, now)
        case (
            DeadlineKind.LOBBY
            | DeadlineKind.AUTO_START
            | DeadlineKind.NEXT_ROUND
            | DeadlineKind.POST
            | DeadlineKind.STANDING
        ):
            return replace(table, record=lobby.without_deadline(record, deadline.kind))
        case _:
            assert_never(deadline.kind)


def change(before: Table | None, after: Table) -> tuple[Change, Table]:
    """What to write to get from `before` (None: a new table) to `after`, and `after` then."""
    expected = 0 if before is None else before.record.version
    after = replace(after, record=replace(after.record, version=expected + 1))
    entries = after.log if before is None else after.log[before.ply :]
    running = before is not None and before.record.status is Status.RUNNING
    result = _result(after) if running else None
    return Change(after.record, expected, entries, result), after


def _begin(table: Table, chance: Chance, now: datetime) -> Table:
    record, game = table.record, table.game
    people = record.people
    needed = next(n for n in game.info.seats if n >= len(people))
    if len(people) != needed:
        raise TableError("too_few", needed=needed, seated=len(people))
    options = game.complete_options(needed, record.given)
    record = replace(
        record,
        status=Status.RUNNING,
        rules_version=game.info.rules_version,
        places=tuple(place for place in record.places if place.person is not None),
        options=dict(options),
        starters=people,
        ready=frozenset(),
        end_votes=frozenset(),
        deadlines=(),
        started=now,
    )
    table = Table(record, game, _state=game.initial(needed, options))
    return deals.close_seats(table, chance, now)


def _deal(table: Table, post: str, now: datetime) -> Table:
    return _waiting(deals.deal(table, post, now), now)


def _answer(table: Table, seat: Seat, user: int, now: datetime) -> Table:
    """What passing for the whole deal answers for `user` on `seat`, which `answers_itself`."""
    text = table.game.format_action(table.game.standing_action(table.observe(seat)))
    return act(table, table.question(seat), ByStanding(user), text, None, now)


def _answering(table: Table) -> tuple[Seat, int] | None:
    """The first seat whose question answers itself, and who sits there."""
    if not table.record.standing:
        return None
    for seat in table.actors:
        person = table.record.places[seat].person
        if person is not None and table.answers_itself(seat):
            return seat, person.id
    return None


def _waiting(table: Table, now: datetime) -> Table:
    """The record with the deadlines of what the table waits for in a running match.

    Between rounds, with no seat free, closing the seats has a time; otherwise it has none.  No
    hand is secret then: whoever left may sit down anywhere.  A question that answers itself has
    a time of its own, the same whatever its answer.
    """
    record = table.record
    if record.status is not Status.RUNNING:
        return table
    if table.between_rounds and record.seen:
        record = replace(record, seen={})
    paused = table.between_rounds and not record.free_places
    record = _timed(record, DeadlineKind.NEXT_ROUND, table.ply if paused else None, now)
    answering = _answering(table)
    question = None if answering is None else table.question(answering[0])
    record = _timed(record, DeadlineKind.STANDING, question, now)
    return replace(table, record=record)


def _timed(
    record: TableRecord, kind: DeadlineKind, question: int | None, now: datetime
) -> TableRecord:
    """With a deadline of that kind for `question`, kept if there is one; None: without."""
    if question is None:
        return lobby.without_deadline(record, kind)
    known = record.deadline(kind)
    if known is not None and known.question == question:
        return record
    return lobby.with_deadline(record, Deadline(kind, question, now + _TIMES[kind]))


def _result(table: Table) -> Result | None:
    """What the match counts for those who began it; None unless it was played to its end."""
    record, outcome = table.record, table.outcome
    if record.status is not Status.FINISHED or record.ended is None or outcome is None:
        return None
    rows = tuple(
        ResultRow(person.id, person.name, seat, outcome.ranking[seat], outcome.scores[seat])
        for seat, person in enumerate(record.starters)
    )
    return Result(record.id, record.guild, record.game, table.round, record.ended, rows)


def _require_running(record: TableRecord) -> None:
    lobby.require_open(record)
    if record.status is not Status.RUNNING:
        raise TableError("not_running")


def _require_round(table: Table) -> None:
    if table.closing:
        raise TableError("shuffling")
    if table.between_rounds:
        raise TableError("between_rounds")


def _seat_of(record: TableRecord, by: By) -> Seat | None:
    match by:
        case ByPerson(user):
            return record.place_of(user)
        case ByStanding(user):
            return record.place_of(user) if user in record.standing else None
        case _:
            assert_never(by)
