"""A table that has opened, to people who want to know: a line in the channel, and letters."""

from __future__ import annotations

from collections.abc import Iterator

from bot.i18n import Markdown, Texts, safe_name, safe_text
from bot.ids import RoleId
from bot.render.board import to_table
from bot.render.components import GOLD, GREY, Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.views.values import TableHead


def opening_line(head: TableHead, role: RoleId, url: str | None, texts: Texts) -> Message:
    """The line in the channel: its mention of the role is the only one that pings."""
    said = texts.get(
        "opening.line", role=f"<@&{role}>", name=_host(head), game=texts.game_name(head.game)
    )
    join = button(texts.get("button.join"), Press.at(head, Verb.JOIN), "success")
    return note(said, join, *to_table(url, texts))


def opening_over(head: TableHead, texts: Texts, *, began: bool) -> Message:
    """The line once the match has begun, or the table was closed."""
    code = "opening.began" if began else "opening.closed"
    return note(texts.get(code, game=texts.game_name(head.game)), accent=GREY)


def opening_letter(head: TableHead, server: str, url: str | None, texts: Texts) -> Message:
    """The direct message to a follower of the game on the server of that name."""
    page, game = Page(), texts.game_name(head.game)
    page.text(
        texts.get(
            "opening.letter",
            name=_host(head),
            game=game,
            channel=f"<#{head.channel}>",
            server=safe_text(server),
            facts=Markdown(" · ".join(_facts(head, texts))),
        ),
        texts.game_tagline(head.game),
    )
    stop = Press(Verb.UNFOLLOW, argument=f"{head.guild}|{head.game}")
    page.row([*to_table(url, texts), button(texts.get("button.stop_telling"), stop)])
    page.text(small(texts.get("opening.why", game=game)))
    return page.message(GOLD)


def _facts(head: TableHead, texts: Texts) -> Iterator[str]:
    yield texts.get("lobby.players", count=len(head.sitters))
    yield from (texts.option(head.game, *one) for one in head.options.items())
    yield texts.get(f"pace.{head.pace}")


def _host(head: TableHead) -> str:
    """The name of whoever leads the table."""
    return next((safe_name(one.name) for one in head.sitters if one.user == head.host), "")
