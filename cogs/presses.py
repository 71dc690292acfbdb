"""Dispatch of every press and form, each taken up once, to the cog that handles it.

The meaning of a press is in its `custom_id` (`bot.render.custom_ids`), so buttons outlive restarts,
and the present content of the message does not matter.  Each method of a cog declares the verb that
it answers (`table_press`, `page_press`); this cog only finds it.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping
from inspect import isfunction
from types import MethodType
from typing import Any, Final, NamedTuple, TypeAlias, TypeVar

import discord
import structlog
from cachetools import FIFOCache
from discord import app_commands
from discord.ext import commands

from bot.answer.access import Need
from bot.answer.choices import TABLE_ONLY, ContextCog, TableCog, TableOnly
from bot.answer.context import Context
from bot.answer.origin import on_discord, server_of, speak
from bot.answer.panels import show_instead
from bot.answer.reply import NO_PRESS, Reply, answering
from bot.answer.sight import pressed_table
from bot.ids import TableId, UserId
from bot.publish.membership import Membership
from bot.publish.readers import Readers
from bot.render.custom_ids import Press, Verb
from bot.tables.model import Table, TableError
from bot.tables.phase import Unreadable

# Interactions as they arrive.

logger = structlog.get_logger(__name__)

MAX_REMEMBERED: Final = 10_000
"""Maximum number of interactions that are remembered: minutes of many tables, or a resumed line."""


class Arrivals:
    """Interactions that have come in.

    Discord delivers some twice, above all when a connection is resumed.  The second one is ignored,
    as the first is being answered; actions from before a restart are recognised by the tables.
    """

    def __init__(
        self, membership: Membership, readers: Readers, received: Callable[[int, str], None]
    ) -> None:
        """`received` counts interactions, by id and kind; it must not block and must not raise."""
        self._membership, self._readers, self._received = membership, readers, received
        self._known: FIFOCache[int, None] = FIFOCache(MAX_REMEMBERED)

    async def take(self, interaction: discord.Interaction[Any]) -> bool:
        """Whether this is the first time that it comes in: then it can be answered."""
        if interaction.id in self._known:
            logger.info("interaction_repeated", interaction=interaction.id)
            return False
        self._known[interaction.id] = None
        self._received(interaction.id, interaction.type.name)
        user, guild = UserId(interaction.user.id), server_of(interaction)
        said = on_discord(interaction)
        self._membership.heard(guild, user)
        self._readers.heard(user, said.own)
        speak(interaction, await self._readers.spoken(user, said.own, guild, said.shared))
        return True


class Tree(app_commands.CommandTree[commands.AutoShardedBot]):
    """The commands: each is run once, and one that cannot be run is answered all the same."""

    arrivals: Arrivals | None = None
    """Set before commands come in."""

    async def interaction_check(
        self, interaction: discord.Interaction[commands.AutoShardedBot], /
    ) -> bool:
        return self.arrivals is None or await self.arrivals.take(interaction)

    async def on_error(
        self,
        interaction: discord.Interaction[commands.AutoShardedBot],
        error: app_commands.AppCommandError,
        /,
    ) -> None:
        """A command of an earlier version of the program, for one, which the app still offers."""
        # What kind of failure it was; its words could repeat what somebody typed.
        logger.warning("command_failed", interaction=interaction.id, kind=type(error).__name__)
        if interaction.type is discord.InteractionType.application_command:
            async with answering(interaction) as reply:
                await reply.say("error.command")


# Presses.

C = TypeVar("C", bound=ContextCog)

Handler: TypeAlias = Callable[[C, Reply], Coroutine[Any, Any, None]]
"""A method that answers a press about no table."""

TableHandler: TypeAlias = Callable[[C, Reply, Table], Coroutine[Any, Any, None]]
"""A method that answers a press about a table, which it gets as of the press; it may answer a
command too."""

_PAGES: Final[dict[object, Verb]] = {}
_AT_TABLES: Final[dict[object, tuple[Verb, Need]]] = {}
"""By method: its verb, and the right that a presser must have."""


def page_press(verb: Verb) -> Callable[[Handler[C]], Handler[C]]:
    """Has a method of a cog answer presses of `verb`, which are about no table."""

    def note(handler: Handler[C]) -> Handler[C]:
        _PAGES[handler] = verb
        return handler

    return note


def table_press(verb: Verb, need: Need) -> Callable[[TableHandler[C]], TableHandler[C]]:
    """The same for presses about a table, of people with the right `need`."""

    def note(handler: TableHandler[C]) -> TableHandler[C]:
        _AT_TABLES[handler] = verb, need
        return handler

    return note


class Guarded(NamedTuple):
    """A method that answers a press about a table, and the right that a presser must have."""

    need: Need
    handler: Callable[[Reply, Table], Awaitable[None]]


_PRESSED: Final = (discord.InteractionType.component, discord.InteractionType.modal_submit)

_EVEN_UNREADABLE: Final = frozenset(
    {Verb.LEAVE, Verb.LEAVE_NOW, Verb.END, Verb.END_NOW, Verb.REMATCH, Verb.VERIFY}
)
"""Verbs that work at a table whose log cannot be replayed."""


class Presses(ContextCog):
    """The one router of presses."""

    def __init__(self, context: Context, cogs: Iterable[ContextCog], arrivals: Arrivals) -> None:
        super().__init__(context)
        self._arrivals = arrivals
        self._handlers: dict[Verb, Guarded] = {}
        self._pages: dict[Verb, Callable[[Reply], Awaitable[None]]] = {}
        self._table_only: dict[str, tuple[TableCog, TableOnly]] = {}
        """Commands that can be run with a chosen table, by name."""
        for cog in (*cogs, self):
            methods: list[object] = [*vars(type(cog)).values()]
            if isinstance(cog, TableCog):
                for command in cog.walk_app_commands():
                    if isinstance(command, app_commands.Command) and command.callback in TABLE_ONLY:
                        self._table_only[command.qualified_name] = cog, TABLE_ONLY[command.callback]
                        methods.append(TABLE_ONLY[command.callback].answer)
            for method in filter(isfunction, methods):
                if method in _AT_TABLES:
                    verb, need = _AT_TABLES[method]
                    self._handlers[verb] = Guarded(need, MethodType(method, cog))
                if method in _PAGES:
                    self._pages[_PAGES[method]] = MethodType(method, cog)

    @commands.Cog.listener()
    async def on_interaction(self, interaction: discord.Interaction) -> None:
        """Answer presses, choices and forms by their `custom_id`; commands and suggestions go
        another way.

        discord.py keeps no view of ours (`bot.render.message`), so it answers none of them.
        """
        if interaction.type not in _PRESSED or not await self._arrivals.take(interaction):
            return
        data: Mapping[str, Any] = interaction.data or {}
        press = Press.decode(str(data.get("custom_id", "")))
        async with answering(interaction, press) as reply:
            if press is None:
                await reply.say("error.moved_on")
            elif (guarded := self._handlers.get(press.verb)) is not None:
                await self._at_a_table(reply, press, guarded)
            elif (page := self._pages.get(press.verb)) is not None:
                await page(reply)
            else:
                await reply.say("error.moved_on")

    @page_press(Verb.PICK)
    async def _press_pick(self, reply: Reply) -> None:
        """Runs a command with the table that was chosen."""
        found = self._table_only.get(reply.press.argument)
        if found is None or not reply.chosen:
            await reply.say("error.moved_on")
            return
        cog, bare = found
        chosen = TableId(reply.chosen[0])
        table = await pressed_table(self.context, reply.interaction, chosen, bare.need)
        reply.press = NO_PRESS
        await bare.answer(cog, reply, table)

    async def _at_a_table(self, reply: Reply, press: Press, guarded: Guarded) -> None:
        """Answer a press about a table that exists, for a person with the right to it."""
        try:
            table = await pressed_table(self.context, reply.interaction, press.table, guarded.need)
            if isinstance(table.phase, Unreadable) and press.verb not in _EVEN_UNREADABLE:
                raise TableError("unreadable", id=table.id)
            await guarded.handler(reply, table)
        except TableError as error:
            if not await show_instead(self.context, reply, error):
                raise
