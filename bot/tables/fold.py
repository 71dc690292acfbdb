"""A log and the state that is its fold.  Pure: table to table.

Nothing enters a state except through `append`, from the very text that is stored: a table read
back from the store cannot differ from the one that was played.
"""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

from bot.tables.model import Actor, Entry, Table, TableRecord
from engine.game import AnyGame
from engine.layout import Phrase, SeatName
from engine.record import opening_from_json


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
            table = append(table, entry)
    except Exception:
        # Whatever a game makes of a log that is not its own; its words could tell cards.
        raise UnreadableLogError from None
    return table


def append(table: Table, entry: Entry) -> Table:
    """The table with one more line in its log, wherever that comes from.

    Raises RuleError for an illegal one.
    """
    game, before, seat = table.game, table._state, entry.seat
    action = action_of(game, before, entry)
    after = game.apply(before, seat, action)
    public = (e.phrase for e in game.events(before, seat, action, after) if e.audience is None)
    who = {"seat": SeatName(seat)}
    late = entry.by in (Actor.CLOCK, Actor.CLOCK_AWAY)
    introduced = (Phrase("table.time_up", who),) if late else ()
    closed = (Phrase("table.stand_in", who),) if entry.by is Actor.CLOCK_AWAY else ()
    points = None if entry.is_deal else game.round_scores(after)
    return replace(
        table,
        log=(*table.log, entry),
        told=(*table.told, *introduced, *public, *closed),
        rounds=table.rounds if points is None else (*table.rounds, points),
        _state=after,
    )


def action_of(game: AnyGame, before: Any, entry: Entry) -> Any:
    """The action that `entry` stores, due at the state `before`.  Raises NotationError."""
    if entry.is_deal:
        return opening_from_json(game, before, json.loads(entry.text))
    return game.parse_action(entry.text)
