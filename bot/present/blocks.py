"""A layout's blocks as text: what there is to see, from top to bottom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import assert_never

from bot.i18n import Texts, card_text, safe_name
from bot.present.kit import ACCENTS, GOLD, SMALL, Page, small, strong
from bot.present.views import Pause, TableHead
from engine.layout import (
    Block,
    CardRow,
    CardView,
    Chips,
    Headline,
    Layout,
    Line,
    SeatRow,
    SeatView,
    Tally,
    Trick,
)

PLAYABLE = "playable"

DOUBLE = "²"
CHANGE = "⇅"
TURN = "▸"

SHORT = 12
"""Characters of a headline that fit one line of a phone at the largest size."""


def names(head: TableHead) -> tuple[str, ...]:
    """What the people are called, by seat; empty where nobody sits."""
    return tuple(sitter.name if sitter.user is not None else "" for sitter in head.sitters)


def name(head: TableHead, seat: int, texts: Texts) -> str:
    """One person's name for a message; the seat's number where nobody sits."""
    called = names(head)[seat]
    return safe_name(called) if called else texts.get("seat.number", number=seat + 1)


def accent(layout: Layout) -> int:
    """The colour of the headline's symbol."""
    symbols = (block.symbol for block in layout.blocks if isinstance(block, Headline))
    return next((ACCENTS[symbol] for symbol in symbols if symbol in ACCENTS), GOLD)


def show(
    page: Page, blocks: Iterable[Block], head: TableHead, texts: Texts, *, brief: bool = False
) -> None:
    """Puts the blocks on the page; sentences that follow each other are one text.

    The table's name in small print ends it.  `brief` takes one line for all seats.
    """
    pending: list[str] = []
    for block in blocks:
        match block:
            case Headline() | Line():
                pending.append(_sentence(block, head, texts))
            case CardRow(role="hand"):
                page.text(*pending)
                pending = []
                page.line()
                page.text(*_groups(block.cards), small(_legend(block.cards, texts)))
            case CardRow(role="aside") if pending and block.cards:
                pending[-1] += f" {' '.join(map(_card, block.cards))}"
            case CardRow():
                pending += _row(block)
            case SeatRow(seats):
                page.text(*pending)
                pending = []
                if brief:
                    page.text(*_brief(seats, head, texts))
                else:
                    page.line()
                    page.text(*_seats(seats, head, texts))
                    page.line()
            case Chips(chips):
                said = (texts.phrase(head.game, chip, names(head)) for chip in chips)
                pending.append(" · ".join(map(strong, said)))
            case Trick():
                pending.append(_trick(block, head, texts))
            case Tally(terms, total, goal):
                shown = " + ".join("?" if term is None else str(term) for term in terms)
                pending.append(texts.get("tally", terms=shown, total=total, goal=goal))
            case _:
                assert_never(block)
    which = f"{texts.game_name(head.game)} · {head.table}"
    if pending and pending[-1].startswith(SMALL):
        pending[-1] += f" · {which}"
    else:
        pending.append(small(which))
    page.text(*pending)


def show_pause(page: Page, pause: Pause, layout: Layout, head: TableHead, texts: Texts) -> None:
    """Puts a finished round on the page: how it ended, what it brought, who is ready to go on."""
    headlines = [block for block in layout.blocks if isinstance(block, Headline)]
    page.text(*(_sentence(block, head, texts) for block in headlines), *_scores(pause, head, texts))
    show(page, (b for b in layout.blocks if isinstance(b, Line) or _is_aside(b)), head, texts)
    page.text(*_readiness(pause, head, texts))


def _is_aside(block: Block) -> bool:
    return isinstance(block, CardRow) and block.role == "aside"


def _scores(pause: Pause, head: TableHead, texts: Texts) -> list[str]:
    """Points and totals, best total first."""
    best_first = sorted(range(len(pause.totals)), key=lambda seat: -pause.totals[seat])
    return [
        texts.get(
            "pause.score",
            name=strong(name(head, seat, texts)),
            points=texts.signed(pause.points[seat]),
            total=strong(texts.number(pause.totals[seat])),
        )
        for seat in best_first
    ]


