"""A person's own view of a running match, and the two steps of choosing.

An act is a button that plays at once; a whole hand is a row of buttons for each suit, a narrow
choice stands in words.  A choice opens its acts: up to ten are buttons again, up to twenty-five a
select, and a combination of cards is a form.  A menu is a select from the start.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

import discord
from discord import ui

from bot.i18n import Texts, relative
from bot.ids import QuestionId
from bot.render import blocks
from bot.render.blocks import PLAYABLE
from bot.render.board import back
from bot.render.components import (
    LABEL,
    OPTIONS,
    TITLE,
    Button,
    Form,
    Option,
    Page,
    Style,
    button,
    chunks,
    cut,
    evenly,
    jump_url,
    link,
    option,
    per_row,
    small,
    strong,
)
from bot.render.custom_ids import Press, Verb
from bot.render.deal_proof import cut_button, proof_lines
from bot.render.message import Message
from bot.views.values import HandView
from engine.layout import Act, Block, CardRow, CardView, Choice, Standing

BUTTONS: Final = 10
"""So many actions are offered as buttons; more are a select."""

NARROW: Final = 5
"""Up to so many cards to choose from are offered in words, and stand out."""

HAND: Final = 20
"""So many cards at most have a button each, whatever their suits: a message has 40 parts."""

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
    page.text(f"> {view.notice}" if view.notice else "", _warning(view, texts))
    if view.away:
        page.text(texts.get("hand.away"))
        page.row([back(head, texts)])
    if view.pause is None:
        opened = _opened(view)
        blocks.show(page, _lit(view, opened), head, texts, brief=True)
        page.text(_due(view, texts))
        if view.question is None:
            fresh = button(texts.get("button.refresh"), Press.at(head, Verb.HAND))
            page.row_or_rows([fresh], _tail(view, texts))
        elif opened is None:
            _first_step(page, view, texts)
        else:
            _second_step(page, opened, view, texts)
    else:
        blocks.show_pause(page, view.pause, view.layout, head, texts)
        press = Press.at(head, Verb.NEXT, view.pause.question)
        page.row_or_rows(
            [button(texts.get("button.next"), press, "success"), cut_button(head, texts)],
            _links(view, texts),
        )
        page.text(*proof_lines(view.pause.seal, view.pause.words, head, texts))
    return page.message(blocks.accent(view.layout, head.game, texts))


def _warning(view: HandView, texts: Texts) -> str:
    """That the time is up soon, above everything that could be read first."""
    if view.due is None or view.question is None or not view.warned:
        return ""
    return texts.get("hand.warned", time=relative(view.due))


def _due(view: HandView, texts: Texts) -> str:
    if view.due is None or view.question is None or view.warned:
        return ""
    return small(texts.get("hand.due", time=relative(view.due)))


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
        custom_id=Press.at(view.head, Verb.COMBINE, view.question, key).encode(),
    )
    game, groups = view.head.game, chunks(combine.cards, BOXES)
    for number, cards in enumerate(groups):
        alone = len(groups) == 1
        named = [(card, texts.card_name(game, card)) for card in cards]
        boxes: ui.CheckboxGroup[ui.LayoutView] = ui.CheckboxGroup(
            custom_id=f"{_CARDS}:{number}",
            required=alone,
            min_values=min(combine.minimum, len(cards)) if alone else 0,
            max_values=min(combine.maximum, len(cards)),
            options=[discord.CheckboxGroupOption(label=name, value=card) for card, name in named],
        )
        form.add_item(ui.Label(text=texts.get("form.cards"), component=boxes))
    for flag in combine.flags:
        answers = [
            discord.RadioGroupOption(
                label=texts.flag(game, flag, answer), value=answer, default=answer == _NO
            )
            for answer in (_NO, _YES)
        ]
        radio: ui.RadioGroup[ui.LayoutView] = ui.RadioGroup(
            custom_id=f"{_FLAG}:{flag}", options=answers
        )
        form.add_item(ui.Label(text=cut(texts.flag(game, flag), TITLE), component=radio))
    return form


def read_combine(interaction: discord.Interaction) -> tuple[tuple[str, ...], frozenset[str]]:
    """Cards and flags of a form that was sent in; whatever else stands there is left out."""
    data: Mapping[str, Any] = interaction.data or {}
    return read_form(data.get("components") or ())


def read_form(components: Iterable[Mapping[str, Any]]) -> tuple[tuple[str, ...], frozenset[str]]:
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
    """Cards, choices and menus in the game's order; what is only words below them."""
    controls = view.layout.controls
    acts = [control for control in controls if isinstance(control, Act)]
    plays = [act for act in acts if act.cards]
    if any(act.group for act in plays) or len(plays) > BUTTONS:
        if len(plays) == 1:
            page.text(small(_notes(plays[0], view, texts)))
        _acts(page, plays, view, texts)
        plays = []
    style = _style(acts)
    page.rows(
        [
            _act_button(control, view, texts, style)
            if isinstance(control, Act)
            else _choice_button(control, view, texts, style)
            for control in controls
            if control in plays or (isinstance(control, Choice) and not control.menu)
        ]
    )
    for control in controls:
        if isinstance(control, Choice) and control.menu:
            _menu(page, control, view, texts)
    words = [_act_button(act, view, texts) for act in acts if not act.cards]
    page.row_or_rows(words, _tail(view, texts))


