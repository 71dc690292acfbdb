"""Sticheln: the state of a match, and what one seat may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple, TypeAlias

from engine.game import CHANCE, Seat
from engine.games.sticheln.cards import CHOICES, HAND, TRICKS, USED, Move, in_order
from engine.tricks import seats_from

UNKNOWN: Final = -1
"""In place of a seat or a card: there is none, or it is not known."""

NOBODY: Final[Seat] = -2
"""In place of the seat that plays to a trick: there is no trick.  (-1 is CHANCE.)"""


class Deal(NamedTuple):
    """The chance action: the hands by seat, and who leads first."""

    hands: tuple[bytes, ...]
    start: Seat


Action: TypeAlias = Move | Deal


class Turn(NamedTuple):
    """Whose turn it is.  In a trick each turn holds the next one: a play reckons nothing."""

    actors: tuple[Seat, ...]
    """All who are to act: who plays, who has still to choose, CHANCE, or nobody any more."""
    seat: Seat
    """Who plays to the trick; else NOBODY."""
    next: Turn | None
    """The turn after this one in the same trick; None for its last card."""


DEAL_DUE: Final = Turn((CHANCE,), NOBODY, None)
OVER: Final = Turn((), NOBODY, None)


def _turns(order: tuple[Seat, ...]) -> Turn:
    """The turns of a trick in this order."""
    return Turn(order[:1], order[0], _turns(order[1:]) if len(order) > 1 else None)


LEAD: Final = tuple(
    tuple(_turns(seats_from(leader, seats)) for leader in range(seats)) for seats in range(7)
)
"""LEAD[seats][leader]: the first turn of a trick."""


class Past(NamedTuple):
    """A trick that is complete."""

    leader: Seat
    cards: bytes
    """In the order of play."""
    winner: Seat
    """UNKNOWN if all cards were zeros."""


class Tricks(NamedTuple):
    """What changes with every trick of a round."""

    number: int
    """Complete tricks."""
    leader: Seat
    """Of the present trick; while all choose, of the first one."""
    taken: tuple[bytes, ...]
    """The cards that each seat has collected, in the order of play."""
    aside: bytes
    """The cards of tricks that nobody won."""
    last: Past | None
    applied: int
    """Actions applied in this match, deals included, before the present trick or choice."""


class Round(NamedTuple):
    """What changes a few times in a round."""

    number: int
    """From 1; 0 before the first deal."""
    rounds: int
    """How many the match has."""
    start: Seat
    """Who leads the first trick."""
    chosen: tuple[int, ...]
    """By seat the card of the unwanted colour; UNKNOWN until it is chosen."""
    scores: tuple[int, ...]
    """Totals of the completed rounds."""
    points: tuple[int, ...] | None
    """Points of this round, once it is completed."""


class State(NamedTuple):
    """A match as it stands.  After a round everything stays as it is until the next deal."""

    turn: Turn
    hands: tuple[bytes, ...]
    """What each held before the present trick: cards leave the hands when it is complete."""
    trick: bytes
    """The cards of the present trick in the order of play."""
    tricks: Tricks
    round: Round

    @property
    def choosing(self) -> bool:
        """Whether anybody has still to choose the card of the unwanted colour."""
        return is_choosing(self.turn)

    def hand(self, seat: Seat) -> bytes:
        """What `seat` holds now."""
        return self.hands[seat].translate(None, self.trick)


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `State`.

    Everybody saw the cards that were taken, so `tricks` names them; nobody may look through
    them any more, so no layout shows those of others before the round is over.
    """

    seat: Seat | None
    hand: bytes
    """What the observer holds now; nothing for a spectator."""
    turn: Turn
    trick: bytes
    tricks: Tricks
    round: Round
    """While all choose `chosen` holds one's own card only."""

    @property
    def choosing(self) -> bool:
        """Whether anybody has still to choose the card of the unwanted colour."""
        return is_choosing(self.turn)

    @property
    def playing(self) -> bool:
        """Whether a trick is being played."""
        return self.turn.seat != NOBODY

    @property
    def asked(self) -> bool:
        """Whether the observer is to act."""
        return self.seat is not None and self.seat in self.turn.actors

    @property
    def legal_actions(self) -> Sequence[Move]:
        """All legal actions of a seat that is to act, else ()."""
        if not self.asked:
            return ()
        return self.hand.translate(CHOICES) if self.choosing else self.hand

    @property
    def seats(self) -> int:
        """How many there are."""
        return len(self.round.scores)

    def has_chosen(self, seat: Seat) -> bool:
        """Whether `seat` has chosen its card in this round."""
        return not (self.choosing and seat in self.turn.actors)

    def count(self, seat: Seat) -> int:
        """Cards in the hand of `seat`."""
        if not self.round.number:
            return 0
        if self.choosing:
            return HAND - self.has_chosen(seat)
        played = seats_from(self.tricks.leader, self.seats).index(seat) < len(self.trick)
        return TRICKS - self.tricks.number - played


def is_choosing(turn: Turn) -> bool:
    """Whether the seats to act, if there are any, are to choose: they play to no trick."""
    return turn.seat == NOBODY and turn not in (DEAL_DUE, OVER)


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know: its own hand, its own choice, and what lies or lay open."""
    known = state.round
    if state.choosing:
        own = [card if each == seat else UNKNOWN for each, card in enumerate(known.chosen)]
        known = known._replace(chosen=tuple(own))
    return View(
        seat=seat,
        hand=b"" if seat is None else state.hand(seat),
        turn=state.turn,
        trick=state.trick,
        tricks=state.tricks,
        round=known,
    )


def determinize(view: View, rng: Random) -> State:
    """A state drawn uniformly from those that agree with the view."""
    hands = [b""] * view.seats
    chosen = list(view.round.chosen)
    if view.round.number:
        open_cards = bytes(card for card in chosen if card != UNKNOWN)
        seen = b"".join((view.hand, view.trick, *view.tricks.taken, view.tricks.aside, open_cards))
        pool = list(USED[view.seats].translate(None, seen))
        rng.shuffle(pool)
        for seat in range(view.seats):
            if seat == view.seat:
                hands[seat] = view.hand
                continue
            count = view.count(seat)
            hands[seat] = in_order(pool[:count])
            del pool[:count]
            if chosen[seat] == UNKNOWN and view.has_chosen(seat):
                chosen[seat] = pool.pop()
        # What lies in the trick was in the hands before it.
        for seat, card in zip(seats_from(view.tricks.leader, view.seats), view.trick, strict=False):
            hands[seat] = in_order([*hands[seat], card])
    return State(
        turn=view.turn,
        hands=tuple(hands),
        trick=view.trick,
        tricks=view.tricks,
        round=view.round._replace(chosen=tuple(chosen)),
    )
