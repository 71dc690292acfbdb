"""Events on Discord: channels and servers that are deleted, permissions that change."""

from __future__ import annotations

from typing import TypeAlias

import discord
from discord.ext import commands

from bot.answer.choices import ContextCog
from bot.ids import ChannelId, GuildId

Changed: TypeAlias = discord.abc.GuildChannel | discord.Member


class Events(ContextCog):
    """Listens to Discord.  Of threads the raw events: discord.py forgets those in the archive."""

    @commands.Cog.listener()
    async def on_shard_ready(self, shard: int) -> None:
        await self.context.vanished.ready(shard)

    @commands.Cog.listener()
    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.context.vanished.above(GuildId(channel.guild.id), ChannelId(channel.id))

    @commands.Cog.listener()
    async def on_raw_thread_delete(self, event: discord.RawThreadDeleteEvent) -> None:
        await self.context.vanished.channel(ChannelId(event.thread_id))

    @commands.Cog.listener()
    async def on_guild_remove(self, guild: discord.Guild) -> None:
        await self.context.vanished.server(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_available(self, guild: discord.Guild) -> None:
        self._retry(guild.id)
        await self.context.vanished.available(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_join(self, guild: discord.Guild) -> None:
        self._retry(guild.id)
        await self.context.vanished.invited(GuildId(guild.id))

    @commands.Cog.listener()
    async def on_guild_role_update(self, before: discord.Role, after: discord.Role) -> None:
        if before.permissions != after.permissions:
            self._retry(after.guild.id)

    @commands.Cog.listener()
    async def on_guild_role_delete(self, role: discord.Role) -> None:
        self._retry(role.guild.id)

    @commands.Cog.listener("on_guild_channel_update")
    @commands.Cog.listener("on_member_update")
    async def on_update(self, before: Changed, after: Changed) -> None:
        """Without members' intents a member is only ever the program itself."""
        self._retry(after.guild.id)

    @commands.Cog.listener()
    async def on_raw_thread_update(self, event: discord.RawThreadUpdateEvent) -> None:
        self.context.vanished.is_below(ChannelId(event.thread_id), ChannelId(event.parent_id))
        self._retry(event.guild_id)

    @commands.Cog.listener()
    async def on_thread_join(self, thread: discord.Thread) -> None:
        """The program was let in, or a thread came out of the archive."""
        self._retry(thread.guild.id)

    def _retry(self, guild: int) -> None:
        for desk in (self.context.publisher, self.context.planned):
            desk.retry(GuildId(guild))
