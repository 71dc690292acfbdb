"""Kaiserspiel: questions as a closed union: who is asked, the answers, and what words lead to.

The last is the part of `rules` about announcements, pauses and raises.  It follows from the
question and from the room that the limit leaves.  A question that is put to nobody says that the
pause is over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal, NamedTuple, TypeAlias, assert_never

from engine.game import Seat
from engine.games.kaiserspiel.cards import (
    ACCEPT,
    BANNERS,
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
    mask,
)

SEATS: Final = 4
TEAMS: Final = ((0, 2), (1, 3))
ALL_SEATS: Final = tuple(range(SEATS))
CAPTAINS: Final = tuple(first for first, _ in TEAMS)
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
    kaiser: int = UNKNOWN
    """The Banner whose raise is talked about, while one is."""


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


# Announcements, pauses and raises.


def asked_for_kaisers(
    pause: int, queue: tuple[Seat, ...], barred: Seat, dealer: Seat, room: float
) -> Question:
    """The first of a queue is asked for a Kaiser; when all have been asked, what follows."""
    if queue:
        return Question("declare", queue[:1], pause, queue, barred, dealer)
    if pause == MORE_KAISERS:
        # 8. Eldest leads.
        return PLAYS[eldest(dealer)]
    # Spieldrei.  Eldest's captain, then the other, is asked; who may not call is not asked.
    first = team(eldest(dealer))
    able = (first, 1 - first) if room >= OFFERED["answer call"] else ()
    captains = tuple(captain for captain in able if captain != barred)
    return Question("call", captains[:1], pause, captains, barred, dealer)


def _asked_on(question: Question, queue: tuple[Seat, ...], room: float) -> Question:
    """The next of these seats is asked for a Kaiser."""
    return asked_for_kaisers(question.pause, queue, question.barred, question.dealer, room)


def declared(question: Question, kaiser: int, captain: Seat, room: float) -> Question:
    """A Kaiser brings a raise, by 1 or 3 as far as there is room; without any it brings none."""
    if room < OFFERED["answer 1"]:
        return _after_raise(question, room)
    step: Step = "raise" if room >= OFFERED["answer 3"] else "raise by 1"
    return question._replace(step=step, seats=(captain,), kaiser=kaiser)


class Said(NamedTuple):
    """What is asked after a word, and by how much the value has risen."""

    question: Question
    rise: int = 0


def said(question: Question, word: Verb, room: float) -> Said:
    """What a legal word, `resign` apart, leads to where the value may rise by `room`."""
    match word:
        case "pass":
            return Said(_passed(question, room))
        # Spieldrei: +3, `accept` or `resign`.  Kaiser raise: 1 or 3, `accept` or `resign`; after
        # an accepted 1 `lift` or `stay`; a `lift` is answered again.
        case "threeup" | "raise 1" | "raise 3" | "lift":
            return _offered(question, ANSWERS[word])
        case "stay":
            return Said(_after_raise(question, room))
        case "accept":
            rise = OFFERED[question.step]
            return Said(_accepted(question, room - rise), rise)
        case "resign" | "kaiser" | "discard" | "play" | "down":
            raise ValueError(word)
        case _:
            assert_never(word)


def _passed(question: Question, room: float) -> Question:
    """The pause ends when a captain passes and no other captain is left to be asked."""
    rest = question.queue[1:]
    if question.step == "declare":
        return _asked_on(question, rest, room)
    return question._replace(seats=rest, queue=rest)


def _offered(question: Question, answer: Step) -> Said:
    """The other captain answers."""
    (captain,) = question.seats
    return Said(question._replace(step=answer, seats=(1 - captain,)))


def _accepted(question: Question, room: float) -> Question:
    """Accepted points are added to the value, which leaves so much room."""
    (captain,) = question.seats
    other = 1 - captain
    match question.step:
        case "answer call":
            # Only the other captain is asked now, once; the same team may not call twice running.
            able = (captain,) if room >= OFFERED["answer call"] else ()
            return question._replace(step="call", seats=able, queue=able, barred=other)
        case "answer 1" if room >= OFFERED["answer lift"]:
            return question._replace(step="lift", seats=(other,))
        case _:
            return _after_raise(question, room)


def _after_raise(question: Question, room: float) -> Question:
    """After the raise the Kaiser's owner is asked again, unless it can have no other.

    At pauses 1 and 2 everybody knows that it has no other open Banner.
    """
    queue = question.queue[1:] if question.pause <= 2 else question.queue
    return _asked_on(question, queue, room)
