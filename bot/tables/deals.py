"""Dealing: people's words, closing the seats, the verifiable deal.  Pure: table to table.

A round begins in two steps, each a commit.  First the seats are closed: from then on seats and
words are fixed, and the seed of the following round exists too.  Once the message that carries the
round has an id, the cards are dealt from all of that.  Without a message cards are dealt only to a
person who plays alone.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final

from bot.ids import QuestionId, UserId
from bot.tables import lobby, presence
from bot.tables.fold import append
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Lobby, Phase
from bot.tables.stored import Deadline, DeadlineKind, Entry, Shuffle, StoredTable
from engine.deal import Mix, digest, stream
from engine.game import CHANCE
from engine.record import opening_from_json, opening_to_json

POST_TIME: Final = timedelta(seconds=15)
"""How long a deal waits for the message that carries it, before the match waits for it."""

MAX_POST_LATE: Final = timedelta(seconds=3)
"""How late the end of that time may be handled: later means that the program was away."""

_WORD: Final = re.compile("[A-Za-z0-9]{0,20}")


def cut(table: Table, user: UserId, word: str) -> Table:
    """`user` says a word that the coming deal will depend on; an empty one takes it back.

    Raises TableError `ended`, `not_seated`, `cut_closed` (not in the lobby and not between two
    rounds), `word_malformed`.
    """
    stored = table.stored
    lobby.require_open(stored)
    lobby.require_seated(stored, user)
    stored = presence.clear_absence(stored, user)
    if stored.again is not None or not may_cut(table.phase):
        raise TableError("cut_closed")
    if not _WORD.fullmatch(word):
        raise TableError("word_malformed")
    stored = replace(stored, shuffling=stored.shuffling.with_word(user, word))
    return replace(table, stored=stored)


def may_cut(phase: Phase) -> bool:
    """Whether words for the coming deal are taken now."""
    return isinstance(phase, Lobby | BetweenRounds)


def close_seats(stored: StoredTable, number: int, ply: int, now: datetime) -> StoredTable:
    """Close the seats until round `number` is dealt as entry `ply`: words are fixed, too.

    The caller knows that the deal is due.  Stand-ins play for free seats.
    """
    shuffling = stored.shuffling
    due = replace(shuffling.shuffles[number - 1], words=stored.words_by_place)
    shuffles = (*shuffling.shuffles[: number - 1], due)
    shuffling = replace(shuffling, shuffles=shuffles, words={}, closed=True)
    stored = replace(
        stored,
        shuffling=shuffling.following(),
        timing=replace(stored.timing, credited=timedelta()),
        votes=replace(stored.votes, ready=frozenset()),
    )
    stored = stored.without_deadline(DeadlineKind.NEXT_ROUND)
    return with_post_time(stored, ply, now)


def with_post_time(stored: StoredTable, ply: int, now: datetime) -> StoredTable:
    """With the time by which the message that carries the round should be known."""
    return stored.with_deadline(Deadline(DeadlineKind.POST, QuestionId(ply), now + POST_TIME))


def deal(table: Table, number: int, post: str, now: datetime) -> Table:
    """Round `number`, which the seats are closed for, dealt; `post`: "" if nothing carries it."""
    game, stored = table.game, table.stored
    shuffles = list(stored.shuffling.shuffles)
    shuffles[number - 1] = shuffle = replace(shuffles[number - 1], post=post)
    action = _dealt(table, number, shuffle)
    after = game.apply(table._state, CHANCE, action)
    text = json.dumps(opening_to_json(game, action, after), separators=(",", ":"))
    stored = replace(
        stored,
        seating=replace(stored.seating, seen={}),
        shuffling=replace(stored.shuffling, shuffles=tuple(shuffles), closed=False),
        votes=replace(stored.votes, standing=frozenset(), ahead={}, take_back=None),
    )
    stored = stored.without_deadline(DeadlineKind.POST)
    return append(table, stored, Entry(table.ply, CHANCE, text, now))


def _dealt(table: Table, number: int, shuffle: Shuffle) -> Any:
    """The chance action: from the shuffle, or as another table was dealt."""
    game, again = table.game, table.stored.again
    if again is not None:
        return opening_from_json(game, table._state, json.loads(again.opening))
    seed, mix = bytes.fromhex(shuffle.seed), mixed(table, number, shuffle)
    return game.deal(table._state, stream(seed, mix))


def mixed(table: Table, number: int, shuffle: Shuffle) -> Mix:
    """Everything that a round's deal depends on besides its seed."""
    return Mix(
        table.stored.game,
        table.id,
        number,
        shuffle.post or "",
        previous(table, number),
        shuffle.words,
    )


def previous(table: Table, number: int) -> str:
    """The digest of the round before round `number`, which must be complete; "" in round 1.

    Empty, too, for a match that cannot be replayed: nothing is shown of its deals.
    """
    played = table.played
    if number == 1 or played is None:
        return ""
    if number <= table.round:
        return played.action_digests[number - 2]
    return digest(played.actions)
