"""Auf falscher Fährte: the state of a match, and what one seat may know of it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from engine.game import Seat
from engine.games.auffalscherfaehrte.cards import (
    A_JOKER,
    JOKER,
    NUMBER_OF,
    OFFERED,
    STRENGTH,
    Move,
    hides,
)
from engine.games.auffalscherfaehrte.turns import HIDING, OFFER, UNKNOWN, Turn

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

    hands: tuple[bytes, ...]
    aside: bytes
    """The card left over, if there is one."""
    reveal: tuple[Seat, ...]
    """The order in which the seats' hidden cards will be turned."""
    dealer: Seat


Action: TypeAlias = Move | Deal

Past: TypeAlias = tuple[Seat, bytes, Seat]
"""A complete trick: who led, the cards in the order of play, and who won it; NOBODY if all cards
were jokers."""


class Match(NamedTuple):
    """What was agreed on."""

    rounds: int
    jokers: bool

    @property
    def tricks(self) -> int:
        """Tricks of a round."""
        return 13 if self.jokers else 12


class Round(NamedTuple):
    """What changes at the deal, while cards are hidden, with the trump, and at the end."""

    number: int
    """From 1; 0 before the first deal."""
    dealer: Seat
    start: Seat
    """Who leads first."""
    opening: int
    """The trump at the start."""
    trump: int
    """The trump now."""
    aside: bytes
    """The card left over, if there is one; all see it."""
    reveal: tuple[Seat, ...]
    """The order in which the hidden cards are turned; () before the first deal."""
    hidden: tuple[int, ...]
    """By seat: the card it hid; UNKNOWN before."""
    before: int
    """Actions applied in this match, deals included, but for the plays of this round."""
    scores: tuple[int, ...]
    """Totals of the completed rounds."""
    points: tuple[int, ...] | None
    """Points of this round, once it is completed."""
    match: Match


class Parts(NamedTuple):
    """A match as it stands, by names.  After a round everything stays so until the next deal."""

    turn: Turn
    plays: bytes
    """What the seat whose turn it is may play, reckoned once for `legal_actions` and `apply`."""
    hands: tuple[bytes, ...]
    """What each held before the present trick: cards leave the hands when it is complete."""
    trick: bytes
    """The cards of the present trick in the order of play."""
    history: tuple[Past, ...]
    """All complete tricks of this round."""
    round: Round

    @property
    def leader(self) -> Seat:
        """Who leads the present trick."""
        return self.history[-1][2] if self.history else self.round.start

    @property
    def turned(self) -> tuple[int, ...]:
        """The hidden cards that have been turned, in their order."""
        tricks = len(self.history)
        # What a trick turns is turned once its offers are answered.
        count = TURNED[len(self.hands)][tricks - 1 if self.turn.stage == OFFER else tricks]
        return tuple([self.round.hidden[seat] for seat in self.round.reveal[:count]])

    def hand(self, seat: Seat) -> bytes:
        """What `seat` holds now."""
        step = (seat - self.leader) % len(self.hands)
        return self.hands[seat].replace(self.trick[step : step + 1], b"", 1)


State: TypeAlias = tuple[Turn, bytes, tuple[bytes, ...], bytes, tuple[Past, ...], Round]
"""`Parts` without the names: one is made at every play, and named it takes five times as long."""


def parts(state: State) -> Parts:
    """The parts of a state by their names."""
    return Parts(*state)


def state_at(
    turn: Turn,
    hands: tuple[bytes, ...],
    trick: bytes,
    history: tuple[Past, ...],
    round_: Round,
) -> State:
    """The state with these parts."""
    plays = b"" if turn.player < 0 else turn.plays(hands[turn.player])
    return turn, plays, hands, trick, history, round_


