"""An invitation to a table, as the channel and as whoever is invited see it."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from bot.i18n import Texts, safe_name
from bot.ids import UserId
from bot.render.board import to_table
from bot.render.components import Page, button
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.views.values import TableHead


def invitation_line(head: TableHead, inviter: str, guest: UserId, texts: Texts) -> Message:
    """The line in the channel: its mention is the only one that pings."""
    page = Page()
    said = texts.get(
        "invite.line", guest=f"<@{guest}>", name=safe_name(inviter), game=texts.game_name(head.game)
    )
    page.text(said)
    page.row([button(texts.get("button.join"), Press.at(head, Verb.JOIN), "success")])
    return page.message(accent=None)


class Outcome(StrEnum):
    """What became of an invitation."""

    JOINED = "joined"
    DECLINED = "declined"
    OVER = "over"
    """The table needs nobody any more."""


_OVER: Final = {
    Outcome.JOINED: "invite.line_joined",
    Outcome.DECLINED: "invite.line_declined",
    Outcome.OVER: "invite.line_over",
}


def invitation_over(head: TableHead, guest: UserId, outcome: Outcome, texts: Texts) -> Message:
    """What the line in the channel says then."""
    page = Page()
    game = texts.game_name(head.game)
    page.text(texts.get(_OVER[outcome], guest=f"<@{guest}>", game=game))
    return page.message(accent=None)


def invitation(
    head: TableHead, inviter: tuple[UserId, str], url: str | None, texts: Texts
) -> Message:
    """The direct message; *Never* means whoever sent it."""
    user, called = inviter
    page = Page()
    page.text(
        texts.get(
            "invite.dm",
            name=safe_name(called),
            game=texts.game_name(head.game),
            channel=f"<#{head.channel}>",
        ),
        texts.game_tagline(head.game),
    )
    page.row_or_rows(
        [
            button(texts.get("button.join"), Press.at(head, Verb.JOIN), "success"),
            button(texts.get("button.not_today"), Press(Verb.NOT_TODAY, head.table)),
            button(texts.get("button.never"), Press(Verb.NEVER, argument=str(user))),
        ],
        to_table(url, texts),
    )
    return page.message()
