"""Sticheln: the state of a match, and what one seat may know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.cards import Lying
from engine.game import Located, Seat
from engine.games.sticheln.cards import (
    CHOICES,
    CHOOSE,
    HAND,
    PACK,
    TRICKS,
    Move,
)
from engine.tricks import seats_from

UNKNOWN: Final = -1
"""In place of a seat or a card: there is none, or it is not known."""


class Deal(NamedTuple):
    """The chance action: the hands by seat, and who leads first."""

    hands: tuple[bytes, ...]
    start: Seat


Action: TypeAlias = Move | Deal


Stage: TypeAlias = Literal["deal", "choose", "play", "over"]
"""What is to be done: cards are dealt, all choose a card secretly, or a trick is played."""


class Past(NamedTuple):
    """A trick that is complete."""

    leader: Seat
    cards: bytes
    """In the order of play."""
    winner: Seat
    """UNKNOWN if nobody took it, all cards being zeros."""


class Tricks(NamedTuple):
    """What changes with every trick of a round."""

    leader: Seat
    """Of the present trick; while all choose, of the first one."""
    taken: tuple[bytes, ...]
    """The cards that each seat has collected, in the order of play."""
    number: int = 0
    """Complete tricks."""
    aside: bytes = b""
    """The cards of tricks that nobody won."""
    last: Past | None = None
    applied: int = 0
    """Actions applied in this match, deals included, before the present trick or choice."""
    played: bytes = b""
    """The cards of all complete tricks, in the order of play."""


class Round(NamedTuple):
    """What changes a few times in a round."""

    rounds: int
    """How many the match has."""
    zeros_taken: bool
    """Whether the seat that led takes a trick of nothing but zeros."""
    chosen: tuple[int, ...]
    """By seat the card of the unwanted colour; UNKNOWN until it is chosen."""
    scores: tuple[int, ...]
    """Totals of the completed rounds."""
    number: int = 0
    """From 1; 0 before the first deal."""
    start: Seat = UNKNOWN
    """Who leads the first trick."""
    points: tuple[int, ...] | None = None
    """Points of this round, once it is completed."""


class State(NamedTuple):
    """A match as it stands.  After a round everything stays as it is until the next deal."""

    stage: Stage
    actors: tuple[Seat, ...]
    """All who are to act: who plays, who has still to choose, CHANCE, or nobody any more."""
    hands: tuple[bytes, ...]
    """What each seat holds, in canonical order."""
    trick: bytes
    """The cards of the present trick in the order of play."""
    tricks: Tricks
    round: Round


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `State`.

    Everybody saw the cards that were taken, so `tricks` names them; nobody may look through
    them any more, so no layout shows those of others before the round is over.
    """

    seat: Seat | None
    hand: bytes
    """What the observer holds now; nothing for a spectator."""
    stage: Stage
    actors: tuple[Seat, ...]
    trick: bytes
    tricks: Tricks
    round: Round
    """While all choose `chosen` holds one's own card only."""

    @property
    def choosing(self) -> bool:
        """Whether anybody has still to choose the card of the unwanted colour."""
        return self.stage == "choose"

    @property
    def playing(self) -> bool:
        """Whether a trick is being played."""
        return self.stage == "play"

    @property
    def asked(self) -> bool:
        """Whether the owner of the view is to act."""
        return self.seat in self.actors

    @property
    def legal_actions(self) -> Sequence[Move]:
        """All legal actions of a seat that is to act, else ()."""
        if not self.asked:
            return ()
        return self.hand.translate(CHOICES) if self.choosing else self.hand

    def move(self, card: int) -> Move:
        """What is done with a card now: it is chosen, or played."""
        return card + CHOOSE if self.choosing else card

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.round.scores)

    def has_chosen(self, seat: Seat) -> bool:
        """Whether `seat` has chosen its card in this round."""
        return not (self.choosing and seat in self.actors)

    def count(self, seat: Seat) -> int:
        """Cards in the hand of `seat`."""
        if not self.round.number:
            return 0
        if self.choosing:
            return HAND - self.has_chosen(seat)
        played = seats_from(self.tricks.leader, self.seats).index(seat) < len(self.trick)
        return TRICKS - self.tricks.number - played


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know: its own hand, its own choice, and what lies or lay open."""
    known = state.round
    if state.stage == "choose":
        own = [card if each == seat else UNKNOWN for each, card in enumerate(known.chosen)]
        known = known._replace(chosen=tuple(own))
    return View(
        seat=seat,
        hand=b"" if seat is None else state.hands[seat],
        stage=state.stage,
        actors=state.actors,
        trick=state.trick,
        tricks=state.tricks,
        round=known,
    )


def located(state: State) -> tuple[Located, ...]:
    """Every card with its place.  Cards that were taken were seen by all when played."""
    return PACK.located(len(state.hands), _lying(state))


def _lying(state: State) -> Iterator[Lying]:
    for seat, hand in enumerate(state.hands):
        yield hand, f"hand {seat}", (seat,)
        yield state.tricks.taken[seat], f"taken {seat}", None
        card = state.round.chosen[seat]
        if card != UNKNOWN:
            yield (card,), f"chosen {seat}", (seat,) if state.stage == "choose" else None
    yield state.trick, "table", None
    yield state.tricks.aside, "aside", None
