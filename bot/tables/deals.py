"""The verifiable deal at a table: words, closing the seats, dealing.  Pure: table to table.

A round begins in two steps, each a commit.  First the seats are closed: from then on seats and
words are fixed, and a seed for the round after is bound.  Then, when the message that carries
the round has an id, or none could be posted in time, the cards are dealt from all of that.
"""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from bot.tables import lobby, presence
from bot.tables.fold import append
from bot.tables.model import (
    Deadline,
    DeadlineKind,
    Entry,
    Shuffle,
    Status,
    Table,
    TableError,
    TableRecord,
)
from bot.tables.ports import Chance
from engine.deal import Mix, digest, stream
from engine.game import CHANCE
from engine.record import opening_to_json

POST_TIME: Final = timedelta(seconds=15)
"""So long a deal waits for the message that carries it."""

LATE: Final = timedelta(seconds=3)
"""Whoever fires the end of that time later than this was away, and posted nothing meanwhile."""

_WORD: Final = re.compile("[A-Za-z0-9]{0,20}")


def cut(table: Table, user: int, word: str) -> Table:
    """`user` says a word that the coming deal will depend on; an empty one takes it back.

    Raises TableError `ended`, `not_seated`, `cut_closed` (not in the lobby and not between two
    rounds), `word_malformed`.
    """
    record = table.record
    lobby.require_open(record)
    lobby.require_seated(record, user)
    record = presence.alive(record, user)
    if record.status is Status.RUNNING and not table.between_rounds:
        raise TableError("cut_closed")
    if not _WORD.fullmatch(word):
        raise TableError("word_malformed")
    words = lobby.without_word(record.words, user)
    return replace(table, record=replace(record, words={**words, user: word} if word else words))


def close_seats(table: Table, chance: Chance, now: datetime) -> Table:
    """Nobody sits down and no word changes until the next round is dealt.

    The caller knows that a deal is due.  Stand-ins play for free seats.
    """
    record, number = table.record, table.round + 1
    due = replace(record.shuffles[number - 1], words=record.words_by_place)
    record = replace(
        record,
        closed=True,
        words={},
        ready=frozenset(),
        credited=timedelta(),
        shuffles=(*record.shuffles[: number - 1], due, Shuffle(chance.seed().hex())),
    )
    record = lobby.without_deadline(record, DeadlineKind.NEXT_ROUND)
    return replace(table, record=with_post_time(record, table.ply, now))


def with_post_time(record: TableRecord, ply: int, now: datetime) -> TableRecord:
    """With a time at which the cards are dealt although nobody named a message."""
    return lobby.with_deadline(record, Deadline(DeadlineKind.POST, ply, now + POST_TIME))


def deal(table: Table, post: str, now: datetime) -> Table:
    """The round that the seats were closed for, dealt; `post` is empty if nothing carries it."""
    game, record, number = table.game, table.record, table.round + 1
    shuffles = list(record.shuffles)
    shuffles[number - 1] = shuffle = replace(shuffles[number - 1], post=post)
    seed, mix = bytes.fromhex(shuffle.seed), mixed(table, number, shuffle)
    action = game.deal(table._state, stream(seed, mix))
    after = game.apply(table._state, CHANCE, action)
    text = json.dumps(opening_to_json(game, action, after), separators=(",", ":"))
    record = replace(record, shuffles=tuple(shuffles), closed=False, standing=frozenset())
    record = lobby.without_deadline(record, DeadlineKind.POST)
    return append(replace(table, record=record), Entry(table.ply, CHANCE, text, now))


def mixed(table: Table, number: int, shuffle: Shuffle) -> Mix:
    """What the deal of a round depends on besides its seed."""
    return Mix(
        table.record.game,
        table.id,
        number,
        shuffle.post or "",
        previous(table, number),
        shuffle.words,
    )


def previous(table: Table, number: int) -> str:
    """The digest of the round before round `number`, which must be complete; "" in round 1."""
    return digest(actions(table, number - 1)) if number > 1 else ""


def actions(table: Table, number: int) -> list[tuple[int, str]]:
    """Who did what in round `number`, as it stands in the log and in records."""
    found: list[tuple[int, str]] = []
    at = 0
    for entry in table.log:
        at += entry.is_deal
        if at == number and not entry.is_deal:
            found.append((entry.seat, entry.text))
    return found
