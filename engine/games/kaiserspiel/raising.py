"""Kaiserspiel: the part of `rules` about announcements, pauses and raises.

It follows from the question and from the room that the limit leaves.  A question that is put to
nobody says that the pause is over.
"""

from __future__ import annotations

from typing import NamedTuple, assert_never

from engine.game import Seat
from engine.games.kaiserspiel.moves import Verb
from engine.games.kaiserspiel.questions import (
    ANSWERS,
    MORE_KAISERS,
    OFFERED,
    PLAYS,
    Question,
    Step,
    eldest,
    team,
)


def declarations(
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
    return declarations(question.pause, queue, question.barred, question.dealer, room)


def declared(question: Question, captain: Seat, room: float) -> Question:
    """A Kaiser brings a raise, by 1 or 3 as far as there is room; without any it brings none."""
    if room < OFFERED["answer 1"]:
        return _after_raise(question, room)
    step: Step = "raise" if room >= OFFERED["answer 3"] else "raise by 1"
    return question._replace(step=step, seats=(captain,))


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
