"""Kaiserspiel: the state of a match, and what one seat may know of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple, TypeAlias

from engine.cards import Lying, cards_in
from engine.game import Located, Seat
from engine.games.kaiserspiel.cards import DOWN, HIDDEN, HIDDEN_KAISER, PACK, Move, mask
from engine.games.kaiserspiel.questions import (
    ALL_SEATS,
    SEATS,
    UNKNOWN,
    Question,
    Step,
    answers,
    team,
)

NOTHING: Final = (0,) * SEATS
"""No points, or no cards, of any seat."""


class Deal(NamedTuple):
    """The chance action: all 40 cards in dealing order, the cut card last."""

    pack: bytes
    dealer: Seat


Action: TypeAlias = Move | Deal


class Tricks(NamedTuple):
    """What has been played in this round."""

    laid: bytes
    """Cards in the order of play; face down `DOWN` more, and hidden as `HIDDEN`…"""
    leaders: tuple[Seat, ...]
    """Who led each trick; after a trick its winner, who leads the next one."""

    @property
    def won(self) -> tuple[int, int]:
        """Tricks of each team."""
        winners = [team(seat) for seat in self.leaders[1:]]
        return winners.count(0), winners.count(1)

    def seat_of(self, place: int) -> Seat:
        """Who laid the card at a place in `laid`."""
        return (self.leaders[place // SEATS] + place) % SEATS

    def places_of(self, seat: Seat) -> list[int]:
        """The places in `laid` of a seat's cards."""
        return [place for place in range(len(self.laid)) if self.seat_of(place) == seat]


class Round(NamedTuple):
    """What everybody knows of a round."""

    target: int
    """Points that end the match."""
    most: int | None
    """What no offer may lift the value above (switch `limit`); None: there is no such bound."""
    number: int = 0
    """From 1; 0 before the first deal."""
    dealer: Seat = UNKNOWN
    opens: tuple[int, ...] = ()
    """The cards dealt face up, in the order of dealing: to eldest first."""
    special: int | None = None
    """The special suit, once four cards lie open that are not all Banners."""
    cut: int = UNKNOWN
    """The card shown at the cut; it is not dealt."""
    scores: tuple[int, ...] = NOTHING
    """Totals of the completed rounds, by seat."""
    points: tuple[int, ...] | None = None
    """Points of this round, once it is completed."""

    @property
    def void(self) -> bool:
        """Whether this round was completed with four open Banners."""
        return self.points == NOTHING

    @property
    def doomed(self) -> bool:
        """Whether four Banners lie open: only who resigns still makes this round score."""
        return len(self.opens) == SEATS and self.special is None

    def owner(self, place: int) -> Seat:
        """Who has got the open card at a place in `opens`."""
        return (self.dealer + 1 + place) % SEATS


class RoundCards(NamedTuple):
    """What changes a few times in a round.  Sets of cards are masks, one for each seat."""

    stock: bytes = b""
    """Cards not dealt (yet), in dealing order, without the cut card."""
    kaisers: tuple[int, ...] = NOTHING
    """The declared Kaisers of every seat, wherever they are now."""
    discards: tuple[int, ...] = NOTHING
    """0 until a seat has discarded."""
    leaders: tuple[Seat, ...] = ()
    """As in `Tricks`."""

    @property
    def all_kaisers(self) -> int:
        """The declared Kaisers of all seats, as a mask."""
        return sum(self.kaisers)