def _second_step(page: Page, opened: Choice, view: HandView, texts: Texts) -> None:
    page.text(strong(texts.get("hand.choose", choice=_choice_label(opened, view, texts))))
    _acts(page, opened.acts, view, texts)
    back = Press.at(view.head, Verb.OPEN, view.question)
    page.row([button(texts.get("button.back"), back), *_links(view, texts)])


def _acts(page: Page, acts: Sequence[Act], view: HandView, texts: Texts) -> None:
    """Few as buttons in words, a hand as rows of its suits, many as selects."""
    grouped = any(act.group for act in acts)
    style = _style(acts)
    if len(acts) <= (NARROW if grouped else BUTTONS):
        page.rows([_act_button(act, view, texts, style, named=grouped) for act in acts])
    elif grouped and len(acts) <= HAND:
        buttons = [(act.group, _act_button(act, view, texts, style)) for act in acts]
        room = max(per_row([one["label"] for _, one in buttons]), 4)
        for _, suit in groupby(buttons, key=itemgetter(0)):
            for row in evenly([one for _, one in suit], room):
                page.row(row)
    else:
        for number, some in enumerate(chunks(acts, OPTIONS)):
            page.select(
                # The actions are the values; the argument only keeps the ids apart.
                Press.at(view.head, Verb.ACT, view.question, str(number or "")),
                texts.get("hand.choose_one", count=len(acts)),
                [_act_option(act, view, texts) for act in some],
            )


def _menu(page: Page, choice: Choice, view: HandView, texts: Texts) -> None:
    """A select of a choice's acts, or of the cards that are chosen together."""
    label, combine = _choice_label(choice, view, texts), choice.combine
    if combine is None:
        press = Press.at(view.head, Verb.ACT, view.question, f"#{choice.key}")
        options = [_act_option(act, view, texts) for act in choice.acts]
        page.select(press, label, options)
        return
    page.select(
        Press.at(view.head, Verb.COMBINE, view.question, choice.key),
        label,
        [option(texts.card_name(view.head.game, card), card) for card in combine.cards],
        minimum=combine.minimum,
        maximum=min(combine.maximum, len(combine.cards), OPTIONS),
    )


def _choice_button(control: Choice, view: HandView, texts: Texts, style: Style) -> Button:
    match control:
        case Choice(acts=(act,), combine=None):
            return _act_button(act, view, texts, style)
        case _:
            # What is only a form opens it at once.
            verb = Verb.OPEN if control.acts else Verb.COMBINE
            press = Press.at(view.head, verb, view.question, control.key)
            return button(f"{_choice_label(control, view, texts)} · {control.count}", press)


def _standing_button(control: Standing, view: HandView, texts: Texts) -> Button:
    """Passes for the whole deal, or takes that back; it can be pressed at any time.

    Where nothing is asked the number says which deal: the button must not hold for a later one,
    nor answer at once what this panel does not show.
    """
    phrase, argument = (control.undo, "0") if view.standing else (control.label, "1")
    question = QuestionId(view.deal + 1) if view.question is None else view.question
    press = Press.at(view.head, Verb.STANDING, question, argument)
    return button(texts.phrase(view.head.game, phrase, view.head.names, plain=True), press)


def _style(acts: Sequence[Act]) -> Style:
    """What cards stand out in: blue as long as there are few of them."""
    return "primary" if sum(bool(act.cards) for act in acts) <= NARROW else "secondary"


def _act_button(
    act: Act, view: HandView, texts: Texts, style: Style = "secondary", *, named: bool = False
) -> Button:
    """Plays at once; the game's own colour goes before `style`."""
    press = Press.at(view.head, Verb.ACT, view.question, act.action)
    label = _act_label(act, view, texts, named=named)
    return button(label, press, style if act.style == "secondary" else act.style)


def _act_option(act: Act, view: HandView, texts: Texts) -> Option:
    label = _act_label(act, view, texts, named=True)
    return option(label, act.action, _notes(act, view, texts))


def _choice(view: HandView, key: str) -> Choice | None:
    choices = (control for control in view.layout.controls if isinstance(control, Choice))
    return next((choice for choice in choices if choice.key == key), None)


def _choice_label(choice: Choice, view: HandView, texts: Texts) -> str:
    return texts.phrase(view.head.game, choice.label, view.head.names, plain=True)


def _act_label(act: Act, view: HandView, texts: Texts, *, named: bool) -> str:
    """The act's own words, else its cards; `named` writes a single card in words."""
    game = view.head.game
    if act.label is not None:
        return texts.phrase(game, act.label, view.head.names, plain=True)
    if named and len(act.cards) == 1:
        return texts.card_name(game, act.cards[0])
    # The notation says which card counts twice.
    written = [word for word in act.action.split() if word.partition("x")[0] in act.cards]
    return cut(texts.cards(game, written if len(written) == len(act.cards) else act.cards), LABEL)


def _notes(act: Act, view: HandView, texts: Texts) -> str:
    people = view.head.names
    return " · ".join(texts.phrase(view.head.game, note, people, plain=True) for note in act.notes)


def _tail(view: HandView, texts: Texts) -> list[Button]:
    """What can be pressed whether or not one is asked."""
    standing = (control for control in view.layout.controls if isinstance(control, Standing))
    row = [_standing_button(control, view, texts) for control in standing]
    if view.layout.more:
        row.append(button(texts.get("button.more"), Press.at(view.head, Verb.MORE)))
    return [*row, *_links(view, texts)]


def _links(view: HandView, texts: Texts) -> list[Button]:
    if view.board is None:
        return []
    return [link(texts.get("button.to_table"), jump_url(view.head.guild, *view.board))]
