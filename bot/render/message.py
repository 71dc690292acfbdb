"""`Message`: components and files for Discord, a digest of what they show."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from io import BytesIO
from typing import Any, Final, NamedTuple, TypeAlias

import discord
import orjson
from discord import ui
from discord.utils import MISSING

from bot.emojis import is_suit, named

Component: TypeAlias = dict[str, Any]
"""A part of a message as Discord reads it."""

_INNER: Final = frozenset({"components", "options"})
"""Attributes under which a part has other parts."""

MAX_FILE_BYTES: Final = 8_000_000
"""Bytes of a file that Discord takes from everybody."""


class Attachment(NamedTuple):
    """A file that comes with a message."""

    name: str
    content: bytes
    lasting: bool = False
    """Whether its content follows from its name: a message that has a file of that name needs no
    other."""


def picture_file(content: bytes) -> Attachment:
    """A picture, called after what it shows."""
    return Attachment(f"{hashlib.sha256(content).hexdigest()[:16]}.png", content, lasting=True)


@dataclass(frozen=True)
class Message:
    """A message for Discord, encoded once: all ways of sending take one of these."""

    components: tuple[Component, ...]
    files: tuple[Attachment, ...] = ()
    """Files that the components name."""

    @cached_property
    def digest(self) -> bytes:
        """Equal for two messages that look and act alike."""
        shown = hashlib.sha256(orjson.dumps(self.components))
        for file in self.files:
            shown.update(hashlib.sha256(file.content).digest())
        return shown.digest()

    @cached_property
    def view(self) -> ReadyView:
        """The components as discord.py takes them."""
        return ReadyView(self.components)

    def marked(self, number: int) -> Message:
        """The same message with a number on its first component, by which it is found again."""
        first, *rest = self.components
        return Message(({**first, "id": number}, *rest), self.files)

    def noted(self, sentence: str) -> Message:
        """The same message below a sentence: the result of a press."""
        return Message(({"type": 10, "content": f"> {sentence}"}, *self.components), self.files)

    @property
    def names(self) -> frozenset[str]:
        """Names of its files."""
        return frozenset(file.name for file in self.files)

    @cached_property
    def without_emoji(self) -> Message | None:
        """The same message without our emoji on buttons and options; None if it has none."""
        bare = tuple(map(_without_emoji, self.components))
        return None if bare == self.components else Message(bare, self.files)

    def uploads(self) -> list[discord.File]:
        """The files, to be sent once."""
        return [discord.File(BytesIO(file.content), file.name) for file in self.files]

    def replacing(self, there: Collection[str]) -> Sequence[discord.File]:
        """The files, for a message that has those of these names; MISSING lets them stay."""
        if self.names == frozenset(there) and all(file.lasting for file in self.files):
            return MISSING  # type: ignore[no-any-return]  # it is anything to discord.py
        return self.uploads()


def _without_emoji(part: Component) -> Component:
    """A part without emoji; the letter of a suit takes its place, as in notation."""
    left: Component = {
        name: [_without_emoji(one) for one in value] if name in _INNER else value
        for name, value in part.items()
        if name != "emoji"
    }
    said = named(part["emoji"]["name"]) if "emoji" in part else None
    if said is not None and is_suit(said.key):
        left["label"] = f"{said.key[1:]} {left['label']}"
    return left


class ReadyView(ui.LayoutView):
    """Components that are encoded already: they stay up for ever, and are read by their ids.

    It says that it is finished, so discord.py never stores it: presses go to the router of
    `cogs`, and nothing piles up in memory while tables are drawn.
    """

    def __init__(self, components: Sequence[Component]) -> None:
        super().__init__(timeout=None)
        self._components: list[Any] = list(components)

    def to_components(self) -> list[dict[str, Any]]:
        return self._components

    def has_components_v2(self) -> bool:
        return True

    def is_finished(self) -> bool:
        return True

    def is_dispatchable(self) -> bool:
        return False
