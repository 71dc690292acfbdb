"""Effects of a deadline on its table.  Pure: table to table."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from typing import Literal, assert_never

from bot.ids import QuestionId
from bot.tables import deals, lobby, match, resting, stopping, waiting
from bot.tables.model import ByAhead, ByClock, ByComputer, ByStandIn, ByStanding, Table
from bot.tables.phase import Closing, Lobby, Pause
from bot.tables.stored import Deadline, DeadlineKind, Stop, StoredTable
from bot.tables.thinking import NOTHING, Answers
from bot.tables.waiting import answering, oldest
from engine.game import Seat


def fire(table: Table, deadline: Deadline, now: datetime, answers: Answers = NOTHING) -> Table:
    """The table after `deadline`; unchanged if that was fired, moved or answered meanwhile.

    `answers` are those of computer players and stand-ins.
    """
    stored, phase, in_lobby = table.stored, table.phase, isinstance(table.phase, Lobby)
    waits = stored.timing.deadline(deadline.kind)
    if waits is None or waits.question != deadline.question or waits.due > now:
        return table
    match deadline.kind:
        case DeadlineKind.LOBBY | DeadlineKind.HOST | DeadlineKind.KEPT as kind if in_lobby:
            return replace(table, stored=_in_lobby(stored, kind, now))
        case DeadlineKind.STALL if stored.timing.stalled is not None:
            return replace(table, stored=stopping.close(stored, Stop.UNSEEN, now))
        case DeadlineKind.REST if table.running:
            stored = resting.over(stored)
            return waiting.waiting(replace(table, stored=stored), now)
        case DeadlineKind.VOTED if table.running:
            return replace(table, stored=stopping.vote_over(stored, now))
        case DeadlineKind.NEXT_ROUND if isinstance(phase, Pause):
            return match.closed(table, phase, now)
        case DeadlineKind.POST if isinstance(phase, Closing) and now - waits.due > deals.LATE:
            # Nobody was there to post or to name anything: the message gets its time again.
            return replace(table, stored=deals.with_post_time(stored, table.ply, now))
        case DeadlineKind.POST if isinstance(phase, Closing):
            return match.deal(table, phase.number, "", now)
        case DeadlineKind.WARN if oldest(table, table.asked) == waits.question:
            stored = replace(stored, timing=replace(stored.timing, warned=waits.question))
            return replace(table, stored=stored.without_deadline(deadline.kind))
        case DeadlineKind.TURN if oldest(table, table.asked) == waits.question:
            return _time_up(table, waits.question, now)
        case DeadlineKind.IDLE if oldest(table, table.asked) == waits.question:
            return replace(table, stored=stopping.close(stored, Stop.IDLE, now))
        case DeadlineKind.ITSELF if oldest(table, answering(table)) == waits.question:
            return _stood_in(table, waits.question, answers, now)
        case DeadlineKind.COMPUTER if oldest(table, table.computing) == waits.question:
            return _computed(table, waits.question, answers, now)
        case (
            DeadlineKind.LOBBY
            | DeadlineKind.HOST
            | DeadlineKind.KEPT
            | DeadlineKind.NEXT_ROUND
            | DeadlineKind.POST
            | DeadlineKind.ITSELF
            | DeadlineKind.COMPUTER
            | DeadlineKind.WARN
            | DeadlineKind.TURN
            | DeadlineKind.IDLE
            | DeadlineKind.STALL
            | DeadlineKind.REST
            | DeadlineKind.VOTED
        ):
            stored = stored.without_deadline(deadline.kind)
            return waiting.waiting(replace(table, stored=stored), now)
        case _:
            assert_never(deadline.kind)


def _in_lobby(
    stored: StoredTable,
    kind: Literal[DeadlineKind.LOBBY, DeadlineKind.HOST, DeadlineKind.KEPT],
    now: datetime,
) -> StoredTable:
    match kind:
        case DeadlineKind.LOBBY:
            return stopping.close(stored, None, now)
        case DeadlineKind.HOST:
            return lobby.host_gone(stored, now)
        case DeadlineKind.KEPT:
            return lobby.unkept(stored)
        case _:
            assert_never(kind)


def _time_up(table: Table, question: QuestionId, now: datetime) -> Table:
    """The default action of everybody whose time for `question` is up."""
    for seat in table.asked:
        if _is_asked(table, seat, question):
            table = match.answered(table, seat, ByClock(seat), now)
    return table


def _stood_in(table: Table, question: QuestionId, answers: Answers, now: datetime) -> Table:
    """The answer of every seat that answers `question` itself."""
    for seat in answering(table):
        if _is_asked(table, seat, question):
            thought = answers.get((seat, question))
            table = match.answered(table, seat, _in_place_of(table, seat), now, thought)
    return table


def _computed(table: Table, question: QuestionId, answers: Answers, now: datetime) -> Table:
    """The answer of every computer player that is asked `question`."""
    for seat in table.computing:
        if _is_asked(table, seat, question):
            thought = answers.get((seat, question))
            table = match.answered(table, seat, ByComputer(seat), now, thought)
    return table


def _is_asked(table: Table, seat: Seat, question: QuestionId) -> bool:
    """Whether that is what `seat` is asked, now that others have answered."""
    return table.questions.get(seat) == question


def _in_place_of(table: Table, seat: Seat) -> ByStandIn | ByStanding | ByAhead:
    place = table.stored.seating.places[seat]
    if place.person is None or place.stand_in:
        return ByStandIn(seat)
    if table.own_answer(seat) is None:
        return ByAhead(place.person.id)
    return ByStanding(place.person.id)
