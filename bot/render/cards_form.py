"""Cards that are played together: the form for them, or choosing one after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Final, NamedTuple

import discord
from discord import ui

from bot.i18n import Texts
from bot.render.components import TITLE, Form, chunks, cut, sent_in
from bot.render.custom_ids import Press, Verb
from bot.views.values import HandView
from engine.layout import Act, Choice, Combine

BOXES: Final = 10
"""Check boxes that Discord allows in a group."""

TICKS: Final = "~"
"""Separator of a choice's key and the ticked boxes."""

DOTS: Final = "…"
"""Ends the label of a button that opens something."""

_CARDS: Final = "cards"
_FLAG: Final = "flag"
_YES: Final = "yes"
_NO: Final = "no"


def combine_modal(view: HandView, wanted: str, texts: Texts) -> discord.ui.Modal:
    """The form for a combination of cards; its `custom_id` comes back with the answer.

    `wanted` is the key of a choice, or the result of `ticked`: then its boxes are ticked.  Raises
    LookupError if the layout has no such choice (any more).
    """
    key, _, ticks = wanted.partition(TICKS)
    choice = choice_of(view, key)
    if choice is None or choice.combine is None:
        raise LookupError(key)
    combine = choice.combine
    chosen = {*combine.required, *_chosen(combine, ticks)}
    form = Form(
        title=cut(choice_title(choice, view, texts), TITLE),
        custom_id=Press.at(view.head, Verb.COMBINE, view.question, key).encode(),
    )
    groups = chunks(combine.cards, BOXES)
    for number, cards in enumerate(groups):
        alone = len(groups) == 1
        boxes: ui.CheckboxGroup[ui.LayoutView] = ui.CheckboxGroup(
            custom_id=f"{_CARDS}:{number}",
            required=alone,
            min_values=min(combine.minimum, len(cards)) if alone else 0,
            max_values=min(combine.maximum, len(cards)),
            options=[_box(card, combine, view, texts, ticked=card in chosen) for card in cards],
        )
        label = texts.get("form.more") if number else _so_many(combine, texts)
        form.add_item(ui.Label(text=cut(label, TITLE), component=boxes))
    for flag in combine.flags:
        asked = cut(texts.flag(view.head.game, flag), TITLE)
        answers = _answers(flag, view, texts, yes=flag in chosen)
        form.add_item(ui.Label(text=asked, component=answers))
    return form


def _so_many(combine: Combine, texts: Texts) -> str:
    if combine.minimum == combine.maximum:
        return texts.get("form.exactly", count=combine.minimum)
    return texts.get("form.between", fewest=combine.minimum, most=combine.maximum)


def _box(
    card: str, combine: Combine, view: HandView, texts: Texts, *, ticked: bool
) -> discord.CheckboxGroupOption:
    """A card with its marks in words."""
    game = view.head.game
    marks = (mark for one in view.layout.hand if one.code == card for mark in one.marks)
    said = [texts.get("form.required")] if card in combine.required else []
    said += [texts.own(game, code) for m in marks if texts.knows(code := f"legend.{m}", game)]
    name = texts.card_name(game, view.layout.seen(card))
    more = " · ".join(said) or None
    return discord.CheckboxGroupOption(label=name, value=card, description=more, default=ticked)


def _answers(flag: str, view: HandView, texts: Texts, *, yes: bool) -> ui.RadioGroup[ui.LayoutView]:
    chosen = _YES if yes else _NO
    return ui.RadioGroup(
        custom_id=f"{_FLAG}:{flag}",
        options=[
            discord.RadioGroupOption(
                label=texts.flag(view.head.game, flag, answer),
                value=answer,
                default=answer == chosen,
            )
            for answer in (_NO, _YES)
        ],
    )


def ticked(view: HandView, key: str, cards: Collection[str], flags: Collection[str]) -> str | None:
    """The key of a choice with the boxes ticked in its form, to open it again like that.

    A hexadecimal digit for each four boxes: it is part of a `custom_id`.  None if the layout has no
    such choice (any more).
    """
    choice = choice_of(view, key)
    if choice is None or choice.combine is None:
        return None
    return with_ticks(key, choice.combine, {*cards, *flags})


def with_ticks(key: str, combine: Combine, names: Collection[str]) -> str:
    """The same of a choice that is there; `names` are cards and flags."""
    boxes = enumerate((*combine.cards, *combine.flags))
    return f"{key}{TICKS}{sum(1 << box for box, name in boxes if name in names):x}"


def _chosen(combine: Combine, ticks: str) -> Iterator[str]:
    """The cards and flags in a text of `ticked`; none if it is malformed."""
    try:
        bits = int(ticks or "0", 16)
    except ValueError:
        return
    for box, name in enumerate((*combine.cards, *combine.flags)):
        if bits >> box & 1:
            yield name


class Picking(NamedTuple):
    """Cards of a menu that are chosen one by one."""

    choice: Choice
    combine: Combine
    cards: tuple[str, ...]
    """Those that are chosen so far."""


def picked(view: HandView, wanted: str | None) -> Picking | None:
    """What is chosen by a text of `ticked`; None if that is of no menu of cards."""
    key, _, ticks = (wanted or "").partition(TICKS)
    choice = choice_of(view, key)
    if choice is None or not choice.menu or choice.combine is None:
        return None
    return Picking(choice, choice.combine, tuple(_chosen(choice.combine, ticks)))


def read_combine(interaction: discord.Interaction) -> tuple[tuple[str, ...], frozenset[str]]:
    """Cards and flags of a form that was sent in; other values are left out."""
    cards: list[str] = []
    flags: set[str] = set()
    for custom_id, field in sent_in(interaction):
        kind, _, name = custom_id.partition(":")
        if kind == _CARDS:
            cards += map(str, field.get("values") or ())
        elif kind == _FLAG and field.get("value") == _YES:
            flags.add(name)
    return tuple(cards), frozenset(flags)


def choice_of(view: HandView, key: str) -> Choice | None:
    """The choice of that key on the panel, if there is (still) one."""
    choices = (control for control in view.layout.controls if isinstance(control, Choice))
    return next((choice for choice in choices if choice.key == key), None)


def choice_with(view: HandView, act: Act) -> Choice | None:
    """The choice that offers the act, or in which its cards are put together; None if it stands by
    itself."""
    choices = [control for control in view.layout.controls if isinstance(control, Choice)]
    offered = next((choice for choice in choices if act in choice.acts), None)
    if offered is not None or act in view.layout.controls:
        return offered
    return next((choice for choice in choices if choice.combine is not None), None)


def closing(label: str) -> str:
    """The label of a choice without the dots, once something is chosen there."""
    return label.removesuffix(DOTS)


def opening(label: str) -> str:
    """The label of a button that opens a choice: with three dots, as nothing is played yet.

    >>> opening("two 3s"), opening("Throw out two cards…")
    ('two 3s…', 'Throw out two cards…')
    """
    return label if label.endswith(DOTS) else label + DOTS


def choice_label(choice: Choice, view: HandView, texts: Texts) -> str:
    """Name of a choice on a button."""
    return texts.phrase(view.head.game, choice.label, view.head.names, plain=True)


def choice_title(choice: Choice, view: HandView, texts: Texts) -> str:
    """Name of a choice above its offers."""
    if choice.title is None:
        return choice_label(choice, view, texts)
    return texts.phrase(view.head.game, choice.title, view.head.names, plain=True)
