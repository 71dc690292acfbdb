"""Auf und Ab: the sets a hand can play, the state of a match, what one seat may know of it."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.game import CHANCE, Seat
from engine.games.aufundab.cards import (
    CARDS,
    DOUBLES,
    NUMBERS,
    PACK,
    PASS,
    UP,
    Move,
    beats,
    format_move,
    quantity_of,
    subsets,
)

# The sets that a hand can play.


@cache
def _sets_of(cards: int) -> tuple[Move, ...]:
    """All sets of cards that have a number in common, by quantity and notation.

    Hands have few cards of a number, so the same ones come again and again.
    """
    plain = [Move(some) for some in subsets(cards)]
    twice = [Move(move.cards, move.cards & DOUBLES) for move in plain if move.cards & DOUBLES]
    return tuple(sorted(plain + twice, key=lambda move: (quantity_of(move), format_move(move))))


def legal_moves(hand: int, mode: int, number: int, quantity: int, opening: int) -> tuple[Move, ...]:
    """What a hand may do: each move once, a pass first, sets by number, quantity and notation.

    `quantity` is 0 when leading; `opening` is the number of the double that the first lead of
    a round must contain, negative for any other lead.
    """
    if quantity:
        better = [each for each in NUMBERS if beats(mode, each, number)]
        answers = [move for each in better for move in _sets_of(hand & CARDS[mode][each])]
        return (PASS, *[move for move in answers if quantity_of(move) == quantity])
    if opening >= 0:
        first = _sets_of(hand & CARDS[mode][opening])
        return tuple([move for move in first if move.cards & DOUBLES])
    return tuple([move for cards in CARDS[mode] for move in _sets_of(hand & cards)])


# The state.

OVER: Final[Seat] = -2
"""In place of the seat to act: the match has ended."""

UNKNOWN: Final = -1
"""In place of a number: there is none, or it is not known."""


class Deal(NamedTuple):
    """The chance action: hands by seat, and the cards left over, as masks."""

    hands: tuple[int, ...]
    aside: int


Action: TypeAlias = Move | Deal


def next_in(seats: int, out: int, seat: Seat) -> Seat:
    """The seat after `seat` that is not `out`: perhaps itself, the last player in; else UNKNOWN."""
    for step in range(1, seats + 1):
        following = (seat + step) % seats
        if not out >> following & 1:
            return following
    return UNKNOWN


class Match(NamedTuple):
    """What was agreed on: exactly one of the two is not 0."""

    hands: int
    """Number of rounds."""
    target: int
    """Points that end the match."""


class Round(NamedTuple):
    """What changes once or twice a round."""

    scores: tuple[int, ...]
    """Totals of the completed rounds."""
    number: int = 0
    """From 1; 0 before the first deal."""
    start: Seat = UNKNOWN
    """Who leads first."""
    opening: int = UNKNOWN
    """Number of the lowest double in a hand; the first lead must contain it."""
    aside: int = 0
    """Cards left over by the deal, as a mask."""
    points: tuple[int, ...] | None = None
    """Points of this round, once it is completed."""


class Past(NamedTuple):
    """The set with which a series ended."""

    winner: Seat
    """Whose it was."""
    cards: int
    """As a mask."""
    mode: int
    doubled: int = 0
    """The double among them, if it counts two."""


class Series(NamedTuple):
    """What stays the same over a series."""

    leader: Seat = UNKNOWN
    start: int = 0
    """Actions that had been applied when it began."""
    turned: bool = False
    """Whether the mode changed with it."""
    last: Past | None = None
    """How the series before it ended; None for the first of a round."""


class State(NamedTuple):
    """A match as it stands, with nothing else given before its first deal.

    After a round everything stays as it is until the next deal.
    """

    hands: tuple[int, ...]
    round: Round
    match: Match
    actor: Seat = CHANCE
    """The seat to act, CHANCE when a deal is due, OVER at the end."""
    mode: int = UP
    number: int = UNKNOWN
    """Number to beat; UNKNOWN when leading."""
    quantity: int = 0
    """Quantity to play; 0 when leading."""
    top: int = 0
    """The cards to beat."""
    owner: Seat = UNKNOWN
    """Who played last in this series, or who leads it; UNKNOWN before the first lead."""
    out: int = 0
    """Seats that have passed in this series, as a mask."""
    changes: int = 0
    """Change cards played in this series."""
    pile: int = 0
    """All cards played in this series."""
    applied: int = 0
    """Actions applied in this match, deals included."""
    history: tuple[Move, ...] = ()
    """What was done in this round, sets and passes, in order; from `round.start` on it is clear by
    whom."""
    series: Series = Series()

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Who is to act; nobody at the end."""
        return () if self.actor == OVER else (self.actor,)


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `State`.

    Everybody saw what was played in earlier series, so `gone` and `history` name it; nobody may
    look through it any more, so no layout shows it.
    """

    seat: Seat | None
    hand: int
    counts: tuple[int, ...]
    """Cards left in every hand."""
    actor: Seat
    mode: int
    number: int
    quantity: int
    top: int
    owner: Seat
    out: int
    changes: int
    pile: int
    gone: int
    """Cards played in earlier series of this round."""
    applied: int
    history: tuple[Move, ...]
    series: Series
    round: Round
    """Without `aside` (0) until the round is completed; without `opening` (UNKNOWN) before the
    first lead, except for whoever has to make it."""
    match: Match

    @property
    def asked(self) -> bool:
        """Whether the owner of the view is to act."""
        return self.seat == self.actor

    @property
    def legal_actions(self) -> tuple[Move, ...]:
        """All legal actions of a seat that is to act, else ()."""
        if not self.asked:
            return ()
        opening = self.round.opening if self.owner < 0 else UNKNOWN
        return legal_moves(self.hand, self.mode, self.number, self.quantity, opening)

    @property
    def next_mode(self) -> int:
        """The mode of the next series if this one ended now."""
        return self.mode ^ (self.changes & 1)

    @property
    def following(self) -> bool:
        """Whether somebody is asked to beat a set."""
        return self.actor >= 0 and self.quantity > 0

    @property
    def alone(self) -> bool:
        """Whether everybody but the seat to act has passed."""
        return self.following and self.out.bit_count() == len(self.counts) - 1


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own hand."""
    known = state.round
    dealt = known.number > 0
    in_hands = sum(state.hands)  # disjoint, so the sum is the union
    return View(
        seat=seat,
        hand=0 if seat is None else state.hands[seat],
        counts=tuple([hand.bit_count() for hand in state.hands]),
        actor=state.actor,
        mode=state.mode,
        number=state.number,
        quantity=state.quantity,
        top=state.top,
        owner=state.owner,
        out=state.out,
        changes=state.changes,
        pile=state.pile,
        gone=PACK.all ^ in_hands ^ known.aside ^ state.pile if dealt else 0,
        applied=state.applied,
        history=state.history,
        series=state.series,
        round=known._replace(
            opening=known.opening if state.owner >= 0 or seat == known.start else UNKNOWN,
            aside=known.aside if known.points is not None else 0,
        ),
        match=state.match,
    )
