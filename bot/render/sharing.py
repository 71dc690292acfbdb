"""Messages that somebody shows to everybody, built from public information only."""

from __future__ import annotations

from bot.i18n import Texts, safe_name
from bot.render.components import Button, Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.views.values import TableHead

STANDINGS = "standings"
STATS = "stats"
MORE = "more"
RESULT = "result"


def show_everybody(press: Press, texts: Texts) -> Button:
    """Posts in the channel what stands in a private answer."""
    return button(texts.get("button.share"), press)


def share_standings(state: str) -> Press:
    """Shares a leaderboard; `state` is `<period>|<game>|<page>`."""
    return Press(Verb.SHARE, argument=f"{STANDINGS}|{state}")


def share_stats(user: int) -> Press:
    return Press(Verb.SHARE, argument=f"{STATS}|{user}")


def share_of(head: TableHead, what: str) -> Press:
    """Shares what everybody may see of a table: `MORE` or `RESULT`."""
    return Press.at(head, Verb.SHARE_TABLE, argument=what)


def signed(page: Page, name: str, texts: Texts) -> None:
    """Says who shared it."""
    page.text(small(texts.get("share.by", name=safe_name(name))))
