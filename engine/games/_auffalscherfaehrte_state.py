"""Auf falscher Fährte: the state of a match, and what one seat may know of it."""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat
from engine.games._auffalscherfaehrte_cards import (
    JOKER,
    NUMBER_OF,
    OFFERED,
    Move,
    hides,
    plays,
    size,
)

UNKNOWN: Final = -1
"""In place of a card or a seat: there is none, or it is not known."""

# Stages of a match, by who is asked what.
PLAYING: Final = 0
HIDING: Final = 1
"""All seats that have not yet hidden a card are to do so."""
OFFER: Final = 2
"""One seat may change the trump."""
DEAL: Final = 3
"""A deal is due: at first, and after every round but the last."""
OVER: Final = 4

GOAL: Final = {3: 14, 4: 24}
"""By seats: from this sum of the hidden cards on a round is Plus."""
_FIRST_TURN: Final = {3: 3, 4: 2}
TURNED: Final = {
    seats: tuple([min(max(0, tricks - first + 1), seats) for tricks in range(14)])
    for seats, first in _FIRST_TURN.items()
}
"""By seats and complete tricks: the hidden cards turned so far.  Three players turn theirs after
tricks 3, 4 and 5, four after 2, 3, 4 and 5."""
HIGHEST: Final = {3: 9, 4: 12}
"""By seats: the highest number of the pack."""
OFFER_AFTER: Final = 8
"""Without jokers: after this trick whoever is last alone may change the trump."""
RIGHTS: Final = 2
"""With jokers: so many jokers of a round, the first ones, let their players change it."""


class Deal(NamedTuple):
    """The chance action."""

    hands: tuple[int, ...]
    aside: int
    """The card left over, as a hand; 0 if there is none."""
    reveal: tuple[Seat, ...]
    """The order in which the seats' hidden cards will be turned."""
    dealer: Seat


Action: TypeAlias = Move | Deal

Trick: TypeAlias = tuple[Seat, tuple[int, ...]]
"""Who led, and the cards in the order of play."""


class Match(NamedTuple):
    """What was agreed on."""

    rounds: int
    jokers: bool

    @property
    def tricks(self) -> int:
        """Tricks of a round."""
        return 13 if self.jokers else 12


class Round(NamedTuple):
    """What changes at the deal, while cards are hidden, and at the end of a round."""

    number: int
    """From 1; 0 before the first deal."""
    dealer: Seat
    start: Seat
    """Who leads first."""
    trump: int
    """The trump at the start."""
    aside: int
    """The card left over, which all see."""
    hidden: tuple[int, ...]
    """By seat: the card it hid; UNKNOWN before."""
    reveal: tuple[Seat, ...]
    """The order in which these are turned; () before the first deal."""
    dealt: int
    """Actions that had been applied when it was dealt."""
    scores: tuple[int, ...]
    """Totals of the completed rounds."""
    points: tuple[int, ...] | None
    """Points of this round, once it is completed."""


class Done(NamedTuple):
    """What changes with a trick."""

    taken: tuple[int, ...]
    """Tricks won, by seat."""
    history: tuple[Trick, ...]
    """All complete tricks of this round."""
    turned: int
    """Hidden cards that have been turned."""
    jokers: int
    """Jokers in the complete tricks."""
    offers: tuple[Seat, ...]
    """Who may still change the trump after the trick just played, the one to act first."""


