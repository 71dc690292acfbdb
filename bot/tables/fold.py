"""Loading a table: its match log replayed to the state of the match.  Pure: table to table.

Nothing enters a state except through `_continued`, from the very text that is stored: a table read
back from the store cannot differ from the one that was played.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from bot.ids import QuestionId
from bot.tables.model import Table
from bot.tables.phase import Asked, Played
from bot.tables.stored import UNDO, Actor, Entry, StoredTable, standing
from engine.deal import digest
from engine.game import CHANCE, AnyGame, Seat
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


def _continued(game: AnyGame, played: Played, entries: Sequence[Entry]) -> Played:
    """The result of a log after more lines.

    Raises NotationError and RuleError; UnreadableLogError for an undo of anything but the line
    before.
    """
    folding, before = _Folding(game, played), played.before
    for entry, following in zip_longest(entries, entries[1:]):
        if entry.is_undo:
            folding, before = _Folding(game, _taken_back(folding.asked, entry, before)), None
            continue
        last = following is None or following.is_undo
        before = folding.played(None) if last and not entry.is_deal else None
        folding.play(entry)
    return folding.played(before)


class _Folding:
    """A log on its way: what `Played` has, in lists."""

    def __init__(self, game: AnyGame, played: Played) -> None:
        self._game = game
        self._state, self._answered = played.state, {**played.answered}
        self._deals, self._told, self._rounds = [*played.deals], [*played.told], [*played.rounds]
        self._actions, self._digests = [*played.actions], [*played.action_digests]
        self._told_before, self._undone = played.told_before, played.taken_back
        self.asked = played.asked

    def play(self, entry: Entry) -> None:
        """One more line, which is no undo."""
        game, before, seat = self._game, self._state, entry.seat
        action = action_of(game, before, entry)
        self._state = state = game.apply(before, seat, action)
        if entry.is_deal:
            if self._deals:
                self._digests.append(digest(self._actions))
            self._deals.append(entry.ply)
            self._actions, self._told_before = [], len(self._told)
        else:
            if entry.by is not Actor.STANDING:  # nobody was asked then, or looked
                self._answered[seat] = len(self._told)
            self._actions.append((seat, entry.text))
            points = game.round_scores(state)
            if points is not None:
                self._rounds.append(points)
        events = game.events(before, seat, action, state)
        self._told += told_of(entry, (e.phrase for e in events if e.audience is None))
        self.asked = _asked(game, state, self.asked, QuestionId(entry.ply + 1))

    def played(self, before: Played | None) -> Played:
        return Played(
            self._state,
            tuple(self._deals),
            tuple(self._told),
            tuple(self._rounds),
            tuple(self._actions),
            tuple(self._digests),
            {**self._answered},
            self._told_before,
            self.asked,
            self._undone,
            before,
        )


def _asked(
    game: AnyGame, state: Any, before: Mapping[Seat, Asked], now: QuestionId
) -> Mapping[Seat, Asked]:
    """The questions at `state`: those of `before` that still stand, and new ones with `now`."""
    found = {}
    for seat in game.actors(state):
        if seat != CHANCE:
            put = game.question(state, seat)
            known = before.get(seat)
            found[seat] = known if known is not None and known.put == put else Asked(put, now)
    return found


def _taken_back(asked: Mapping[Seat, Asked], entry: Entry, before: Played | None) -> Played:
    """What there was `before` a line that `entry` takes back: `asked` was asked after that."""
    if before is None or entry.text != f"{UNDO}{entry.ply - 1}" or entry.seat not in before.asked:
        raise UnreadableLogError
    number = QuestionId(entry.ply + 1)
    return replace(
        before,
        told=(*before.told, Phrase("table.taken_back", {"seat": SeatName(entry.seat)})),
        asked={
            seat: one if asked.get(seat) == one else one._replace(number=number)
            for seat, one in before.asked.items()
        },
        taken_back=before.taken_back + 1,
        before=None,
    )


def told_of(entry: Entry, public: Iterable[Phrase]) -> Iterator[Phrase]:
    """Public phrases about a line: its events, and what the clock had to do with it."""
    who = {"seat": SeatName(entry.seat)}
    if entry.by in (Actor.CLOCK, Actor.CLOCK_AWAY):
        yield Phrase("table.time_up", who)
    yield from public
    if entry.by is Actor.CLOCK_AWAY:
        yield Phrase("table.stand_in", who)


def walked(table: Table) -> Iterator[tuple[Entry, Any, Any, Any]]:
    """`walk` of a whole match."""
    stored = table.stored
    start = table.game.initial(len(stored.seating.places), stored.options)
    return walk(table.game, start, table.log)


def walk(game: AnyGame, state: Any, log: Sequence[Entry]) -> Iterator[tuple[Entry, Any, Any, Any]]:
    """The lines of a log that stand, each with the state before, its action and the state after."""
    for entry in standing(log):
        before, action = state, action_of(game, state, entry)
        state = game.apply(before, entry.seat, action)
        yield entry, before, action, state


def action_of(game: AnyGame, before: Any, entry: Entry) -> Any:
    """The action that `entry` stores, due at the state `before`.  Raises NotationError."""
    if entry.is_deal:
        return opening_from_json(game, before, json.loads(entry.text))
    return game.parse_action(entry.text)
