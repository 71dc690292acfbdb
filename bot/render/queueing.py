"""The line of people who wait for a place: who stands there, and a place that is offered."""

from __future__ import annotations

from datetime import datetime, timedelta

from bot.i18n import Texts, relative
from bot.ids import UserId
from bot.render.board import to_table
from bot.render.components import Button, button
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.views.values import TableHead


def leave_line(head: TableHead, texts: Texts) -> Button:
    """Leaves the line, and nothing else."""
    return button(texts.get("button.leave_line"), Press.at(head, Verb.OUT))


def queue_page(head: TableHead, turn: int, time: timedelta, texts: Texts) -> Message:
    """Says to a person in line what their number there is, and that an offer stands for `time`."""
    return note(where_in_line(turn, time, texts), leave_line(head, texts))


def where_in_line(turn: int, time: timedelta, texts: Texts) -> str:
    """A person's number in line, and how they come to a seat."""
    where = texts.get("line.first") if turn == 1 else texts.get("line.turn", number=turn)
    return f"{where} {texts.get('line.about', time=texts.duration(time))}"


def offer_line(
    head: TableHead, guest: UserId, until: datetime, url: str | None, texts: Texts
) -> Message:
    """The line in the channel that offers a seat to `guest`: its mention is the only one that
    pings.

    It names no number, which another draw of the seats would change.
    """
    game, person, time = texts.game_name(head.game), f"<@{guest}>", relative(until)
    said = texts.get("offer.line", guest=person, game=game, time=time)
    join = button(texts.get("button.join"), Press.at(head, Verb.JOIN), "success")
    return note(said, join, leave_line(head, texts), *to_table(url, texts))


def offer_over(head: TableHead, guest: UserId, texts: Texts, *, seated: bool) -> Message:
    """The line once `guest` sits down, or the seat is kept for them no longer."""
    code = "invite.line_joined" if seated else "offer.over"
    return note(texts.get(code, guest=f"<@{guest}>", game=texts.game_name(head.game)))
