"""Auf falscher Fährte: what one seat, or a spectator, may know of a match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engine.cards import Lying
from engine.game import Located, Seat
from engine.games.auffalscherfaehrte.cards import JOKER, WITH_JOKER, Card, Move, sum_of
from engine.games.auffalscherfaehrte.rules import (
    GOAL,
    jokers_in,
    known_plus,
    moves,
    tricks_taken,
    turned,
)
from engine.games.auffalscherfaehrte.state import CompleteTrick, Round, Stage, State


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `State`.

    Everybody saw the cards of earlier tricks when they were played, so `tricks` names them;
    layouts show the last trick only.
    """

    seat: Seat | None
    hand: bytes
    """What it holds now; nothing for a spectator."""
    own: Card | None
    """The card that the seat itself hid."""
    counts: tuple[int, ...]
    """Cards left in every hand."""
    chosen: tuple[bool, ...]
    """Who has hidden a card."""
    turned: tuple[Card, ...]
    """The hidden cards that have been turned, in their order; never whose they were."""
    round: Round
    stage: Stage
    actors: tuple[Seat, ...]
    leader: Seat
    trick: bytes
    tricks: tuple[CompleteTrick, ...]

    @property
    def asked(self) -> bool:
        """Whether the owner of the view is to act."""
        return self.seat in self.actors

    @property
    def legal_actions(self) -> Sequence[Move]:
        if not self.asked:
            return ()
        return moves(self.stage, self.hand, self.trick, self.round.trump)

    @property
    def plays_last(self) -> bool:
        """Whether the next card completes the trick."""
        return len(self.trick) == len(self.counts) - 1

    @property
    def taken(self) -> tuple[int, ...]:
        """Tricks won, by seat."""
        return tricks_taken(self.tricks, len(self.counts))

    @property
    def jokers(self) -> int:
        """Jokers that have been played in this round."""
        return jokers_in(self.tricks) + self.trick.count(JOKER)

    @property
    def total(self) -> int:
        """The sum of the turned cards."""
        return sum_of(self.turned)

    @property
    def goal(self) -> int:
        return GOAL[len(self.counts)]

    @property
    def plus(self) -> bool | None:
        """Whether the round is Plus, as everybody knows; None while that is open."""
        return known_plus(len(self.counts), self.turned)

    @property
    def known(self) -> tuple[Card, ...]:
        """The hidden cards that the owner of the view knows: those turned, and their own."""
        if self.own is None or self.own in self.turned:
            return self.turned
        return *self.turned, self.own

    @property
    def sure(self) -> bool | None:
        """Whether the round is Plus, by all that the owner knows; None while that is open."""
        return known_plus(len(self.counts), self.known)

    @property
    def leaning(self) -> bool:
        """Whether the round is Plus if the other hidden cards are as high on average as those that
        the owner knows."""
        if self.sure is not None:
            return self.sure
        return sum_of(self.known) * len(self.counts) >= self.goal * len(self.known)


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own cards."""
    return View(
        seat=seat,
        hand=b"" if seat is None else state.hands[seat],
        own=None if seat is None else state.hidden[seat],
        counts=tuple([len(hand) for hand in state.hands]),
        chosen=tuple([card is not None for card in state.hidden]),
        turned=turned(state),
        round=state.round,
        stage=state.stage,
        actors=state.actors,
        leader=state.leader,
        trick=state.trick,
        tricks=state.tricks,
    )


def locate(state: State) -> tuple[Located, ...]:
    """Every card with its place; a turned card's place does not say whose it was."""
    return WITH_JOKER.located(state.seats, _lying(state))


def _lying(state: State) -> Iterator[Lying]:
    open_cards = turned(state)
    for seat, (hand, hidden) in enumerate(zip(state.hands, state.hidden, strict=True)):
        yield hand, f"hand {seat}", (seat,)
        if hidden is not None and hidden not in open_cards:
            yield (hidden,), f"hidden {seat}", (seat,)
    yield open_cards, "turned", None
    yield state.round.aside, "aside", None
    yield state.trick, "table", None
    for trick in state.tricks:
        yield trick.cards, "taken", None
