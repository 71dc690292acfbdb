"""Refusals in words that help: whose turn it is, for how long, and what to do instead."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from bot.i18n import Markdown, RefusalParam, Texts, relative
from bot.ids import ALONE, QuestionId, UserId
from bot.render.message import Message
from bot.render.pages import refusal
from bot.render.seats import name
from bot.tables.model import Table, TableError
from bot.tables.stored import Actor, DeadlineKind, Entry
from bot.views.building import table_head
from bot.views.values import TableHead

SECONDS_A_MINUTE: Final = 60


def refused(texts: Texts, error: TableError) -> Message:
    """A refusal on its own, and what its reader may do instead."""
    return refusal(refusal_alone(texts, error), watchable(error), texts)


def refusal_alone(texts: Texts, error: TableError) -> str:
    """The sentence of a refusal beside which no table is shown: it says where to look instead."""
    return texts.get("error.moved_on") if error.code == "stale" else table_refusal(texts, error)


def watchable(error: TableError) -> TableHead | None:
    """A table that a person who does not sit there may watch, if there is something to see."""
    table = error.table
    if error.code != "not_seated" or table is None:
        return None
    return table_head(table) if table.running else None


def table_refusal(texts: Texts, error: TableError) -> str:
    """The sentence of a refusal; whose turn it is is said by name, times in minutes."""
    code: str = error.code
    params = dict[str, RefusalParam](error.params)
    seconds = params.get("seconds")
    if isinstance(seconds, int):
        params["count"] = max(1, -(-seconds // SECONDS_A_MINUTE))
    at = params.get("at")
    if isinstance(at, int):
        params["time"] = relative(datetime.fromtimestamp(at, UTC))
    missing = params.get("permissions")
    if isinstance(missing, str):
        named = [texts.get(f"permission.{one}") for one in missing.split()]
        params["permissions"] = Markdown(texts.list(named))
    if code == "not_host" and error.table is not None:
        code += "_named"
        params["name"] = Markdown(_host(error.table, texts))
    if code == "channel_busy" and error.table is not None and error.table.stored.guild == ALONE:
        code = "alone_busy"
    if code == "not_your_turn" and error.table is not None:
        return _turn(texts, error.table)
    return texts.refusal(code, params)


def second_press(
    texts: Texts, table: Table, user: UserId, question: QuestionId | None
) -> str | None:
    """The answer to a second press on an answered question; None if it was not answered.

    It goes to the presser alone, since the answer may be their secret.  Answers given at their seat
    before it was theirs are not told.
    """
    entry = _answer_of(table, user, question)
    if entry is None:
        return None
    if table.was_taken_back(entry):
        return texts.get("answered.taken_back")
    if entry.by is not Actor.PERSON:
        return texts.get("answered.for_you")
    word, *rest = entry.text.split()
    pack = frozenset(table.game.pack(len(table.stored.seating.places), table.stored.options))
    cards = [written for written in rest if written.partition("x")[0] in pack]
    if not cards:
        return texts.get("answered.passed" if entry.text == "pass" else "answered.answered")
    code = "answered.played" if word == "play" else "answered.chosen"
    return texts.get(code, cards=texts.cards(table.stored.game, cards))


def is_repeated(
    table: Table, user: UserId, question: QuestionId | None, action: str | None
) -> bool:
    """Whether `user` has given just that answer to that question, and is asked nothing since."""
    entry = _answer_of(table, user, question)
    if entry is None or entry.by is not Actor.PERSON or table.was_taken_back(entry):
        return False
    return entry.text == action and entry.seat not in table.questions


def _answer_of(table: Table, user: UserId, question: QuestionId | None) -> Entry | None:
    """The answer to a question of this round that was put to `user` at their seat."""
    seating, deals = table.stored.seating, table.deals
    seat = seating.place_of(user)
    if seat is None or question is None or not deals or question <= deals[-1]:
        return None
    entry = table.answer_to(seat, question)
    return None if entry is None or entry.ply < seating.places[seat].since else entry


def _host(table: Table, texts: Texts) -> str:
    seat = table.stored.seating.place_of(table.stored.seating.host)
    return "?" if seat is None else name(table_head(table), seat, texts)


def _turn(texts: Texts, table: Table) -> str:
    """Whose turn it is, and how long they have."""
    code = "not_your_turn"
    params: dict[str, RefusalParam] = {}
    head = table_head(table)
    people = [Markdown(name(head, seat, texts)) for seat in table.actors]
    if len(people) == 1:
        params["name"] = people[0]
    else:
        code += "_several"
        params["names"] = Markdown(texts.list(people))
    due = table.stored.timing.deadline(DeadlineKind.TURN)
    if due is not None:
        code += "_until"
        params["time"] = relative(due.due)
    return texts.refusal(code, params)
