"""Kaiserspiel: the state of a match, and what one seat may know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import NamedTuple, TypeAlias

from engine.cards import cards_in
from engine.game import Located, Seat
from engine.games._kaiserspiel_cards import (
    BANNERS,
    BITS,
    DOWN,
    HIDDEN,
    HIDDEN_KAISER,
    PACK,
    special_suit,
)
from engine.games._kaiserspiel_moves import Move, declares, discards, follows, leads
from engine.games._kaiserspiel_options import SEATS
from engine.games._kaiserspiel_talk import (
    ACTORS,
    ALL_SEATS,
    QUESTIONS,
    WORDS,
    Question,
    Step,
)


class Deal(NamedTuple):
    """The chance action: all 40 cards in dealing order, the cut card last."""

    pack: tuple[int, ...]
    dealer: Seat


Action: TypeAlias = Move | Deal


class Tricks(NamedTuple):
    """What has been played in this round."""

    laid: tuple[int, ...]
    """Cards in the order of play; face down `DOWN` more, and hidden as `HIDDEN`…"""
    leaders: tuple[Seat, ...]
    """Who led each trick; after a trick its winner, who leads the next one."""
    won: tuple[int, int]
    """Tricks of each team."""


class Round(NamedTuple):
    """What changes a few times a round."""

    number: int
    """From 1; 0 before the first deal."""
    dealer: Seat
    opens: tuple[int, ...]
    """The cards dealt face up, in the order of dealing: to eldest first."""
    cut: int
    """The card shown at the cut; it is not dealt."""
    scores: tuple[int, ...]
    """Totals of the completed rounds, by seat."""
    points: tuple[int, ...] | None
    """Points of this round, once it is completed."""

    @property
    def special(self) -> int | None:
        """The special suit, once four cards lie open that are not all Banners."""
        return special_suit(self.opens) if len(self.opens) == SEATS else None

    @property
    def void(self) -> bool:
        """Whether this round was completed with four open Banners."""
        return self.points is not None and not any(self.points)


class Table(NamedTuple):
    """What talking does not change.  Sets of cards are masks, one for each seat."""

    hands: tuple[int, ...]
    kaisers: tuple[int, ...]
    """The declared Kaisers of every seat, wherever they are now."""
    thrown: tuple[int, ...]
    """The discards; 0 until a seat has discarded."""
    tricks: Tricks
    stock: tuple[int, ...]
    """Cards not dealt (yet), in dealing order, without the cut card."""
    round: Round
    target: int
    """Points that end the match."""


class State(NamedTuple):
    """A match as it stands.  After a round everything stays as it is until the next deal."""

    at: int
    """What is asked: the number of a `Question`."""
    applied: int
    """Actions applied in this match, deals included."""
    value: int
    """What the round is worth; offers that were not accepted are not in it."""
    table: Table

    @property
    def question(self) -> Question:
        """What is asked, and of whom."""
        return QUESTIONS[self.at]

    @property
    def step(self) -> Step:
        """What is asked."""
        return QUESTIONS[self.at].step


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `State` and `Table`.

    Others' cards that lie face down are `HIDDEN` or `HIDDEN_KAISER` in `tricks`.
    """

    seat: Seat | None
    hand: int
    counts: tuple[int, ...]
    """Cards in every hand."""
    at: int
    applied: int
    value: int
    kaisers: tuple[int, ...]
    thrown: int
    """The own discards."""
    done: tuple[bool, ...]
    """Which seats have discarded."""
    tricks: Tricks
    round: Round
    target: int

    @property
    def question(self) -> Question:
        """What is asked, and of whom."""
        return QUESTIONS[self.at]

    @property
    def step(self) -> Step:
        """What is asked."""
        return QUESTIONS[self.at].step

    @property
    def me_asked(self) -> bool:
        """Whether the owner of the view is to act."""
        return self.seat is not None and self.seat in ACTORS[self.at]

    @property
    def legal_actions(self) -> tuple[Move, ...]:
        """All legal actions of a seat that is to act, else ()."""
        if not self.me_asked:
            return ()
        return WORDS[self.at] or with_cards(
            self.question, self.hand, self.kaisers, self.tricks, self.round
        )

    @property
    def trick(self) -> range:
        """Which cards of `tricks.laid` lie in the trick that is being played; empty if none."""
        laid = len(self.tricks.laid)
        return range(laid - laid % SEATS, laid)

    @property
    def all_kaisers(self) -> int:
        """The declared Kaisers of all seats, as a mask."""
        return sum(self.kaisers)


