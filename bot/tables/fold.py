"""Loading a table: its match log replayed to the state of the match.  Pure: table to table.

Nothing enters a state except through `_continued`, from the very text that is stored: a table read
back from the store cannot differ from the one that was played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from bot.tables.model import Table
from bot.tables.phase import Played
from bot.tables.stored import Actor, Entry, StoredTable
from engine.deal import digest
from engine.game import AnyGame
from engine.layout import Phrase, SeatName
from engine.record import opening_from_json


class UnreadableLogError(Exception):
    """The log cannot be folded: other rules wrote it, or it was damaged.  Says nothing more."""


def fold(stored: StoredTable, game: AnyGame, log: tuple[Entry, ...]) -> Table:
    """The table of a stored record and its log.  Raises UnreadableLogError."""
    if stored.started is None:
        return Table(stored, game, log)
    if stored.rules_version != game.info.rules_version:
        raise UnreadableLogError
    try:
        start = Played(game.initial(len(stored.seating.places), stored.options))
        return Table(stored, game, log, _continued(game, start, log))
    except Exception:
        # Whatever a game makes of a log that is not its own; its words could tell cards.
        raise UnreadableLogError from None


def append(table: Table, stored: StoredTable, entry: Entry) -> Table:
    """The table with `stored` and one more line in its log.

    Raises RuleError for an illegal line, UnreadableLogError where no match has begun.
    """
    if table.played is None:
        raise UnreadableLogError
    played = _continued(table.game, table.played, (entry,))
    return replace(table, stored=stored, log=(*table.log, entry), played=played)


def _continued(game: AnyGame, played: Played, entries: Iterable[Entry]) -> Played:
    """The result of a log after more lines.

    Raises NotationError and RuleError.
    """
    state, answered = played.state, {**played.answered}
    deals, told, rounds = [*played.deals], [*played.told], [*played.rounds]
    actions, digests = [*played.actions], [*played.action_digests]
    told_before = played.told_before
    for entry in entries:
        before, seat = state, entry.seat
        action = action_of(game, before, entry)
        state = game.apply(before, seat, action)
        if entry.is_deal:
            if deals:
                digests.append(digest(actions))
            deals.append(entry.ply)
            actions, told_before = [], len(told)
        else:
            answered[seat] = len(told)
            actions.append((seat, entry.text))
            points = game.round_scores(state)
            if points is not None:
                rounds.append(points)
        events = game.events(before, seat, action, state)
        told += told_of(entry, (e.phrase for e in events if e.audience is None))
    return Played(
        state,
        tuple(deals),
        tuple(told),
        tuple(rounds),
        tuple(actions),
        tuple(digests),
        answered,
        told_before,
    )


def told_of(entry: Entry, public: Iterable[Phrase]) -> Iterator[Phrase]:
    """Public phrases about a line: its events, and what the clock had to do with it."""
    who = {"seat": SeatName(entry.seat)}
    if entry.by in (Actor.CLOCK, Actor.CLOCK_AWAY):
        yield Phrase("table.time_up", who)
    yield from public
    if entry.by is Actor.CLOCK_AWAY:
        yield Phrase("table.stand_in", who)


def action_of(game: AnyGame, before: Any, entry: Entry) -> Any:
    """The action that `entry` stores, due at the state `before`.  Raises NotationError."""
    if entry.is_deal:
        return opening_from_json(game, before, json.loads(entry.text))
    return game.parse_action(entry.text)
