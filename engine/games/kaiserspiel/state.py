"""Kaiserspiel: the state of a match, and what one seat may know of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple, TypeAlias

from engine.cards import cards_in
from engine.game import Located, Seat
from engine.games.kaiserspiel.cards import (
    BANNER,
    BANNERS,
    BITS,
    DOWN,
    HIDDEN,
    HIDDEN_KAISER,
    PACK,
    special_suit,
)
from engine.games.kaiserspiel.moves import DECLARES, Move, discards, follows, leads
from engine.games.kaiserspiel.options import SEATS
from engine.games.kaiserspiel.talk import (
    ACTORS,
    ALL_SEATS,
    MORE_KAISERS,
    NEWEST,
    PLAYS,
    QUESTIONS,
    UNKNOWN,
    WAITING,
    WORDS,
    Question,
    Step,
)

CUT: Final = len(PACK) - 1
"""The place of the cut card in a pack."""
ALL_DEALT: Final = 28
DEALT: Final = (ALL_DEALT, 2, 4, 8, 12, ALL_DEALT)
"""By pause, 0 where there is none: how many cards have been dealt."""


class Deal(NamedTuple):
    """The chance action: all 40 cards in dealing order, the cut card last."""

    pack: bytes
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
    """What everybody knows of a round."""

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


def owner(dealer: Seat, place: int) -> Seat:
    """Who gets the open card at a place in the order of dealing."""
    return (dealer + 1 + place) % SEATS


def taker(dealer: Seat, place: int) -> Seat:
    """Who gets the card at a place in the pack."""
    return owner(dealer, place if place < SEATS else (place - SEATS) // 2)


TAKERS: Final = tuple(
    tuple(taker(dealer, place) for place in range(ALL_DEALT)) for dealer in (*ALL_SEATS, UNKNOWN)
)
"""By dealer: who gets the card at each place in the pack."""


class Parts(NamedTuple):
    """A match as it stands, by names.  Sets of cards are masks, one for each seat.

    After a round everything stays as it is until the next deal.
    """

    at: int
    """What is asked: the number of a `Question`."""
    applied: int
    """Actions applied in this match, deals included."""
    value: int
    """What the round is worth; offers that were not accepted are not in it."""
    pack: bytes
    """Of this round.  At its pauses it is dealt card by card: see `dealt`."""
    dealer: Seat
    number: int
    """Of the round, from 1; 0 before the first deal."""
    scores: tuple[int, ...]
    """Totals of the completed rounds, by seat."""
    points: tuple[int, ...] | None
    """Points of this round, once it is completed."""
    target: int
    """Points that end the match."""
    got: tuple[int, ...]
    """The seven cards that every seat got, once all have been dealt; before that ()."""
    gone: int
    """The cards that were discarded or played."""
    kaisers: tuple[int, ...]
    """The declared Kaisers of every seat, wherever they are now."""
    thrown: tuple[int, ...]
    """The discards; 0 until a seat has discarded."""
    tricks: Tricks

    @property
    def question(self) -> Question:
        """What is asked, and of whom."""
        return QUESTIONS[self.at]

    @property
    def step(self) -> Step:
        """What is asked."""
        return QUESTIONS[self.at].step

    @property
    def dealt(self) -> int:
        """How many cards have been dealt, from the beginning of the pack."""
        return DEALT[QUESTIONS[self.at].pause] if self.number else 0

    @property
    def hands(self) -> tuple[int, ...]:
        """What every seat holds, as masks."""
        got = self.got or served(self.pack[: self.dealt], self.dealer)
        return tuple([cards & ~self.gone for cards in got])

    @property
    def stock(self) -> bytes:
        """Cards not dealt (yet), in dealing order, without the cut card."""
        return self.pack[self.dealt : CUT]

    @property
    def round(self) -> Round:
        """What everybody knows of the round."""
        opens = tuple(self.pack[: min(self.dealt, SEATS)])
        cut = self.pack[CUT] if self.number else UNKNOWN
        return Round(self.number, self.dealer, opens, cut, self.scores, self.points)


Table: TypeAlias = tuple[
    bytes,
    Seat,
    int,
    tuple[int, ...],
    tuple[int, ...] | None,
    int,
    tuple[int, ...],
    int,
    tuple[int, ...],
    tuple[int, ...],
    tuple[int, ...],
    tuple[Seat, ...],
    tuple[int, int],
]
"""What talking does not change: `Parts` from `pack` on, and the parts of its `tricks` as well."""

State: TypeAlias = tuple[int, int, int, Table]
"""`Parts` without the names: at, applied, value, and all the rest, which most actions share.