class View(NamedTuple):
    """What `seat` (None: a spectator) may know; fields as in `Parts` and `Round`.

    Everybody saw the cards of earlier tricks when they were played, so `history` names them;
    layouts show the last trick only.
    """

    seat: Seat | None
    hand: bytes
    """What it holds now; nothing for a spectator."""
    own: int
    """The card that the seat itself hid, else UNKNOWN."""
    counts: tuple[int, ...]
    """Cards left in every hand."""
    chosen: tuple[bool, ...]
    """Who has hidden a card."""
    turned: tuple[int, ...]
    """The hidden cards that have been turned, in their order; never whose they were."""
    turn: Turn
    trick: bytes
    history: tuple[Past, ...]
    number: int
    dealer: Seat
    start: Seat
    opening: int
    """The trump at the start of the round."""
    trump: int
    aside: bytes
    before: int
    scores: tuple[int, ...]
    points: tuple[int, ...] | None
    match: Match

    @property
    def legal_actions(self) -> Sequence[Move]:
        """All legal actions of a seat that is to act, else ()."""
        if self.seat is None or self.seat not in self.actors:
            return ()
        return legal_moves(self.turn, self.hand, self.trump)

    @property
    def stage(self) -> int:
        return self.turn.stage

    @property
    def actors(self) -> tuple[Seat, ...]:
        return self.turn.actors

    @property
    def leader(self) -> Seat:
        """Who leads the present trick."""
        return self.history[-1][2] if self.history else self.start

    @property
    def taken(self) -> tuple[int, ...]:
        """Tricks won, by seat."""
        return taken(self.history, len(self.counts))

    @property
    def jokers(self) -> int:
        """Jokers that have been played in this round."""
        return jokers_in(self.history) + self.trick.count(JOKER)

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


def legal_moves(turn: Turn, hand: bytes, trump: int) -> bytes:
    """What a seat that is to act may do."""
    if turn.stage == HIDING:
        return hides(hand)
    return OFFERED[trump] if turn.stage == OFFER else turn.plays(hand)


def strengths(trick: bytes, trump: int) -> bytes:
    """How strong the cards of a trick are, complete or not; all 0 if it has none but jokers."""
    led = trick[0]
    if led == JOKER:
        led = (trick.lstrip(A_JOKER) or trick)[0]
    return trick.translate(STRENGTH[trump][led])


def taken(history: tuple[Past, ...], seats: int) -> tuple[int, ...]:
    """Tricks won, by seat."""
    winners = [winner for _, _, winner in history]
    return tuple([winners.count(seat) for seat in range(seats)])


def jokers_in(history: tuple[Past, ...]) -> int:
    """Jokers played in these tricks."""
    return sum([cards.count(JOKER) for _, cards, _ in history])


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


def last_alone(counts: tuple[int, ...], plus: bool) -> tuple[Seat, ...]:
    """The seat that is last and shares that place with nobody, if there is one."""
    worst = min(counts) if plus else max(counts)
    return (counts.index(worst),) if counts.count(worst) == 1 else ()


def rights(history: tuple[Past, ...]) -> tuple[Seat, ...]:
    """Who may change the trump after the last of these tricks, in order of play."""
    leader, cards, _ = history[-1]
    players = [(leader + step) % len(cards) for step, card in enumerate(cards) if card == JOKER]
    return tuple(players[: max(0, RIGHTS - jokers_in(history[:-1]))])


_POINTS: Final = {3: (3, 2, 0), 4: (4, 3, 2, 0)}


@cache
def points_for(counts: tuple[int, ...], plus: bool) -> tuple[int, ...]:
    """Points by place; equal counts share the place, all on the worst count get nothing.

    >>> points_for((6, 4, 1, 1), plus=True), points_for((2, 2, 3, 5), plus=False)
    ((4, 3, 0, 0), (4, 4, 2, 0))
    """
    by_place = _POINTS[len(counts)]
    merits = counts if plus else tuple([-count for count in counts])
    worst = min(merits)
    return tuple(
        0 if merit == worst else by_place[sum(other > merit for other in merits)]
        for merit in merits
    )


def observe(state: State, seat: Seat | None) -> View:
    """What `seat` may know, built field by field from what is open and its own cards."""
    now = parts(state)
    round_, hands = now.round, [now.hand(each) for each in range(len(now.hands))]
    return View(
        seat=seat,
        hand=b"" if seat is None else hands[seat],
        own=UNKNOWN if seat is None else round_.hidden[seat],
        counts=tuple([len(hand) for hand in hands]),
        chosen=tuple([card != UNKNOWN for card in round_.hidden]),
        turned=now.turned,
        turn=now.turn,
        trick=now.trick,
        history=now.history,
        number=round_.number,
        dealer=round_.dealer,
        start=round_.start,
        opening=round_.opening,
        trump=round_.trump,
        aside=round_.aside,
        before=round_.before,
        scores=round_.scores,
        points=round_.points,
        match=round_.match,
    )
