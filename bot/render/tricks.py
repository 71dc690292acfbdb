"""Tricks and sets as text: cards, their owners, and who took a finished trick."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from bot.i18n import Texts
from bot.render.components import small, strong
from bot.render.seats import name
from bot.views.values import TableHead
from engine import layout as ui

WINNING: Final = "winning"
DOWN: Final = "down"
"""Lies face down; whoever laid it still sees the card."""

FACE_DOWN: Final = "🎴"
NBSP: Final = "\N{NO-BREAK SPACE}"


def trick_lines(
    trick: ui.Trick | ui.LastSet,
    blocks: Sequence[ui.Block],
    head: TableHead,
    texts: Texts,
    *,
    brief: bool,
) -> list[str]:
    """Cards with whose they are, in the order of play; the winning one stands out.

    On a board a line each; on a panel as few lines as there is room for.  What was finished is in
    small print as soon as `blocks` show a card of what follows it.
    """
    if isinstance(trick, ui.LastSet) or trick.role == "last":
        lines = last_lines(trick, head, texts)
        return [small(line) for line in lines] if _goes_on(blocks) else lines
    if not trick.cards:
        return []
    laid = [_laid(card, head, texts) for card in trick.cards]
    laid += [f"…{NBSP}{name(head, seat, texts)}" for seat in trick.awaited]
    return [" · ".join(laid)] if brief else laid


def _goes_on(blocks: Iterable[ui.Block]) -> bool:
    tricks = [block for block in blocks if isinstance(block, ui.Trick)]
    return any(trick.role == "current" and trick.cards for trick in tricks)


def last_lines(last: ui.Trick | ui.LastSet, head: TableHead, texts: Texts) -> list[str]:
    """What was just finished, in one line, and below it who took it and why."""
    match last:
        case ui.Trick(cards=laid, reason=why):
            cards = " · ".join(_laid(card, head, texts, last=True) for card in laid)
            title = texts.get("trick.last", cards=cards)
        case ui.LastSet(seat, row, why):
            cards = f"{strong(cards_line(row, head.game, texts))}{NBSP}{name(head, seat, texts)}"
            title = texts.get("series.last", cards=cards)
        case _:
            assert_never(last)
    return [title] if why is None else [title, texts.phrase(head.game, why, head.names)]


def _laid(laid: ui.Laid, head: TableHead, texts: Texts, *, last: bool = False) -> str:
    """`❤️5 Ann`, `**❤️9 Ben** winning`; the card and its owner never break apart."""
    card = texts.card(head.game, laid.card) if laid.card else FACE_DOWN
    if DOWN in laid.marks and laid.card:
        card = FACE_DOWN + card
    signs = signs_of(laid.marks, head.game, texts)
    shown = f"{card}{signs}{NBSP}{name(head, laid.seat, texts)}"
    if WINNING not in laid.marks:
        return shown
    shown = NBSP.join(filter(None, (texts.badge("crown"), shown)))
    return strong(shown) if last else texts.get("trick.winning", card=strong(shown))


# Cards


def cards_line(cards: Sequence[ui.CardView], game: str, texts: Texts) -> str:
    return " ".join(
        texts.card(game, card.code) + signs_of(card.marks, game, texts) for card in cards
    )


def signs_of(marks: Iterable[str], game: str, texts: Texts) -> str:
    return "".join([texts.sign(game, mark) for mark in marks])