def _readiness(pause: Pause, head: TableHead, texts: Texts) -> list[str]:
    ready = [safe_name(s.name) for s in head.sitters if s.user in pause.ready]
    lines = [texts.get("pause.ready", names=texts.list(ready))] if ready else []
    if pause.next is not None:
        lines.append(texts.get("pause.next", time=f"<t:{int(pause.next.timestamp())}:R>"))
    return [small(line) for line in lines]


def _sentence(block: Headline | Line, head: TableHead, texts: Texts) -> str:
    text = texts.phrase(head.game, block.phrase, names(head))
    match block:
        case Headline(symbol=symbol):
            size = "#" if len(text) <= SHORT else "##"
            return f"{size} {symbol} {text}" if symbol else f"{size} {text}"
        case Line(tone="strong"):
            return strong(text)
        case Line(tone="small"):
            return small(text)
        case Line():
            return text


def _row(row: CardRow) -> list[str]:
    if not row.cards:
        return []
    return [f"## {' '.join(map(_card, row.cards))}"]


def _trick(trick: Trick, head: TableHead, texts: Texts) -> str:
    """`Ann ❤️5 · **Ben ❤️9** · Cat …`: the winning card stands out."""
    shown = []
    for seat, card, marks in trick.cards:
        laid = f"{name(head, seat, texts)} {texts.card(head.game, card) if card else '🂠'}"
        shown.append(strong(laid) if "winning" in marks else laid)
    shown += [f"{name(head, seat, texts)} …" for seat in trick.awaited]
    return " · ".join(shown)


def _groups(cards: Sequence[CardView]) -> Iterator[str]:
    """A line for each group; groups without a playable card step back if others have one."""
    groups = [(key, tuple(group)) for key, group in groupby(cards, key=lambda card: card.group)]
    lit = [any(PLAYABLE in card.marks for card in group) for _, group in groups]
    for (key, group), bright in zip(groups, lit, strict=True):
        line = " ".join(map(_card, group))
        if key:
            line = f"{strong(key)} │ {line}"
        yield line if bright or not any(lit) else small(line)


def _card(card: CardView) -> str:
    text = card_text(card.code)
    if "double" in card.marks and "×" not in text:
        text += DOUBLE
    return text + CHANGE if "change" in card.marks else text


def _legend(cards: Sequence[CardView], texts: Texts) -> str:
    marks = {mark for card in cards for mark in card.marks}
    known = (("double", DOUBLE, "legend.double"), ("change", CHANGE, "legend.change"))
    return " · ".join(f"{sign} {texts.get(code)}" for mark, sign, code in known if mark in marks)


def _brief(seats: Sequence[SeatView], head: TableHead, texts: Texts) -> list[str]:
    """All seats with the number of their cards in one small line."""
    shown = []
    for seat in seats:
        text = f"{name(head, seat.seat, texts)} {seat.cards_left}"
        if "to_act" in seat.marks:
            text = f"{TURN} {strong(text)}"
        elif "out" in seat.marks:
            text = f"~~{text}~~"
        shown.append(text)
    return [small(" · ".join(shown))]


def _seats(seats: Sequence[SeatView], head: TableHead, texts: Texts) -> list[str]:
    scored = any(seat.score for seat in seats)
    return [_seat(seat, head, texts, scored=scored) for seat in seats]


def _seat(seat: SeatView, head: TableHead, texts: Texts, *, scored: bool) -> str:
    """`▸ **Ann** · 18 cards`; dim and struck out once out of it."""
    who = name(head, seat.seat, texts)
    facts = [texts.get("seat.cards", count=seat.cards_left)]
    if scored:
        facts.append(texts.get("seat.points", count=seat.score))
    facts += [texts.get(f"seat.{mark}") for mark in ("leads", "partner") if mark in seat.marks]
    if "self" in seat.marks:
        facts.insert(0, texts.get("seat.you"))
    if "to_act" in seat.marks:
        return " · ".join([f"{TURN} {strong(who)}", *facts])
    if "out" in seat.marks:
        return small(" · ".join([f"~~{who}~~", *facts, texts.get("seat.out")]))
    return " · ".join([who, *facts])
