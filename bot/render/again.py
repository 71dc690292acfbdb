"""A deal that is played again: its button, what is asked before, and how it went."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from bot.i18n import Texts
from bot.render.components import (
    OPTIONS,
    Button,
    Option,
    Page,
    button,
    chunks,
    option,
    pager,
    small,
)
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.seats import sides, which_table
from bot.views.values import Again, ResultView, TableHead

_COMPARED: Final = {
    False: ("again.more", "again.same", "again.fewer"),
    True: ("again_team.more", "again_team.same", "again_team.fewer"),
}
"""Sentences that compare points: one's own, or those of a team."""


def again_button(head: TableHead, texts: Texts) -> Button:
    """Plays a deal of that table again; at a table where one was, the same once more."""
    if head.again is not None:
        return button(texts.get("button.once_more"), Press.at(head, Verb.AGAIN), "success")
    return button(texts.get("button.again"), Press.at(head, Verb.AGAIN))


def which_round(head: TableHead, rounds: Sequence[int], number: int, texts: Texts) -> Message:
    """A page (from 0) of the menu of `rounds`."""
    pages = chunks(rounds, OPTIONS)
    number = min(max(number, 0), len(pages) - 1)
    page = _asking(texts.get("again.which_round"), head, texts)
    page.select(
        Press.at(head, Verb.AGAIN, argument=f"||{number}"),
        texts.get("again.round_menu"),
        [option(texts.get("again.round", number=one), f"{one}||") for one in pages[number]],
    )
    if len(pages) > 1:
        page.row(
            pager(number, len(pages), lambda to: Press.at(head, Verb.AGAIN, argument=f"||{to}"))
        )
    return page.message()


def which_seat(head: TableHead, number: int, texts: Texts) -> Message:
    """The menu of seats for whoever had none in round `number`."""
    page = _asking(texts.get("again.which_seat"), head, texts)
    page.select(
        Press.at(head, Verb.AGAIN, argument=f"{number}||"),
        texts.get("seat.choose"),
        [_seat(head, sitter.seat, number, texts) for sitter in head.sitters],
    )
    return page.message()


def again_line(head: TableHead, texts: Texts) -> str:
    """What is played again here, and that it counts nowhere; empty at other tables."""
    again = head.again
    if again is None:
        return ""
    return texts.get("again.line", number=again.round, table=again.table)


def compared(view: ResultView, texts: Texts) -> Iterator[str]:
    """How the person did, and how the table did with the same cards; nothing at other tables."""
    again, head = view.head.again, view.head
    if again is None:
        return
    if view.rounds:
        mine, before = view.rounds[0][again.seat], again.points[again.seat]
        more, same, fewer = _COMPARED[head.sitters[again.seat].team is not None]
        yield texts.get(
            same if mine == before else more if mine > before else fewer,
            points=texts.get("seat.points", count=mine),
            before=texts.get("seat.points", count=before),
            difference=texts.number(abs(mine - before)),
        )
    yield small(
        texts.get(
            "again.table",
            table=again.table,
            number=again.round,
            points=" · ".join(_taken(again, head, texts)),
        )
    )


def _taken(again: Again, head: TableHead, texts: Texts) -> Iterator[str]:
    """`Seat 1: 9`: others sat there, so that nobody is named; partners took the same."""
    for side in sides(head):
        team = head.sitters[side[0]].team
        if team is None:
            who = texts.get("seat.number", number=side[0] + 1)
        else:
            who = texts.get("seat.team", number=team + 1)
        yield texts.pair(who, texts.number(again.points[side[0]]))


def _asking(question: str, head: TableHead, texts: Texts) -> Page:
    page = Page()
    page.text(
        f"### {texts.get('button.again')}",
        question,
        small(which_table(head, texts)),
    )
    return page


def _seat(head: TableHead, seat: int, number: int, texts: Texts) -> Option:
    """`Seat 2 · Ben`"""
    named = head.names[seat]
    label = texts.get("seat.number", number=seat + 1)
    if named:
        label = f"{label} · {texts.called(named, plain=True)}"
    return option(label, f"{number}|{seat}|")