def declarable(pause: int, hand: int, kaisers: tuple[int, ...], round_: Round) -> int:
    """The Banners that whoever is asked at a pause may declare, as a mask.

    A Banner that lay open can be declared at the pause after it only; then it is all its owner
    has.
    """
    banners = hand & BANNERS
    if banners and pause > 2:
        banners &= ~sum(kaisers)
        for card in round_.opens:
            banners &= ~BITS[card]
    return banners


def with_cards(
    question: Question, hand: int, kaisers: tuple[int, ...], tricks: Tricks, round_: Round
) -> tuple[Move, ...]:
    """All legal actions of a seat with this hand that is asked for something with cards."""
    match question.step:
        case Step.DECLARE:
            return declares(declarable(question.pause, hand, kaisers, round_))
        case Step.DISCARD:
            return discards(hand & ~sum(kaisers))
        case Step.PLAY:
            return follows(hand) if len(tricks.laid) % SEATS else leads(hand)
        case _:
            return ()


def owner(dealer: Seat, place: int) -> Seat:
    """Who gets the open card at a place in the order of dealing."""
    return (dealer + 1 + place) % SEATS


def seat_of(tricks: Tricks, place: int) -> Seat:
    """Who laid the card at a place in `tricks.laid`."""
    return (tricks.leaders[place // SEATS] + place) % SEATS


# What is known.


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own cards."""
    table = state.table
    return View(
        seat=seat,
        hand=0 if seat is None else table.hands[seat],
        counts=tuple([hand.bit_count() for hand in table.hands]),
        at=state.at,
        applied=state.applied,
        value=state.value,
        kaisers=table.kaisers,
        thrown=0 if seat is None else table.thrown[seat],
        done=tuple([mask != 0 for mask in table.thrown]),
        tricks=table.tricks._replace(laid=tuple(_laid(table, seat))),
        round=table.round,
        target=table.target,
    )


def _laid(table: Table, seat: Seat | None) -> Iterator[int]:
    """What was played, as `seat` saw it."""
    kaisers = sum(table.kaisers)
    for place, card in enumerate(table.tricks.laid):
        if card < DOWN or seat_of(table.tricks, place) == seat:
            yield card
        else:
            yield HIDDEN_KAISER if kaisers >> (card - DOWN) & 1 else HIDDEN


def determinize(view: View, rng: Random) -> State:
    """A state drawn uniformly from those that agree with the view."""
    hands, thrown, laid, stock = _guess(view, rng)
    tricks = view.tricks._replace(laid=laid)
    table = Table(hands, view.kaisers, thrown, tricks, stock, view.round, view.target)
    return State(view.at, view.applied, view.value, table)


_Guess: TypeAlias = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[int, ...]]
"""Hands, discards, cards laid, stock."""


def _guess(view: View, rng: Random) -> _Guess:
    if not view.round.number:
        return (0,) * SEATS, (0,) * SEATS, (), ()
    shown = [_shown(view, seat) for seat in ALL_SEATS]
    known = BITS[view.round.cut] | sum(shown)
    unknown = [card for card in range(len(PACK)) if not known >> card & 1]
    rng.shuffle(unknown)
    hands, thrown = [0] * SEATS, [0] * SEATS
    laid = list(view.tricks.laid)
    for seat in ALL_SEATS:
        if seat == view.seat:
            hands[seat], thrown[seat] = view.hand, view.thrown
            continue
        mine = [place for place in range(len(laid)) if seat_of(view.tricks, place) == seat]
        dealt = view.counts[seat] + 2 * view.done[seat] + len(mine)
        missing = dealt - shown[seat].bit_count()
        got = shown[seat] | sum([BITS[card] for card in unknown[:missing]])
        del unknown[:missing]
        hands[seat], thrown[seat] = _sort_out(view, seat, got, mine, laid, rng)
    return tuple(hands), tuple(thrown), tuple(laid), tuple(unknown)


def _shown(view: View, seat: Seat) -> int:
    """The cards that are known to have been dealt to a seat."""
    if seat == view.seat:
        own = [
            place for place in range(len(view.tricks.laid)) if seat_of(view.tricks, place) == seat
        ]
        return view.hand | view.thrown | sum([BITS[view.tricks.laid[p] % DOWN] for p in own])
    cards = view.kaisers[seat]
    for place, card in enumerate(view.round.opens):
        if owner(view.round.dealer, place) == seat:
            cards |= BITS[card]
    for place, card in enumerate(view.tricks.laid):
        if card < DOWN and seat_of(view.tricks, place) == seat:
            cards |= BITS[card]
    return cards


def _sort_out(
    view: View, seat: Seat, got: int, mine: Sequence[int], laid: list[int], rng: Random
) -> tuple[int, int]:
    """Another seat's hand and discards, of the cards it got; fills its hidden cards in `laid`."""
    for place in mine:
        if laid[place] < DOWN:
            got ^= BITS[laid[place]]
    kaisers = list(cards_in(got & view.kaisers[seat]))
    plain = list(cards_in(got & ~view.kaisers[seat]))
    rng.shuffle(kaisers)
    rng.shuffle(plain)
    thrown = 0
    if view.done[seat]:
        thrown = BITS[plain.pop()] | BITS[plain.pop()]
    for place in mine:
        if laid[place] >= DOWN:
            laid[place] = DOWN + (kaisers if laid[place] == HIDDEN_KAISER else plain).pop()
    return sum([BITS[card] for card in kaisers + plain]), thrown


def places(state: State) -> tuple[Located, ...]:
    """Every card of the pack with its place and who knows it; () before the first deal."""
    table, round_ = state.table, state.table.round
    if not round_.number:
        return ()
    names = PACK.names
    found = [(round_.cut, Located(names[round_.cut], "cut", ALL_SEATS, True))]
    found += [(card, Located(names[card], "stock", (), False)) for card in table.stock]
    for seat in ALL_SEATS:
        traced = _traced(table, seat)
        if not table.thrown[seat]:  # an open card may be discarded
            traced |= sum([BITS[card] for card in round_.opens])
        held = [(card, "hand") for card in cards_in(table.hands[seat])]
        held += [(card, "discard") for card in cards_in(table.thrown[seat])]
        held += [
            (card % DOWN, "played")
            for place, card in enumerate(table.tricks.laid)
            if seat_of(table.tricks, place) == seat
        ]
        for card, where in held:
            public = bool(traced >> card & 1)
            known_to = ALL_SEATS if public else (seat,)
            found.append((card, Located(names[card], f"{where} {seat}", known_to, public)))
    return tuple([located for _, located in sorted(found)])


def _traced(table: Table, seat: Seat) -> int:
    """The cards of a seat of which everybody knows where they are whatever it may have hidden.

    Those played face up; and its other declared Kaisers, which cannot be discarded, as long as
    none of them or all of them have been played face down.
    """
    own = [
        card for place, card in enumerate(table.tricks.laid) if seat_of(table.tricks, place) == seat
    ]
    shown = sum([BITS[card] for card in own if card < DOWN])
    kaisers = table.kaisers[seat] & ~shown
    down = sum([kaisers >> (card - DOWN) & 1 for card in own if card >= DOWN])
    return shown | kaisers if down in (0, kaisers.bit_count()) else shown
