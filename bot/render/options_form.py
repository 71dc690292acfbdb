"""The form in which the host of a lobby chooses the match's options and the table's customs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, NamedTuple

import discord
from discord import ui

from bot.i18n import Texts
from bot.render.components import OPTION, TITLE, Form, cut, sent_in
from bot.render.custom_ids import Press, Verb
from bot.views.values import NumberField, OptionsView, SwitchField

MOST: Final = 5
"""Fields that Discord allows in a form."""

DIGITS: Final = 4
"""Maximum number of digits of a typed number."""

_NUMBER: Final = "number"
_SWITCH: Final = "switch"
_TICKS: Final = "customs"
_PACE: Final = "pace"
_SEATS: Final = "seats"

ON_OFF: Final = (False, True)
"""What a switch may be that is a box to tick."""


class Filled(NamedTuple):
    """Values of a form that was sent in."""

    numbers: Mapping[str, str]
    """Typed text by option; empty fields are left out."""
    switches: Mapping[str, str]
    """Chosen values by option."""
    ticks: frozenset[str]
    """The customs, and options that are on or off, that are ticked."""
    pace: str = ""
    """The pace that is chosen; empty where the form has none."""
    seats: str = ""
    """The same of the number of seats."""


def field_name(key: str, measures: str | None, game: str, texts: Texts) -> str:
    """Name of an option's field; `measures`: what it limits the match by."""
    return (
        texts.own(game, f"option.{key}") if measures is None else texts.get(f"options.{measures}")
    )


def options_form(view: OptionsView, texts: Texts) -> discord.ui.Modal:
    """The seats, a field for each length, the pace, boxes to tick, and each switch with all its
    values in words.

    What is changed most often is seen first.  What is on or off has no field of its own: a form has
    few.
    """
    form = Form(
        title=cut(texts.get("options.title"), TITLE),
        custom_id=Press.at(view.head, Verb.OPTIONS).encode(),
    )
    game = view.head.game
    if view.seats:
        here = len(view.head.sitters)
        seats = [(str(count), texts.number(count), count == here) for count in view.seats]
        form.add_item(_menu(_SEATS, texts.get("options.seats"), seats))
    for place, number in enumerate(view.numbers):
        label = field_name(number.key, number.measures, game, texts)
        if place:
            label = texts.get("options.instead", what=label)
        code = "options.bounds"
        if len(view.numbers) > 1:
            code = "options.or" if place else "options.either"
        if number.by_players and not place:
            code += "_by_players"
        bounds = texts.get(
            code,
            minimum=number.minimum,
            maximum=number.maximum,
            usual=" · ".join(
                texts.get("options.usual", usual=usual, seats=seats)
                for usual, seats in number.usual
            ),
        )
        form.add_item(_number(number, label, bounds, game, texts))
    if view.paces:
        paces = [(one.value, texts.get(f"pace.{one}"), on) for one, on in view.paces]
        form.add_item(_menu(_PACE, texts.get("options.pace"), paces))
    if ticks := [*_ticks(view, texts)]:
        boxes: ui.CheckboxGroup[ui.LayoutView] = ui.CheckboxGroup(
            custom_id=_TICKS, required=False, min_values=0, max_values=len(ticks), options=ticks
        )
        form.add_item(ui.Label(text=cut(texts.get("options.customs"), TITLE), component=boxes))
    for switch in view.switches:
        if switch.values != ON_OFF:
            form.add_item(_switch(switch, game, texts))
    return form


def _menu(
    custom_id: str, label: str, options: Iterable[tuple[str, str, bool]]
) -> ui.Label[ui.LayoutView]:
    """A menu of values, each with its words and whether it holds."""
    offered = [
        discord.SelectOption(label=cut(words, OPTION), value=value, default=on)
        for value, words, on in options
    ]
    chosen: ui.Select[ui.LayoutView] = ui.Select(
        custom_id=custom_id, options=offered, required=False
    )
    return ui.Label(text=cut(label, TITLE), component=chosen)


def _ticks(view: OptionsView, texts: Texts) -> Iterator[discord.CheckboxGroupOption]:
    """Boxes to tick: options that are on or off, and customs."""
    game = view.head.game
    for switch in view.switches:
        if switch.values == ON_OFF:
            label = cut(field_name(switch.key, None, game, texts), OPTION)
            yield discord.CheckboxGroupOption(
                label=label, value=switch.key, default=switch.value is True
            )
    for name, on in view.customs:
        label = cut(texts.own(game, f"custom.{name}"), OPTION)
        yield discord.CheckboxGroupOption(label=label, value=name, default=on)


def _number(
    field: NumberField, label: str, bounds: str, game: str, texts: Texts
) -> ui.Label[ui.LayoutView]:
    """A length to be typed; the default is shown in grey, if it is one number."""
    offered = [texts.own(game, f"option.{field.key}.{value}") for value in field.offered]
    typed: ui.TextInput[ui.LayoutView] = ui.TextInput(
        custom_id=f"{_NUMBER}:{field.key}",
        max_length=DIGITS,
        required=False,
        default=None if field.value is None else str(field.value),
        placeholder=str(field.usual[0][0]) if len(field.usual) == 1 else None,
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
            value=str(value),
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
    ticks: frozenset[str] = frozenset()
    menus = dict[str, str]()
    for custom_id, field in sent_in(interaction):
        kind, _, key = custom_id.partition(":")
        value = str(field.get("value") or "").strip()
        if kind == _NUMBER and value:
            numbers[key] = value
        elif kind == _SWITCH and value:
            switches[key] = value
        elif kind == _TICKS:
            ticks = frozenset(map(str, field.get("values") or ()))
        elif kind in (_PACE, _SEATS):
            menus[kind] = "".join(map(str, field.get("values") or ()))
    return Filled(numbers, switches, ticks, menus.get(_PACE, ""), menus.get(_SEATS, ""))
