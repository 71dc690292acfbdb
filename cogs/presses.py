"""Every press on every component, and every form sent in, comes through here.

`custom_id`s say what a press means (`bot.present.ids`), so buttons outlive restarts.  Each cog
says which verbs it answers; this one only finds it.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, Self, TypeAlias, runtime_checkable

import discord
from discord.ext import commands

from bot.present.ids import PATTERN, Press, Verb
from cogs._replies import Reply, answering

Handler: TypeAlias = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]
"""Answers a press; the strings are the values chosen in a select."""


@runtime_checkable
class Answers(Protocol):
    """A cog that answers presses."""

    @property
    def presses(self) -> Mapping[Verb, Handler]: ...


class Presses(commands.Cog):
    """The one router of presses."""

    def __init__(self, cogs: Iterable[object]) -> None:
        self._handlers: dict[Verb, Handler] = {}
        for cog in cogs:
            if isinstance(cog, Answers):
                self._handlers.update(cog.presses)

    @property
    def verbs(self) -> frozenset[Verb]:
        """The verbs that somebody answers."""
        return frozenset(self._handlers)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answers what discord.py does not dispatch.

        These are forms, and presses on a component that its message no longer has: redrawn
        between the press and its arrival.  The rest comes by `pressed_by`.
        """
        match interaction.type:
            case discord.InteractionType.modal_submit:
                await self.answer(interaction)
            case discord.InteractionType.component if not _still_there(interaction):
                await self.answer(interaction)
            case _:
                pass

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answers a press by its `custom_id`; one that means nothing is told so."""
        data: Mapping[str, Any] = interaction.data or {}
        press = Press.decode(str(data.get("custom_id", "")))
        handler = None if press is None else self._handlers.get(press.verb)
        async with answering(interaction) as reply:
            if press is None or handler is None:
                await reply.say("error.moved_on")
            else:
                await handler(reply, press, [str(value) for value in data.get("values", ())])


def pressed_by(router: Presses) -> type[discord.ui.DynamicItem[discord.ui.Item[Any]]]:
    """The component class that leads every press to `router`; discord.py finds it by template."""

    class Pressed(discord.ui.DynamicItem[discord.ui.Item[Any]], template=PATTERN):
        """Any component of ours, whichever message it is on and whoever drew it."""

        @classmethod
        async def from_custom_id(
            cls,
            interaction: discord.Interaction,
            item: discord.ui.Item[Any],
            match: re.Match[str],
        ) -> Self:
            return cls(item)

        async def callback(self, interaction: discord.Interaction) -> None:
            await router.answer(interaction)

    return Pressed


def _still_there(interaction: discord.Interaction) -> bool:
    """Whether discord.py dispatches this press."""
    data: Mapping[str, Any] = interaction.data or {}
    custom_id = str(data.get("custom_id", ""))
    if interaction.message is None or re.fullmatch(PATTERN, custom_id) is None:
        return False
    return any(_holds(component, custom_id) for component in interaction.message.components)


def _holds(component: Any, custom_id: object) -> bool:
    """Whether the component or one inside it has that id (components nest freely)."""
    if getattr(component, "custom_id", None) == custom_id:
        return True
    inside = list(getattr(component, "children", ()))
    accessory = getattr(component, "accessory", None)
    return any(_holds(child, custom_id) for child in [*inside, accessory] if child is not None)
