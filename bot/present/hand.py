"""A person's own view of a running match, and the two steps of choosing.

An act is a button that plays at once.  A choice opens its acts: up to ten are buttons again, up
to twenty-five a select, and a combination of cards is a form.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Final, assert_never

import discord
from discord import ui

from bot.i18n import Texts, card_text, cards_text
from bot.present import blocks
from bot.present.blocks import PLAYABLE
from bot.present.ids import Press, Verb
from bot.present.kit import (
    LABEL,
    OPTIONS,
    TITLE,
    Button,
    Form,
    Message,
    Page,
    button,
    chunks,
    cut,
    jump_url,
    link,
    option,
    strong,
)
from bot.present.views import HandView
from engine.layout import Act, Block, CardRow, CardView, Choice, Control, Standing

BUTTONS: Final = 10
"""So many actions are offered as buttons; more are a select."""

WORDS: Final = 3
"""So many actions without cards (pass, accept …) share the last row with the link."""

BOXES: Final = 10
"""Check boxes that Discord allows in a group."""

_CARDS: Final = "cards"
_FLAG: Final = "flag"
_YES: Final = "yes"
_NO: Final = "no"


def hand_panel(view: HandView, texts: Texts) -> Message:
    """What the owner of the seat sees and may press."""
    head = view.head
    page = Page()
    if view.notice:
        page.text(f"> {view.notice}")
    if view.pause is None:
        opened = _opened(view)
        blocks.show(page, _lit(view, opened), head, texts, brief=True)
        if view.question is None:
            fresh = button(texts.get("button.refresh"), Press(Verb.HAND, head.table))
            page.row([fresh, *_links(view, texts)])
        elif opened is None:
            _first_step(page, view, texts)
        else:
            _second_step(page, opened, view, texts)
    else:
        blocks.show_pause(page, view.pause, view.layout, head, texts)
        press = Press(Verb.NEXT, head.table, view.pause.question)
        page.row([button(texts.get("button.next"), press, "success"), *_links(view, texts)])
    return page.message(blocks.accent(view.layout))


def combine_modal(view: HandView, key: str, texts: Texts) -> discord.ui.Modal:
    """The form for a combination of cards; what is sent in has its `custom_id`.

    Raises LookupError if the layout has no such choice (any more).
    """
    choice = _choice(view, key)
    if choice is None or choice.combine is None:
        raise LookupError(key)
    combine = choice.combine
    form = Form(
        title=cut(_choice_label(choice, view, texts), TITLE),
        custom_id=Press(Verb.COMBINE, view.head.table, view.question, key).encode(),
    )
    groups = chunks(combine.cards, BOXES)
    for number, cards in enumerate(groups):
        alone = len(groups) == 1
        form.add_item(
            ui.Label(
                text=texts.get("form.cards"),
                component=ui.CheckboxGroup(
                    custom_id=f"{_CARDS}:{number}",
                    required=alone,
                    min_values=min(combine.minimum, len(cards)) if alone else 0,
                    max_values=min(combine.maximum, len(cards)),
                    options=[
                        discord.CheckboxGroupOption(label=card_text(card), value=card)
                        for card in cards
                    ],
                ),
            )
        )
    for flag in combine.flags:
        form.add_item(
            ui.Label(
                text=cut(texts.flag(view.head.game, flag), TITLE),
                component=ui.RadioGroup(
                    custom_id=f"{_FLAG}:{flag}",
                    options=[
                        discord.RadioGroupOption(
                            label=texts.flag(view.head.game, flag, answer),
                            value=answer,
                            default=answer == _NO,
                        )
                        for answer in (_NO, _YES)
                    ],
                ),
            )
        )
    return form


def read_combine(interaction: discord.Interaction) -> tuple[tuple[str, ...], frozenset[str]]:
    """Cards and flags of a form that was sent in; whatever else stands there is left out."""
    data: Mapping[str, Any] = interaction.data or {}
    return read_form(data.get("components") or ())


def read_form(
    components: Iterable[Mapping[str, Any]],
) -> tuple[tuple[str, ...], frozenset[str]]:
    """Cards and flags in a form's components as Discord sends them."""
    cards: list[str] = []
    flags: set[str] = set()
    for component in components:
        inner: Mapping[str, Any] = component.get("component") or component
        kind, _, name = str(inner.get("custom_id", "")).partition(":")
        if kind == _CARDS:
            cards += map(str, inner.get("values") or ())
        elif kind == _FLAG and inner.get("value") == _YES:
            flags.add(name)
    return tuple(cards), frozenset(flags)


def action_label(text: str) -> str:
    """Notation as a suggestion shows it."""
    return cards_text(text.split())


# Controls


