"""A layout's blocks as text: what there is to see, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import Final, assert_never

from bot.i18n import Texts
from bot.render.components import ACCENTS, GOLD, SMALL, Page, small, strong
from bot.render.seats import brief_lines, name, readiness_lines, score_lines, seat_lines
from bot.views.values import Pause, TableHead
from engine import layout as ui

PLAYABLE: Final = "playable"
WINNING: Final = "winning"
DOWN: Final = "down"
"""Lies face down; whoever laid it still sees the card."""

FACE_DOWN: Final = "🎴"
NBSP: Final = "\N{NO-BREAK SPACE}"

SHORT: Final = 12
"""Characters of a headline that fit one line of a phone at the largest size."""

CELLS: Final = 8
BEYOND: Final = 4
"""Cells of a tally's bar up to its goal, and after it."""


def accent(layout: ui.Layout, game: str, texts: Texts) -> int:
    """The colour of the headline's symbol, else of the first suit among the chips."""
    for block in layout.blocks:
        match block:
            case ui.Headline(symbol=symbol) if symbol in ACCENTS:
                return ACCENTS[symbol]
            case ui.Chips(chips):
                for chip in chips:
                    for value in chip.params.values():
                        if isinstance(value, ui.Suit):
                            colour = texts.suit_colour(game, value.code)
                            return GOLD if colour is None else colour
            case _:
                pass
    return GOLD


def show(
    page: Page, blocks: Iterable[ui.Block], head: TableHead, texts: Texts, *, brief: bool = False
) -> None:
    """Puts the blocks on the page; sentences that follow each other are one text.

    The table's name in small print ends it.  `brief` (a hand's panel, where the controls must
    be seen without scrolling) takes little room for seats and tricks.
    """
    pending: list[str] = []
    for block in blocks:
        match block:
            case ui.Headline() | ui.Line():
                pending.append(_sentence(block, head, texts))
            case ui.CardRow(role="hand"):
                page.text(*pending)
                pending = []
                page.line()
                page.text(
                    *_groups(block.cards, head.game, texts),
                    small(_legend(block.cards, head.game, texts)),
                )
            case ui.CardRow(role="aside") if pending and block.cards:
                pending[-1] += f" {_cards(block.cards, head.game, texts)}"
            case ui.CardRow():
                pending += _row(block, head.game, texts)
            case ui.SeatRow(seats) if brief:
                page.text(*pending)
                pending = []
                page.text(*brief_lines(seats, head, texts))
            case ui.SeatRow(seats):
                page.text(*pending)
                pending = []
                page.line()
                page.text(*seat_lines(seats, head, texts))
                page.line()
            case ui.Chips(chips):
                said = (texts.phrase(head.game, chip, head.names) for chip in chips)
                pending.append(" · ".join(map(strong, said)))
            case ui.Trick():
                pending += _trick(block, head, texts, brief=brief)
            case ui.Tally():
                pending += _tally(block, texts)
            case _:
                assert_never(block)
    which = f"{texts.game_name(head.game)} · {head.table}"
    if pending and pending[-1].startswith(SMALL):
        pending[-1] += f" · {which}"
    else:
        pending.append(small(which))
    page.text(*pending)


def show_pause(page: Page, pause: Pause, layout: ui.Layout, head: TableHead, texts: Texts) -> None:
    """Puts a finished round on the page: how it ended, what it brought, who is ready to go on."""
    headlines = [block for block in layout.blocks if isinstance(block, ui.Headline)]
    page.text(
        *(_sentence(block, head, texts) for block in headlines), *score_lines(pause, head, texts)
    )
    show(page, filter(_tells_of_the_end, layout.blocks), head, texts, brief=True)
    seed = texts.get("proof.seed", seed=pause.seed) if pause.seed else ""
    page.text(small(seed), *readiness_lines(pause, head, texts))


def _tells_of_the_end(block: ui.Block) -> bool:
    match block:
        case ui.CardRow(role=role):
            return role in ("aside", "open")
        case ui.Headline() | ui.SeatRow():
            return False
        case ui.Line() | ui.Chips() | ui.Trick() | ui.Tally():
            return True
        case _:
            assert_never(block)


