"""Computer players in the lobby, as its host adds and removes them."""

from __future__ import annotations

from bot.i18n import Texts
from bot.render.components import Page, button, small
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.views.values import TableHead
from engine.players.levels import Level


def computers_page(head: TableHead, texts: Texts, notice: str = "") -> Message:
    """How strong another computer player may be, and which may go; `notice`: what was done."""
    page = Page()
    free = any(sitter.free and not sitter.awaited for sitter in head.sitters)
    page.text(notice, texts.get("computers.choose" if free else "computers.full"))
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
        page.text(small(texts.get("computers.levels")))
    page.packed(
        [
            button(
                texts.get("computers.remove", name=texts.called(sitter.computer, plain=True)),
                Press.at(head, Verb.NO_COMPUTER, argument=str(sitter.seat)),
            )
            for sitter in head.sitters
            if sitter.computer is not None
        ]
    )
    return page.message()
