"""Dispatch of every press and every form to the cog that handles it.

`custom_id`s say what a press means (`bot.render.custom_ids`), so buttons outlive restarts, and what
the message shows by now plays no part.  Each cog says which verbs it answers; this one only finds
it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, Final, NamedTuple, Protocol, TypeAlias, runtime_checkable

import discord
from discord import app_commands
from discord.ext import commands

from bot.answer.access import Need
from bot.answer.arrivals import Arrivals
from bot.answer.choices import BARE, Bare, TableCog
from bot.answer.context import Context
from bot.answer.reply import Reply, answering
from bot.answer.sight import pressed_table
from bot.ids import TableId
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table, TableError
from bot.tables.phase import Unreadable

Handler: TypeAlias = Callable[[Reply, Press], Awaitable[None]]
"""Answers a press about no table."""

TableHandler: TypeAlias = Callable[[Reply, Press, Table], Awaitable[None]]
"""Answers a press about a table, which stands as it did when the press came in."""


class Guarded(NamedTuple):
    """What answers a press about a table, and what whoever presses has to be allowed."""

    need: Need
    handler: TableHandler


_PRESSED: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)


_EVEN_UNREADABLE: Final = frozenset(
    {Verb.LEAVE, Verb.LEAVE_NOW, Verb.END, Verb.END_NOW, Verb.REMATCH, Verb.VERIFY}
)
"""What can be pressed although a table's log cannot be replayed."""


@runtime_checkable
class Answers(Protocol):
    """A cog that answers presses about tables."""

    @property
    def presses(self) -> Mapping[Verb, Guarded]: ...


@runtime_checkable
class Pages(Protocol):
    """A cog that answers presses about no table."""

    @property
    def pages(self) -> Mapping[Verb, Handler]: ...


class Presses(commands.Cog):
    """The one router of presses."""

    def __init__(self, context: Context, cogs: Iterable[object], arrivals: Arrivals) -> None:
        self.context = context
        self._arrivals = arrivals
        self._handlers: dict[Verb, Guarded] = {}
        self._pages: dict[Verb, Handler] = {Verb.PICK: self._press_pick}
        self._bare: dict[str, tuple[TableCog, Bare]] = {}
        """By name the commands that can be run with a table that is chosen."""
        for cog in cogs:
            if isinstance(cog, TableCog):
                for command in cog.walk_app_commands():
                    if isinstance(command, app_commands.Command) and command.callback in BARE:
                        self._bare[command.qualified_name] = cog, BARE[command.callback]
            if isinstance(cog, Answers):
                self._handlers.update(cog.presses)
            if isinstance(cog, Pages):
                self._pages.update(cog.pages)

    @property
    def verbs(self) -> frozenset[Verb]:
        """The verbs that somebody answers."""
        return frozenset({*self._handlers, *self._pages})

    @property
    def about_tables(self) -> frozenset[Verb]:
        """Those whose presses are about a table."""
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
        async with answering(interaction, press) as reply:
            if press is None:
                await reply.say("error.moved_on")
            elif (guarded := self._handlers.get(press.verb)) is not None:
                await self._at_a_table(reply, press, guarded)
            elif (page := self._pages.get(press.verb)) is not None:
                await page(reply, press)
            else:
                await reply.say("error.moved_on")

    async def _press_pick(self, reply: Reply, press: Press) -> None:
        """Runs a command with the table that was chosen."""
        found = self._bare.get(press.argument)
        if found is None or not reply.chosen:
            await reply.say("error.moved_on")
            return
        cog, bare = found
        chosen = TableId(reply.chosen[0])
        table = await pressed_table(self.context, reply.interaction, chosen, bare.need)
        await bare.answer(cog, reply, table)

    async def _at_a_table(self, reply: Reply, press: Press, guarded: Guarded) -> None:
        """Answers a press about a table, if it is one of the table as it stands."""
        table = await pressed_table(self.context, reply.interaction, press.table, guarded.need)
        if isinstance(table.phase, Unreadable) and press.verb not in _EVEN_UNREADABLE:
            raise TableError("unreadable", id=table.id)
        await guarded.handler(reply, press, table)