def _opened(view: HandView) -> Choice | None:
    """The choice whose acts are offered now."""
    if view.question is None or view.opened is None:
        return None
    choice = _choice(view, view.opened)
    return choice if choice is not None and choice.acts else None


def _lit(view: HandView, opened: Choice | None) -> Iterable[Block]:
    """The layout's blocks; in the second step only the opened choice's cards are bright."""
    offered = frozenset(card for act in opened.acts for card in act.cards) if opened else None
    for block in view.layout.blocks:
        if offered is not None and isinstance(block, CardRow) and block.role == "hand":
            yield CardRow(block.role, tuple(_only(card, offered) for card in block.cards))
        else:
            yield block


def _only(card: CardView, offered: Collection[str]) -> CardView:
    """`card`, playable only if it is among those offered."""
    if card.code in offered:
        return card
    return card._replace(marks=tuple(mark for mark in card.marks if mark != PLAYABLE))


def _first_step(page: Page, view: HandView, texts: Texts) -> None:
    """Actions and choices in the game's order; a few that are only words in the last row."""
    controls = view.layout.controls
    words = [control for control in controls if isinstance(control, Act) and not control.cards]
    if len(words) > WORDS:
        words = []
    plays = [control for control in controls if isinstance(control, Act) and control not in words]
    listed = plays if len(plays) > BUTTONS else []
    if listed:
        _acts(page, listed, view, texts)
    shown = [control for control in controls if control not in words and control not in listed]
    page.rows([_control_button(control, view, texts) for control in shown])
    page.row([*(_act_button(act, view, texts) for act in words), *_links(view, texts)])


def _second_step(page: Page, opened: Choice, view: HandView, texts: Texts) -> None:
    page.text(strong(texts.get("hand.choose", choice=_choice_label(opened, view, texts))))
    _acts(page, opened.acts, view, texts)
    back = Press(Verb.OPEN, view.head.table, view.question)
    page.row([button(texts.get("button.back"), back), *_links(view, texts)])


def _acts(page: Page, acts: Sequence[Act], view: HandView, texts: Texts) -> None:
    """Few as buttons, many as selects."""
    if len(acts) <= BUTTONS:
        page.rows([_act_button(act, view, texts) for act in acts])
        return
    for number, some in enumerate(chunks(acts, OPTIONS)):
        page.select(
            # The actions are the values; the argument only keeps the ids apart.
            Press(Verb.ACT, view.head.table, view.question, str(number or "")),
            texts.get("hand.choose_one", count=len(acts)),
            [
                option(_act_label(act, view, texts), act.action, _notes(act, view, texts))
                for act in some
            ],
        )


def _control_button(control: Control, view: HandView, texts: Texts) -> Button:
    match control:
        case Act():
            return _act_button(control, view, texts)
        case Choice(acts=(act,), combine=None):
            return _act_button(act, view, texts)
        case Choice():
            # What is only a form opens it at once.
            verb = Verb.OPEN if control.acts else Verb.COMBINE
            press = Press(verb, view.head.table, view.question, control.key)
            return button(f"{_choice_label(control, view, texts)} · {control.count}", press)
        case Standing():
            press = Press(Verb.NONE, view.head.table, view.question)
            label = texts.phrase(view.head.game, control.label, blocks.names(view.head), plain=True)
            return button(label, press)
        case _:
            assert_never(control)


def _act_button(act: Act, view: HandView, texts: Texts) -> Button:
    """Plays at once: blue, unless the game has another colour for it."""
    style = "primary" if act.cards and act.style == "secondary" else act.style
    press = Press(Verb.ACT, view.head.table, view.question, act.action)
    return button(_act_label(act, view, texts), press, style)


def _choice(view: HandView, key: str) -> Choice | None:
    choices = (control for control in view.layout.controls if isinstance(control, Choice))
    return next((choice for choice in choices if choice.key == key), None)


def _choice_label(choice: Choice, view: HandView, texts: Texts) -> str:
    return texts.phrase(view.head.game, choice.label, blocks.names(view.head), plain=True)


def _act_label(act: Act, view: HandView, texts: Texts) -> str:
    if act.label is not None:
        return texts.phrase(view.head.game, act.label, blocks.names(view.head), plain=True)
    # The notation says which card counts twice.
    written = [word for word in act.action.split() if word.partition("x")[0] in act.cards]
    return cut(cards_text(written if len(written) == len(act.cards) else act.cards), LABEL)


def _notes(act: Act, view: HandView, texts: Texts) -> str:
    names = blocks.names(view.head)
    return " · ".join(texts.phrase(view.head.game, note, names, plain=True) for note in act.notes)


def _links(view: HandView, texts: Texts) -> list[Button]:
    if view.board is None:
        return []
    return [link(texts.get("button.to_table"), jump_url(view.head.guild, *view.board))]
