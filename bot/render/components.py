"""Building blocks of messages (`Page`, buttons, menus), within the limits of Discord.

Nothing here knows tables: texts, rows of buttons, selects, links, files, and the message that
they become.  Parts are written as Discord reads them (its reference, *Components*): a message is
drawn at every ply, and nothing of it is ever asked again.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any, Final, Literal, NotRequired, TypeAlias, TypedDict, TypeVar
from zlib import crc32

import discord
from discord import ui

from bot.emojis import Emoji
from bot.ids import ALONE, ChannelId, GuildId, MessageId
from bot.render.custom_ids import Press, Verb
from bot.render.message import Attachment, Component, Message

GOLD: Final = 0xE0B400
GREY: Final = 0x787F8A
LOW: Final = 0xC44601
HIGH: Final = 0x0067A3

ACCENTS: Final = {"▲": LOW, "▼": HIGH}
"""Colours that follow a headline's symbol, so that a changed mode is seen at a glance."""

PARTS: Final = 40
"""Maximum number of parts of a message."""

LABEL: Final = 80
OPTION: Final = 100
"""Characters of an option of a select, and of a choice of a command's parameter."""

OPTIONS: Final = 25
"""Options of a select, and choices of a command's parameter."""

PLACEHOLDER: Final = 150
TITLE: Final = 45
DESCRIPTION: Final = 1024
"""Characters of the words that stand for a picture."""

SMALL: Final = "-# "
"""What a line in small print begins with."""

PHONE: Final = 245
"""Pixels that a row of buttons has on a phone."""

GAP: Final = 8
PADDING: Final = 24
"""Pixels between buttons, and of a button beside its label."""

EMOJI: Final = 22
"""Pixels of an emoji in a label or before it."""

ROW: Final = 5
"""Buttons that Discord allows in a row."""

WIDE: Final = 4
"""Buttons in a row of which a phone shows two and two."""

LABELS: Final = 4096
"""Maximum number of labels whose measures are cached."""

Style: TypeAlias = Literal["primary", "secondary", "success", "danger"]

_STYLES: Final[Mapping[Style, int]] = {
    "primary": 1,
    "secondary": 2,
    "success": 3,
    "danger": 4,
}
_LINK: Final = 5

_NARROW: Final = frozenset("-\N{NON-BREAKING HYPHEN}·.,:|!'()[]Iijlt ")

T = TypeVar("T")


class Picture(TypedDict):
    """An emoji of ours on a button or an option."""

    id: str
    name: str


class Button(TypedDict):
    """A button as Discord reads it."""

    type: Literal[2]
    style: int
    label: str
    emoji: NotRequired[Picture]
    custom_id: NotRequired[str]
    url: NotRequired[str]
    disabled: NotRequired[bool]


class Option(TypedDict):
    """One option of a select as Discord reads it."""

    label: str
    value: str
    emoji: NotRequired[Picture]
    description: NotRequired[str]
    default: NotRequired[bool]


class Form(ui.Modal):
    """A modal of ours: what is sent in is read by the router, so it is not stored either."""

    def is_finished(self) -> bool:
        return True


def sent_in(interaction: discord.Interaction) -> Iterator[tuple[str, Mapping[str, Any]]]:
    """The fields of a form that was sent in, each behind its `custom_id`."""
    data: Mapping[str, Any] = interaction.data or {}
    for component in data.get("components") or ():
        field: Mapping[str, Any] = component.get("component") or component
        yield str(field.get("custom_id", "")), field


