"""Rules about hints: who may ask for one, and counting them.  Pure.

A hint changes neither the question nor its deadline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, Literal, NamedTuple

from bot.ids import QuestionId, UserId
from bot.tables import lobby
from bot.tables.model import Table, TableError
from bot.tables.ports import Advice
from bot.tables.votes import Hinted
from engine.game import Seat
from engine.notation import kind_of
from engine.players.player import Considered

FEW: Final = 20
"""Minimum number of playouts for which a figure is told."""

_NEAR: Final[Mapping[Literal["won", "points"], float]] = {"won": 0.02, "points": 0.3}
"""Figures that differ by less are nearly the same."""


class Opinion(NamedTuple):
    """What a strong computer player would do."""

    best: Considered | None
    """None if there was no time to think."""
    other: Considered | None = None
    """The next best, of another kind where it is nearly the same; None if it says nothing."""
    only: bool = False
    """Whether it is the only legal action, which was not thought about."""


class Hint(NamedTuple):
    """A hint, for the person who asked for it."""

    table: Table
    """The table now, at the question that the computer player thought about."""
    user: UserId
    """The person who asked."""
    opinion: Opinion
    taken: int = 0
    """Hints that they have taken in this match, with this one; 0 if it counts as none."""


def may_ask(table: Table, user: UserId) -> bool:
    """Whether `user` may ask for a hint now where there is more than one possible action."""
    seat = table.stored.seating.place_of(user)
    if seat is None or seat not in table.questions or not table.stored.customs.hints:
        return False
    return not table.stored.seating.places[seat].away and table.only_action(seat) is None


def require_question(
    table: Table, user: UserId, question: QuestionId | None
) -> tuple[Seat, QuestionId]:
    """Seat and question of `user`, who wants a hint at `question` (None: the present one).

    Raises TableError `ended`, `not_running`, `not_seated`, `hints_off`, `hint_not_asked`, `stale`
    (they are asked something else by now).
    """
    stored = table.stored
    if not stored.status.is_open:
        raise TableError("ended", table)
    seat = lobby.require_player(stored, user)
    if not stored.customs.hints:
        raise TableError("hints_off")
    now = table.questions.get(seat)
    if question is not None and now != question:
        raise TableError("stale", table)
    if now is None:
        raise TableError("hint_not_asked")
    return seat, now


def count_hint(table: Table, user: UserId, question: QuestionId) -> Table:
    """Count, once, a hint at `question`.  Raises what `require_question` raises."""
    seat, _ = require_question(table, user, question)
    person = table.stored.seating.places[seat].person
    before = table.stored.hinted.get(user)
    if person is None or (before is not None and before.last == question):
        return table
    count = 1 if before is None else before.taken + 1
    hinted = {**table.stored.hinted, user: Hinted(person.name, count, question)}
    return replace(table, stored=replace(table.stored, hinted=hinted))


def only_choice(text: str) -> Opinion:
    """The opinion where that action is the only legal one."""
    return Opinion(Considered(text), only=True)


def opinion_of(advice: Advice | None, counts: Literal["won", "points"]) -> Opinion:
    """The opinion from that advice."""
    return Opinion(advice[0], _next_best(advice, counts)) if advice else Opinion(None)


def _next_best(advice: Advice, counts: Literal["won", "points"]) -> Considered | None:
    """What stands beside the best; None if it says nothing."""
    best, *others = advice
    if not best.visits:
        return None

    def near(row: Considered) -> bool:
        return abs(figure(row, counts) - figure(best, counts)) < _NEAR[counts]

    known = [row for row in others if row.visits >= FEW]
    other = next(iter(known), None)
    if other is not None and near(other):
        kinds = (row for row in known if kind_of(row.text) != kind_of(best.text))
        other = next(kinds, other)
    return other


def figure(row: Considered, counts: Literal["won", "points"]) -> float:
    """The figure of a row that counts at a game."""
    return row.won if counts == "won" else row.value
