"""Buttons for pause, pace, nudge, substitute and taking a play back at a running table."""

from __future__ import annotations

from collections.abc import Sequence

from bot.i18n import Texts
from bot.render.board import pace, rest, seek
from bot.render.components import Button, Page, button, option, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.views.values import TableHead
from bot.views.wishes import WishesView


def wish_buttons(view: WishesView, texts: Texts) -> list[Button]:
    """Buttons of one person's wishes."""
    head, row = view.head, list[Button]()
    if view.take_back is not None:
        asks = Press.at(head, Verb.UNDO, view.take_back)
        row.append(button(texts.get("button.take_back"), asks))
    if view.nudge is not None:
        row.append(button(texts.get("button.nudge"), Press.at(head, Verb.NUDGE, view.nudge)))
    if view.away is not None:
        row.append(seek(head, view.away, texts))
    if view.resting is not None:
        row.append(rest(head, texts, resting=view.resting))
    if view.pace is not None:
        row.append(pace(head, texts))
    return row


def pace_page(
    head: TableHead, holds: str, others: Sequence[str], needed: int, texts: Texts
) -> Message:
    """All other paces, to vote for one; `holds` is the present one."""
    page = Page()
    page.text(
        texts.get("pace.ask", pace=texts.get(f"pace.{holds}")),
        small(texts.get("pace.ask_votes", count=needed)),
    )
    options = [option(texts.get(f"pace.{one}"), one) for one in others]
    page.select(Press.at(head, Verb.PACE, argument="1"), texts.get("pace.choose"), options)
    return page.message()
