"""Kaiserspiel: what may be asked in a round, of whom, and what each answer leads to.

Everything that is said follows from a `Question`.  There are about a thousand, so each exists
once, with what follows, in tables built at import: `answers` is the rule they are built from.
Cards come into it at three places only: which Banners lie open, which Kaisers a hand can declare,
and who wins a trick.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import IntEnum
from itertools import product
from typing import Final, NamedTuple, TypeAlias, assert_never

from engine.cards import cards_in
from engine.game import CHANCE, Seat
from engine.games.kaiserspiel.moves import (
    ACCEPT,
    LIFT,
    MOVES,
    PASS,
    RAISE_1,
    RAISE_3,
    RESIGN,
    STAY,
    THREEUP,
    Move,
    Verb,
)
from engine.games.kaiserspiel.options import SEATS
from engine.tricks import seats_from

ALL_SEATS: Final = tuple(range(SEATS))
UNKNOWN: Final = -1
"""In place of a number: there is none."""
PAIRS: Final = 3
"""The pause after the first two seats have got two cards each; then the other two get theirs."""
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

_WORDS: Final[Mapping[Step, tuple[Move, ...]]] = {
    Step.RAISE: (RAISE_1, RAISE_3),
    Step.LIFT: (LIFT, STAY),
    Step.CALL: (PASS, THREEUP),
    **dict.fromkeys(OFFERED, (ACCEPT, RESIGN)),
}
"""What may be said, whatever one holds."""


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
    """Who deals, as long as that still matters."""


def team(seat: Seat) -> int:
    """The team of a seat, which is also the seat of its captain."""
    return seat % 2


def eldest_first(dealer: Seat) -> tuple[Seat, ...]:
    """All seats in the order of dealing."""
    return seats_from((dealer + 1) % SEATS, SEATS)


# The rule.


def answers(question: Question) -> Iterator[tuple[Verb, Question, int]]:
    """What each answer leads to, and how much the value rises by it.

    Not here: what ends the round (`resign`), the last captain's `pass` where the next cards
    decide what follows, and what needs cards (`discard`, `play`, `down`).
    """
    if len(question.seats) != 1:
        return
    step = question.step
    (asked,) = question.seats
    other = 1 - asked

    def ask(step: Step, seat: Seat) -> Question:
        return question._replace(step=step, seats=(seat,))

    match step:
        case Step.DECLARE:
            yield "pass", _declarations(question, question.queue[1:]), 0
            yield "kaiser", ask(Step.RAISE, team(asked)), 0
        case Step.RAISE:
            yield "raise 1", ask(Step.ANSWER_1, other), 0
            yield "raise 3", ask(Step.ANSWER_3, other), 0
        case Step.ANSWER_1:
            yield "accept", ask(Step.LIFT, other), OFFERED[step]
        case Step.LIFT:
            yield "lift", ask(Step.ANSWER_LIFT, other), 0
            yield "stay", _settled(question), 0
        case Step.ANSWER_3 | Step.ANSWER_LIFT:
            yield "accept", _settled(question), OFFERED[step]
        case Step.CALL:
            rest = question.queue[1:]
            if rest:
                yield "pass", question._replace(seats=rest[:1], queue=rest), 0
            elif question.pause == PAIRS:
                yield "pass", _pause(question.dealer, PAIRS + 1, question.barred, 0), 0
            yield "threeup", ask(Step.ANSWER_CALL, other), 0
        case Step.ANSWER_CALL:
            # Whoever answered is asked once; the other team may not call before it has.
            again = question._replace(step=Step.CALL, queue=(asked,), barred=other)
            yield "accept", again, OFFERED[step]
        case Step.DISCARD | Step.PLAY | Step.OVER:
            pass
        case _:
            assert_never(step)


def _declarations(question: Question, queue: tuple[Seat, ...]) -> Question:
    """The first of a queue is asked for a Kaiser; when it is empty, what follows."""
    if queue:
        return question._replace(step=Step.DECLARE, seats=queue[:1], queue=queue)
    eldest = eldest_first(question.dealer)[0]
    if question.pause == MORE_KAISERS:
        return Question(Step.PLAY, (eldest,))
    captains = (team(eldest), 1 - team(eldest))
    free = tuple(captain for captain in captains if captain != question.barred)
    return question._replace(step=Step.CALL, seats=free[:1], queue=free)


def _settled(question: Question) -> Question:
    """When the raise of a Kaiser is settled: its owner is asked again, if that can matter.

    At pauses 1 and 2 everybody knows that the owner has no other open Banner.
    """
    queue = question.queue
    return _declarations(question, queue[1:] if question.pause <= 2 else queue)


def _pause(dealer: Seat, pause: int, barred: Seat, owners: int) -> Question:
    """The first question of a pause.

    `owners` matters at pauses 1 and 2: bit 0 if the first of the two seats just served has an
    open Banner, bit 1 for the second.
    """
    order = eldest_first(dealer)
    served = order if pause == MORE_KAISERS else order[:2] if pause in (1, 3) else order[2:]
    if pause <= 2:
        served = tuple(seat for at, seat in enumerate(served) if owners >> at & 1)
    nothing = Question(Step.OVER, (), pause, (), barred, dealer)
    return _declarations(nothing, served)


# The tables.


class _Numbers(dict[Question, int]):
    """Questions by number, in the order in which they are first asked for."""

    def __missing__(self, question: Question) -> int:
        self[question] = number = len(self)
        return number


_numbers = _Numbers()

DEAL_DUE: Final = tuple(
    _numbers[Question(Step.OVER, (CHANCE,), pause)] for pause in range(MORE_KAISERS + 1)
)
"""By the pause at which a round has ended, 0 after the discards: that the next deal is due."""
MATCH_OVER: Final = tuple(
    _numbers[Question(Step.OVER, (), pause)] for pause in range(MORE_KAISERS + 1)
)
"""Likewise: that the match has ended."""
LEADS: Final = tuple(_numbers[Question(Step.PLAY, (seat,))] for seat in ALL_SEATS)
"""By seat: that it is to play a card."""
PLAYS: Final = frozenset(LEADS)
"""That somebody is to play a card."""
DISCARDS: Final = tuple(
    _numbers[Question(Step.DISCARD, tuple(cards_in(pending)))] for pending in range(1 << SEATS)
)
"""By the mask of the seats that have not discarded."""
_FIRST: Final = {
    key: tuple(_numbers[_pause(*key, owners)] for owners in range(4))
    for key in product(ALL_SEATS, range(1, MORE_KAISERS + 1), (UNKNOWN, 0, 1))
}
"""By dealer, pause and barred captain, then by owners of open Banners: a pause's first question."""
OPENING: Final = tuple(_FIRST[dealer, 1, UNKNOWN] for dealer in ALL_SEATS)
"""By dealer and owners of open Banners: the first question of a round."""
WAITING: Final = {
    at: tuple(
        DISCARDS[pending & ~(1 << seat)] if pending & ~(1 << seat) else None for seat in ALL_SEATS
    )
    for pending, at in enumerate(DISCARDS)
}
"""By question, for the discards, and seat: the question after it has discarded, if not all have.
"""
MORE: Final = tuple(_FIRST[dealer, MORE_KAISERS, UNKNOWN][0] for dealer in ALL_SEATS)
"""By dealer: the first question after the discards."""