class State(NamedTuple):
    """A match as it stands.  After a round everything stays as it is until the next deal."""

    actors: tuple[Seat, ...]
    stage: int
    hands: tuple[int, ...]
    led: int
    """The colour to follow, as a mask; 0 while none has been led."""
    best: int
    """The card that would win the trick; JOKER while there is none."""
    trick: tuple[int, ...]
    """The cards of the current trick in the order of play."""
    leader: Seat
    """Who leads it."""
    trump: int
    applied: int
    """Actions applied in this match, deals included."""
    done: Done
    round: Round
    match: Match


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `State`, `Done` and `Round`.

    Everybody saw the cards of earlier tricks when they were played, so `history` names them;
    layouts show the last trick only.
    """

    seat: Seat | None
    hand: int
    own: int
    """The card that the seat itself hid, else UNKNOWN."""
    counts: tuple[int, ...]
    """Cards left in every hand."""
    chosen: tuple[bool, ...]
    """Who has hidden a card."""
    turned: tuple[int, ...]
    """The hidden cards that have been turned, in their order; never whose they were."""
    actors: tuple[Seat, ...]
    stage: int
    led: int
    best: int
    trick: tuple[int, ...]
    leader: Seat
    trump: int
    applied: int
    taken: tuple[int, ...]
    history: tuple[Trick, ...]
    jokers: int
    offers: tuple[Seat, ...]
    number: int
    dealer: Seat
    start: Seat
    opening_trump: int
    """The trump at the start of the round."""
    aside: int
    dealt: int
    scores: tuple[int, ...]
    points: tuple[int, ...] | None
    match: Match

    @property
    def legal_actions(self) -> tuple[Move, ...]:
        """All legal actions of a seat that is to act, else ()."""
        if self.seat is None or self.seat not in self.actors:
            return ()
        return legal_moves(self.stage, self.hand, self.led, self.trick, self.trump)

    @property
    def total(self) -> int:
        """The sum of the turned cards."""
        return sum([NUMBER_OF[card] for card in self.turned])

    @property
    def goal(self) -> int:
        return GOAL[len(self.counts)]

    @property
    def plus(self) -> bool | None:
        """Whether the round is Plus; None while that is open."""
        return is_plus(len(self.counts), self.turned)


def legal_moves(
    stage: int, hand: int, led: int, trick: tuple[int, ...], trump: int
) -> tuple[Move, ...]:
    """What a seat that is to act may do."""
    if stage == PLAYING:
        return plays(hand, led, trick)
    return hides(hand) if stage == HIDING else OFFERED[trump]


def turned_cards(state: State) -> tuple[int, ...]:
    """The hidden cards that have been turned, in their order."""
    round_ = state.round
    return tuple([round_.hidden[seat] for seat in round_.reveal[: state.done.turned]])


def is_plus(seats: int, turned: tuple[int, ...]) -> bool | None:
    """The kind of a round by the turned cards; None while the covered ones may still decide.

    It can be certain before the last card is turned: the goal is reached already, or out of
    reach even with the highest numbers.
    """
    total, goal = sum([NUMBER_OF[card] for card in turned]), GOAL[seats]
    if total >= goal:
        return True
    covered = seats - len(turned)
    return False if total + covered * HIGHEST[seats] < goal else None


def last_alone(taken: tuple[int, ...], plus: bool) -> tuple[Seat, ...]:
    """The seat that is last and shares that place with nobody, if there is one."""
    worst = min(taken) if plus else max(taken)
    return (taken.index(worst),) if taken.count(worst) == 1 else ()


def rights(trick: Trick, before: int) -> tuple[Seat, ...]:
    """Who may change the trump after a trick, in order of play; `before` jokers came earlier."""
    leader, cards = trick
    players = [(leader + at) % len(cards) for at, card in enumerate(cards) if card == JOKER]
    return tuple(players[: max(0, RIGHTS - before)])


_POINTS: Final = {3: (3, 2, 0), 4: (4, 3, 2, 0)}


@cache
def points_for(taken: tuple[int, ...], plus: bool) -> tuple[int, ...]:
    """Points by place; equal counts share the place, all on the worst count get nothing.

    >>> points_for((6, 4, 1, 1), plus=True), points_for((2, 2, 3, 5), plus=False)
    ((4, 3, 0, 0), (4, 4, 2, 0))
    """
    by_place = _POINTS[len(taken)]
    merits = taken if plus else tuple([-count for count in taken])
    worst = min(merits)
    return tuple(
        0 if merit == worst else by_place[sum(other > merit for other in merits)]
        for merit in merits
    )


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own cards."""
    done, round_ = state.done, state.round
    return View(
        seat=seat,
        hand=0 if seat is None else state.hands[seat],
        own=UNKNOWN if seat is None else round_.hidden[seat],
        counts=tuple([size(hand) for hand in state.hands]),
        chosen=tuple([card != UNKNOWN for card in round_.hidden]),
        turned=turned_cards(state),
        actors=state.actors,
        stage=state.stage,
        led=state.led,
        best=state.best,
        trick=state.trick,
        leader=state.leader,
        trump=state.trump,
        applied=state.applied,
        taken=done.taken,
        history=done.history,
        jokers=done.jokers,
        offers=done.offers,
        number=round_.number,
        dealer=round_.dealer,
        start=round_.start,
        opening_trump=round_.trump,
        aside=round_.aside,
        dealt=round_.dealt,
        scores=round_.scores,
        points=round_.points,
        match=state.match,
    )