One is made at every action, and named it takes five times as long.
"""


def parts(state: State) -> Parts:
    """The parts of a state by their names."""
    at, applied, value, table = state
    return Parts(at, applied, value, *table[:-3], Tricks(*table[-3:]))


def state_of(now: Parts) -> State:
    """The state with these parts."""
    return now.at, now.applied, now.value, (*now[3:-1], *now.tricks)


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `Parts`.

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
            self.question, self.hand, self.kaisers, len(self.tricks.laid), self.round.opens
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


def served(cards: bytes, dealer: Seat) -> tuple[int, ...]:
    """Who gets which of the first cards of a pack, as masks: one open each, then two each time."""
    got = [0] * SEATS
    for card, seat in zip(cards, TAKERS[dealer], strict=False):
        got[seat] |= BITS[card]
    return tuple(got)


def declarable(pause: int, hand: int, kaisers: tuple[int, ...], opens: Sequence[int]) -> int:
    """The Banners that whoever is asked at a pause may declare, as a mask.

    A Banner that lay open can be declared at the pause after it only; then it is all its owner
    has.
    """
    banners = hand & BANNERS
    if banners and pause > 2:
        banners &= ~sum(kaisers)
        for card in opens:
            banners &= ~BITS[card]
    return banners


def with_cards(
    question: Question, hand: int, kaisers: tuple[int, ...], laid: int, opens: Sequence[int]
) -> tuple[Move, ...]:
    """All legal actions of a seat with this hand that is asked for something with cards.

    `laid` counts the cards that have been played.
    """
    match question.step:
        case Step.PLAY:
            return follows(hand) if laid % SEATS else leads(hand)
        case Step.DISCARD:
            return discards(hand & ~sum(kaisers))
        case Step.DECLARE:
            return DECLARES[declarable(question.pause, hand, kaisers, opens)]
        case _:
            return ()


def own_options(at: int, table: Table, seat: Seat) -> tuple[Move, ...]:
    """The same as `with_cards`, faster: from what `seat`, who is asked, holds in a state."""
    pack, _, _, _, _, _, got, gone, kaisers, _, laid, _, _ = table
    places = NEWEST[at]
    if places is not None:
        first, last = places
        return DECLARES[(BANNER[pack[first]] | BANNER[pack[last]]) & ~kaisers[seat]]
    if seat < 0:
        return ()
    hand = got[seat] & ~gone
    if at in PLAYS:
        return follows(hand) if len(laid) % SEATS else leads(hand)
    if at in WAITING:
        return discards(hand & ~kaisers[seat])
    return DECLARES[declarable(MORE_KAISERS, hand, kaisers, pack[:SEATS])]


def seat_of(tricks: Tricks, place: int) -> Seat:
    """Who laid the card at a place in `tricks.laid`."""
    return (tricks.leaders[place // SEATS] + place) % SEATS


# What is known.


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own cards."""
    now = parts(state)
    hands = now.hands
    return View(
        seat=seat,
        hand=0 if seat is None else hands[seat],
        counts=tuple([hand.bit_count() for hand in hands]),
        at=now.at,
        applied=now.applied,
        value=now.value,
        kaisers=now.kaisers,
        thrown=0 if seat is None else now.thrown[seat],
        done=tuple([mask != 0 for mask in now.thrown]),
        tricks=now.tricks._replace(laid=tuple(_laid(now, seat))),
        round=now.round,
        target=now.target,
    )


def _laid(now: Parts, seat: Seat | None) -> Iterator[int]:
    """What was played, as `seat` saw it."""
    kaisers = sum(now.kaisers)
    for place, card in enumerate(now.tricks.laid):
        if card < DOWN or seat_of(now.tricks, place) == seat:
            yield card
        else:
            yield HIDDEN_KAISER if kaisers >> (card - DOWN) & 1 else HIDDEN


def places(state: State) -> tuple[Located, ...]:
    """Every card of the pack with its place and who knows it; () before the first deal."""
    now = parts(state)
    round_, hands = now.round, now.hands
    if not round_.number:
        return ()
    names = PACK.names
    found = [(round_.cut, Located(names[round_.cut], "cut", ALL_SEATS, True))]
    found += [(card, Located(names[card], "stock", (), False)) for card in now.stock]
    for seat in ALL_SEATS:
        traced = _traced(now, seat)
        if not now.thrown[seat]:  # an open card may be discarded
            traced |= sum([BITS[card] for card in round_.opens])
        held = [(card, "hand") for card in cards_in(hands[seat])]
        held += [(card, "discard") for card in cards_in(now.thrown[seat])]
        held += [
            (card % DOWN, "played")
            for place, card in enumerate(now.tricks.laid)
            if seat_of(now.tricks, place) == seat
        ]
        for card, where in held:
            public = bool(traced >> card & 1)
            known_to = ALL_SEATS if public else (seat,)
            found.append((card, Located(names[card], f"{where} {seat}", known_to, public)))
    return tuple([located for _, located in sorted(found)])


def _traced(now: Parts, seat: Seat) -> int:
    """The cards of a seat of which everybody knows where they are whatever it may have hidden.

    Those played face up; and its other declared Kaisers, which cannot be discarded, as long as
    none of them or all of them have been played face down.
    """
    own = [card for place, card in enumerate(now.tricks.laid) if seat_of(now.tricks, place) == seat]
    shown = sum([BITS[card] for card in own if card < DOWN])
    kaisers = now.kaisers[seat] & ~shown
    down = sum([kaisers >> (card - DOWN) & 1 for card in own if card >= DOWN])
    return shown | kaisers if down in (0, kaisers.bit_count()) else shown
