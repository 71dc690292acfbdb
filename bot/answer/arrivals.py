"""Interactions as they arrive: each is taken up once, however often Discord repeats it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import discord
import structlog
from cachetools import FIFOCache
from discord import app_commands
from discord.ext import commands

from bot.answer.origin import on_discord, server_of, speak
from bot.answer.reply import answering
from bot.ids import UserId
from bot.publish.membership import Membership
from bot.publish.readers import Readers

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
