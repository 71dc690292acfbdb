"""Rules about hints: who may ask, counting them, what is about equally good.  Pure.

A hint changes neither the question nor its deadline.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import sqrt
from typing import Final, Literal, NamedTuple, TypeAlias

from bot.ids import QuestionId, UserId
from bot.tables import lobby
from bot.tables.model import Table, TableError
from bot.tables.ports import Advice
from bot.tables.stored import Hinted
from engine.game import GameInfo, Seat
from engine.players.player import FEW, Considered

Counts: TypeAlias = Literal["won", "points", "match"]
"""What tells actions apart: rounds won, points over the others, matches won."""

_NEAR: Final[Mapping[Counts, float]] = {"won": 0.02, "points": 0.3, "match": 0.02}
"""Figures that differ by less are nearly the same."""

SURE: Final = 2
"""Standard errors by which shares have to differ: less may be by which deals were looked at."""

_SELDOM: Final = 1 / 20
"""What was looked at more seldom than the best by this factor is not compared with it."""

_OFTEN: Final = 1 / 4
"""What differs from the best by chance alone was looked at as often, by this factor: else a search
had soon found better."""


class Opinion(NamedTuple):
    """What a strong computer player would do."""

    best: Considered | None
    """None if there was no time to think.  Of those that are nearly the same, what the rules of
    thumb choose, for which there are reasons; or else what is no pass, as people expect.  Before
    `FEW` playouts it is a guess, by rules of thumb."""
    close: tuple[Considered, ...] = ()
    """Others that are as good as equal to it."""
    rivals: tuple[Considered, ...] = ()
    """Others that are worse than it and not as good, the best first; like the close ones known from
    `FEW` playouts."""
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


def opinion_of(advice: Advice | None, info: GameInfo) -> Opinion:
    """The opinion from that advice, in a game of that kind."""
    if not advice:
        return Opinion(None)
    best, *others = advice
    if best.visits < FEW:  # rules of thumb know more than so few deals
        return Opinion(next((row for row in advice if row.thumb), best))
    least = max(FEW, _SELDOM * best.visits)
    known = [row for row in others if row.visits >= least]
    counts = counted_by(best, info)
    known.sort(key=lambda row: figure(row, counts), reverse=True)
    near = [row for row in known if _is_near(row, best, counts)]
    good = [
        row
        for row in near
        if row.visits >= _OFTEN * best.visits
        or figure(row, counts) > figure(best, counts) - _NEAR[counts]
    ]
    alike = (best, *good)
    plays = (row for row in alike if row.text != info.passes)
    thumb = next((row for row in alike if row.thumb), None) or next(plays, best)
    others = [row for row in known if row not in good]
    rivals = tuple(row for row in others if figure(row, counts) < figure(thumb, counts))
    close = [row for row in good if row is not thumb]
    if thumb is not best:
        close.insert(0, best)
    return Opinion(thumb, tuple(close), rivals)


def _is_near(row: Considered, best: Considered, counts: Counts) -> bool:
    """Whether a row is worse than the best by less than is `_NEAR`, or than is `SURE`."""
    near = _NEAR[counts]
    if counts != "points":
        shares = [(figure(one, counts), one.visits) for one in (row, best)]
        near = max(near, SURE * standard_error(*shares))
    return figure(row, counts) > figure(best, counts) - near


def standard_error(*shares: tuple[float, int]) -> float:
    """The standard error of the difference of shares, each of so many deals."""
    return sqrt(sum(max(share * (1 - share), 0) / max(deals, 1) for share, deals in shares))


def counted_by(best: Considered, info: GameInfo) -> Counts:
    """What tells two actions apart.

    Where pairs play, words settle what is at stake, and the match tells; cards do not change that,
    and rounds won tell.
    """
    if not info.teams:
        return info.hinted
    return "won" if is_of_cards(best) else "match"


def is_of_cards(row: Considered) -> bool:
    """Whether an action changes nothing of what the round is worth."""
    return row.text.partition(" ")[0] in ("play", "discard")


def figure(row: Considered, counts: Counts) -> float:
    """The figure of a row that counts at a game."""
    return row.won if counts == "won" else row.value
