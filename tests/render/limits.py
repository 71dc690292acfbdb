"""Discord's limits, checked on what is really sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import SimpleNamespace
from typing import Any, cast

import discord

from bot.render.components import GAP, PHONE, width
from bot.render.custom_ids import Press, Verb
from bot.render.message import Message

COUNTED = frozenset({1, 2, 3, 5, 6, 8, 9, 10, 11, 12, 14, 17})
TEXT, ROW, BUTTON, SELECT, PEOPLE = 10, 1, 2, 3, 5
SEVERAL = (6, 8)
"""Menus of roles and channels."""

MORE = f":{Verb.MORE}:"
"""What is in the id of *⋯*, which stands where something can be pressed at any time."""


def walk(components: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    for component in components:
        yield component
        yield from walk(list(component.get("components", ())))


def parts(view: Message, kind: int) -> list[dict[str, Any]]:
    return [part for part in walk(view.components) if part["type"] == kind]


def rows(view: Message) -> list[list[dict[str, Any]]]:
    """The buttons or the menu of each row."""
    return [part["components"] for part in parts(view, ROW)]


def sent(fields: Sequence[Mapping[str, Any]]) -> discord.Interaction:
    """A form as Discord sends it in."""
    return cast("discord.Interaction", SimpleNamespace(data={"components": fields}))


def text(view: Message) -> str:
    return "\n".join(part["content"] for part in parts(view, TEXT))


def labels(view: Message) -> list[str]:
    return [part["label"] for part in parts(view, BUTTON)]


def presses(view: Message) -> dict[str, Press]:
    """What the buttons mean, by their labels; disabled ones and links left out."""
    found = {}
    for part in parts(view, BUTTON):
        if "custom_id" in part and not part.get("disabled"):
            press = Press.decode(part["custom_id"])
            assert press is not None
            found[part["label"]] = press
    return found


def buttons(view: Message, verb: Verb) -> list[Press]:
    """Presses of the buttons with that verb, also where labels are the same."""
    ids = [part.get("custom_id", "") for part in parts(view, BUTTON)]
    return [press for press in map(Press.decode, ids) if press is not None and press.verb is verb]


def check(view: Message) -> None:
    """Everything that Discord would refuse with 50035, and what a phone would break."""
    everything = list(walk(view.components))
    assert {part["type"] for part in everything} <= COUNTED
    assert len(everything) <= 40
    assert sum(len(part["content"]) for part in everything if part["type"] == TEXT) <= 4000
    assert all(part["content"].strip() for part in everything if part["type"] == TEXT)
    ids = [part["custom_id"] for part in everything if "custom_id" in part]
    assert len(ids) == len(set(ids))
    for custom_id in ids:
        assert len(custom_id) <= 100
        press = Press.decode(custom_id)
        assert press is not None
        assert press.encode() == custom_id
    for part in everything:
        match part["type"]:
            case 2:
                assert 1 <= len(part["label"]) <= 80
                assert len(part.get("url") or "") <= 512
            case 3:
                _select(part)
            case kind if kind in SEVERAL:
                assert len(part["placeholder"]) <= 150
                assert len(part["default_values"]) <= part["max_values"] <= 25
            case 1:
                _row(part)
            case 17:
                assert part["components"]


def _select(part: Mapping[str, Any]) -> None:
    assert len(part["placeholder"]) <= 150
    assert 1 <= len(part["options"]) <= 25
    values = [option["value"] for option in part["options"]]
    assert len(values) == len(set(values))
    for option in part["options"]:
        assert 1 <= len(option["label"]) <= 100
        assert 1 <= len(option["value"]) <= 100
        assert len(option.get("description") or "") <= 100
    most = part.get("max_values", 1)
    assert 1 <= part.get("min_values", 1) <= most <= len(values)
    assert sum(bool(option.get("default")) for option in part["options"]) <= 1


def _row(part: Mapping[str, Any]) -> None:
    """At most five; a phone breaks no row but four long ones, and that of what is always there."""
    inside = part["components"]
    assert 1 <= len(inside) <= 5
    if inside[0]["type"] in (SELECT, PEOPLE, *SEVERAL):
        assert len(inside) == 1
        return
    wide = sum(width(button["label"]) for button in inside) - GAP
    always = any(MORE in button.get("custom_id", "") for button in inside)
    assert wide <= PHONE or len(inside) <= (5 if always else 4)