class State(NamedTuple):
    """A match as it stands.  After a round everything stays as it is until the next deal."""

    question: Question
    applied: int
    """Actions applied in this match, deals included."""
    value: int
    """What the round is worth; offers that were not accepted are not in it."""
    round: Round
    cards: RoundCards
    hands: tuple[int, ...]
    """What each seat holds, as masks."""
    laid: bytes
    """As in `Tricks`."""

    @property
    def step(self) -> Step:
        """What is asked."""
        return self.question.step

    @property
    def actors(self) -> tuple[Seat, ...]:
        """Who is asked."""
        return self.question.seats

    @property
    def tricks(self) -> Tricks:
        """What has been played in this round."""
        return Tricks(self.laid, self.cards.leaders)

    @property
    def lead_due(self) -> bool:
        """Whether the next card is a lead."""
        return len(self.laid) % SEATS == 0


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `State` and `RoundCards`.

    Others' cards that lie face down are `HIDDEN` or `HIDDEN_KAISER` in `tricks`.
    """

    seat: Seat | None
    question: Question
    applied: int
    value: int
    round: Round
    hand: int
    counts: tuple[int, ...]
    """Cards in every hand."""
    kaisers: tuple[int, ...]
    discards: int
    """The own ones."""
    done: tuple[bool, ...]
    """Which seats have discarded."""
    tricks: Tricks

    @property
    def step(self) -> Step:
        """What is asked."""
        return self.question.step

    @property
    def asked(self) -> bool:
        """Whether the owner of the view is to act."""
        return self.seat in self.question.seats

    @property
    def legal_actions(self) -> tuple[Move, ...]:
        """All legal actions of a seat that is to act, else ()."""
        if not self.asked:
            return ()
        laid = len(self.tricks.laid)
        return answers(self.question, self.hand, self.kaisers, self.round.opens, laid)

    @property
    def trick(self) -> range:
        """Which cards of `tricks.laid` lie in the trick that is being played; empty if none."""
        laid = len(self.tricks.laid)
        return range(laid - laid % SEATS, laid)

    @property
    def all_kaisers(self) -> int:
        """The declared Kaisers of all seats, as a mask."""
        return sum(self.kaisers)


# Who knows what of a state.


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own cards."""
    cards = state.cards
    return View(
        seat=seat,
        question=state.question,
        applied=state.applied,
        value=state.value,
        round=state.round,
        hand=0 if seat is None else state.hands[seat],
        counts=tuple([hand.bit_count() for hand in state.hands]),
        kaisers=cards.kaisers,
        discards=0 if seat is None else cards.discards[seat],
        done=tuple([discards != 0 for discards in cards.discards]),
        tricks=state.tricks._replace(laid=bytes(_laid(state, seat))),
    )


def _laid(state: State, seat: Seat | None) -> Iterator[int]:
    """What was played, as `seat` saw it."""
    kaisers, tricks = state.cards.all_kaisers, state.tricks
    for place, card in enumerate(tricks.laid):
        if card < DOWN or tricks.seat_of(place) == seat:
            yield card
        else:
            yield HIDDEN_KAISER if kaisers >> (card - DOWN) & 1 else HIDDEN


def places(state: State) -> tuple[Located, ...]:
    """Every card of the pack with its place and who knows it; () before the first deal."""
    return PACK.located(SEATS, _lying(state)) if state.round.number else ()


def _lying(state: State) -> Iterator[Lying]:
    cards = state.cards
    yield (state.round.cut,), "cut", None
    yield cards.stock, "stock", ()
    for seat in ALL_SEATS:
        traced = _traced(state, seat)
        if not cards.discards[seat]:  # an open card may be discarded
            traced |= mask(state.round.opens)
        laid = mask(state.laid[place] for place in state.tricks.places_of(seat))
        held = {"hand": state.hands[seat], "discard": cards.discards[seat], "played": laid}
        for where, some in held.items():
            yield cards_in(some & traced), f"{where} {seat}", None
            yield cards_in(some & ~traced), f"{where} {seat}", (seat,)


def _traced(state: State, seat: Seat) -> int:
    """The cards of a seat of which everybody knows where they are whatever it may have hidden.

    Those played face up; and its other declared Kaisers, which cannot be discarded, as long as
    none of them or all of them have been played face down.
    """
    own = [state.laid[place] for place in state.tricks.places_of(seat)]
    shown = mask(card for card in own if card < DOWN)
    kaisers = state.cards.kaisers[seat] & ~shown
    down = (kaisers & mask(card for card in own if card >= DOWN)).bit_count()
    return shown | kaisers if down in (0, kaisers.bit_count()) else shown
