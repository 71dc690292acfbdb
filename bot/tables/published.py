"""Public parts of the deals of a table, and the record of a finished match.

The one place that gives out a seed, and the digest that went into a deal with it: a hash of few
possible secrets tells them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, assert_never

from bot.tables import deals, lots
from bot.tables.fold import walked
from bot.tables.model import Table, TableError
from bot.tables.phase import BetweenRounds, Closing, Expired, Lobby, Over, Round, Unreadable
from bot.tables.stored import Shuffle, Status
from engine.game import Json, Seat
from engine.record import proof_to_json, record
from engine.verify import verify


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

    Raises TableError `replay_running`, `never_started`, `unreadable` (id).
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
        case Lobby() | Expired():
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
    return shown._replace(seed=shuffle.seed, previous=deals.previous(table, number))


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
    return proof_to_json(bytes.fromhex(shuffle.seed), deals.mixed(table, number, shuffle))
