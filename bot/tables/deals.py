"""Deals: people's words, closing the seats, the verifiable deal; what is public of it.  Pure.

A round begins in two steps, each a commit.  First the seats are closed: from then on seats and
words are fixed, and the seed of the following round exists too.  Once the message that carries the
round has an id, the cards are dealt from all of that.  Without a message cards are dealt only to a
person who plays alone.

This is the one place that gives out a seed, and the digest that went into a deal with it: a hash of
few possible secrets tells them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple, assert_never

from bot.ids import QuestionId, UserId
from bot.tables import lobby, lots, presence
from bot.tables.fold import append, walked
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing, Expired, Lobby, Over, Phase, Round, Unreadable
from bot.tables.stored import Deadline, DeadlineKind, Entry, Shuffle, Status, StoredTable
from engine.deal import Mix, digest, stream
from engine.game import CHANCE, Json, Seat
from engine.record import opening_from_json, opening_to_json, proof_to_json, record
from engine.verify import verify

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


# What is public of them; the record of a match that has ended.


class PublicDeal(NamedTuple):
    """Public part of one round's deal."""

    round: int
    """From 1."""
    commitment: str
    post: str | None
    """Empty if no message carries the round; None until it is dealt."""
    words: tuple[str, ...]
    """By seat; () while people may still change them."""
    seed: str | None = None
    """64 hex digits, once nothing secret hangs on them."""
    previous: str | None = None
    """Given together with the seed; empty in round 1."""


class Check(NamedTuple):
    """The result of the program's check of its own match."""

    deals: int
    """Deals whose seeds are published, so that they can be checked."""
    fits: bool
    """Whether they follow from what was published before, seats that were drawn too, and all
    actions are legal and counted rightly."""


def check(table: Table) -> Check | None:
    """The check of everything published so far; None if no seed is.

    Takes as long as playing the match again.
    """
    proofs = [_proof(table, number) for number in range(1, table.round + 1)]
    deals = sum(proof is not None for proof in proofs)
    if not deals or table.played is None:
        return None
    stopped = None if table.game.outcome(table.played.state) is not None else "so far"
    seats, options = len(table.stored.seating.places), table.stored.options
    made = record(table.game, seats, options, _played(table), stopped=stopped, proofs=proofs)
    return Check(deals, lots.fits(table.stored) and not verify(made, 1))


def public_deals(table: Table) -> tuple[PublicDeal, ...]:
    """Every deal that was made, and the coming one, in the order of the rounds.

    A deal that was never made keeps its seed: there is nothing to check.  While a round is played,
    and when all were, there is nothing to say of the next one.
    """

    def told(number: int, shuffle: Shuffle) -> bool:
        if table.stored.again is not None:  # its proof is that of the deal that it repeats
            return False
        if number <= table.round:
            return shuffle.post is not None
        played_out = table.stored.status is Status.FINISHED
        return not (isinstance(table.phase, Round) or played_out)

    shuffles = enumerate(table.stored.shuffling.shuffles, start=1)
    return tuple(_public_deal(table, *each) for each in shuffles if told(*each))


def match_record(table: Table) -> dict[str, Json]:
    """The record of a match that has ended, with its proofs (`data/docs/notation.md`).

    Raises TableError `not_running`, `replay_running`, `never_started`, `unreadable` (id).
    """
    match table.phase:
        case Over():
            return record(
                table.game,
                len(table.stored.seating.places),
                table.stored.options,
                _played(table),
                stopped=_stopped(table),
                proofs=[_proof(table, number) for number in range(1, table.round + 1)],
            )
        case Lobby():
            raise TableError("not_running", table)
        case Expired():
            raise TableError("never_started", table)
        case Unreadable():
            raise TableError("unreadable", table, id=table.id)
        case Closing() | Round() | BetweenRounds():
            raise TableError("replay_running", table)
        case _:
            assert_never(table.phase)


def _public_deal(table: Table, number: int, shuffle: Shuffle) -> PublicDeal:
    shown = PublicDeal(number, table.commitment, shuffle.post, shuffle.words)
    if shuffle.post is None or not is_published(table, number):
        return shown
    return shown._replace(seed=shuffle.seed, previous=previous(table, number))


def is_published(table: Table, number: int) -> bool:
    """Whether the seed of round `number`, which was dealt, may be known."""
    if not table.stored.status.is_open:
        return True
    return table.game.info.seeds_after == "round" and number <= len(table.rounds)


def _played(table: Table) -> Iterator[tuple[Seat, Any]]:
    """The log with the game's own actions."""
    return ((entry.seat, action) for entry, _, action, _ in walked(table))


def _stopped(table: Table) -> str | None:
    """Why the match ended before its rules end it.

    Not by what it counts for: who conceded it did not end it by the rules.
    """
    stored, played = table.stored, table.played
    if stored.status is Status.STOPPED:
        return str(stored.stop or Status.STOPPED)
    by_rules = played is None or table.game.outcome(played.state) is not None
    return None if by_rules else "again"


def _proof(table: Table, number: int) -> dict[str, Json] | None:
    """The proof of a round that was dealt; None while it is secret, and for a repeated deal."""
    if table.stored.again is not None or not is_published(table, number):
        return None
    shuffle = table.stored.shuffling.shuffles[number - 1]
    return proof_to_json(bytes.fromhex(shuffle.seed), mixed(table, number, shuffle))