@dataclass(slots=True)
class Page:
    """Collects parts from top to bottom."""

    parts: list[Component] = field(default_factory=list)
    files: list[Attachment] = field(default_factory=list)

    def text(self, *lines: str) -> None:
        """One block of text; empty lines are left out."""
        shown = [line for line in lines if line]
        if shown:
            self.parts.append({"type": 10, "content": "\n".join(shown)})

    @property
    def small_lines(self) -> int:
        """How many lines stand there in small print."""
        texts = [part.get("content", "") for part in self.parts]
        return sum(line.startswith(SMALL) for text in texts for line in text.split("\n"))

    @property
    def room(self) -> int:
        """How many more parts Discord allows, the container of all of them counted."""
        return PARTS - 1 - sum(1 + len(part.get("components", ())) for part in self.parts)

    def line(self) -> None:
        self.parts.append({"type": 14, "divider": True, "spacing": 1})

    def row(self, buttons: Sequence[Button]) -> None:
        """Buttons beside each other, at most five."""
        if buttons:
            self.parts.append({"type": 1, "components": [*buttons]})

    def rows(self, buttons: Sequence[Button]) -> None:
        """Any number of buttons of a kind, in rows that break evenly on a phone."""
        for chunk in chunks(buttons, per_row(map(span, buttons))):
            self.row(chunk)

    def packed(self, buttons: Sequence[Button]) -> None:
        """Any number of buttons in order, in each row as many as stand beside each other."""
        row: list[Button] = []
        for one in buttons:
            if row and not fits([*row, one]):
                self.row(row)
                row = []
            row.append(one)
        self.row(row)

    def turns(self, subjects: Sequence[tuple[str, Press, bool]]) -> None:
        """The way to the pages of a panel, by name and press, of which one is the present one.

        Last on each: of what is longer than a screen Discord shows the end.
        """
        buttons = [
            button(name, press, "primary" if present else "secondary")
            for name, press, present in subjects
        ]
        for part in evenly(buttons, WIDE):
            self.row(part)

    def grouped(self, groups: Sequence[Sequence[Button]], most: int) -> None:
        """Buttons that belong together: a group with room in a row stands in one.

        Where that takes more than `most` rows groups are broken, so that all rows are full.
        """
        rows: list[Sequence[Button]] = []
        for part in (part for group in groups for part in evenly(group, WIDE)):
            if rows and len(rows[-1]) + len(part) <= WIDE:
                rows[-1] = [*rows[-1], *part]
            else:
                rows.append(part)
        if len(rows) > most:
            rows = chunks([one for group in groups for one in group], WIDE)
        for row in rows:
            self.row(row)

    def row_or_rows(self, *groups: Sequence[Button]) -> None:
        """All buttons in one row if a phone has room for it, else a row for each group."""
        row = [one for group in groups for one in group]
        if fits(row):
            self.row(row)
        else:
            for group in groups:
                self.rows(group)

    def beside(self, text: str, one: Button) -> None:
        """A text with a button beside it."""
        self.parts.append(
            {"type": 9, "components": [{"type": 10, "content": text}], "accessory": one}
        )

    def select(
        self,
        press: Press,
        placeholder: str,
        options: Sequence[Option],
        *,
        minimum: int = 1,
        maximum: int = 1,
    ) -> None:
        """A menu from which `minimum` to `maximum` of the options (the first 25) are chosen."""
        chosen: Component = {
            **_menu(3, press, placeholder),
            "options": [*options[:OPTIONS]],
            "min_values": minimum,
            "max_values": maximum,
        }
        self.parts.append({"type": 1, "components": [chosen]})

    def people(self, press: Press, placeholder: str) -> None:
        """A menu of everybody on the server, from which one is chosen."""
        self.parts.append({"type": 1, "components": [_menu(5, press, placeholder)]})

    def roles(
        self, press: Press, placeholder: str, chosen: Sequence[int], *, most: int = OPTIONS
    ) -> None:
        """A menu of all roles of the server, from which up to `most` are chosen, or none."""
        defaults = [{"id": str(one), "type": "role"} for one in chosen]
        self._several(6, press, placeholder, defaults, most)

    def channels(
        self,
        press: Press,
        placeholder: str,
        chosen: Sequence[int],
        kinds: Sequence[int],
        *,
        most: int = OPTIONS,
    ) -> None:
        """The same of all its channels of these kinds."""
        defaults = [{"id": str(one), "type": "channel"} for one in chosen]
        self._several(8, press, placeholder, defaults, most, channel_types=[*kinds])

    def _several(
        self,
        kind: int,
        press: Press,
        placeholder: str,
        defaults: Sequence[Mapping[str, str]],
        most: int,
        **more: Any,
    ) -> None:
        chosen: Component = {
            **_menu(kind, press, placeholder),
            "min_values": 0,
            "max_values": most,
            "default_values": [*defaults],
            **more,
        }
        self.parts.append({"type": 1, "components": [chosen]})

    def file(self, name: str, content: bytes) -> None:
        """A file to be downloaded."""
        self.files.append(Attachment(name, content))
        self.parts.append({"type": 13, "file": {"url": f"attachment://{name}"}})

    def picture(self, file: Attachment, described: str) -> None:
        """A picture, and the same in words for whoever does not see it."""
        self.files.append(file)
        shown = {"url": f"attachment://{file.name}"}
        item: Component = {"media": shown, "description": cut(described, DESCRIPTION)}
        self.parts.append({"type": 12, "items": [item]})

    def message(self, accent: int | None = GOLD) -> Message:
        """One container with `accent`, or the bare parts where that is None."""
        whole: tuple[Component, ...] = tuple(self.parts)
        if accent is not None:
            whole = ({"type": 17, "accent_color": accent, "components": self.parts},)
        return Message(whole, tuple(self.files))


