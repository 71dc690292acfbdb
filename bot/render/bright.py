"""Cards of a hand that can be played, and those that text leaves to the picture."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Final

from bot.render.cards_form import choice_of
from bot.views.values import HandView
from engine.layout import PLAYABLE, Act, Block, CardRow, CardView, Choice, Layout

HAND: Final = 20
"""Maximum number of cards with a button each, whatever their suits: a message has 40 parts."""


def opened_choice(view: HandView) -> Choice | None:
    """The choice whose acts are offered now."""
    if view.question is None or view.opened is None:
        return None
    choice = choice_of(view, view.opened)
    return choice if choice is not None and choice.acts else None


def with_dimmed_cards(view: HandView) -> Layout:
    """The layout of a hand; in the second step only the opened choice's cards are bright."""
    opened = opened_choice(view)
    if opened is None:
        return view.layout
    offered = frozenset(card for act in opened.acts for card in act.cards)
    blocks = [
        CardRow(block.role, tuple(_only(card, offered) for card in block.cards))
        if isinstance(block, CardRow) and block.role == "hand"
        else block
        for block in view.layout.blocks
    ]
    return replace(view.layout, blocks=tuple(blocks))


def _only(card: CardView, offered: Collection[str]) -> CardView:
    """`card`, playable only if it is among those offered."""
    if card.code in offered:
        return card
    return card._replace(marks=tuple(mark for mark in card.marks if mark != PLAYABLE))


def without_cards_on_buttons(view: HandView, shown: Iterable[Block]) -> Iterator[Block]:
    """The blocks; of the hand only the cards without a button, so that each is shown once.

    Two equal cards have one button, which does not say how many there are: the other one is text.
    """
    acts = [act for act in view.layout.controls if isinstance(act, Act) and act.cards]
    in_rows = len(acts) <= HAND and all(act.group for act in acts)
    whole = {act.cards[0] for act in acts if in_rows and len(act.cards) == 1 and act.label is None}
    for block in shown:
        if isinstance(block, CardRow) and block.role == "hand":
            left = []
            for card in block.cards:
                if card.code in whole:
                    whole.remove(card.code)
                else:
                    left.append(card)
            if left:
                yield CardRow(block.role, tuple(left))
        else:
            yield block
