"""A call for a substitute, as the channel sees it."""

from __future__ import annotations

from bot.i18n import Texts
from bot.render.board import watch
from bot.render.components import button
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message
from bot.render.pages import note
from bot.views.values import TableHead


def substitute_line(head: TableHead, seat: int, texts: Texts) -> Message:
    """The line that offers `seat` to its readers; it pings nobody."""
    said = texts.get("substitute.line", game=texts.game_name(head.game), number=seat + 1)
    take = Press.at(head, Verb.TAKE, argument=str(seat))
    return note(said, button(texts.get("button.take_seat"), take, "success"), watch(head, texts))


def substitute_over(head: TableHead, seat: int | None, texts: Texts) -> Message:
    """The line once the seat is taken; None: the match no longer needs anybody."""
    game = texts.game_name(head.game)
    name = "" if seat is None else head.names[seat]
    if seat is None or not name:
        return note(texts.get("substitute.over", game=game))
    called = texts.called(name)
    return note(texts.get("substitute.taken", game=game, number=seat + 1, name=called))