def _menu(kind: int, press: Press, placeholder: str) -> Component:
    """What every menu has; with an id of its own, so that what is chosen in it stands in no other
    menu that takes its place in the message."""
    code = press.encode()
    return {
        "type": kind,
        "id": PARTS + 1 + crc32(code.encode()) % 2**30,  # Discord numbers the other parts from 1
        "custom_id": code,
        "placeholder": cut(placeholder, PLACEHOLDER),
    }


def button(
    label: str,
    press: Press,
    style: Style = "secondary",
    *,
    disabled: bool = False,
    emoji: Emoji | None = None,
) -> Button:
    made: Button = {
        "type": 2,
        "style": _STYLES[style],
        "label": cut(label, LABEL),
        "custom_id": press.encode(),
    }
    if disabled:
        made["disabled"] = True
    if emoji is not None:
        made["emoji"] = _picture(emoji)
    return made


def _picture(emoji: Emoji) -> Picture:
    return {"id": str(emoji.id), "name": emoji.name}


def blank(label: str, name: str) -> Button:
    """A button that is only a label; `name` tells it from others in the message."""
    return button(label, Press(Verb.NONE, argument=name), disabled=True)


def pager(number: int, pages: int, press: Callable[[int], Press]) -> list[Button]:
    """`[‹] [1 / 3] [›]`; at an end there is nowhere to go."""
    where = blank(f"{number + 1} / {pages}", "page")
    back = button("‹", press(number - 1)) if number > 0 else blank("‹", "back")
    on = button("›", press(number + 1)) if number + 1 < pages else blank("›", "on")
    return [back, where, on]


def link(label: str, url: str) -> Button:
    return {"type": 2, "style": _LINK, "label": cut(label, LABEL), "url": url}


def option(
    label: str,
    value: str,
    description: str = "",
    *,
    default: bool = False,
    emoji: Emoji | None = None,
) -> Option:
    made: Option = {"label": cut(label, OPTION), "value": value}
    if emoji is not None:
        made["emoji"] = _picture(emoji)
    if description:
        made["description"] = cut(description, OPTION)
    if default:
        made["default"] = True
    return made


def jump_url(guild: GuildId, channel: ChannelId, message: MessageId) -> str:
    return f"{channel_url(guild, channel)}/{message}"


def channel_url(guild: GuildId, channel: ChannelId) -> str:
    return f"https://discord.com/channels/{'@me' if guild == ALONE else guild}/{channel}"


def small(text: str) -> str:
    """A line in small, dim print."""
    return f"{SMALL}{text}" if text else ""


def strong(text: str) -> str:
    return f"**{text}**" if text else ""


def cut(text: str, length: int) -> str:
    """`text` with at most `length` characters, ending in an ellipsis if some are missing."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


def span(one: Button) -> int:
    """About how many pixels a button takes, the gap to the next one included."""
    return width(one["label"]) + (EMOJI if "emoji" in one else 0)


@lru_cache(LABELS)
def width(label: str) -> int:
    """The same for one that is only a label."""
    return PADDING + GAP + sum(map(_char_width, label))


def _char_width(char: str) -> int:
    match unicodedata.category(char):
        case "Mn" | "Cf":  # what only changes the sign before it
            return 0
        case "So":
            return EMOJI
        case _:
            return 4 if char in _NARROW else 8


def fits(row: Sequence[Button]) -> bool:
    """Whether these buttons stand beside each other on a phone."""
    return len(row) <= ROW and sum(map(span, row)) - GAP <= PHONE


def per_row(spans: Iterable[int]) -> int:
    """How many buttons, each so wide, stand in a row, so that a phone breaks no row unevenly.

    As many as fit on a phone side by side; where only two do, four are broken two and two.  A
    phone gives each longer one a line, and three stand beside each other elsewhere.
    """
    widths = sorted(spans, reverse=True)
    for count in range(ROW, 1, -1):
        if sum(widths[:count]) - GAP <= PHONE:
            return 4 if count == 2 else count
    return 3


def evenly(items: Sequence[T], size: int) -> list[Sequence[T]]:
    """As few parts of at most `size` as there can be, the longer ones first.

    >>> evenly("abcdefg", 5)
    ['abcd', 'efg']
    """
    if not items:
        return []
    parts = -(-len(items) // size)
    length, longer = divmod(len(items), parts)
    ends = [part * length + min(part, longer) for part in range(parts + 1)]
    return [items[start:end] for start, end in pairwise(ends)]


def chunks(items: Sequence[T], size: int) -> list[Sequence[T]]:
    return [items[start : start + size] for start in range(0, len(items), size)]
