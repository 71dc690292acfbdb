"""Finished matches: lists of them, and one of them with what can be done with it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import attrgetter
from typing import Final

from bot.i18n import Texts, day, safe_name
from bot.ids import TableId
from bot.plain_text import told_apart
from bot.render.components import Button, Page, button, option, pager, small, strong
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.results import MEDALS, PLACES
from bot.views.listing import MOST_LISTED, HistoryView, Past, Placed, Whose

LINES: Final = 5
"""Matches on a page: a row has as many buttons."""

NAME: Final = 16
"""Characters of a name on a page of them."""


def history_page(view: HistoryView, texts: Texts) -> Message:
    """A page of finished matches, a button for each, and whose others there are."""
    page, lines = Page(), view.page.lines
    page.text(f"## {_title(view, texts)}")
    if not lines:
        page.text(texts.get(_NONE[view.whose] if view.other is None else "history.none_with"))
    first = view.page.number * LINES + 1
    for number, past in enumerate(lines, first):
        page.text(
            f"{strong(texts.number(number))} · {strong(texts.game_name(past.game))}"
            f" · {day(past.ended)}",
            _people(past, texts, NAME),
            small(_facts(past, texts)),
        )
    page.row(
        [
            button(texts.number(number), _match(past.table, view))
            for number, past in enumerate(lines, first)
        ]
    )
    if view.page.pages > 1:
        page.row(pager(view.page.number, view.page.pages, lambda to: _press(view, to)))
    if view.page.more and view.page.number == view.page.pages - 1:
        page.text(small(texts.get("history.more", count=MOST_LISTED)))
    _menu(page, view, texts)
    if view.whose is Whose.MINE and lines:
        page.row([button(texts.get("button.all_files"), Press(Verb.ALL_FILES))])
    return page.message()


def match_page(
    past: Past, back: str, texts: Texts, *, began: bool, more: Sequence[Button] = ()
) -> Message:
    """One of them; `back`: the page it was on; `began`: the reader may open its rematch.

    `more` are buttons of others, which come first.
    """
    page, table = Page(), past.table
    page.text(f"## {texts.game_name(past.game)} · {day(past.ended)}")
    page.text(*_places(past, texts))
    page.text(small(_facts(past, texts)))
    again = [button(texts.get("button.rematch"), Press(Verb.REMATCH, table), "success")]
    page.packed(
        [
            *more,
            *(again if began else []),
            button(texts.get("button.rounds"), Press(Verb.ROUNDS, table)),
            button(texts.get("button.verify"), Press(Verb.VERIFY, table)),
            button(texts.get("button.file"), Press(Verb.FILE, table)),
        ]
    )
    page.row([button(texts.get("button.back"), Press(Verb.HISTORY, argument=back))])
    return page.message()


_NONE: Final = {Whose.MINE: "history.none_mine", Whose.HERE: "history.none_here"}


def _title(view: HistoryView, texts: Texts) -> str:
    if view.other is not None:
        return texts.get("history.with", name=safe_name(view.name))
    if view.whose is Whose.HERE:
        return texts.get("history.here")
    return texts.get("history.mine" if view.on_server else "history.alone")


def _menu(page: Page, view: HistoryView, texts: Texts) -> None:
    """Whose matches are listed, where there are others."""
    if not view.on_server:
        return
    options = [
        option(
            texts.get("history.mine"),
            Whose.MINE,
            default=view.whose is Whose.MINE and view.other is None,
        ),
        option(texts.get("history.here"), Whose.HERE, default=view.whose is Whose.HERE),
    ]
    page.select(_press(view, view.page.number), texts.get("history.whose"), options)


def _state(view: HistoryView, page: int) -> str:
    return f"{view.whose}|{view.other or ''}|{page}"


def _press(view: HistoryView, page: int) -> Press:
    return Press(Verb.HISTORY, argument=_state(view, page))


def _match(table: TableId, view: HistoryView) -> Press:
    return Press(Verb.MATCH, table, argument=_state(view, view.page.number))


def _people(past: Past, texts: Texts, room: int) -> str:
    """`🥇 Ann **42** · 🥈 Ben and Cat **30**`: who shares a place stands together."""
    return " · ".join(_places(past, texts, room))


def _places(past: Past, texts: Texts, room: int = 32) -> list[str]:
    """The same, of each place a part."""
    plain = [_called(one, texts, plain=True) for one in past.people]
    seats = [one.seat for one in past.people]
    names = dict(zip(seats, told_apart(plain, room, seats=seats), strict=True))
    found = []
    for (place, points), group in groupby(past.people, attrgetter("place", "points")):
        signs = MEDALS if place <= len(MEDALS) else PLACES
        who = texts.list([safe_name(names[one.seat]) for one in group])
        sign = signs[min(place, len(signs)) - 1]
        # The points stand in the line of the last name.
        found.append(f"{sign}\u00a0{who}\u00a0{strong(texts.number(points))}")
    return found


def _called(one: Placed, texts: Texts, *, plain: bool) -> str:
    return texts.called(one.name or texts.get("report.somebody"), plain=plain)


def _facts(past: Past, texts: Texts) -> str:
    """Rounds, that it does not count if so, and its table."""
    rounds = texts.get("result.rounds", count=past.rounds)
    counts = [] if past.counts else [texts.get("result.off_board")]
    return " · ".join((rounds, *counts, past.table))
