"""Auf falscher Fährte: the state of a match."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from engine.game import Seat
from engine.games.auffalscherfaehrte.cards import Card, Move, Suit

NOBODY: Final[Seat] = -2
"""In place of a seat: none won a trick, or none has dealt yet.  (-1 is CHANCE.)"""


class Deal(NamedTuple):
    """The chance action."""

    hands: tuple[bytes, ...]
    aside: bytes
    """The card left over, if there is one."""
    reveal: tuple[Seat, ...]
    """The order in which the seats' hidden cards will be turned."""
    dealer: Seat


Action: TypeAlias = Move | Deal

Stage: TypeAlias = Literal["deal", "hide", "play", "trump", "over"]
"""What is to be done: a deal, a card to be hidden by each, a card to be played, a decision about
the trump, or nothing more."""


class Match(NamedTuple):
    """What was agreed on."""

    rounds: int
    jokers: bool
    again: bool
    """Whether the starter of a round starts the next one too."""

    @property
    def hand(self) -> int:
        """Cards that each is dealt."""
        return 14 if self.jokers else 13

    @property
    def tricks(self) -> int:
        """Tricks of a round: a card of every hand is hidden."""
        return self.hand - 1


class CompleteTrick(NamedTuple):
    """A trick to which all have played."""

    leader: Seat
    cards: bytes
    """In the order of play."""
    winner: Seat
    """NOBODY if all cards were jokers."""
    trump: Suit
    """When it was played."""


class Round(NamedTuple):
    """What was agreed on and what everybody knows of a round: the trump, the totals."""

    match: Match
    scores: tuple[int, ...]
    """Totals of the completed rounds, by seat."""
    opening_trump: Suit
    """The trump at the start."""
    trump: Suit
    """The trump now."""
    number: int = 0
    """From 1; 0 before the first deal."""
    dealer: Seat = NOBODY
    starter: Seat = NOBODY
    """Who leads to the first trick."""
    aside: bytes = b""
    """The card left over, if there is one; all see it."""
    offers: tuple[Seat, ...] = ()
    """Who may change the trump, in order of play; the first of them is asked now."""
    points: tuple[int, ...] | None = None
    """Points of this round, by seat, once it is completed."""
    plies: int = 0
    """Actions applied in this match, deals included, but for the plays of this round."""


class State(NamedTuple):
    """A match as it stands.  After a round everything stays so until the next deal.

    One is made at every play: what rarely changes stands in `round`.
    """

    round: Round
    stage: Stage
    actors: tuple[Seat, ...]
    """Seats that may act now, ascending; CHANCE if a deal is due."""
    hands: tuple[bytes, ...]
    """What each holds now."""
    hidden: tuple[Card | None, ...]
    """By seat: the card it hid; None before."""
    reveal: tuple[Seat, ...]
    """The order in which the hidden cards are turned; () before the first deal."""
    trick: bytes
    """The cards of the present trick in the order of play."""
    tricks: tuple[CompleteTrick, ...]
    """All complete tricks of this round."""

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def leader(self) -> Seat:
        """Who leads to the present trick."""
        return self.tricks[-1].winner if self.tricks else self.round.starter

    @property
    def plies(self) -> int:
        """Actions applied in this match, deals included."""
        return self.round.plies + self.seats * len(self.tricks) + len(self.trick)