def _sentence(block: ui.Headline | ui.Line, head: TableHead, texts: Texts) -> str:
    text = texts.phrase(head.game, block.phrase, head.names)
    match block:
        case ui.Headline(symbol=symbol):
            size = "#" if len(text) <= SHORT else "##"
            return f"{size} {symbol} {text}" if symbol else f"{size} {text}"
        case ui.Line(tone="strong"):
            return strong(text)
        case ui.Line(tone="small"):
            return small(text)
        case ui.Line():
            return text


# Cards


def _row(row: ui.CardRow, game: str, texts: Texts) -> list[str]:
    if not row.cards:
        return []
    return [f"{'###' if row.role == 'open' else '##'} {_cards(row.cards, game, texts)}"]


def _cards(cards: Sequence[ui.CardView], game: str, texts: Texts) -> str:
    return " ".join(texts.card(game, card.code) + _signs(card.marks, game, texts) for card in cards)


def _groups(cards: Sequence[ui.CardView], game: str, texts: Texts) -> Iterator[str]:
    """A line for each group: `❤️ **R** │ 3 5 **9**`.

    Groups without a playable card step back if others have one; where only some cards of a
    group can be played, those stand out.
    """
    groups = [(key, tuple(group)) for key, group in groupby(cards, key=lambda card: card.group)]
    lit = [any(PLAYABLE in card.marks for card in group) for _, group in groups]
    for (key, group), bright in zip(groups, lit, strict=True):
        mixed = bright and not all(PLAYABLE in card.marks for card in group)
        mark = texts.suit_mark(game, key)
        shown = []
        for card in group:
            # The line says the suit: mark and letter, as it is typed.
            of_suit = mark and card.code.startswith(key)
            text = card.code.removeprefix(key) if of_suit else texts.card(game, card.code)
            text += _signs(card.marks, game, texts)
            shown.append(strong(text) if mixed and PLAYABLE in card.marks else text)
        line = " ".join(shown)
        if key:
            line = f"{' '.join(filter(None, (mark, strong(key))))} │ {line}"
        yield line if bright or not any(lit) else small(line)


def _signs(marks: Iterable[str], game: str, texts: Texts) -> str:
    return "".join([texts.sign(game, mark) for mark in marks])


def _legend(cards: Sequence[ui.CardView], game: str, texts: Texts) -> str:
    """What the signs behind these cards mean, in the same order whatever the cards' order."""
    marks = {mark for card in cards for mark in card.marks}
    signs = sorted((sign, mark) for mark in marks if (sign := texts.sign(game, mark)))
    return " · ".join(f"{sign} {texts.own(game, f'legend.{mark}')}" for sign, mark in signs)


# Tricks


def _trick(trick: ui.Trick, head: TableHead, texts: Texts, *, brief: bool) -> list[str]:
    """Cards with whose they are, in the order of play; the winning one stands out.

    On a board a line each; on a panel as few lines as there is room for.
    """
    if not trick.cards:
        return []
    last = trick.role == "last"
    laid = [_laid(card, head, texts, last=last) for card in trick.cards]
    laid += [f"…{NBSP}{name(head, seat, texts)}" for seat in trick.awaited]
    title = [strong(texts.get("trick.last"))] if last else []
    return [*title, *([" · ".join(laid)] if brief else laid)]


def _laid(laid: ui.Laid, head: TableHead, texts: Texts, *, last: bool) -> str:
    """`❤️5 Ann`, `**❤️9 Ben** winning`; the card and its owner never break apart."""
    card = texts.card(head.game, laid.card) if laid.card else FACE_DOWN
    if DOWN in laid.marks and laid.card:
        card = FACE_DOWN + card
    signs = _signs(laid.marks, head.game, texts)
    shown = f"{card}{signs}{NBSP}{name(head, laid.seat, texts)}"
    if WINNING not in laid.marks:
        return shown
    return texts.get("trick.won" if last else "trick.winning", card=strong(shown))


def _tally(tally: ui.Tally, texts: Texts) -> list[str]:
    """`1 + 9 + ? + ?  =  10 of 24`, and below it a bar with a mark at the goal."""
    terms = " + ".join("?" if term is None else str(term) for term in tally.terms)
    full = min(tally.total * CELLS // max(tally.goal, 1), CELLS + BEYOND)
    bar = "■" * full + "□" * (CELLS + BEYOND - full)
    return [
        texts.get("tally", terms=terms, total=tally.total, goal=tally.goal),
        f"{bar[:CELLS]}|{bar[CELLS:]}",
    ]
