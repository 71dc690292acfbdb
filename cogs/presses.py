"""Every press on every component, and every form sent in, comes through here.

`custom_id`s say what a press means (`bot.render.custom_ids`), so buttons outlive restarts, and what
the message shows by now plays no part.  Each cog says which verbs it answers; this one only finds
it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from typing import Any, Final, Protocol, TypeAlias, runtime_checkable

import discord
from discord.ext import commands

from bot.answer.arrivals import Arrivals
from bot.answer.context import Context, may_see
from bot.answer.reply import Reply, answering
from bot.render.custom_ids import Press, Verb
from bot.tables.model import TableError

Handler: TypeAlias = Callable[[Reply, Press, Sequence[str]], Awaitable[None]]
"""Answers a press; the strings are the values chosen in a select."""


_PRESSED: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)


_ABOUT_NO_TABLE: Final = frozenset({Verb.RULES, Verb.STANDINGS, Verb.PERIOD, Verb.GAME, Verb.NONE})
"""The others name a table of which the person must be able to know."""


@runtime_checkable
class Answers(Protocol):
    """A cog that answers presses."""

    @property
    def presses(self) -> Mapping[Verb, Handler]: ...


class Presses(commands.Cog):
    """The one router of presses."""

    def __init__(self, context: Context, cogs: Iterable[object], arrivals: Arrivals) -> None:
        self.context = context
        self._arrivals = arrivals
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
        """Answers presses, choices and forms; commands and suggestions go another way.

        discord.py keeps no view of ours (`bot.render.message`), so it answers none of them.
        """
        if interaction.type in _PRESSED and self._arrivals.is_new(interaction):
            await self.answer(interaction)

    async def answer(self, interaction: discord.Interaction) -> None:
        """Answers a press by its `custom_id`; one that means nothing is told so."""
        data: Mapping[str, Any] = interaction.data or {}
        press = Press.decode(str(data.get("custom_id", "")))
        handler = None if press is None else self._handlers.get(press.verb)
        async with answering(interaction) as reply:
            if press is None or handler is None:
                await reply.say("error.moved_on")
            else:
                await self._require_in_sight(interaction, press)
                await handler(reply, press, [str(value) for value in data.get("values", ())])

    async def _require_in_sight(self, interaction: discord.Interaction, press: Press) -> None:
        """Raises TableError `no_such_table` for a table that the person cannot know of.

        Only a forged press is about one: a button stands where its table is, or with its people.
        """
        if press.verb in _ABOUT_NO_TABLE:
            return
        table = await self.context.tables.find(press.table)
        if not may_see(interaction, table):
            raise TableError("no_such_table", id=press.table)
