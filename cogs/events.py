"""What happens around the tables: channels and servers that go, permissions that change."""

from __future__ import annotations

import discord
import structlog
from discord.ext import commands

from bot.answer.context import Context
from bot.ids import ChannelId, GuildId, TableId

log = structlog.get_logger(__name__)


class Events(commands.Cog):
    """Listens to Discord; one table that is in trouble keeps no other from hearing of it."""

    def __init__(self, context: Context) -> None:
        self.context = context

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
        """The program was removed: its tables wait for it to come back."""
        for table in await self._tables(guild=GuildId(guild.id)):
            try:
                await self.context.tables.stalled(table, ())
            except Exception as error:
                _tell("stall_failed", table, error)

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        self._retry(guild)

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        self._retry(guild)

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        if before.permissions != after.permissions:
            self._retry(after.guild)

    @commands.Cog.listener()
    async def on_guild_channel_update(
        self, before: discord.abc.GuildChannel, after: discord.abc.GuildChannel
    ) -> None:
        self._retry(after.guild)

    @commands.Cog.listener()
    async def on_thread_update(self, before: discord.Thread, after: discord.Thread) -> None:
        self._retry(after.guild)

    @commands.Cog.listener()
    async def on_member_update(self, before: discord.Member, after: discord.Member) -> None:
        """Without members' intents this is only ever about the program itself."""
        self._retry(after.guild)

    def _retry(self, guild: discord.Guild) -> None:
        self.context.publisher.retry(GuildId(guild.id))

    async def _vanished(self, channel: ChannelId) -> None:
        for table in await self._tables(channel=channel):
            try:
                await self.context.tables.vanished(table)
            except Exception as error:
                _tell("vanishing_failed", table, error)

    async def _tables(
        self, *, guild: GuildId | None = None, channel: ChannelId | None = None
    ) -> list[TableId]:
        try:
            return await self.context.tables.tables_in(guild=guild, channel=channel)
        except Exception as error:  # discord.py would log it with its words
            _tell("tables_not_found", "", error)
            return []


def _tell(event: str, table: str, error: Exception) -> None:
    log.error(event, table=table, kind=type(error).__name__)
