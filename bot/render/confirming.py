"""Questions before something irrevocable: starting, leaving, ending, removing somebody."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from bot.i18n import Texts, safe_name
from bot.render.components import GREY, Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.render.seats import name as seated
from bot.views.values import Ending, KickView, Leaving, TableHead

NOW: Final = "now"
"""The argument of a press that was asked about and is confirmed."""


def confirm_start(head: TableHead, agreement: str, texts: Texts) -> Message:
    """Asks before a match begins without those for whom places are kept."""
    people = [safe_name(sitter.awaited) for sitter in head.sitters if sitter.awaited]
    said = texts.get("start.awaited", names=texts.list(people), count=len(people))
    start = Press.at(head, Verb.START, argument=f"{NOW}|{agreement}")
    return note(said, button(texts.get("button.start_now"), start, "danger"), accent=GREY)


def confirm_leave(head: TableHead, means: Leaving, texts: Texts) -> Message:
    """Asks before a seat in a running match is given up, and says what that means."""
    done = Press.at(head, Verb.LEAVE_NOW, argument=means)
    leave = button(texts.get("button.leave_now"), done, "danger")
    return note(texts.get(means), leave, accent=GREY)


def confirm_end(
    head: TableHead, votes: tuple[int, int] | None, time: timedelta, texts: Texts
) -> Message:
    """Asks before a match is ended.

    `votes` are those given and those needed; None for a person who decides alone.  `time` is left
    to the others once they are given.
    """
    page, means = Page(), Ending.ALONE if votes is None else Ending.VOTE
    page.text(texts.get(means, time=texts.duration(time)))
    if votes is not None:
        page.text(small(texts.get("board.votes", count=votes[0], needed=votes[1])))
    label = texts.get("button.end_now" if votes is None else "button.vote")
    page.row([button(label, Press.at(head, Verb.END_NOW, argument=means), "danger")])
    return page.message(GREY)


def confirm_kick(view: KickView, texts: Texts) -> Message:
    """Asks before a person's seat is taken away, or before a vote for that."""
    page = Page()
    name = seated(view.head, view.seat, texts)
    said = [texts.get(view.means, name=name, seat=view.seat + 1)]
    if view.counts:
        said.append(texts.get("kick.counts", name=name))
    page.text(" ".join(said))
    if view.votes is not None:
        given, needed = view.votes
        page.text(small(texts.get("kick.votes", count=given, needed=needed)))
    label = texts.get("button.kick" if view.votes is None else "button.kick_vote")
    press = Press.at(view.head, Verb.KICK_NOW, argument=f"{view.means}|{view.target}")
    page.row([button(label, press, "danger")])
    return page.message(GREY)
