"""Kaiserspiel: questions of a round as a closed union: who is asked, and the answers.

What each answer leads to stands in `rules`, and of words in `raising`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias

from engine.game import Seat
from engine.games.kaiserspiel.cards import BANNERS, mask
from engine.games.kaiserspiel.moves import (
    ACCEPT,
    LIFT,
    PASS,
    RAISE_1,
    RAISE_3,
    RESIGN,
    STAY,
    THREEUP,
    Move,
    Verb,
    declarations,
    discards,
    follows,
    leads,
)
from engine.games.kaiserspiel.options import INFO, SEATS

ALL_SEATS: Final = tuple(range(SEATS))
CAPTAINS: Final = tuple(first for first, _ in INFO.teams)
"""The first seat of each team speaks for it."""
UNKNOWN: Final = -1
"""In place of a number: there is none."""
MORE_KAISERS: Final = 5
"""The "pause" after the discards at which every seat is asked for more Kaisers."""


Step: TypeAlias = Literal[
    "declare",  # a seat: declare a Kaiser?
    "raise",  # the captain of a declared Kaiser: raise by 1 or 3?
    "raise by 1",  # the same where the limit leaves no room for a raise by 3
    "lift",  # the same captain, after an accepted 1: make it 3?
    "call",  # a captain: Spieldrei?
    "answer 1",  # the other captain: accept the raise of 1?  The next three likewise.
    "answer 3",
    "answer lift",
    "answer call",
    "discard",  # all seats that have not done it yet: two cards
    "play",  # a seat: a card
    "over",  # nothing any more in this round: a deal is due, or the match has ended
]
"""What is asked."""


OFFERED: Final[Mapping[Step, int]] = {
    "answer 1": 1,
    "answer 3": 3,
    "answer lift": 2,
    "answer call": 3,
}
"""By how much the value rises if the offer is accepted."""

ANSWERS: Final[Mapping[Verb, Step]] = {
    "raise 1": "answer 1",
    "raise 3": "answer 3",
    "lift": "answer lift",
    "threeup": "answer call",
}
"""What a captain may offer, and how the other captain is asked then."""

WORDS: Final[Mapping[Step, tuple[Move, ...]]] = {
    "declare": (PASS,),
    "raise": (RAISE_1, RAISE_3),
    "raise by 1": (RAISE_1,),
    "lift": (LIFT, STAY),
    "call": (PASS, THREEUP),
    **dict.fromkeys(OFFERED, (ACCEPT, RESIGN)),
    "discard": (),
    "play": (),
    "over": (),
}
"""What may be said, whatever one holds."""


class Question(NamedTuple):
    """What is asked now, and what of the talk before still matters.  Public."""

    step: Step
    seats: tuple[Seat, ...]
    """Who is asked; several for the discards, CHANCE if a deal is due.

    Nobody at the end, and at a pause that is over: there the deal goes on at once.
    """
    pause: int = 0
    """1 … 4 or `MORE_KAISERS` while seats are asked for Kaisers or Spieldrei, else 0."""
    queue: tuple[Seat, ...] = ()
    """Seats to be asked at this step of the pause, whoever is asked now first.

    While a Kaiser's raise is talked about, the seat that declared it stands first.
    """
    barred: Seat = UNKNOWN
    """The captain whose team called last and may not call again, if one has."""
    dealer: Seat = UNKNOWN
    """Who deals, at a pause: the order of asking follows from it."""


PLAYS: Final = tuple(Question("play", (seat,)) for seat in ALL_SEATS)
"""By seat."""


def team(seat: Seat) -> int:
    """The team of a seat, which is also the seat of its captain."""
    return seat % 2


def eldest(dealer: Seat) -> Seat:
    """d+1, who is asked first and leads first."""
    return (dealer + 1) % SEATS


def declarable(pause: int, hand: int, kaisers: Iterable[int], opens: Sequence[int]) -> int:
    """The Banners that whoever is asked at a pause may declare, as a mask.

    A Banner that lay open can be declared at the pause after it only; then it is all its owner
    has.  `kaisers` are those that every seat has declared.
    """
    banners = hand & BANNERS
    return banners & ~(sum(kaisers) | mask(opens)) if banners and pause > 2 else banners


def answers(
    question: Question, hand: int, kaisers: Iterable[int], opens: Sequence[int], laid: int
) -> tuple[Move, ...]:
    """All that a seat with this hand may answer.

    `kaisers` are those that every seat has declared; `laid` counts the cards played.
    """
    match question.step:
        case "play":
            return follows(hand) if laid % SEATS else leads(hand)
        case "declare":
            return declarations(declarable(question.pause, hand, kaisers, opens))
        case "discard":
            return discards(hand & ~sum(kaisers))
        case step:
            return WORDS[step]
