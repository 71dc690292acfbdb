"""A log and what it comes to.  Pure: table to table.

Nothing enters a state except through `_continued`, from the very text that is stored: a table read
back from the store cannot differ from the one that was played.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

from bot.tables import snapshots
from bot.tables.growing import Growing
from bot.tables.model import Table
from bot.tables.phase import Played
from bot.tables.stored import Actor, Entry, Snapshot, StoredTable
from engine.deal import digest
from engine.game import AnyGame
from engine.layout import Phrase, SeatName
from engine.record import opening_from_json


class UnreadableLogError(Exception):
    """The log cannot be folded: other rules wrote it, or it was damaged.  Says nothing more."""


def fold(
    stored: StoredTable, game: AnyGame, log: Sequence[Entry], snapshot: Snapshot | None = None
) -> Table:
    """The table that what is stored and its log make, or its snapshot and the log from there on.

    Raises SnapshotError, and UnreadableLogError for the log.
    """
    if stored.started is None:
        return Table(stored, game, log)
    if stored.rules_version != game.info.rules_version:
        raise UnreadableLogError
    try:
        if snapshot is not None:
            start, first = snapshots.read(snapshot.text, stored, game), snapshot.ply
        else:
            start, first = Played(game.initial(len(stored.seating.places), stored.options)), 0
        return Table(stored, game, log, reduce(partial(_continued, game), log, start), first)
    except snapshots.SnapshotError:
        raise
    except Exception:
        # Whatever a game makes of a log that is not its own; its words could tell cards.
        raise UnreadableLogError from None


def append(table: Table, stored: StoredTable, entry: Entry) -> Table:
    """The table with `stored` and one more line in its log.

    Raises RuleError for an illegal line, UnreadableLogError where no match has begun.
    """
    if table.played is None:
        raise UnreadableLogError
    played = _continued(table.game, table.played, entry)
    return replace(table, stored=stored, log=Growing.of(table.log).plus(entry), played=played)


def _continued(game: AnyGame, played: Played, entry: Entry) -> Played:
    """What a log comes to with one more line, wherever that comes from.

    Raises NotationError and RuleError.
    """
    before, seat = played.state, entry.seat
    action = action_of(game, before, entry)
    after = game.apply(before, seat, action)
    public = (e.phrase for e in game.events(before, seat, action, after) if e.audience is None)
    who = {"seat": SeatName(seat)}
    late = entry.by in (Actor.CLOCK, Actor.CLOCK_AWAY)
    introduced = (Phrase("table.time_up", who),) if late else ()
    closed = (Phrase("table.stand_in", who),) if entry.by is Actor.CLOCK_AWAY else ()
    told = Growing.of(played.told).plus(*introduced, *public, *closed)
    if entry.is_deal:
        # Digests are those of the rounds before this one.
        before_it = (*played.digests, digest(played.actions)) if played.deals else ()
        return replace(
            played,
            state=after,
            deals=(*played.deals, entry.ply),
            told=told,
            actions=(),
            digests=before_it,
        )
    points = game.round_scores(after)
    return replace(
        played,
        state=after,
        told=told,
        answered={**played.answered, seat: played.untold + len(played.told)},
        rounds=played.rounds if points is None else (*played.rounds, points),
        actions=Growing.of(played.actions).plus((seat, entry.text)),
    )


def action_of(game: AnyGame, before: Any, entry: Entry) -> Any:
    """The action that `entry` stores, due at the state `before`.  Raises NotationError."""
    if entry.is_deal:
        return opening_from_json(game, before, json.loads(entry.text))
    return game.parse_action(entry.text)
