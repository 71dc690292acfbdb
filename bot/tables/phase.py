"""Phases of a table as a closed union, each with what is valid only in it.

A phase follows from the stored record and the result of the log.  `phase_of` is the one place where
it is computed; `Table` calls it whenever a table is made.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TypeAlias, assert_never

from bot.ids import QuestionId
from bot.tables.stored import Status, Stop, StoredTable
from engine.game import CHANCE, AnyGame, Outcome, Seat
from engine.layout import Phrase
from engine.options import is_playable


class Asked(NamedTuple):
    """A question to a seat."""

    put: int
    """Number of actions that stood when it was put (`Game.question`)."""
    number: QuestionId
    """Ply at which it was put: larger where plays have been taken back, so that none returns."""


@dataclass(frozen=True, slots=True)
class Played:
    """The result of a match log, from its first entry to its last."""

    state: Any = field(repr=False)
    """State of the game.  Opaque to everybody but the game (see `AnyGame`)."""
    deals: tuple[int, ...] = ()
    """Plies of the deals, by round."""
    told: tuple[Phrase, ...] = ()
    """Public phrases about the log, in order: public events, and around those of an action by the
    clock that time was up, and that a stand-in takes over."""
    rounds: tuple[tuple[int, ...], ...] = ()
    """Points of each complete round, by seat."""
    actions: tuple[tuple[Seat, str], ...] = field(default=(), repr=False)
    """Seat and notation of each action since the last deal, as in the log and in records."""
    action_digests: tuple[str, ...] = field(default=(), repr=False)
    """Digests of the actions of the rounds before the last one dealt, in their order."""
    answered: Mapping[Seat, int] = field(default_factory=dict)
    """By seat: number of phrases told before its last answer, of those that were asked for."""
    told_before: int = 0
    """How many had been told before the last deal: they are about rounds that are over."""
    asked: Mapping[Seat, Asked] = field(default_factory=dict)
    """By seat that may act now: its question, in the order of the game's `actors`."""
    taken_back: int = 0
    """Number of plays that were taken back in the match."""
    before: Played | None = field(default=None, repr=False)
    """What there was before the last line; None after a deal, and after a play was taken back."""


@dataclass(frozen=True, slots=True)
class Lobby:
    """People sit down; nothing has begun."""


@dataclass(frozen=True, slots=True)
class Closing:
    """The seats are closed, and the deal waits for the message that carries it."""

    number: int
    """Number of the round to be dealt, from 1."""


@dataclass(frozen=True, slots=True)
class Round:
    """A round is played."""

    number: int
    """From 1."""
    deal_ply: int
    """Ply of its deal; its questions have higher numbers."""
    questions: Mapping[Seat, QuestionId]
    """Number of the question of each seat that may act now, in the order of the game's `actors`."""


@dataclass(frozen=True, slots=True)
class BetweenRounds:
    """A round is over, and people decide when the next one begins."""

    number: int
    """Number of the round that is over, from 1."""
    deal_ply: int
    """Ply of its deal."""
    question: QuestionId
    """Number of the question to go on: the ply of the next entry."""
    points: tuple[int, ...]
    """Points of the round that is over, by seat."""
    totals: tuple[int, ...]
    """Points of all rounds so far, by seat."""


@dataclass(frozen=True, slots=True)
class Over:
    """The match has ended, by its rules or before."""

    outcome: Outcome | None
    """Outcome for the people who began it (`bot.tables.verdict`); None if it counts for nobody."""
    stop: Stop | None
    """Why it was stopped; None if it was not, or if the reason is unknown."""


@dataclass(frozen=True, slots=True)
class Expired:
    """The lobby was closed before a match began."""

    stop: Stop | None
    """Why; None if its time was up."""


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A match began here, and its log cannot be replayed, or its lobby is one of a game or options
    that are not known any more: it can only be left and ended, and ends with its next deadline.
    """

    is_open: bool
    """Whether it has not been ended yet."""


Phase: TypeAlias = Lobby | Closing | Round | BetweenRounds | Over | Expired | Unreadable
"""Every phase of a table."""


def phase_of(stored: StoredTable, game: AnyGame, ply: int, played: Played | None) -> Phase:
    """The phase of a table whose log gives `played` (None: nothing) before its next `ply`."""
    match stored.status:
        case Status.LOBBY:
            playable = is_playable(game, len(stored.seating.places), stored.given)
            return Lobby() if playable else Unreadable(is_open=True)
        case Status.EXPIRED:
            return Expired(stored.stop)
        case Status.RUNNING | Status.FINISHED | Status.STOPPED if played is None:
            return Unreadable(stored.status.is_open)
        case Status.FINISHED | Status.STOPPED:
            return Over(stored.outcome, stored.stop)
        case Status.RUNNING if stored.shuffling.closed:
            return Closing(len(played.deals) + 1)
        case Status.RUNNING:
            return _running(stored, game, ply, played)
        case _:
            assert_never(stored.status)


def _running(
    stored: StoredTable, game: AnyGame, ply: int, played: Played
) -> Round | BetweenRounds | Over:
    """The phase of a match whose seats are not closed, from the state alone."""
    state, number = played.state, len(played.deals)
    actors = game.actors(state)
    if not actors or (stored.again is not None and played.rounds):
        return Over(game.outcome(state), None)
    if actors == (CHANCE,):
        return BetweenRounds(
            number=number,
            deal_ply=played.deals[-1],
            question=QuestionId(ply),
            points=game.round_scores(state) or (),
            totals=game.scores(state),
        )
    questions = {seat: asked.number for seat, asked in played.asked.items()}
    return Round(number, played.deals[-1], questions)
