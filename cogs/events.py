"""Events on Discord: channels and servers that are deleted, permissions that change."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

import discord
import structlog
from discord.ext import commands

from bot.answer.choices import ContextCog
from bot.ids import ChannelId, GuildId, TableId

logger = structlog.get_logger(__name__)

Changed: TypeAlias = discord.abc.GuildChannel | discord.Thread | discord.Member


class Events(ContextCog):
    """Listens to Discord; one table that is in trouble keeps no other from hearing of it."""

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self._vanished(ChannelId(channel.id))
        if isinstance(channel, discord.TextChannel | discord.ForumChannel):
            for thread in channel.threads:  # Discord says nothing of them
                await self._vanished(ChannelId(thread.id))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        await self._vanished(ChannelId(event.thread_id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """The program was removed: its tables wait for it to come back, what was planned is off."""
        tables, here = self.context.tables, GuildId(guild.id)
        await _each(tables.tables_in(here), lambda t: tables.stalled(t, ()), "stall_failed")
        await self._unplanned(guild=here)

    @commands.Cog.listener("on_guild_join")
    @commands.Cog.listener("on_guild_available")
    async def on_arrival(self, guild: discord.Guild) -> None:
        self.context.publisher.retry(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        if before.permissions != after.permissions:
            await self.on_arrival(after.guild)

    @commands.Cog.listener("on_guild_channel_update")
    @commands.Cog.listener("on_thread_update")
    @commands.Cog.listener("on_member_update")
    async def on_update(self, before: Changed, after: Changed) -> None:
        """Without members' intents a member is only ever the program itself."""
        await self.on_arrival(after.guild)

    async def _vanished(self, channel: ChannelId) -> None:
        tables = self.context.tables
        await _each(tables.tables_in(channel=channel), tables.vanished, "vanishing_failed")
        await self._unplanned(channel=channel)

    async def _unplanned(
        self, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> None:
        """Nothing opens there any more."""
        try:
            await self.context.planning.vanished(guild, channel)
        except Exception as error:  # discord.py would log it with its words
            _tell("plans_not_called_off", "", error)


async def _each(
    tables: Awaitable[list[TableId]], change: Callable[[TableId], Awaitable[object]], failed: str
) -> None:
    """Changes each of the tables; what goes wrong is logged, at a table as `failed`."""
    try:
        found = await tables
    except Exception as error:  # discord.py would log it with its words
        _tell("tables_not_found", "", error)
        return
    for table in found:
        try:
            await change(table)
        except Exception as error:
            _tell(failed, table, error)


def _tell(event: str, table: str, error: Exception) -> None:
    logger.error(event, table=table, kind=type(error).__name__)
