"""The parts that every message is built of, and Discord's measures.

Nothing here knows tables: texts, rows of buttons, selects, links, and a view that discord.py
keeps no track of.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias, TypeVar

import discord
from discord import ui

from bot.present.ids import Press, Verb

GOLD: Final = 0xE0B400
GREY: Final = 0x787F8A
GREEN: Final = 0x2E9E5B
LOW: Final = 0xC44601
HIGH: Final = 0x0067A3

ACCENTS: Final = {"▲": LOW, "▼": HIGH}
"""Colours that follow a headline's symbol, so that a changed mode is seen at a glance."""

LABEL: Final = 80
OPTION: Final = 100
OPTIONS: Final = 25
PLACEHOLDER: Final = 150
TITLE: Final = 45

SMALL: Final = "-# "
"""What a line in small print begins with."""

PHONE: Final = 245
"""Pixels that a row of buttons has on a phone."""

GAP: Final = 8
PADDING: Final = 24
"""Pixels between buttons, and of a button beside its label."""

ROW: Final = 5
"""Buttons that Discord allows in a row."""

Style: TypeAlias = Literal["primary", "secondary", "success", "danger"]

_STYLES: Final = {
    "primary": discord.ButtonStyle.primary,
    "secondary": discord.ButtonStyle.secondary,
    "success": discord.ButtonStyle.success,
    "danger": discord.ButtonStyle.danger,
}

_NARROW: Final = frozenset("-·.,:|!'()[]Iijlt ")

T = TypeVar("T")

Part: TypeAlias = "ui.TextDisplay[Message] | ui.ActionRow[Message] | ui.Separator[Message]"
Button: TypeAlias = "ui.Button[Message]"


class Message(ui.LayoutView):
    """A message of ours: it stays up for ever and every press on it is read by its id.

    It says that it is finished, so discord.py never stores it: presses go to the router of
    `cogs`, and nothing piles up in memory while tables are drawn.
    """

    def __init__(self, *parts: Part, accent: int | None = None) -> None:
        """One container with `accent`, or the bare parts where that is None."""
        super().__init__(timeout=None)
        if accent is None:
            for part in parts:
                self.add_item(part)
        else:
            self.add_item(ui.Container(*parts, accent_colour=accent))

    def shown(self) -> list[dict[str, Any]]:
        """What Discord is sent: equal for two messages that look and act alike."""
        return [child.to_component_dict() for child in self.children]

    def is_finished(self) -> bool:
        return True

    def is_dispatchable(self) -> bool:
        return False


class Form(ui.Modal):
    """A modal of ours: what is sent in is read by the router, so it is not stored either."""

    def is_finished(self) -> bool:
        return True


@dataclass(slots=True)
class Page:
    """Collects parts from top to bottom."""

    parts: list[Part] = field(default_factory=list)

    def text(self, *lines: str) -> None:
        """One block of text; empty lines are left out."""
        kept = [line for line in lines if line]
        if kept:
            self.parts.append(ui.TextDisplay("\n".join(kept)))

    def line(self) -> None:
        self.parts.append(ui.Separator(spacing=discord.SeparatorSpacing.small))

    def row(self, buttons: Sequence[Button]) -> None:
        """Buttons beside each other, at most five."""
        if buttons:
            self.parts.append(ui.ActionRow(*buttons))

    def rows(self, buttons: Sequence[Button]) -> None:
        """Any number of buttons of a kind, in rows that break evenly on a phone."""
        for chunk in chunks(buttons, per_row([button.label or "" for button in buttons])):
            self.row(chunk)

    def select(
        self, press: Press, placeholder: str, options: Sequence[discord.SelectOption]
    ) -> None:
        self.parts.append(
            ui.ActionRow(
                ui.Select(
                    custom_id=press.encode(),
                    placeholder=cut(placeholder, PLACEHOLDER),
                    options=list(options),
                )
            )
        )

    def message(self, accent: int | None = GOLD) -> Message:
        return Message(*self.parts, accent=accent)


def button(
    label: str, press: Press, style: Style = "secondary", *, disabled: bool = False
) -> Button:
    return ui.Button(
        label=cut(label, LABEL),
        custom_id=press.encode(),
        style=_STYLES[style],
        disabled=disabled,
    )


def blank(label: str, name: str) -> Button:
    """A button that is only a label; `name` tells it from others in the message."""
    return button(label, Press(Verb.NONE, argument=name), disabled=True)


def link(label: str, url: str) -> Button:
    return ui.Button(label=cut(label, LABEL), url=url)


def option(
    label: str, value: str, description: str = "", *, default: bool = False
) -> discord.SelectOption:
    return discord.SelectOption(
        label=cut(label, OPTION),
        value=value,
        description=cut(description, OPTION) or None,
        default=default,
    )


def jump_url(guild: int, channel: int, message: int) -> str:
    return f"https://discord.com/channels/{guild}/{channel}/{message}"


def small(text: str) -> str:
    """A line in small, dim print."""
    return f"{SMALL}{text}" if text else ""


def strong(text: str) -> str:
    return f"**{text}**" if text else ""


def cut(text: str, length: int) -> str:
    """`text` with at most `length` characters, ending in an ellipsis if some are missing."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def width(label: str) -> int:
    """About how many pixels a button takes, the gap to the next one included."""
    return PADDING + GAP + sum(4 if char in _NARROW else 8 for char in label)


def per_row(labels: Iterable[str]) -> int:
    """How many such buttons stand in a row, so that a phone breaks no row unevenly.

    As many as fit on a phone side by side; where only two do, four are broken two and two.
    """
    widths = sorted(map(width, labels), reverse=True)
    for count in range(ROW, 2, -1):
        if sum(widths[:count]) - GAP <= PHONE:
            return count
    return 4


def chunks(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
