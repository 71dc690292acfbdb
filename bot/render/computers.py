"""Computer players: their levels in words, and the lobby's page that adds and removes them."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from bot.i18n import Markdown, Texts, relative, safe_name
from bot.render.components import Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.sitters import Called, Computer
from bot.views.values import TableHead
from engine.players.levels import Level


def with_level(computer: Computer, texts: Texts) -> Markdown:
    """`⚙ Computer 1 (easy)`, where it matters how well it plays."""
    level = texts.get(f"level.{computer.level}")
    return Markdown(texts.get("seat.level", name=texts.called(computer), level=level))


def levels_line(computers: Iterable[Called], texts: Texts) -> str:
    """`computer players: easy and strong`; empty where only people play."""
    said = levels(computers, texts)
    return texts.get("computers.at_table", levels=said) if said else ""


def levels(computers: Iterable[Called], texts: Texts) -> str:
    """`easy and strong`; empty where only people play."""
    played = {who.level for who in computers if isinstance(who, Computer)}
    return texts.list([texts.get(f"level.{level}") for level in Level if level in played])


def computers_page(
    head: TableHead,
    texts: Texts,
    notice: str = "",
    *,
    kept: datetime | None = None,
    counts: bool = False,
) -> Message:
    """Levels for another computer player, and those that may go; `notice`: what was done.

    Until `kept` places are kept for the people of the match before.  `counts`: the leaderboard
    counts matches with computer players.
    """
    page = Page()
    free = any(sitter.free and not sitter.awaited for sitter in head.sitters)
    held = [safe_name(sitter.awaited) for sitter in head.sitters if sitter.free and sitter.awaited]
    if free:
        page.text(notice, texts.get("computers.choose"))
    elif held and kept is not None:
        time = relative(kept)
        page.text(notice, texts.get("computers.held", names=texts.list(held), time=time))
    else:
        page.text(notice, texts.get("computers.full"))
    if free:
        page.rows(
            [
                button(
                    texts.get(f"level.{level}"),
                    Press.at(head, Verb.ADD_COMPUTER, argument=level.value),
                    "primary" if level is Level.NORMAL else "secondary",
                )
                for level in Level
            ]
        )
        uncounted = "" if counts else texts.get("computers.uncounted")
        page.text(small(" ".join(filter(None, [texts.get("computers.levels"), uncounted]))))
    page.packed(
        [
            button(
                texts.get("computers.remove", name=with_level(sitter.computer, texts)),
                Press.at(head, Verb.NO_COMPUTER, argument=str(sitter.seat)),
            )
            for sitter in head.sitters
            if sitter.computer is not None
        ]
    )
    return page.message()
