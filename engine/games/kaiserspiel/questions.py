"""Kaiserspiel: what may be asked in a round, of whom, and what may be answered.

What each answer leads to stands in `rules`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum
from typing import Final, NamedTuple

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
    declarations,
    discards,
    follows,
    leads,
)
from engine.games.kaiserspiel.options import SEATS

ALL_SEATS: Final = tuple(range(SEATS))
UNKNOWN: Final = -1
"""In place of a number: there is none."""
MORE_KAISERS: Final = 5
"""The "pause" after the discards at which every seat is asked for more Kaisers."""


class Step(IntEnum):
    """What is asked."""

    DECLARE = 0
    """A seat: declare a Kaiser?"""
    RAISE = 1
    """The captain of a declared Kaiser: raise by 1 or 3?"""
    LIFT = 2
    """The same captain, after an accepted 1: make it 3?"""
    CALL = 3
    """A captain: Spieldrei?"""
    ANSWER_1 = 4
    """The other captain: accept the raise of 1?  The next three likewise."""
    ANSWER_3 = 5
    ANSWER_LIFT = 6
    ANSWER_CALL = 7
    DISCARD = 8
    """All seats that have not done it yet: two cards."""
    PLAY = 9
    """A seat: a card."""
    OVER = 10
    """Nothing any more in this round: a deal is due, or the match has ended."""


OFFERED: Final[Mapping[Step, int]] = {
    Step.ANSWER_1: 1,
    Step.ANSWER_3: 3,
    Step.ANSWER_LIFT: 2,
    Step.ANSWER_CALL: 3,
}
"""By how much the value rises if the offer is accepted."""

WORDS: Final[Mapping[Step, tuple[Move, ...]]] = {
    Step.DECLARE: (PASS,),
    Step.RAISE: (RAISE_1, RAISE_3),
    Step.LIFT: (LIFT, STAY),
    Step.CALL: (PASS, THREEUP),
    **dict.fromkeys(OFFERED, (ACCEPT, RESIGN)),
}
"""What may be said, whatever one holds."""
WITH_CARDS: Final = frozenset({Step.DECLARE, Step.DISCARD, Step.PLAY})
"""Where what may be answered depends on what one holds: see `answers_with_cards`."""


class Question(NamedTuple):
    """What is asked now, and what of the talk before still matters.  Public."""

    step: Step
    seats: tuple[Seat, ...]
    """Who is asked; several for the discards, CHANCE if a deal is due, nobody at the end."""
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


def team(seat: Seat) -> int:
    """The team of a seat, which is also the seat of its captain."""
    return seat % 2


def declarable(pause: int, hand: int, kaisers: int, opens: Sequence[int]) -> int:
    """The Banners that whoever is asked at a pause may declare, as a mask.

    A Banner that lay open can be declared at the pause after it only; then it is all its owner
    has.  `kaisers` are all that have been declared.
    """
    if pause <= 2 or not hand & BANNERS:
        return hand & BANNERS
    return hand & BANNERS & ~kaisers & ~mask(opens)


def answers_with_cards(
    question: Question, hand: int, kaisers: int, opens: Sequence[int], *, leads_now: bool
) -> tuple[Move, ...]:
    """All that a seat with this hand may answer at one of the steps `WITH_CARDS`.

    `kaisers` are all that have been declared.
    """
    match question.step:
        case Step.DECLARE:
            return declarations(declarable(question.pause, hand, kaisers, opens))
        case Step.DISCARD:
            return discards(hand & ~kaisers)
        case Step.PLAY:
            return leads(hand) if leads_now else follows(hand)
        case _:
            return ()
