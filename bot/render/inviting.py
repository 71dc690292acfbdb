"""An invitation to a table, for the channel and for the invited person."""

from __future__ import annotations

from enum import StrEnum

from bot.i18n import Texts, safe_name
from bot.ids import UserId
from bot.render.board import to_table
from bot.render.components import Page, button
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.views.values import TableHead


def invitation_line(head: TableHead, inviter: str, guest: UserId, texts: Texts) -> Message:
    """The line in the channel: its mention is the only one that pings."""
    said = texts.get(
        "invite.line", guest=f"<@{guest}>", name=safe_name(inviter), game=texts.game_name(head.game)
    )
    return note(said, button(texts.get("button.join"), Press.at(head, Verb.JOIN), "success"))


class InvitationOutcome(StrEnum):
    """The result of an invitation: the code of its sentence."""

    JOINED = "invite.line_joined"
    DECLINED = "invite.line_declined"
    OVER = "invite.line_over"
    """There are no free seats any more, or the table is over."""


def invitation_over(
    head: TableHead, guest: UserId, outcome: InvitationOutcome, texts: Texts
) -> Message:
    """The line in the channel after that."""
    return note(texts.get(outcome, guest=f"<@{guest}>", game=texts.game_name(head.game)))


def invitation(
    head: TableHead, inviter: tuple[UserId, str], url: str | None, texts: Texts
) -> Message:
    """The direct message; *Never* is about the inviter."""
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
