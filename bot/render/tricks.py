"""Tricks and sets as text: cards, their owners, and who took a finished trick."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

from bot.i18n import Texts
from bot.ids import Computer
from bot.render.components import small, strong
from bot.render.seats import NBSP, name
from bot.views.values import TableHead
from engine import layout as ui

WINNING: Final = "winning"
DOWN: Final = "down"
"""A card that lies face down; its owner still sees it."""

FACE_DOWN: Final = "🎴"


def trick_lines(
    trick: ui.Trick | ui.LastSet, blocks: Sequence[ui.Block], head: TableHead, texts: Texts
) -> list[str]:
    """The finished trick, its winner and the reason; in small print as soon as `blocks` show a card
    of the next one."""
    lines = last_lines(trick, head, texts)
    return [small(line) for line in lines] if _goes_on(blocks) else lines


def laid_by(blocks: Iterable[ui.Block], head: TableHead, texts: Texts) -> Mapping[int, str]:
    """Cards of the present trick by seat, with their places in the order."""
    return {
        laid.seat: f"{number}.{NBSP}{_marked(laid, head, texts)}"
        for block in blocks
        if isinstance(block, ui.Trick) and block.role == "current"
        for number, laid in enumerate(block.cards, start=1)
    }


def _goes_on(blocks: Iterable[ui.Block]) -> bool:
    tricks = [block for block in blocks if isinstance(block, ui.Trick)]
    return any(trick.role == "current" and trick.cards for trick in tricks)


def last_lines(last: ui.Trick | ui.LastSet, head: TableHead, texts: Texts) -> list[str]:
    """The trick just finished, in one line, and below it its winner and the reason."""
    match last:
        case ui.Trick(cards=laid, reason=why):
            cards = " · ".join(_laid(card, head, texts) for card in laid)
            title = texts.get("trick.last", cards=cards)
        case ui.LastSet(seat, row, why):
            cards = texts.pair(_owner(head, seat, texts), strong(cards_line(row, head.game, texts)))
            title = texts.get("series.last", cards=cards)
        case _:
            assert_never(last)
    return [title] if why is None else [title, texts.phrase(head.game, why, head.names)]


def _laid(laid: ui.Laid, head: TableHead, texts: Texts) -> str:
    """`Ann: ❤️5`, `**Ben: ❤️9**`; the card and its owner never break apart."""
    said = texts.pair(_owner(head, laid.seat, texts), "").rstrip(" ")
    shown = f"{said}{NBSP}{_card(laid, head, texts)}"
    # Before the name the badge could stay alone at the end of the line above.
    return strong(shown + texts.badge("wins")) if _wins(laid) else shown


def _owner(head: TableHead, seat: int, texts: Texts) -> str:
    """A computer player's number stays with its word."""
    who = name(head, seat, texts)
    return who.replace(" ", NBSP) if isinstance(head.names[seat], Computer) else who


def _marked(laid: ui.Laid, head: TableHead, texts: Texts) -> str:
    """`❤️5`, `**❤️9** winning`."""
    card = _card(laid, head, texts)
    if not _wins(laid):
        return card
    shown = NBSP.join(filter(None, (texts.badge("wins"), card)))
    return texts.get("trick.winning", card=strong(shown))


def _wins(laid: ui.Laid) -> bool:
    return WINNING in laid.marks


def _card(laid: ui.Laid, head: TableHead, texts: Texts) -> str:
    card = texts.card(head.game, laid.card) if laid.card else FACE_DOWN
    if DOWN in laid.marks and laid.card:
        card = FACE_DOWN + card
    return card + signs_of(laid.marks, head.game, texts)


# Cards


def cards_line(cards: Sequence[ui.CardView], game: str, texts: Texts) -> str:
    return " ".join(
        as_seen(card, game, texts) + signs_of(card.marks, game, texts) for card in cards
    )


def as_seen(card: ui.CardView, game: str, texts: Texts) -> str:
    """A card as it lies."""
    return texts.card(game, card.seen)


def signs_of(marks: Iterable[str], game: str, texts: Texts) -> str:
    return "".join([texts.sign(game, mark) for mark in marks])