Next: TypeAlias = Mapping[object, tuple[int, int]]
"""By move; any other key is missing."""


def _all_answers() -> Iterator[dict[Verb, tuple[int, int]]]:
    """For every question that can be reached, what each answer leads to."""
    done = 0
    while done < len(_numbers):
        for question in list(_numbers)[done:]:
            yield {verb: (_numbers[after], rise) for verb, after, rise in answers(question)}
            done += 1


_NEXT: Final = tuple(_all_answers())
NEXT: Final[tuple[Next, ...]] = tuple(
    {MOVES[Move(verb)]: after for verb, after in found.items() if verb != "kaiser"}
    for found in _NEXT
)
"""By question and word: the next question, and by how much the value rises."""
RAISES: Final = tuple(found["kaiser"][0] if "kaiser" in found else UNKNOWN for found in _NEXT)
"""By question: the next one after a declared Kaiser."""
QUESTIONS: Final = tuple(_numbers)
"""The questions by number."""
ACTORS: Final = tuple(question.seats for question in QUESTIONS)
"""By question: who is asked."""
WORDS: Final = tuple(_WORDS.get(question.step, ()) for question in QUESTIONS)
"""By question: what may be said, where that does not depend on cards; else ()."""
SERVED: Final = tuple(
    _FIRST.get((question.dealer, question.pause + 1, question.barred), ()) for question in QUESTIONS
)
"""By question and owners of open Banners: the next pause's first question, if there is one."""
ENDS: Final = tuple(
    (DEAL_DUE[question.pause], MATCH_OVER[question.pause]) for question in QUESTIONS
)
"""By question: what follows if the round ends here, and if the match does."""


def _place(question: Question) -> tuple[int, int] | None:
    pause = question.pause
    if question.step is not Step.DECLARE or pause == MORE_KAISERS:
        return None
    turn = eldest_first(question.dealer).index(question.seats[0])
    return (turn, turn) if pause < PAIRS else (SEATS + 2 * turn, SEATS + 2 * turn + 1)


NEWEST: Final = tuple(_place(question) for question in QUESTIONS)
"""By question, where a Kaiser is asked for at a pause of the deal: the first and the last place
in the pack of the cards that the seat has got last.  Only those can be declared."""
