"""Buttons that show a private answer to everybody, and who pressed."""

from __future__ import annotations

from bot.i18n import Texts, safe_name
from bot.render.components import Button, Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.views.values import TableHead

STANDINGS = "standings"
STATS = "stats"
MORE = "more"
RESULT = "result"


def share_button(what: str, texts: Texts) -> Button:
    """Posts the content of a private answer in the channel, as `Verb.SHARE` names it."""
    return button(texts.get("button.share"), Press(Verb.SHARE, argument=what))


def share_table(head: TableHead, what: str, texts: Texts) -> Button:
    """The same for a table's public parts: `MORE` or `RESULT`."""
    return button(texts.get("button.share"), Press.at(head, Verb.SHARE_TABLE, argument=what))


def signed(page: Page, name: str, texts: Texts) -> None:
    """Says who shared it."""
    page.text(small(texts.get("share.by", name=safe_name(name))))
