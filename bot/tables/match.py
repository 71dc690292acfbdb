"""The match: folding its log, playing, dealing, ending.  Pure: table to table.

Nothing enters a state except through `_append`, from the very text that is stored: a table read
back from the store cannot differ from the one that was played.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final, assert_never

from bot.tables import lobby
from bot.tables.model import (
    By,
    ByPerson,
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
from engine.game import CHANCE, AnyGame, Seat
from engine.record import opening_from_json, opening_to_json

NEXT_ROUND_TIME: Final = timedelta(seconds=60)


class UnreadableLogError(Exception):
    """The log cannot be folded: other rules wrote it, or it was damaged.  Says nothing more."""


def fold(record: TableRecord, game: AnyGame, log: tuple[Entry, ...]) -> Table:
    """The table that a record and its log make.  Raises UnreadableLogError."""
    if record.started is None:
        return Table(record, game, log)
    if record.rules_version != game.info.rules_version:
        raise UnreadableLogError
    try:
        state = game.initial(len(record.places), record.options)
        table = Table(record, game, _state=state)
        for entry in log:
            table = _append(table, entry)
    except Exception:
        # Whatever a game makes of a log that is not its own; its words could tell cards.
        raise UnreadableLogError from None
    return table


def on_record(table: Table, decide: Callable[[TableRecord], TableRecord], now: datetime) -> Table:
    """`table` with its people or places changed, and what that means for the next round."""
    record = decide(table.record)
    if record is table.record:
        return table
    return _between(replace(table, record=record), now)


def start(table: Table, user: int, chance: Chance, now: datetime) -> Table:
    """The host starts the match.

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

    Raises TableError `ended`, `not_running`, `not_seated`, `between_rounds`, `not_your_turn`
    (seat: whose turn it is, -1 if several), `stale`; NotationError and RuleError of the game.
    """
    _require_running(table.record)
    seat = _seat_of(table.record, by)
    if seat is None:
        raise TableError("not_seated")
    if table.between_rounds:
        raise TableError("between_rounds")
    actors = table.actors
    if seat not in actors:
        raise TableError("not_your_turn", seat=actors[0] if len(actors) == 1 else -1)
    if question is not None and question != table.question(seat):
        raise TableError("stale")
    game = table.game
    canonical = game.format_action(game.parse_action(text, table.observe(seat)))
    table = _append(table, Entry(table.ply, seat, canonical, now, interaction))
    if table.outcome is not None:
        record = replace(table.record, status=Status.FINISHED, ended=now, deadlines=(), seen={})
        return replace(table, record=record)
    return _between(table, now)


def applied(table: Table, interaction: int | None) -> bool:
    """Whether that interaction is in the log already."""
    return interaction is not None and any(
        entry.interaction == interaction for entry in reversed(table.log)
    )


def ready(table: Table, user: int, question: int | None, chance: Chance, now: datetime) -> Table:
    """`user` wants the next round; it is dealt when everybody does and no seat is free.

    Raises TableError `ended`, `not_running`, `not_seated`, `stale`, `round_running` (not
    between two rounds, and no question given).
    """
    _require_running(table.record)
    lobby.require_seated(table.record, user)
    if question is not None and question != table.ply:
        raise TableError("stale")
    if not table.between_rounds:
        raise TableError("round_running" if question is None else "stale")
    record = replace(table.record, ready=table.record.ready | {user})
    table = replace(table, record=record)
    everybody = {person.id for person in record.people} <= record.ready
    return _deal(table, chance, now) if everybody and not record.free_places else table


def fire(table: Table, deadline: Deadline, chance: Chance, now: datetime) -> Table:
    """What happens at `deadline`; nothing if it no longer stands (fired twice, moved, stale)."""
    record = table.record
    standing = record.deadline(deadline.kind)
    if standing is None or standing.question != deadline.question or standing.due > now:
        return table
    match deadline.kind:
        case DeadlineKind.LOBBY if record.status is Status.LOBBY:
            return replace(table, record=lobby.close(record, None, now))
        case DeadlineKind.AUTO_START if record.status is Status.LOBBY and not record.free_places:
            return _begin(table, chance, now)
        case DeadlineKind.NEXT_ROUND if table.between_rounds and not record.free_places:
            return _deal(table, chance, now)
        case DeadlineKind.LOBBY | DeadlineKind.AUTO_START | DeadlineKind.NEXT_ROUND:
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
    return _deal(Table(record, game, _state=game.initial(needed, options)), chance, now)


def _deal(table: Table, chance: Chance, now: datetime) -> Table:
    game = table.game
    action = game.deal(table._state, chance.draw(table.id, table.round + 1))
    after = game.apply(table._state, CHANCE, action)
    text = json.dumps(opening_to_json(game, action, after), separators=(",", ":"))
    table = _append(table, Entry(table.ply, CHANCE, text, now))
    return _between(replace(table, record=replace(table.record, ready=frozenset())), now)


def _append(table: Table, entry: Entry) -> Table:
    """The table with one more line in its log, wherever that comes from.

    Raises RuleError for an illegal one.
    """
    game, before, seat = table.game, table._state, entry.seat
    if entry.is_deal:
        action = opening_from_json(game, before, json.loads(entry.text))
    else:
        action = game.parse_action(entry.text)
    after = game.apply(before, seat, action)
    public = (e.phrase for e in game.events(before, seat, action, after) if e.audience is None)
    points = None if entry.is_deal else game.round_scores(after)
    return replace(
        table,
        log=(*table.log, entry),
        told=(*table.told, *public),
        rounds=table.rounds if points is None else (*table.rounds, points),
        _state=after,
    )


def _between(table: Table, now: datetime) -> Table:
    """What being between rounds, or no longer, means for the record.

    Between rounds, with no seat free, the next deal has a time; otherwise it has none.  No hand
    is secret then: whoever left may sit down anywhere.
    """
    record = table.record
    if record.status is not Status.RUNNING:
        return table
    if table.between_rounds and record.seen:
        record = replace(record, seen={})
    if not table.between_rounds or record.free_places:
        record = lobby.without_deadline(record, DeadlineKind.NEXT_ROUND)
    elif record.deadline(DeadlineKind.NEXT_ROUND) is None:
        due = now + NEXT_ROUND_TIME
        record = lobby.with_deadline(record, Deadline(DeadlineKind.NEXT_ROUND, table.ply, due))
    return replace(table, record=record)


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


def _seat_of(record: TableRecord, by: By) -> Seat | None:
    match by:
        case ByPerson(user):
            return record.place_of(user)
        case _:
            assert_never(by)
