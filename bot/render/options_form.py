"""The form in which the host of a lobby chooses the match's options and the table's customs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

import discord
from discord import ui

from bot.i18n import Texts
from bot.render.components import OPTION, TITLE, Form, cut, sent_in
from bot.render.custom_ids import Press, Verb
from bot.views.values import NumberField, OptionsView, SwitchField
from engine.game import OptionValue

MOST: Final = 5
"""Fields that Discord allows in a form."""

DIGITS: Final = 4
"""Maximum number of digits of a typed number."""

_NUMBER: Final = "number"
_SWITCH: Final = "switch"
_CUSTOMS: Final = "customs"
_PACE: Final = "pace"


class Filled(NamedTuple):
    """Values of a form that was sent in."""

    numbers: Mapping[str, str]
    """Typed text by option; empty fields are left out."""
    switches: Mapping[str, str]
    """Chosen values by option, as `as_text` writes them."""
    customs: frozenset[str]
    """The customs that are ticked."""
    pace: str = ""
    """The pace that is chosen; empty where the form has none."""


def as_text(value: OptionValue) -> str:
    """The value of a switch as the form carries it.

    >>> as_text(True), as_text("leader")
    ('on', 'leader')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    return str(value)


def field_name(key: str, measures: str | None, game: str, texts: Texts) -> str:
    """Name of an option's field; `measures`: what it limits the match by."""
    return (
        texts.own(game, f"option.{key}") if measures is None else texts.get(f"options.{measures}")
    )


def options_form(view: OptionsView, texts: Texts) -> discord.ui.Modal:
    """A field for each length, each switch with all its values in words, customs to tick."""
    form = Form(
        title=cut(texts.get("options.title"), TITLE),
        custom_id=Press.at(view.head, Verb.OPTIONS).encode(),
    )
    game = view.head.game
    for place, number in enumerate(view.numbers):
        label = field_name(number.key, number.measures, game, texts)
        if place:
            label = texts.get("options.instead", what=label)
        code = "options.bounds"
        if len(view.numbers) > 1:
            code = "options.or" if place else "options.either"
        bounds = texts.get(
            code,
            minimum=number.minimum,
            maximum=number.maximum,
            usual="" if number.usual is None else number.usual,
            seats=len(view.head.sitters),
        )
        form.add_item(_number(number, label, bounds, game, texts))
    for switch in view.switches:
        form.add_item(_switch(switch, game, texts))
    if view.customs:
        boxes: ui.CheckboxGroup[ui.LayoutView] = ui.CheckboxGroup(
            custom_id=_CUSTOMS,
            required=False,
            min_values=0,
            max_values=len(view.customs),
            options=[
                discord.CheckboxGroupOption(
                    label=cut(texts.own(game, f"custom.{name}"), OPTION), value=name, default=on
                )
                for name, on in view.customs
            ],
        )
        form.add_item(ui.Label(text=cut(texts.get("options.customs"), TITLE), component=boxes))
    if view.paces:
        paces = [
            discord.SelectOption(label=cut(texts.get(f"pace.{one}"), OPTION), value=one, default=on)
            for one, on in view.paces
        ]
        chosen: ui.Select[ui.LayoutView] = ui.Select(custom_id=_PACE, options=paces, required=False)
        form.add_item(ui.Label(text=cut(texts.get("options.pace"), TITLE), component=chosen))
    return form


def _number(
    field: NumberField, label: str, bounds: str, game: str, texts: Texts
) -> ui.Label[ui.LayoutView]:
    """A length to be typed; the default is shown in grey."""
    offered = [texts.own(game, f"option.{field.key}.{value}") for value in field.offered]
    typed: ui.TextInput[ui.LayoutView] = ui.TextInput(
        custom_id=f"{_NUMBER}:{field.key}",
        max_length=DIGITS,
        required=False,
        default=None if field.value is None else str(field.value),
        placeholder=None if field.usual is None else str(field.usual),
    )
    return ui.Label(
        text=cut(label, TITLE),
        description=cut(" · ".join([*offered, bounds]), OPTION),
        component=typed,
    )


def _switch(field: SwitchField, game: str, texts: Texts) -> ui.Label[ui.LayoutView]:
    """Every value of a switch, the present one chosen."""
    options = [
        discord.RadioGroupOption(
            label=cut(texts.option(game, field.key, value), OPTION),
            value=as_text(value),
            default=value == field.value,
        )
        for value in field.values
    ]
    radio: ui.RadioGroup[ui.LayoutView] = ui.RadioGroup(
        custom_id=f"{_SWITCH}:{field.key}", options=options
    )
    return ui.Label(text=cut(field_name(field.key, None, game, texts), TITLE), component=radio)


def read_options(interaction: discord.Interaction) -> Filled:
    """The values of a form that was sent in; unknown ones are left out."""
    numbers: dict[str, str] = {}
    switches: dict[str, str] = {}
    customs: frozenset[str] = frozenset()
    pace = ""
    for custom_id, field in sent_in(interaction):
        kind, _, key = custom_id.partition(":")
        value = str(field.get("value") or "").strip()
        if kind == _NUMBER and value:
            numbers[key] = value
        elif kind == _SWITCH and value:
            switches[key] = value
        elif kind == _CUSTOMS:
            customs = frozenset(map(str, field.get("values") or ()))
        elif kind == _PACE:
            pace = "".join(map(str, field.get("values") or ()))
    return Filled(numbers, switches, customs, pace)
