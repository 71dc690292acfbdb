"""Effects of a deadline on its table.  Pure: table to table."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from bot.tables import deals, lobby, match, presence, queueing, verdict, voting, waiting
from bot.tables.computer_answers import NO_ANSWERS, Answers
from bot.tables.model import Table
from bot.tables.phase import BetweenRounds, Closing, Lobby, Unreadable
from bot.tables.stored import Actor, Deadline, DeadlineKind, Stop
from bot.tables.waiting import oldest, self_answering
from engine.game import Seat


def fire(table: Table, deadline: Deadline, now: datetime, answers: Answers = NO_ANSWERS) -> Table:
    """The table after `deadline`; unchanged if it was fired, moved or answered before.

    `answers` are those of computer players and stand-ins.
    """
    stored, phase, in_lobby = table.stored, table.phase, isinstance(table.phase, Lobby)
    waits = stored.timing.deadline(deadline.kind)
    if waits is None or waits.question != deadline.question or waits.due > now:
        return table
    if isinstance(phase, Unreadable):
        return replace(table, stored=stored.broken_off(Stop.UNREADABLE, now))
    match waits.kind:
        case DeadlineKind.LOBBY if in_lobby:
            return replace(table, stored=stored.broken_off(None, now))
        case DeadlineKind.HOST if in_lobby:
            return replace(table, stored=lobby.replace_host(stored, now))
        case DeadlineKind.KEPT if in_lobby:
            return match.altered(table, lobby.release_places(stored), now)
        case DeadlineKind.PLANNED if in_lobby:
            return _overdue(table, now)
        case DeadlineKind.OFFERED if stored.seating.offers:
            return match.altered(table, queueing.pass_on(stored, now), now)
        case DeadlineKind.STALL if stored.timing.stalled is not None:
            return replace(table, stored=stored.broken_off(Stop.UNSEEN, now))
        case DeadlineKind.REST if table.running:
            stored = voting.rest_time_up(stored)
            return waiting.with_deadlines(replace(table, stored=stored), now)
        case DeadlineKind.VOTED if table.running:
            return replace(table, stored=presence.end_time_up(stored, now))
        case DeadlineKind.NEXT_ROUND if isinstance(phase, BetweenRounds):
            return match.close_for_next_round(table, phase, now)
        case DeadlineKind.POST if (
            isinstance(phase, Closing) and now - waits.due > deals.MAX_POST_LATE
        ):
            # Nobody was there to post or to name anything: the message gets its time again.
            return replace(table, stored=deals.with_post_time(stored, table.ply, now))
        case DeadlineKind.POST if isinstance(phase, Closing) and stored.seating.in_company:
            stored = presence.stall(stored, (), now)  # it waits until the message is there
            return waiting.with_deadlines(replace(table, stored=stored), now)
        case DeadlineKind.POST if isinstance(phase, Closing):
            return match.deal(table, phase.number, "", now)
        case DeadlineKind.WARN if oldest(table, table.asked) == waits.question:
            stored = replace(stored, timing=replace(stored.timing, warned=waits.question))
            return replace(table, stored=stored.without_deadline(DeadlineKind.WARN))
        case DeadlineKind.TURN if oldest(table, table.not_computing) == waits.question:
            return _answered(table, table.not_computing, waits, answers, now)
        case DeadlineKind.IDLE if oldest(table, table.asked) == waits.question:
            return _idle(table, waits, now)
        case DeadlineKind.SELF_ANSWER if oldest(table, self_answering(table)) == waits.question:
            return _answered(table, self_answering(table), waits, answers, now)
        case DeadlineKind.COMPUTER if oldest(table, table.computing) == waits.question:
            return _answered(table, table.computing, waits, answers, now)
        case kind:  # nothing of that kind is waited for any more
            return waiting.with_deadlines(replace(table, stored=stored.without_deadline(kind)), now)


def _overdue(table: Table, now: datetime) -> Table:
    """A planned table begins with whoever is ready; else its line gets seats of the others."""
    table = match.altered(table, lobby.overdue(table.stored), now)
    if not isinstance(table.phase, Lobby):
        return table
    return match.altered(table, queueing.give_way(table.stored, now), now)


def _idle(table: Table, waits: Deadline, now: datetime) -> Table:
    """The people who are asked are told that a day is left, or have given the match up."""
    stored = table.stored
    if stored.timing.warned == waits.question and now - waits.due <= waiting.IDLE_LATE:
        people = (stored.seating.places[seat].person for seat in table.asked)
        idle = {person.id for person in people if person is not None}
        stored = verdict.conceding(stored, stored.seating.absent | idle)
        return replace(table, stored=stored.broken_off(Stop.IDLE, now))
    # A day is left, again if nobody could play as it ended.
    stored = replace(stored, timing=replace(stored.timing, warned=waits.question))
    again = waits._replace(due=now + waiting.IDLE_WARNING)
    return replace(table, stored=stored.with_deadline(again))


def _answered(
    table: Table, seats: tuple[Seat, ...], waits: Deadline, answers: Answers, now: datetime
) -> Table:
    """The answer of each of `seats` that is asked the question of `waits`."""
    for seat in seats:
        if table.questions.get(seat) == waits.question:  # still, now that others have answered
            thought = answers.get((seat, waits.question))
            actor, text = _answer(table, seat, waits.kind, thought)
            table = match.answer_for(table, seat, actor, text, now)
    return table


def _answer(
    table: Table, seat: Seat, kind: DeadlineKind, thought: str | None
) -> tuple[Actor, str | None]:
    """The actor who answers for `seat`, and the answer: the table's own, or a card chosen ahead."""
    place = table.stored.seating.places[seat]
    if place.computer is not None:
        return Actor.COMPUTER, thought
    if place.stand_in:
        return Actor.STAND_IN, thought
    if kind is DeadlineKind.TURN:
        return Actor.CLOCK, None
    own = table.own_answer(seat)
    # Nothing tells what was chosen ahead from a press.
    return (Actor.PERSON, table.ahead(seat)) if own is None else (Actor.STANDING, own)
